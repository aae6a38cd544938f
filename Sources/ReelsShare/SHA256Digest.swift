import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#endif

/// SHA-256 of bytes in memory, in lower-case hexadecimal.
enum SHA256Digest {
  static func hexadecimal(_ data: Data) -> String {
    #if canImport(CryptoKit)
      hexadecimal(SHA256.hash(data: data))
    #else
      var hash = PortableSHA256()
      hash.update(data)
      return hexadecimal(hash.finish())
    #endif
  }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0\(digits)" : digits
    }.joined()
  }
}
