import Testing

@testable import ReelsPrep

/// Messages beside the pictures: what changes how they are shown, or tells of a person.
@Suite struct SupplementalMessageTests {
  private static func unit(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [type, UInt8(payload.count)] + payload + [0x80]
  }

  private static func troubles(_ unit: [UInt8]) -> [SupplementalMessage.Trouble] {
    SupplementalMessage.messages(ofUnit: unit[...]).compactMap(\.trouble)
  }

  @Test func `text of an unknown kind is told, that of x264 is not`() {
    let place = Array("+48.2000+016.3667/".utf8)
    #expect(
      Self.troubles(Self.unit(5, Array(1...16) + place))
        == [.text("SEI with text: +48.2000+016.3667/")])
    let x264: [UInt8] = [
      0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE,
      0xEF,
    ]
    #expect(Self.troubles(Self.unit(5, x264 + Array("x264 - core 164".utf8))).isEmpty)
    // Numbers are none.
    #expect(Self.troubles(Self.unit(5, Array(1...16) + [200, 201, 0x41, 0x42, 7])).isEmpty)
  }

  @Test func `turns, flips and what takes them back`() {
    // No cancel, no flips, a turn of 90°: 0x4000 after three bits, and repetition.
    #expect(
      Self.troubles(Self.unit(47, [0x08, 0x00, 0x20])) == [.orientation("turned by 90° by SEI")])
    #expect(
      Self.troubles(Self.unit(47, [0x40, 0x00, 0x20])) == [.orientation("mirrored by SEI")])
    #expect(Self.troubles(Self.unit(47, [0x00, 0x00, 0x10])).isEmpty)
    #expect(Self.troubles(Self.unit(47, [0x80])).isEmpty)
  }

  @Test func `HDR is told by each of its messages`() {
    #expect(Self.troubles(Self.unit(147, [18])) == [.color("another transfer in SEI: 18")])
    #expect(Self.troubles(Self.unit(147, [1])).isEmpty)
    #expect(Self.troubles(Self.unit(4, [0xB5, 0x00, 0x3C, 0])) == [.color("HDR10+ in SEI")])
    // Captions: the same country, another provider.
    #expect(Self.troubles(Self.unit(4, [0xB5, 0x00, 0x31, 0])).isEmpty)
  }

  @Test func `several messages in a unit, emulation prevention and sizes that lie`() {
    let two = [UInt8]([1, 2, 9, 9, 147, 1, 18, 0x80])
    #expect(Self.troubles(two) == [.color("another transfer in SEI: 18")])
    // 00 00 03 00 is 00 00 00: the turn is in the bytes after it.
    let messages = SupplementalMessage.messages(ofUnit: [1, 4, 0, 0, 3, 0, 5, 0x80])
    #expect(messages.first?.payload == [0, 0, 0, 5])
    #expect(SupplementalMessage.messages(ofUnit: [5, 255, 255, 255]).isEmpty)
    #expect(SupplementalMessage.messages(ofUnit: [5, 200, 1, 2]).first?.payload == [1, 2])
  }

  @Test func `the first element of AAC tells one channel from a pair`() {
    #expect(FirstElement([0x00])?.channels == 1)
    #expect(FirstElement([0x20])?.channels == 2)
    // A fill element of one byte before a pair: 110 0001, 8 bits, 001.
    #expect(FirstElement([0b1100_0010, 0b0000_0000, 0b0100_0000])?.channels == 2)
    #expect(FirstElement([0xE0]) == nil)
    #expect(FirstElement([]) == nil)
    // A fill element that ends with the packet.
    #expect(FirstElement([0b1101_1110]) == nil)
  }

  @Test func `channels that are laid out one by one are counted`() throws {
    // AAC-LC, 48 kHz, layout 0; three flags; tag, profile, rate; 1 front, 0 side, 0 back, 1 low; 0, 0; no
    // mixdowns; a pair with tag 0; low with tag 0.
    let bits =
      "00010" + "0011" + "0000" + "000" + "0000" + "01" + "0011" + "0001" + "0000" + "0000" + "01"
      + "000" + "0000" + "000" + "1" + "0000" + "0000"
    let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      let part = Array(bits)[start..<min(start + 8, bits.count)]
      return UInt8(String(part).padding(to: 8), radix: 2) ?? 0
    }
    let configuration = try AudioConfiguration(
      specific: bytes[...], indication: 0x40, location: "here")
    #expect(configuration.channels == 3)
    #expect(configuration.sampleRate == 48_000)
  }
}

extension String {
  fileprivate func padding(to length: Int) -> String {
    self + String(repeating: "0", count: length - count)
  }
}
