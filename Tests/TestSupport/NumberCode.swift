/// A number as a grid of large black and white blocks that fills a picture.
///
/// Eight columns by four rows. Three corners are black and the upper left one is white, which gives
/// the levels and tells a turned or mirrored picture; the other blocks are 20 bits of the number,
/// highest first, and 8 bits of a checksum, so that two frames blended together read as none.
package enum NumberCode {
  package static let columns = 8
  package static let rows = 4
  package static let capacity = 1 << 20

  /// Whether each block is white, row by row.
  package static func blocks(for number: Int) -> [Bool] {
    precondition((0..<capacity).contains(number), "a number is in 0..<\(capacity): \(number)")
    let word = number << 8 | Int(checksum(number))
    var bits = (0..<28).map { word >> (27 - $0) & 1 == 1 }[...]
    return (0..<columns * rows).map { corners[$0] ?? bits.removeFirst() }
  }

  /// The number that blocks of these levels stand for, in any units; nil where they stand for none.
  package static func number(from levels: [Double]) -> Int? {
    guard levels.count == columns * rows else { return nil }
    let white = levels[0]
    let black = corners.keys.filter { $0 != 0 }.map { levels[$0] }.reduce(0, +) / 3
    guard white - black > leastContrast else { return nil }
    var word = 0
    for (index, level) in levels.enumerated() {
      let share = (level - black) / (white - black)
      guard share < 0.3 || share > 0.7 else { return nil }
      if let corner = corners[index] {
        guard corner == (share > 0.7) else { return nil }
      } else {
        word = word << 1 | (share > 0.7 ? 1 : 0)
      }
    }
    let number = word >> 8
    return UInt8(word & 255) == checksum(number) ? number : nil
  }

  /// Of 255.
  private static let leastContrast = 80.0

  private static let corners: [Int: Bool] = [
    0: true, columns - 1: false, columns * (rows - 1): false, columns * rows - 1: false,
  ]

  /// CRC-8 with the polynomial 0x07.
  private static func checksum(_ number: Int) -> UInt8 {
    var crc: UInt8 = 0xA5
    for byte in [UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)] {
      crc ^= byte
      for _ in 0..<8 { crc = crc & 0x80 != 0 ? crc << 1 ^ 0x07 : crc << 1 }
    }
    return crc
  }
}
