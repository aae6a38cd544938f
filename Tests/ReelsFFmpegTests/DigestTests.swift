import ReelsFFmpeg
import Testing

/// SHA-256 against the examples of FIPS 180-4.
@Suite struct DigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `the standard's messages have the standard's digests`(
    message: String, expected: String
  ) throws {
    let digest = try Digest()
    digest.update(Array(message.utf8))
    #expect(digest.finish() == expected)
  }

  @Test func `a million letters in pieces of any size have one digest`() throws {
    let digest = try Digest()
    var left = 1_000_000
    var size = 1
    while left > 0 {
      digest.update(repeatElement(UInt8(ascii: "a"), count: min(size, left)))
      left -= min(size, left)
      size = size * 3 % 65_537
    }
    #expect(
      digest.finish() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }
}
