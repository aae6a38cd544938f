internal import CReelsFFmpeg

/// SHA-256 (FIPS 180-4), by libavutil.
package struct Digest: ~Copyable {
  private let state: OpaquePointer

  deinit {
    var state: UnsafeMutableRawPointer? = UnsafeMutableRawPointer(state)
    av_freep(&state)
  }

  /// - Throws: out of memory (`av_sha_alloc`).
  package init() throws(FFmpegError) {
    guard let state = av_sha_alloc() else {
      throw FFmpegError(code: .outOfMemory, operation: "hash", subject: "data", detail: nil)
    }
    self.state = state
    av_sha_init(state, 256)
  }

  package func update(_ bytes: some Collection<UInt8>) {
    let hashed: Void? = bytes.withContiguousStorageIfAvailable {
      av_sha_update(state, $0.baseAddress, $0.count)
    }
    if hashed == nil {
      Array(bytes).withUnsafeBufferPointer { av_sha_update(state, $0.baseAddress, $0.count) }
    }
  }

  /// The digest in lower-case hexadecimal.
  package consuming func finish() -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    av_sha_final(state, &digest)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
