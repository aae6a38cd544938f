private import Foundation
internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Encodes the whole window as a small picture, to learn where it is hard and what rests on what, and
/// a few frames of it at full size, for the level of what they take.
///
/// Half a dozen samples at full size had cost as much and said much less: what a trailer takes differs
/// tenfold from one second to the next.
struct Draft: Sendable {
  /// The whole job, whose ranges it shares.
  let job: Transcode
  /// What makes its pictures.
  let recipe: FilterRecipe
  /// Where the source can be entered.
  let entries: [EntryPoint]
  /// Bits that the video may have.
  let limit: Double
  /// Whole GOPs at full size instead of a frame: for a prediction that is not followed by an encode
  /// that learns. No file is written then, and no pass guided.
  var isExact = false

  /// What it told.
  struct Findings: Sendable {
    var budget: BitBudget
    /// What guides the encode; `none` where x264 wrote something else than is known.
    var guidance: Transcode.Guidance
    /// Frames that entered an encoder, weighted by their pixels.
    var framesEncoded: Double
  }

  /// The sides are divided so that the shorter one is about this: a smaller picture makes a tree that is
  /// no worse (measured at 1080p, divided by 3 to 8). A sixteenth of the pixels at most.
  private static let shorterSide = 128
  private static let divisors = 4...8
  private static let lookahead = 60

  private var divisor: Int {
    let canvas = job.video.geometry.canvas
    let exact = min(canvas.width, canvas.height) / Self.shorterSide
    return min(max(exact, Self.divisors.lowerBound), Self.divisors.upperBound)
  }

  /// Frames of both sizes, at most.
  var frames: Int { job.video.frames + parts * sampleFrames }

  /// Parts of the window, each with its own sample: one in 110 frames at most, so that they
  /// are a twelfth of a short clip and a thirty-third of a long one.
  private var parts: Int { min(max(2, job.video.frames / 110), 6) }
  /// One mini-GOP after the IDR frame; a whole GOP where nothing will be learnt later.
  private var sampleFrames: Int { isExact ? job.video.encoding.gopFrames : 9 }

  func run() async throws -> Findings {
    let crf = guess
    let (small, guidance) = try await smallPass(crf: crf)
    let samples = samples(small)
    let large = try await packets(of: sampleJob(samples, crf: crf, guidance))
    let pixels = Double(smallSize.area) / Double(max(1, job.video.geometry.canvas.area))
    var levels = Levels(areas: 1 / pixels, frameRate: job.video.frameRate.doubleValue)
    for (sample, large) in zip(samples, large) {
      levels.add(
        job.video.ranges[sample.range].first + sample.places.lowerBound,
        small: small[sample.range][sample.places], large: large)
    }
    let units = units(small, levels)
    let encoded = Double(job.video.frames) * pixels + Double(large.joined().count)
    return Findings(
      budget: BitBudget(
        units: units, forecastCRF: crf, halving: BitBudget.usualHalving,
        bestCRF: job.video.encoding.crf),
      guidance: guidance, framesEncoded: encoded)
  }

  private func packets(of part: Transcode) async throws -> [[PacketStore.Entry]] {
    let store = try await part.pictures()
    return (0..<store.count).map { store.entries(of: $0) }
  }

  /// Where natural video at this size and rate would land: 1080p at 30 frames a second takes about
  /// 4.5 Mbit/s at a rate factor of 23.
  private var guess: Double {
    let pixels = Double(job.video.geometry.canvas.area) * job.video.frameRate.doubleValue
    let seconds = Double(job.video.frames) / job.video.frameRate.doubleValue
    let usual = 4_500_000 * pixels / (1920 * 1080 * 30)
    let crf = 23 + BitBudget.usualHalving * log2(usual * seconds / max(1, limit))
    return min(max(crf, job.video.encoding.crf), 40)
  }

  // MARK: The small picture

  private var smallSize: PixelSize { job.video.geometry.canvas.divided(by: divisor) }

  private func smallPass(
    crf: Double
  ) async throws -> (packets: [[PacketStore.Entry]], guidance: Transcode.Guidance) {
    var part = smallJob(crf: crf)
    if isExact { return (try await packets(of: part), .none) }
    let folder = FilePath(bytes: job.output.bytes + Array(".passes".utf8))
    try FileSystem.makeDirectory(folder)
    defer { try? DirectoryTree.remove(folder) }
    let logs = part.video.ranges.indices.map { folder.appending("\($0)") }
    part.guidance = .writes(logs)
    let packets = try await packets(of: part)
    let passes = try zip(logs, job.video.ranges).compactMap { log, range in
      try firstPass(log, frames: range.count)
    }
    let isWhole = passes.count == logs.count
    return (packets, isWhole ? .follows(passes, FirstPass.Grid(size: smallSize)) : .none)
  }

  private func firstPass(_ log: FilePath, frames: Int) throws -> FirstPass? {
    let tree = FilePath(bytes: log.bytes + Array(".mbtree".utf8))
    return FirstPass(
      log: try FileSystem.read(log, limit: Self.logLimit),
      tree: try FileSystem.read(tree, limit: Self.logLimit), size: smallSize, frames: frames)
  }

  /// Half a minute of 1080p at 60 frames a second writes less than 1 MB.
  private static let logLimit = ByteCount(50_000_000)

  private func smallJob(crf: Double) -> Transcode {
    var part = silent(crf: crf)
    let recipe = recipe.small(divisor)
    part.video.geometry.canvas = smallSize
    part.video.encoding = VideoEncoding(
      effort: .fast, crf: crf, maximumRate: BitsPerSecond(0), bufferBits: 0,
      initialFill: 0, gopFrames: job.video.encoding.gopFrames, level: 42,
      lookaheadFrames: Self.lookahead)
    part.video.encoding.limitsPeak = false
    part.decodesRoughly = true
    part.recipe = { recipe.description(for: $0) }
    return part
  }

  /// A part that is encoded at full size.
  private struct Sample {
    var range: Int
    /// The places of its frames within the range; the first is an IDR frame.
    var places: Range<Int>
    var entry: EntryPoint
    /// What is decoded before it, in frames.
    var before: Int
  }

  /// Of each part of the window the IDR frame that costs the least to come to.
  private func samples(_ small: [[PacketStore.Entry]]) -> [Sample] {
    let clock = job.video.clock
    var best = [Sample?](repeating: nil, count: parts)
    for (range, packets) in small.enumerated() {
      let first = job.video.ranges[range].first
      for place in packets.indices where packets[place].isKey {
        guard let entry = job.video.entry(showing: first + place, of: entries) else { continue }
        let sample = Sample(
          range: range, places: place..<min(place + sampleFrames, packets.count),
          entry: entry, before: max(0, first + place - clock.place(of: entry.pts)))
        let part = (first + place) * parts / max(1, job.video.frames)
        if sample.before < best[part]?.before ?? .max { best[part] = sample }
      }
    }
    return best.compactMap { $0 }
  }

  private func sampleJob(
    _ samples: [Sample], crf: Double, _ guidance: Transcode.Guidance
  ) -> Transcode {
    var part = silent(crf: crf)
    part.video.ranges = samples.map {
      VideoPlan.EncodeRange(
        first: job.video.ranges[$0.range].first + $0.places.lowerBound, count: $0.places.count,
        entry: $0.entry)
    }
    part.crfs = samples.map { _ in crf }
    if case .follows(let passes, let grid) = guidance {
      part.guidance = .follows(
        samples.map { passes[$0.range].part($0.places) }, grid)
    }
    return part
  }

  private func silent(crf: Double) -> Transcode {
    var part = job
    part.cover = nil
    part.budget = nil
    part.crfs = job.video.ranges.map { _ in crf }
    return part
  }

  // MARK: From small to large

  /// How many times the small picture's bits the large one takes, near each sample: a noisy scene loses
  /// most of its detail with its size, a smooth one little.
  private struct Levels {
    private var intra: [(place: Int, ratio: Double)] = []
    private var inter: [(place: Int, ratio: Double)] = []
    private let usual: Double
    /// In frames: how far a sample tells.
    private let reach: Double

    /// x264's own, for passes of different sizes (`init_pass2`).
    private static let interExponent = 0.7
    /// What all the samples together say counts as much as so many of them at no distance.
    private static let doubt = 1.0
    private static let reachSeconds = 2.0

    init(areas: Double, frameRate: Double) {
      usual = pow(areas, Self.interExponent)
      reach = Self.reachSeconds * frameRate
    }

    /// - Parameter place: of the first frame, in the output.
    mutating func add(
      _ place: Int, small: some Collection<PacketStore.Entry>,
      large: some Collection<PacketStore.Entry>
    ) {
      func bits(_ packets: some Sequence<PacketStore.Entry>) -> Double {
        packets.reduce(0) { $0 + Double($1.bytes) }
      }
      guard !small.isEmpty, !large.isEmpty else { return }
      intra.append((place, bits(large.prefix(1)) / max(1, bits(small.prefix(1)))))
      guard small.count > 1, large.count > 1 else { return }
      inter.append((place, bits(large.dropFirst()) / max(1, bits(small.dropFirst()))))
    }

    func ratio(_ place: Int, isIntra: Bool) -> Double {
      let points = isIntra ? intra : inter
      guard !points.isEmpty else { return usual }
      let mean = points.reduce(0) { $0 + log($1.ratio) } / Double(points.count)
      var (sum, weights) = (Self.doubt * mean, Self.doubt)
      for point in points {
        let weight = exp(-Double(abs(point.place - place)) / reach)
        sum += weight * log(point.ratio)
        weights += weight
      }
      return exp(sum / weights)
    }
  }

  /// Within a clip, the large picture's bits differ less from unit to unit than the small one's: by
  /// this power of them. Fitted on six clips: 0.6 to 0.83 for natural ones, 1 for noise.
  private static let power = 0.8
  /// What a frame takes that repeats the one before, whatever its size.
  private static let skippedBytes = 12

  private func units(_ small: [[PacketStore.Entry]], _ levels: Levels) -> [BitBudget.Unit] {
    let layout = job.video.budgetLayout.units
    let bits = layout.map { unit in
      let start = unit.first - job.video.ranges[unit.range].first
      return small[unit.range].dropFirst(start).prefix(unit.count).reduce(1.0) {
        $0 + Double(max(0, $1.bytes - Self.skippedBytes) * 8)
          * levels.ratio(unit.first, isIntra: $1.isKey)
      }
    }
    let flat = bits.map { pow($0, Self.power) }
    let level = bits.reduce(0, +) / flat.reduce(0, +)
    return zip(layout, flat).map { unit, flat in
      BitBudget.Unit(lane: unit.lane, step: unit.step, forecast: max(1, flat * level))
    }
  }
}
