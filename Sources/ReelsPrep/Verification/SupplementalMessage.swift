/// A message of a SEI unit (H.264 and H.265, 7.3.2.3 and annexes D): read for what changes how a picture is
/// shown, and for what it tells of a person.
struct SupplementalMessage: Hashable, Sendable {
  let type: Int
  let payload: [UInt8]

  /// What in it breaks a rule, in words.
  enum Trouble: Hashable, Sendable {
    /// It turns or mirrors the picture, or holds two views.
    case orientation(String)
    case color(String)
    /// It says something in words.
    case text(String)
    /// It says that the picture is two fields.
    case fields
  }

  /// More messages than any real unit has.
  private static let maximumMessages = 64

  /// The messages of a unit, its header left out: as many as can be read.
  static func messages(ofUnit unit: ArraySlice<UInt8>) -> [SupplementalMessage] {
    let bytes = BitReader.plain(unit)
    var messages: [SupplementalMessage] = []
    var position = 0
    func number() -> Int? {
      var value = 0
      while position < bytes.count {
        let byte = bytes[position]
        position += 1
        value += Int(byte)
        if byte != 255 { return value }
      }
      return nil
    }
    // The last byte holds the stop bit.
    while position < bytes.count - 1, messages.count < maximumMessages {
      guard let type = number(), let size = number() else { break }
      let end = min(position + size, bytes.count)
      messages.append(SupplementalMessage(type: type, payload: Array(bytes[position..<end])))
      position = end
    }
    return messages
  }

  /// What it breaks; nil for nothing.
  var trouble: Trouble? {
    switch type {
    case 4: registeredTrouble
    case 5: unregisteredText.map { .text("SEI with text: \($0)") }
    // frame_packing_arrangement: an id, then the flag that takes it back.
    case 45: hasFramePacking ? .orientation("two views in one picture") : nil
    case 47: turned.map { .orientation($0) }
    case 137: .color("mastering display of HDR, in SEI")
    case 144: .color("content light level of HDR, in SEI")
    case 147:
      payload.first.flatMap { $0 == 1 ? nil : .color("another transfer in SEI: \($0)") }
    default: nil
    }
  }

  /// ITU-T T.35: HDR10+ (Samsung) and Dolby Vision by their country and provider codes.
  private var registeredTrouble: Trouble? {
    if payload.starts(with: [0xB5, 0x00, 0x3C]) { return .color("HDR10+ in SEI") }
    if payload.starts(with: [0xB5, 0x00, 0x3B]) { return .color("Dolby Vision in SEI") }
    // Captions are for people to read: ATSC A/53 part 4, 6.2.3.
    if payload.starts(with: [0xB5, 0x00, 0x31]) { return nil }
    return Self.text(payload[...]).map { .text("SEI with text: \($0)") }
  }

  /// What `pic_timing` says, in a stream whose VUI announces it and has no buffer parameters (D.1.3): its first
  /// four bits are `pic_struct`, of which 1 to 6 are fields (table D-1).
  var isOfFields: Bool {
    type == 1 && payload.first.map { (1...6).contains($0 >> 4) } == true
  }

  /// The identifiers of x264 and x265, which tell how they encoded.
  private static let encoders: [[UInt8]] = [
    [
      0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE,
      0xEF,
    ],
    [
      0x2C, 0xA2, 0xDE, 0x09, 0xB5, 0x17, 0x47, 0xDB, 0xBB, 0x55, 0xA4, 0xFE, 0x7F, 0xC2, 0xFC,
      0x4E,
    ],
  ]
  /// AVCHD's: time, place, maker and model of the camera, as numbers.
  private static let camera: [UInt8] = [
    0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66,
  ]
  /// The fewest letters in a row that are taken for text.
  private static let shortestText = 6

  /// What `user_data_unregistered` says after its identifier.
  private var unregisteredText: String? {
    let identifier = Array(payload.prefix(16))
    guard !Self.encoders.contains(identifier) else { return nil }
    if identifier == Self.camera { return "MDPM, a camera's own" }
    return Self.text(payload.dropFirst(16))
  }

  /// The longest run of printable characters; nil where none is long enough for text.
  static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    var longest: ArraySlice<UInt8> = []
    var start = bytes.startIndex
    for index in bytes.startIndex...bytes.endIndex
    where index == bytes.endIndex || !(0x20..<0x7F).contains(bytes[index]) {
      if index - start > longest.count { longest = bytes[start..<index] }
      start = index + 1
    }
    guard longest.count >= Self.shortestText else { return nil }
    return String(decoding: longest.prefix(40), as: UTF8.self)
  }

  private var hasFramePacking: Bool {
    var bits = BitReader(payload, place: "SEI")
    guard (try? bits.ue()) != nil, let isCancelled = try? bits.flag() else { return false }
    return !isCancelled
  }

  /// `display_orientation`: a flag that takes it back, two flips, and sixteen bits of a turn.
  private var turned: String? {
    var bits = BitReader(payload, place: "SEI")
    guard let isCancelled = try? bits.flag(), !isCancelled, let isMirrored = try? bits.flag(),
      let isFlipped = try? bits.flag(), let turn = try? bits.bits(16)
    else { return nil }
    if isMirrored || isFlipped { return "mirrored by SEI" }
    return turn == 0 ? nil : "turned by \(turn * 360 / 65_536)° by SEI"
  }
}
