import Foundation
import ReelsModel
import Testing

@testable import ReelsPrep

/// Documents as they come: binary, damaged, hostile.
@Suite(.timeLimit(.minutes(1))) struct DoctorDocumentTests {
  private func read(_ bytes: some Sequence<UInt8>) throws -> DoctorDocument {
    try DoctorDocument.read(Array(bytes), "file")
  }

  private func refusal(_ text: String) -> String? {
    let error = #expect(throws: PrepError.self) { try read(text.utf8) }
    #expect(error?.blame == .input)
    return error?.sentence
  }

  private func binary(_ list: Any) throws -> [UInt8] {
    Array(try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
  }

  @Test func `a binary list says the same as one of XML`() throws {
    let many = (0..<300).map { "scheme-\($0)" }
    for schemes in [DoctorSample.schemes, ["instagram_reels"], ["ümlaut-é", "日本"], many] {
      let bytes = try binary([
        "LSApplicationQueriesSchemes": schemes, "CFBundleName": "A", "n": 4, "d": Date(),
        "b": true, "x": Data([1, 2]), "r": 1.5,
      ])
      guard case .infoPlist(let list) = try read(bytes) else {
        Issue.record("no list")
        return
      }
      let found = InfoPlistRules(list: list, file: DoctorSample.file).findings()
      let same = try DoctorSample.findings(DoctorSample.plist(DoctorSample.listed(schemes)))
      #expect(found.map(\.sentence).sorted() == same.map(\.sentence).sorted())
      #expect(list["LSApplicationQueriesSchemes"]?.elements.map(\.text) == schemes)
    }
  }

  @Test func `a damaged binary list is an error, never a crash`() throws {
    let sound = try binary([
      "LSApplicationQueriesSchemes": DoctorSample.schemes + ["é"],
      "a": ["b": ["c": [1, 2, ["d": "e"]]]],
    ])
    #expect(throws: Never.self) { try read(sound) }
    for count in 0..<sound.count { _ = try? read(sound.prefix(count)) }
    var random = SystemRandom(state: 7)
    for _ in 0..<20_000 {
      var bytes = sound
      for _ in 0..<(1 + random.below(4)) {
        bytes[random.below(bytes.count)] = UInt8(random.below(256))
      }
      _ = try? read(bytes)
    }
    // Every byte of the trailer at its bounds.
    for place in (sound.count - 32)..<sound.count {
      for value: UInt8 in [0, 1, 127, 128, 255] {
        var bytes = sound
        bytes[place] = value
        _ = try? read(bytes)
      }
    }
  }

  /// Linear congruential, Knuth's MMIX.
  private struct SystemRandom {
    var state: UInt64
    mutating func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  /// A list whose first object is a container that refers so often to the object of a number.
  private func list(
    _ marker: UInt8, of object: UInt8, times count: Int, second: [UInt8] = []
  ) -> [UInt8] {
    var bytes = BinaryPropertyList.signature
    bytes += [marker | 0xF, 0x12] + big(count, 4) + [UInt8](repeating: object, count: count)
    let start = bytes.count
    bytes += second
    let table = bytes.count
    bytes += big(8, 4) + big(start, 4)
    return bytes + [0, 0, 0, 0, 0, 0, 4, 1] + big(2, 8) + big(0, 8) + big(table, 8)
  }

  private func big(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - $0))) }
  }

  @Test func `a list that holds itself, and one object many times, ends soon`() throws {
    func refusal(_ bytes: [UInt8]) -> String? {
      #expect(throws: PrepError.self) { try read(bytes) }?.sentence
    }
    #expect(refusal(list(0xA0, of: 0, times: 1))?.contains("nested or large") == true)
    #expect(refusal(list(0xA0, of: 0, times: 100_000))?.contains("nested or large") == true)
    #expect(refusal(list(0xD0, of: 0, times: 2)) != nil)
    let short = list(0xA0, of: 1, times: 2_000, second: [0x51, UInt8(ascii: "x")])
    #expect(throws: Never.self) { try read(short) }
    let long = [0x5F, 0x12] + big(1_000_000, 4) + [UInt8](repeating: 0x78, count: 1_000_000)
    let often = list(0xA0, of: 1, times: 2_000, second: long)
    #expect(refusal(often)?.contains("nested or large") == true)
  }

  @Test func `entities are not read, neither from elsewhere nor from the file`() throws {
    let external = #"<!DOCTYPE p [<!ENTITY a SYSTEM "file:///etc/hosts">]><plist>&a;</plist>"#
    #expect(refusal(external)?.contains("entities") == true)
    let laughs =
      "<!DOCTYPE p [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><plist>&b;</plist>"
    #expect(refusal(laughs)?.contains("entities") == true)
    #expect(refusal("<plist><string>&nothing;</string></plist>") != nil)
    // The same in encodings in which the word is not found.
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf32] {
      let bytes = try #require(external.data(using: encoding))
      #expect(throws: PrepError.self) { try read(bytes) }
    }
    let other = #"<?xml version="1.0" encoding="UTF-7"?><plist/>"#
    #expect(refusal(other)?.contains("UTF-7") == true)
    #expect(refusal("<?xml version='1.0' encoding='ISO-8859-1'?><plist/>") != nil)
  }

  @Test func `what is too deep, too wide or too large is refused`() {
    func nested(_ depth: Int) -> String {
      "<plist>" + String(repeating: "<array>", count: depth)
        + String(repeating: "</array>", count: depth) + "</plist>"
    }
    #expect(throws: Never.self) { try read(nested(MarkupReader.depthMaximum - 1).utf8) }
    #expect(refusal(nested(MarkupReader.depthMaximum))?.contains("nested") == true)
    #expect(refusal(nested(200_000))?.contains("nested") == true)
    let wide = "<plist><array>" + String(repeating: "<true/>", count: 60_000) + "</array></plist>"
    #expect(refusal(wide)?.contains("elements") == true)
    let large = String(repeating: " ", count: DoctorDocument.bytesMaximum)
    #expect(refusal("<plist/>" + large)?.contains("bytes") == true)
  }

  @Test(arguments: [
    "", "hello", "<plist>", "<plist/>", "<plist><dict><string>a</string></dict></plist>",
    "<plist><dict><key>a</key></dict></plist>", "<plist><thing/></plist>",
    "<plist><dict/><dict/></plist>", "<html/>", "<plist><dict></plist>", "{ a = b; }",
    "\0\0\0", "\u{3}\0\u{8}\0abc", "bplist00", "bplist99", "<a\u{1B}[31m/>",
  ])
  func `what is no such document is refused in one line`(text: String) {
    let sentence = refusal(text)
    #expect(sentence?.hasPrefix("file ") == true)
    #expect(sentence?.singleLine == sentence)
  }

  @Test func `a byte order mark and CDATA are read`() throws {
    let text = DoctorSample.sound.replacing(
      "<string>instagram-reels</string>",
      with: "<string><![CDATA[instagram]]>-reels<!-- here --></string>")
    #expect(try DoctorSample.findings("\u{FEFF}" + text).isEmpty)
  }
}
