package import ReelsModel

/// What a first pass of x264 over a small picture has decided for each frame: its type, and how much
/// the frames after it rest on each part of it.
///
/// A second pass that is told both need not look ahead at full size: that takes a quarter of its CPU
/// and most of its memory.
package struct FirstPass: Sendable {
  package enum Kind: Sendable {
    case intra, predicted, bidirectional
  }

  package struct Decision: Sendable {
    package var kind: Kind
    /// The macroblock tree: steps of the quantiser for each macroblock of the small picture, in 256ths,
    /// negative where later frames rest on it. Empty where no other frame refers to this one.
    package var tree: [Int16]
  }

  /// The macroblocks of the small picture.
  package struct Grid: Hashable, Sendable {
    package var size: PixelSize

    package init(size: PixelSize) { self.size = size }
  }

  /// In the order of presentation.
  package var decisions: [Decision]

  /// Reads what x264 writes in a first pass: the lines of its log, which are in the order of decoding,
  /// and its `.mbtree` file, for each frame that others refer to one byte, its slice type, and for each
  /// macroblock a 16-bit number, big end first (`x264_ratecontrol_end` of x264 164).
  ///
  /// - Returns: nil where the two do not fit each other or the number of frames: another x264 may write
  ///   them otherwise.
  package init?(log: [UInt8], tree: [UInt8], size: PixelSize, frames: Int) {
    let count = size.macroblocks.columns * size.macroblocks.rows
    var decisions = [Decision?](repeating: nil, count: frames)
    var rest = tree[...]
    for line in log.split(separator: UInt8(ascii: "\n")) where line.starts(with: "in:".utf8) {
      let fields = line.split(separator: UInt8(ascii: " "))
      guard let place = Self.value("in:", in: fields).flatMap({ Int($0) }),
        decisions.indices.contains(place), decisions[place] == nil,
        let type = Self.value("type:", in: fields)
      else { return nil }
      let kind: Kind
      switch type {
      case "I", "i": kind = .intra
      case "P": kind = .predicted
      case "B", "b": kind = .bidirectional
      default: return nil
      }
      var values: [Int16] = []
      if type != "b" {
        guard rest.count >= 1 + 2 * count, rest.first == Self.sliceType(kind) else { return nil }
        let bytes = Array(rest.dropFirst().prefix(2 * count))
        values = (0..<count).map {
          Int16(bitPattern: UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]))
        }
        rest = rest.dropFirst(1 + 2 * count)
      }
      decisions[place] = Decision(kind: kind, tree: values)
    }
    let all = decisions.compactMap { $0 }
    guard all.count == frames, rest.isEmpty, all.first?.kind == .intra else { return nil }
    self.decisions = all
  }

  /// What it says of some of the frames.
  package func part(_ places: Range<Int>) -> FirstPass {
    var part = self
    part.decisions = Array(decisions[places])
    return part
  }

  /// ISO/IEC 14496-10 table 7-6.
  private static func sliceType(_ kind: Kind) -> UInt8 {
    switch kind {
    case .predicted: 0
    case .bidirectional: 1
    case .intra: 2
    }
  }

  private static func value(_ name: String, in fields: [ArraySlice<UInt8>]) -> String? {
    fields.first { $0.starts(with: name.utf8) }.map {
      String(decoding: $0.dropFirst(name.utf8.count), as: UTF8.self)
    }
  }
}

extension FirstPass.Grid {
  /// Where a row of a large picture's macroblocks lies between two of this grid.
  func line(_ row: Int, of large: PixelSize) -> Between {
    Between(row, of: large.height, in: size.height, count: size.macroblocks.rows)
  }

  /// The tree's value for a macroblock of a large picture, in steps of the quantiser: between the four
  /// nearest, for the tree is smooth and its blocks are large.
  func offset(_ tree: [Int16], _ column: Int, _ line: Between, of large: PixelSize) -> Double {
    let columns = size.macroblocks.columns
    let place = Between(column, of: large.width, in: size.width, count: columns)
    func value(_ row: Int) -> Double {
      Double(tree[row * columns + place.first]) * (1 - place.share)
        + Double(tree[row * columns + place.second]) * place.share
    }
    return (value(line.first) * (1 - line.share) + value(line.second) * line.share) / 256
  }

  struct Between {
    var first: Int
    var second: Int
    /// Of the second.
    var share: Double

    init(_ block: Int, of large: Int, in small: Int, count: Int) {
      let place = (Double(block) + 0.5) * Double(small) / Double(max(1, large)) - 0.5
      let clamped = min(max(place, 0), Double(count - 1))
      first = Int(clamped)
      second = min(first + 1, count - 1)
      share = clamped - Double(first)
    }
  }
}
