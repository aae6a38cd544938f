public import Foundation

/// Gets files, or ranges of them, from a server.
public protocol PayloadTransport: Sendable {
  /// Asks for a file.
  ///
  /// - Parameters:
  ///   - range: The bytes that are wanted, the last not included; nil for all. RFC 9110, 14.2.
  ///   - bytesMaximum: The transport ends the answer with an error after so many bytes.
  /// - Returns: The head, then the bytes as they come; ended by a `ShareError`, or by
  ///   `CancellationError`. Whoever stops listening stops the transfer.
  func get(
    _ url: URL, range: Range<Int64>?, bytesMaximum: Int64
  ) -> AsyncThrowingStream<PayloadPart, any Error>
}

/// A part of a server's answer.
public enum PayloadPart: Hashable, Sendable {
  /// Comes once, and first.
  case head(PayloadHead)
  case bytes(Data)
}

/// What a server says before the bytes.
public struct PayloadHead: Hashable, Sendable {
  /// As in 206. RFC 9110, 15.
  public var status: Int
  /// As in "bytes 0-99/1234". RFC 9110, 14.4.
  public var contentRange: String?
  /// The bytes that follow; nil where the server does not say.
  public var contentLength: Int64?

  public init(status: Int, contentRange: String? = nil, contentLength: Int64? = nil) {
    self.status = status
    self.contentRange = contentRange
    self.contentLength = contentLength
  }
}

extension ShareError.Code {
  /// The address is none that a payload can be fetched from.
  public static let badAddress = ShareError.Code(rawValue: "bad-address")
  /// The server could not be reached, or the connection broke off. Trying again goes on from there.
  public static let connectionLost = ShareError.Code(rawValue: "connection-lost")
  /// The server has no such file: 404 or 410.
  public static let notOnServer = ShareError.Code(rawValue: "not-on-server")
  /// The server has no such part of the file: 416.
  public static let rangeRefused = ShareError.Code(rawValue: "range-refused")
  /// The server sent another part of the file than was asked for.
  public static let wrongRange = ShareError.Code(rawValue: "wrong-range")
  /// The server answered with another status.
  public static let serverError = ShareError.Code(rawValue: "server-error")
  /// The server leads to an address of another scheme.
  public static let badRedirect = ShareError.Code(rawValue: "bad-redirect")
  /// The server's file is longer or shorter than the manifest says.
  public static let wrongLength = ShareError.Code(rawValue: "wrong-length")
  /// The server's file has the right length and other bytes.
  public static let wrongHash = ShareError.Code(rawValue: "wrong-hash")
  /// The payload is larger than the caller allows.
  public static let tooLarge = ShareError.Code(rawValue: "too-large")
  /// A file cannot be written, as on a full disk.
  public static let unwritable = ShareError.Code(rawValue: "unwritable")
}
