package import ReelsModel

/// Why a file could not be checked at all: it cannot be opened, or its structure cannot be read.
///
/// A file that can be read and breaks a rule is no error but a `Finding`.
package struct VerificationError: Error, Hashable, Sendable, CustomStringConvertible {
  package let file: FilePath
  /// One line that starts with the file's name, without a full stop at its end.
  package let sentence: String
  private let reason: String

  package init(file: FilePath, because reason: String) {
    self.file = file
    self.reason = reason
    self.sentence = "\(file.lastComponent): \(reason)".singleLine
  }

  /// What the movie box contradicts, and where, in a file that is an MP4 all the same.
  var contradiction: (location: String, sentence: String)? {
    // As in "moov/trak[0]/mdia/minf/stbl/stts at byte 623 does not time 140 samples".
    guard reason.hasPrefix("moov"), let mark = reason.firstRange(of: " at byte ") else {
      return nil
    }
    let digits = reason[mark.upperBound...].prefix(while: \.isNumber)
    let rest = reason[digits.endIndex...].drop { $0 == " " }
    guard !digits.isEmpty, !rest.isEmpty else { return nil }
    return (String(reason[..<digits.endIndex]), String(rest))
  }

  package var description: String { sentence }
}
