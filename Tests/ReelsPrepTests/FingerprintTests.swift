import Foundation
import ReelsModel
import Testing

@testable import ReelsPrep

@Suite struct FingerprintTests {
  @Test func `head and tail are the first and the last MiB`() throws {
    let folder = try Folder()
    let head = [UInt8](repeating: 1, count: 1 << 20)
    let tail = [UInt8](repeating: 3, count: 1 << 20)
    try folder.write(head + [2, 2, 2] + tail, "clip.mp4")
    let print = try Manifest.Fingerprint(of: folder.path.appending("clip.mp4")) { bytes in
      "\(bytes.count) \(Set(bytes).sorted())"
    }
    #expect(print.bytes == Int64((2 << 20) + 3))
    #expect(print.headSHA256 == "1048576 [1]")
    #expect(print.tailSHA256 == "1048576 [3]")
    #expect(abs(print.modified.doubleValue - Date().timeIntervalSince1970) < 60)
  }

  @Test func `a short file is its own head and tail`() throws {
    let folder = try Folder()
    try folder.write([5, 6], "clip.mp4")
    let print = try Manifest.Fingerprint(of: folder.path.appending("clip.mp4")) { "\($0)" }
    #expect(print.headSHA256 == "[5, 6]")
    #expect(print.tailSHA256 == "[5, 6]")
  }

  @Test func `a missing file is a sentence about the input`() throws {
    let error = #expect(throws: PrepError.self) {
      try Manifest.Fingerprint(of: "/nowhere/clip.mp4") { _ in "" }
    }
    #expect(error?.code == .notFound)
    #expect(error?.blame == .input)
  }
}
