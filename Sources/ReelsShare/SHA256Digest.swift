import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#endif

/// SHA-256 of bytes as they come, in lower-case hexadecimal.
struct SHA256Digest {
  #if canImport(CryptoKit)
    private var hash = SHA256()
  #else
    private var hash = PortableSHA256()
  #endif

  mutating func update(_ data: Data) {
    #if canImport(CryptoKit)
      hash.update(data: data)
    #else
      hash.update(data)
    #endif
  }

  /// 64 digits.
  consuming func finish() -> String {
    #if canImport(CryptoKit)
      Self.hexadecimal(hash.finalize())
    #else
      Self.hexadecimal(hash.finish())
    #endif
  }

  static func hexadecimal(_ data: Data) -> String {
    var digest = SHA256Digest()
    digest.update(data)
    return digest.finish()
  }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0\(digits)" : digits
    }.joined()
  }
}
