internal import CReelsFFmpeg
private import Foundation

/// What libav says while it works: the last error line of each thread, and all lines on request.
package enum LibraryLog {
  /// Takes over libav's log; libav has one for the whole process. Later calls change nothing.
  package static func install() { _ = installed }

  /// Whether every line, down to libav's "verbose", goes to standard error as well.
  package static func setVerbose(_ verbose: Bool) {
    install()
    av_log_set_level(verbose ? AV_LOG_VERBOSE : AV_LOG_QUIET)
  }

  /// The last line of level "error" or worse that libav logged on this thread; then forgets it.
  package static func takeLastError() -> String? {
    guard let key = threadKey, let stored = pthread_getspecific(key) else { return nil }
    pthread_setspecific(key, nil)
    return Unmanaged<Line>.fromOpaque(stored).takeRetainedValue().text
  }

  private final class Line {
    let text: String
    init(_ text: String) { self.text = text }
  }

  private static let threadKey: pthread_key_t? = {
    var key = pthread_key_t()
    let failed = pthread_key_create(&key) { stored in
      // A thread's end releases the line that it left.
      #if canImport(Darwin)
        Unmanaged<Line>.fromOpaque(stored).release()
      #else
        if let stored { Unmanaged<Line>.fromOpaque(stored).release() }
      #endif
    }
    return failed == 0 ? key : nil
  }()

  private static let installed: Bool = {
    av_log_set_level(AV_LOG_QUIET)
    av_log_set_callback { context, level, format, arguments in
      // The flag bits above the level are colours.
      let level = level & 255
      guard level <= AV_LOG_ERROR || level <= av_log_get_level(), let format, let arguments
      else { return }
      var buffer = [CChar](repeating: 0, count: 1024)
      var prefix: Int32 = 1
      av_log_format_line2(
        context, level, format, arguments, &buffer, Int32(buffer.count), &prefix)
      let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let text = String(decoding: bytes, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      guard !text.isEmpty else { return }
      if level <= AV_LOG_ERROR { LibraryLog.keep(text) }
      if level <= av_log_get_level() {
        FileHandle.standardError.write(Data((text + "\n").utf8))
      }
    }
    return true
  }()

  /// What libavformat says of more than 1,000 streams (its option `max_streams`), as if memory had run out.
  package static let tooManyStreams = "max_streams"

  private static func keep(_ text: String) {
    guard let key = threadKey else { return }
    if let stored = pthread_getspecific(key) {
      // What comes after it says less: "error reading header".
      if Unmanaged<Line>.fromOpaque(stored).takeUnretainedValue().text.contains(tooManyStreams) {
        return
      }
      Unmanaged<Line>.fromOpaque(stored).release()
    }
    pthread_setspecific(key, Unmanaged.passRetained(Line(Self.withoutAddresses(text))).toOpaque())
  }

  /// "[mov,mp4 @ 0x55d0] moov atom not found" without its address, which differs in every run.
  static func withoutAddresses(_ text: String) -> String {
    text.replacing(#/\[[^\]]* @ 0x[0-9a-f]+\] ?/#, with: "")
  }
}
