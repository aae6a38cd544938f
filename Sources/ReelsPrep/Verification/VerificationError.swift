package import ReelsModel

/// Why a file could not be checked at all: it cannot be opened, or its structure cannot be read.
///
/// A file that can be read and breaks a rule is no error but a `Finding`.
package struct VerificationError: Error, Hashable, Sendable, CustomStringConvertible {
  package let file: FilePath
  /// One line that starts with the file's name, without a full stop at its end.
  package let sentence: String

  package init(file: FilePath, because reason: String) {
    self.file = file
    self.sentence = "\(file.lastComponent): \(reason)".singleLine
  }

  package var description: String { sentence }
}
