import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

struct EditListCheckTests {
  private func box(_ type: String, _ payload: [UInt8], size: UInt32? = nil) -> [UInt8] {
    big(size ?? UInt32(payload.count + 8)) + Array(type.utf8) + payload
  }

  private func big(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private func movie(parts: Int, stated: UInt32? = nil) -> [UInt8] {
    let entries = [UInt8](repeating: 0, count: parts * 12)
    let list = box("elst", big(0) + big(stated ?? UInt32(parts)) + entries)
    return box("ftyp", Array("isom".utf8) + big(0))
      + box("moov", box("mvhd", []) + box("trak", box("tkhd", []) + box("edts", list)))
  }

  private func sentence(_ bytes: [UInt8]) throws -> String? {
    let folder = try TemporaryDirectory()
    let file = folder.file("clip.mp4")
    try Data(bytes).write(to: file)
    do {
      try EditListCheck(input: FilePath(file.path)).check()
      return nil
    } catch {
      #expect(error.code == .tooLarge)
      return error.sentence
    }
  }

  @Test func `a long edit list is refused before libav sees it`() throws {
    #expect(try sentence(movie(parts: 64)) == nil)
    let refusal = try sentence(movie(parts: 65))
    #expect(refusal?.contains("clip.mp4 has an edit list of 65 parts, more than the 64") == true)
  }

  @Test func `what a list claims beyond its box does not count`() throws {
    #expect(try sentence(movie(parts: 2, stated: .max)) == nil)
  }

  @Test func `boxes in boxes, and what is cut off, end the walk`() throws {
    var nested: [UInt8] = []
    for _ in 0..<5_000 { nested = box("moov", nested) }
    #expect(try sentence(nested) == nil)
    #expect(try sentence(Array(movie(parts: 100).prefix(70))) == nil)
    #expect(try sentence(box("moov", [], size: 1) + [0xFF]) == nil)
    #expect(try sentence([]) == nil)
    #expect(try sentence(box("free", [], size: 0)) == nil)
  }

  @Test func `a box whose size is the rest of the file is followed`() throws {
    var bytes = movie(parts: 100)
    let size = box("ftyp", Array("isom".utf8) + big(0)).count
    bytes.replaceSubrange(size..<size + 4, with: big(0))
    #expect(try sentence(bytes) != nil)
  }
}
