internal import CReelsFFmpeg

/// A libav call that failed: "open clip.mov: invalid data (moov atom not found)".
package struct FFmpegError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A result code of libav; unknown codes are kept as they are.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let again = Code(rawValue: rp_error_again)
    package static let end = Code(rawValue: rp_error_eof)
    package static let invalidData = Code(rawValue: rp_error_invalid_data)
    /// The interrupt callback asked for the end.
    package static let interrupted = Code(rawValue: rp_error_exit)
    package static let outOfMemory = Code(rawValue: rp_error_out_of_memory)
    package static let decoderNotFound = Code(rawValue: rp_error_decoder_not_found)
    package static let encoderNotFound = Code(rawValue: rp_error_encoder_not_found)

    /// The POSIX error number, where the code is one.
    package var errno: Int32? {
      let number = rp_posix_error(rawValue)
      return (1...200).contains(number) ? number : nil
    }
  }

  package var code: Code
  /// What was being done: "open", "decode", "encode", "write".
  package var operation: String
  /// What it was done to: a file's name or a codec's.
  package var subject: String
  /// The last error line that libav logged on this thread; nil where there was none.
  package var detail: String?

  package init(code: Code, operation: String, subject: String, detail: String?) {
    self.code = code
    self.operation = operation
    self.subject = subject
    self.detail = detail
  }

  /// The code in libav's words (`av_strerror`).
  package var meaning: String {
    var buffer = [CChar](repeating: 0, count: 256)
    av_strerror(code.rawValue, &buffer, buffer.count)
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  package var description: String {
    let detail = detail.map { " (\($0))" } ?? ""
    return "\(operation) \(subject): \(meaning)\(detail)"
  }
}

/// Throws where `result` is a libav error.
///
/// - Returns: `result`, which is not negative.
@discardableResult
func check(
  _ result: Int32, _ operation: String, _ subject: @autoclosure () -> String
) throws(FFmpegError) -> Int32 {
  guard result < 0 else { return result }
  // What encoders lack memory for, they call an error of their own.
  let isMemory = result == rp_error_external && ProcessMemory.isExhausted
  throw FFmpegError(
    code: isMemory ? .outOfMemory : .init(rawValue: result), operation: operation,
    subject: subject(), detail: LibraryLog.takeLastError())
}

/// Throws an out-of-memory error where libav's allocation gave nothing.
func allocated<T>(
  _ pointer: UnsafeMutablePointer<T>?, _ subject: @autoclosure () -> String
) throws(FFmpegError) -> UnsafeMutablePointer<T> {
  guard let pointer else {
    throw FFmpegError(
      code: .outOfMemory, operation: "allocate", subject: subject(), detail: nil)
  }
  return pointer
}
