/// What every contestant is to make of one input: the same picture size, rate and part of it.
struct Target: Hashable, Sendable {
  /// A path.
  let input: String
  /// Seconds into the source, and of it.
  let start: Double
  let seconds: Double
  let width: Int
  let height: Int
  /// Frames a second, exactly, as in "30000/1001".
  let frameRate: String
  let rate: Double
  /// Of the output.
  let frames: Double
  /// What the source's values mean, as H.273 numbers them, and "full" or "limited".
  let color: Color
  let isToneMapped: Bool

  struct Color: Hashable, Sendable {
    let matrix: Int
    let primaries: Int
    let transfer: Int
    let range: String
  }

  /// Reads reels-prep's `planned` event.
  ///
  /// - Returns: nil for anything else.
  init?(planned event: JSONValue) {
    guard event["type"]?.string == "planned", let input = event["input"]?.string,
      let plan = event["plan"], let video = plan["video"],
      let canvas = video["geometry"]?["canvas"],
      let width = canvas["width"]?.number, let height = canvas["height"]?.number,
      let numerator = video["frameRate"]?["num"]?.number,
      let denominator = video["frameRate"]?["den"]?.number, denominator > 0,
      let frames = video["frames"]?.number, let source = video["color"]?["source"]
    else { return nil }
    self.input = input
    start = plan["window"]?["requestedStart"]?.number ?? 0
    rate = numerator / denominator
    seconds = frames / rate
    self.width = Int(width)
    self.height = Int(height)
    frameRate = "\(Int(numerator))/\(Int(denominator))"
    self.frames = frames
    func number(_ key: String) -> Int { source[key]?.number.map { Int($0) } ?? 1 }
    color = Color(
      matrix: number("matrix"), primaries: number("primaries"), transfer: number("transfer"),
      range: source["range"]?.string ?? "limited")
    isToneMapped = video["color"]?["toneMap"]?.string.map { $0 != "none" } ?? false
  }

  /// Bits a second of the video in a file of `bytes`, with sound and container taken off.
  func videoRate(fileBytes: Double) -> Double {
    max(50_000, fileBytes * 8 / seconds - 128_000 - 20 * 8 * (rate + 47) - 2_000)
  }

  /// ffmpeg's options up to the input.
  var ffmpegInput: [String] {
    ["-nostdin", "-v", "error", "-y"] + (start > 0 ? ["-ss", "\(start)"] : [])
      + ["-t", "\(seconds)", "-i", input, "-map", "0:v:0", "-map", "0:a:0?"]
  }

  /// ffmpeg's options for the picture, the rate control apart. The rate is a filter's, because -r
  /// gives the two passes of a late-starting clip different numbers of frames.
  var ffmpegVideo: [String] {
    [
      "-vf", "fps=\(frameRate),scale=\(width):\(height):flags=lanczos,setsar=1",
      "-c:v", "libx264", "-pix_fmt", "yuv420p", "-profile:v", "high",
    ]
  }

  /// ffmpeg's options for the sound and the container.
  static let ffmpegOutput = [
    "-c:a", "aac", "-b:a", "128k", "-ar", "48000", "-movflags", "+faststart",
  ]
}
