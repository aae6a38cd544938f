internal import Foundation

/// How near a made video is to its source, by libvmaf, on every fifth frame.
struct Quality: Hashable, Sendable {
  /// VMAF, 0 to 100: the mean, the 5th percentile of the frames, and the standard deviation of the
  /// means of each second.
  let vmafMean: Double
  let vmafP5: Double
  let vmafSecondDeviation: Double
  /// SSIM, 0 to 1, the mean.
  let ssim: Double

  var json: JSONValue {
    [
      "vmafMean": .rounded(vmafMean), "vmafP5": .rounded(vmafP5),
      "vmafSecondDeviation": .rounded(vmafSecondDeviation), "ssim": .rounded(ssim),
    ]
  }

  /// Compares `video` with the part of the source that `target` names, scaled and timed alike.
  ///
  /// - Parameter isConverted: Whether the video's colours were converted to BT.709: the source's
  ///   then are too, else neither's are.
  /// - Throws: `BenchError` where there is no libvmaf, or the source is HDR.
  static func measure(
    _ video: URL, of target: Target, isConverted: Bool, bench: Bench
  ) throws -> Quality {
    guard let ffmpeg = bench.tools.qualityFFmpeg else {
      throw BenchError("there is no ffmpeg with libvmaf; benchmarks/setup fetches one")
    }
    if target.isToneMapped { throw BenchError("an HDR source is no reference for an SDR video") }
    let log = bench.scratch.appending(path: "vmaf.json")
    defer { try? FileManager.default.removeItem(at: log) }
    // Labelled alike, because ffmpeg converts what is labelled otherwise before it compares.
    let label = "setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709"
    let color = target.color
    let scale =
      isConverted
      ? "zscale=w=\(target.width):h=\(target.height):f=lanczos:min=\(color.matrix)"
        + ":pin=\(color.primaries):rin=\(color.range):tin=709:m=709:p=709:t=709:r=limited,"
        + "format=yuv420p"
      : "scale=\(target.width):\(target.height):flags=lanczos,format=yuv420p"
    let graph =
      "[0:v]\(label),settb=AVTB,setpts=PTS-STARTPTS[made];"
      + "[1:v]settb=AVTB,setpts=PTS-STARTPTS,fps=\(target.frameRate),\(scale),\(label),setsar=1,"
      + "settb=AVTB,setpts=PTS-STARTPTS[source];"
      + "[made][source]libvmaf=n_threads=2:n_subsample=\(subsample):log_fmt=json"
      + ":log_path=\(log.path):feature=name=float_ssim:shortest=1"
    try Command(
      ffmpeg,
      ["-nostdin", "-v", "error", "-i", video.path]
        + (target.start > 0 ? ["-ss", "\(target.start)"] : [])
        + ["-t", "\(target.seconds)", "-i", target.input, "-lavfi", graph, "-f", "null", "-"]
    ).run()
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: log))
    return try Quality(log: document, rate: target.rate)
  }

  private static let subsample = 5

  /// Reads libvmaf's log.
  private init(log: JSONValue, rate: Double) throws {
    var (scores, similarities): ([Double], [Double]) = ([], [])
    var seconds: [Int: [Double]] = [:]
    for frame in log["frames"]?.array ?? [] {
      guard let number = frame["frameNum"]?.number, let metrics = frame["metrics"],
        let vmaf = metrics["vmaf"]?.number, let ssim = metrics["float_ssim"]?.number
      else { continue }
      scores.append(vmaf)
      similarities.append(ssim)
      seconds[Int(number / rate), default: []].append(vmaf)
    }
    guard !scores.isEmpty else { throw BenchError("libvmaf scored no frame") }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    vmafMean = mean(scores)
    vmafP5 = scores.sorted()[scores.count * 5 / 100]
    ssim = mean(similarities)
    let means = seconds.values.map(mean)
    let center = mean(means)
    vmafSecondDeviation = mean(means.map { ($0 - center) * ($0 - center) }).squareRoot()
  }
}
