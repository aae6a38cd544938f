internal import ReelsFFmpeg
internal import ReelsModel

/// Encodes a lane's ranges, each with a new encoder, and keeps the frame that makes the best cover.
struct EncodeStage {
  let job: Transcode
  /// Where each range's packets go.
  let packets: [Channel<Packet>]
  /// nil where every range has the plan's constant quality.
  let ledger: BudgetLedger?
  /// Where they are kept as well.
  let store: PacketStore?

  private var plan: VideoPlan { job.video }

  /// - Returns: how many frames the encoders took, and the lane's best cover.
  func run(from input: Channel<PlacedPicture>) throws -> (Int, Transcode.CoverPicture?) {
    var part: RangeEncoder?
    var total = 0
    var cover = job.cover.map { CoverPicker(choice: $0, rate: plan.frameRate, total: plan.frames) }

    while let picture = input.receive() {
      if picture.range != part?.range {
        total += try part.take()?.finish() ?? 0
        part = try RangeEncoder.open(
          job, range: picture.range, output: packets[picture.range], ledger: ledger, store: store)
        cover?.beginRange(at: picture.run.first)
      }
      try cover?.consider(picture.frame, picture.run)
      for place in picture.run.first..<(picture.run.first + picture.run.count) {
        // The same reference each time: a held frame costs no copy.
        picture.frame.pts = Int64(place)
        try part?.encode(picture.frame)
        job.progress(1)
      }
    }
    total += try part.take()?.finish() ?? 0
    return (total, try cover.take()?.finish())
  }
}

/// The encoder of one range, told the quality of each unit by the ledger.
struct RangeEncoder: ~Copyable {
  let range: Int
  private let encoder: Encoder
  /// Its first frame in the output.
  private let first: Int
  private let frames: Int
  private let output: Channel<Packet>
  private let store: PacketStore?
  private let ledger: BudgetLedger?
  /// What a first pass has said of its frames.
  private let guide: (FirstPass, FirstPass.Grid)?
  private let change: Transcode.CRFChange?
  private var units: Range<Int>
  private var crf: Double
  private var sent = 0
  private var received = 0
  /// Of the unit that is coming out: packets still to come, and bits so far.
  private var packetsLeft = 0
  private var bits = 0

  /// Frames by which x264 decodes ahead of presentation, with B-frames that others refer to.
  private static let delay = 2

  /// Waits until the ledger knows the first unit's quality.
  static func open(
    _ job: Transcode, range: Int, output: Channel<Packet>, ledger: BudgetLedger?,
    store: PacketStore?
  ) throws -> RangeEncoder {
    let units = ledger?.units(of: range) ?? 0..<0
    var encoding = job.video.encoding
    if let crf = job.crfs?[range] { encoding.crf = crf }
    if let ledger, let first = units.first { encoding.crf = try ledger.crf(for: first) }
    let (pass, guide): (EncoderPass, (FirstPass, FirstPass.Grid)?) =
      switch job.guidance {
      case .none: (.single, nil)
      case .writes(let logs): (.first(log: logs[range]), nil)
      case .follows(let passes, let grid): (.second, (passes[range], grid))
      }
    let encoder = try Encoder.h264(
      size: job.video.geometry.canvas, frameRate: job.video.frameRate, encoding: encoding,
      pass: pass)
    return RangeEncoder(
      range: range, encoder: encoder, guide: guide, change: job.changes?[range],
      first: job.video.ranges[range].first,
      frames: job.video.ranges[range].count, output: output,
      store: store, ledger: ledger, units: units, crf: encoding.crf)
  }

  private init(
    range: Int, encoder: consuming Encoder, guide: (FirstPass, FirstPass.Grid)?,
    change: Transcode.CRFChange?, first: Int, frames: Int,
    output: Channel<Packet>, store: PacketStore?, ledger: BudgetLedger?, units: Range<Int>,
    crf: Double
  ) {
    self.range = range
    self.encoder = encoder
    self.guide = guide
    self.change = change
    self.first = first
    self.frames = frames
    self.output = output
    self.store = store
    self.ledger = ledger
    self.units = units
    self.crf = crf
    if let ledger, let first = units.first { packetsLeft = ledger.frames(of: first) }
  }

  mutating func encode(_ frame: borrowing Frame) throws {
    if let (pass, grid) = guide, sent < pass.decisions.count {
      try frame.guide(by: pass.decisions[sent], grid: grid)
    }
    if let change, sent == change.frame { try encoder.setCRF(change.crf) }
    try encoder.send(frame)
    sent += 1
    try drain(isEnding: false)
  }

  /// - Returns: how many frames the encoder took.
  /// - Throws: `TranscodeError.incomplete` where they were not the whole range.
  consuming func finish() throws -> Int {
    guard sent == frames else { throw TranscodeError.incomplete }
    try encoder.sendEnd()
    try drain(isEnding: true)
    output.finish()
    return sent
  }

  private mutating func drain(isEnding: Bool) throws {
    while case .value(let packet) = try encoder.receive() {
      packet.duration = 1
      // As x264 has it for longer parts: one frame after another, early enough for its B-pyramid.
      packet.setDTS(Int64(first + received - Self.delay))
      received += 1
      try store?.keep(packet, in: range)
      try count(packet.byteCount * 8, isEnding: isEnding)
      guard output.send(packet) else { throw CancellationError() }
    }
  }

  /// x264 with one thread gives the packet of each frame that it encodes at once: when a unit's last
  /// packet is out, the next frame to be encoded is the next unit's.
  private mutating func count(_ more: Int, isEnding: Bool) throws {
    guard let ledger, let unit = units.first else { return }
    bits += more
    packetsLeft -= 1
    guard packetsLeft == 0 else { return }
    ledger.record(unit, bits: bits, crf: crf)
    bits = 0
    units.removeFirst()
    guard let next = units.first else { return }
    packetsLeft = ledger.frames(of: next)
    // An encoder that is being drained keeps its quality.
    if isEnding { return }
    crf = try ledger.crf(for: next)
    try encoder.setCRF(crf)
  }
}
