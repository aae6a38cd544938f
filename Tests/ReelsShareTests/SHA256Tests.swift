import Foundation
import Testing

@testable import ReelsShare

/// The examples of FIPS 180-4's "SHA-256" example document and the NIST CAVP short messages.
@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
        + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ])
  func `the published examples`(message: String, digest: String) {
    #expect(SHA256Digest.hexadecimal(Data(message.utf8)) == digest)
  }

  @Test func `the long example`() {
    let data = Data(repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(
      SHA256Digest.hexadecimal(data)
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  #if !canImport(CryptoKit)
    @Test func `the pieces in which the bytes arrive make no difference`() {
      let data = Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })
      let whole = SHA256Digest.hexadecimal(data)
      for size in [1, 3, 55, 56, 63, 64, 65, 128, 200] {
        var hash = PortableSHA256()
        for start in stride(from: 0, to: data.count, by: size) {
          hash.update(data[start..<min(start + size, data.count)])
        }
        let digest = hash.finish().map { String(format: "%02x", $0) }.joined()
        #expect(digest == whole, "in pieces of \(size)")
      }
    }
  #endif
}
