/// Why a payload cannot be shared, in one sentence.
public struct ShareError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A stable name in kebab case, for programs.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The manifest, or a file that it names, is not there or cannot be read.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The manifest is none, or contradicts itself.
    public static let badManifest = Code(rawValue: "bad-manifest")
    /// The manifest is of a format version that this library does not know.
    public static let unsupportedVersion = Code(rawValue: "unsupported-version")
    /// A file's name leads out of the payload, or the file is a link, a folder or a device.
    public static let unsafeFile = Code(rawValue: "unsafe-file")
    /// A file is empty, or not the one that the manifest describes.
    public static let wrongFile = Code(rawValue: "wrong-file")
    /// The payload was not made for the destination, or does not suit it.
    public static let refused = Code(rawValue: "refused")
    /// The process may not take as much memory as the payload needs.
    public static let notEnoughMemory = Code(rawValue: "not-enough-memory")
    /// The destination needs an app ID, and none was given.
    public static let missingAppID = Code(rawValue: "missing-app-id")
  }

  public var code: Code
  /// Without a full stop at its end.
  public var sentence: String

  public init(code: Code, sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  public var description: String { sentence }
}
