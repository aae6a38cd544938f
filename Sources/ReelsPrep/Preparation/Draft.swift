private import Foundation
internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Encodes the whole window as a small picture, to learn where it is hard and what rests on what, and
/// on the way pairs of its frames at full size, for what a bit of the small picture stands for.
struct Draft: Sendable {
  /// The whole job, whose ranges it shares.
  let job: Transcode
  /// What makes its pictures.
  let recipe: FilterRecipe
  /// Bits that the video may have.
  let limit: Double
  /// Whether an encode follows, which it guides by files that it writes beside the output.
  var isGuiding = true

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

  var frames: Int { job.video.frames }

  /// Frames from one pair to the next: what is encoded at full size is a twentieth of a short clip, and
  /// a thirtieth of a long one. Three times as many told nothing more.
  private var stride: Int { min(max(Self.leastStride, job.video.frames / 24), Self.mostStride) }
  private static let (leastStride, mostStride) = (50, 75)

  func run() async throws -> Findings {
    let crf = guess
    let (pictures, guidance) = try await smallPass(crf: crf)
    let small = (0..<pictures.packets.count).map { pictures.packets.entries(of: $0) }
    let levels = PairLevels(
      pictures.pairs.compactMap { PairLevels.Sample($0) }, reach: Double(stride))
    let pixels = Double(smallSize.area) / Double(max(1, job.video.geometry.canvas.area))
    return Findings(
      budget: BitBudget(
        units: units(small, levels), forecastCRF: crf, halving: levels.halving,
        bestCRF: job.video.encoding.crf),
      guidance: guidance,
      framesEncoded: Double(job.video.frames) * pixels
        + pictures.pairs.reduce(0) { sum, pair in
          sum + zip(pair.versions, [1, pixels, 1]).reduce(0) { $0 + ($1.0 == nil ? 0 : 2 * $1.1) }
        })
  }

  /// Where natural video at this size and rate would land: 1080p at 30 frames a second takes about
  /// 4.5 Mbit/s at a rate factor of 23.
  private var guess: Double {
    let pixels = Double(job.video.geometry.canvas.area) * job.video.frameRate.doubleValue
    let seconds = Double(job.video.frames) / job.video.frameRate.doubleValue
    let usual = 4_500_000 * pixels / (1920 * 1080 * 30)
    let crf = 23 + BitBudget.usualHalving * log2(usual * seconds / max(1, limit))
    return min(max(crf, job.video.encoding.crf + Self.margin), Self.mostCRF)
  }

  /// Pairs are encoded 8 steps above the guess as well: between the two and around them lies what occurs.
  private static let (margin, mostCRF) = (3.0, 27.0)

  // MARK: The small picture

  private var smallSize: PixelSize { job.video.geometry.canvas.divided(by: divisor) }

  private func smallPass(
    crf: Double
  ) async throws -> (Transcode.Pictures, Transcode.Guidance) {
    var part = smallJob(crf: crf)
    // In the order in which `PairLevels.Sample` reads them.
    let probe = PairProbe(
      versions: [
        version(crf: crf), part.version,
        version(crf: crf + PairLevels.slopeSteps, every: Self.slopeEvery),
      ], stride: stride)
    guard isGuiding else { return (try await part.pictures(probe), .none) }
    let folder = FilePath(bytes: job.output.bytes + Array(".passes".utf8))
    try FileSystem.makeDirectory(folder)
    defer { try? DirectoryTree.remove(folder) }
    let logs = part.video.ranges.indices.map { folder.appending("\($0)") }
    part.guidance = .writes(logs)
    let pictures = try await part.pictures(probe)
    let passes = try zip(logs, job.video.ranges).compactMap { log, range in
      try firstPass(log, frames: range.count)
    }
    let isWhole = passes.count == logs.count
    return (
      pictures, isWhole ? .follows(passes, FirstPass.Grid(size: smallSize)) : .none
    )
  }

  /// The pairs at full size: by the cheapest settings, for their relation to the small ones is what
  /// counts.
  private func version(crf: Double, every: Int = 1) -> PairProbe.Version {
    var part = job
    part.video.encoding.effort = .fast
    part.video.encoding.crf = crf
    part.video.encoding.limitsPeak = false
    var version = part.version
    version.every = every
    return version
  }

  /// Of which pairs a coarser version is made as well.
  private static let slopeEvery = 4

  private func firstPass(_ log: FilePath, frames: Int) throws -> FirstPass? {
    let tree = FilePath(bytes: log.bytes + Array(".mbtree".utf8))
    return FirstPass(
      log: try FileSystem.read(log, limit: Self.logLimit),
      tree: try FileSystem.read(tree, limit: Self.logLimit), size: smallSize, frames: frames)
  }

  /// Half a minute of 1080p at 60 frames a second writes less than 1 MB.
  private static let logLimit = ByteCount(50_000_000)

  private func smallJob(crf: Double) -> Transcode {
    var part = job
    part.cover = nil
    part.budget = nil
    let recipe = recipe.small(divisor)
    part.video.geometry.canvas = smallSize
    part.video.encoding = VideoEncoding(
      effort: .fast, crf: crf, maximumRate: BitsPerSecond(0), bufferBits: 0,
      initialFill: 0, gopFrames: job.video.encoding.gopFrames, level: 42,
      lookaheadFrames: Self.lookahead)
    part.video.encoding.limitsPeak = false
    part.recipe = { recipe.recipe(for: $0) }
    return part
  }

  // MARK: From small to large

  private func units(_ small: [[PacketStore.Entry]], _ levels: PairLevels) -> [BitBudget.Unit] {
    job.video.budgetLayout.units.map { unit in
      let start = unit.first - job.video.ranges[unit.range].first
      let packets = small[unit.range].dropFirst(start).prefix(unit.count)
      let place = unit.first + unit.count / 2
      let inter = packets.filter { !$0.isKey }
      let intraBytes = packets.filter(\.isKey).reduce(0.0) {
        $0 + levels.intra(Double($1.bytes), at: place)
      }
      let mean = inter.reduce(0.0) { $0 + Double($1.bytes) } / Double(max(1, inter.count))
      let bytes = intraBytes + Double(inter.count) * levels.inter(mean, at: place)
      return BitBudget.Unit(lane: unit.lane, step: unit.step, forecast: max(1, bytes * 8))
    }
  }
}

extension Transcode {
  fileprivate var version: PairProbe.Version {
    PairProbe.Version(size: video.geometry.canvas, encoding: video.encoding, recipe: recipe)
  }
}
