private import Foundation
internal import ReelsModel
internal import ReelsPipeline

/// Encodes the whole window as a small picture, to learn where it is hard, and the first frames of
/// its ranges at full size, for the level of what its IDR frames take.
///
/// Half a dozen samples at full size had cost as much and said much less: what a trailer takes differs
/// tenfold from one second to the next.
struct Draft: Sendable {
  /// The whole job, whose ranges and filters it shares.
  let job: Transcode
  /// Bits that the video may have.
  let limit: Double
  /// Whole GOPs at full size instead of a few frames: for a prediction that is not followed by an
  /// encode that learns.
  var isExact = false

  /// What it told.
  struct Findings: Sendable {
    var budget: BitBudget
    /// Frames that entered an encoder, weighted by their pixels.
    var framesEncoded: Double
  }

  /// Each side of the picture is divided by this: a twenty-fifth of the pixels.
  private static let divisor = 5
  private static let leastSide = 32
  /// Frames of each range at full size.
  private static let firstFrames = 4
  private static let lookahead = 20

  /// Frames of both sizes.
  var frames: Int {
    job.video.frames + beginnings(crf: 0).video.ranges.reduce(0) { $0 + $1.count }
  }

  func run() async throws -> Findings {
    let crf = guess
    let small = try await packets(of: smallJob(crf: crf))
    let large = try await packets(of: beginnings(crf: crf))
    let pixels =
      Double(smallSize.area) / Double(max(1, job.video.geometry.canvas.area))
    let units = units(
      small, Levels(small: small, large: large, areas: 1 / pixels, isExact: isExact))
    let encoded = Double(job.video.frames) * pixels + Double(large.joined().count)
    return Findings(
      budget: BitBudget(
        units: units, forecastCRF: crf, halving: BitBudget.usualHalving,
        bestCRF: job.video.encoding.crf),
      framesEncoded: encoded)
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

  /// As stored: turning it would change nothing.
  private var smallSize: PixelSize {
    let geometry = job.video.geometry
    let size = geometry.orientation.exchangesSides ? geometry.canvas.turned : geometry.canvas
    return PixelSize(
      width: max(Self.leastSide, size.width / Self.divisor & ~1),
      height: max(Self.leastSide, size.height / Self.divisor & ~1))
  }

  private func smallJob(crf: Double) -> Transcode {
    var part = silent(crf: crf)
    let size = smallSize
    part.video.geometry.canvas = size
    part.video.encoding = VideoEncoding(
      effort: .fast, crf: crf, maximumRate: BitsPerSecond(50_000_000), bufferBits: 50_000_000,
      initialFill: 0.9, gopFrames: job.video.encoding.gopFrames, level: 42, referenceFrames: 1,
      lookaheadFrames: Self.lookahead)
    part.recipe = { _ in
      "scale=w=\(size.width):h=\(size.height):flags=fast_bilinear,format=yuv420p,setsar=1"
    }
    return part
  }

  private func beginnings(crf: Double) -> Transcode {
    var part = silent(crf: crf)
    for index in part.video.ranges.indices {
      let wanted = isExact ? part.video.encoding.gopFrames : Self.firstFrames
      part.video.ranges[index].count = min(wanted, part.video.ranges[index].count)
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

  /// How many times the small picture's bits the large one takes.
  private struct Levels {
    var intra = 1.0
    var inter = 1.0

    /// An IDR frame that has few others after it gets less than one in the middle of a video; measured
    /// over 16 clips, 1.0 to 1.5.
    private static let intraBias = 1.15
    /// Measured over the same clips: 7 to 14 times at 25 times the pixels. What the frames right after
    /// an IDR frame take says less.
    private static let interExponent = 0.7

    init(
      small: [[PacketStore.Entry]], large: [[PacketStore.Entry]], areas: Double, isExact: Bool
    ) {
      var (intra, inter) = ((small: 0, large: 0), (small: 0, large: 0))
      for (small, large) in zip(small, large) {
        for (place, packet) in large.enumerated() where place < small.count {
          if place == 0 {
            intra.small += small[place].bytes
            intra.large += packet.bytes
          } else {
            inter.small += small[place].bytes
            inter.large += packet.bytes
          }
        }
      }
      let usual = pow(areas, Self.interExponent)
      let bias = isExact ? 1 : Self.intraBias
      self.inter =
        isExact && inter.small > 0 ? Double(inter.large) / Double(inter.small) : usual
      self.intra = intra.small > 0 ? bias * Double(intra.large) / Double(intra.small) : usual
    }
  }

  private func units(_ small: [[PacketStore.Entry]], _ levels: Levels) -> [BitBudget.Unit] {
    return job.video.budgetLayout.units.map { unit in
      let start = unit.first - job.video.ranges[unit.range].first
      let packets = small[unit.range].dropFirst(start).prefix(unit.count)
      let bits = packets.reduce(0.0) {
        $0 + Double($1.bytes * 8) * ($1.isKey ? levels.intra : levels.inter)
      }
      return BitBudget.Unit(lane: unit.lane, step: unit.step, forecast: max(1, bits))
    }
  }
}
