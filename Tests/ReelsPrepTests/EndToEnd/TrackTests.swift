import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Tracks that no decoder takes, and more tracks than anybody has.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct TrackTests {
    private func clip(_ name: String, in folder: TemporaryDirectory) throws -> URL {
      let file = folder.file(name)
      try Tool.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-f", "lavfi", "-i",
        "sine=d=4:sample_rate=48000", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt",
        "yuv420p", "-c:a", "aac", "-ac", "2", "-movflags", "+faststart", file.path,
      ])
      return file
    }

    @Test func `sound of a kind that the decoder does not know is left out with a warning`()
      async throws
    {
      let folder = try TemporaryDirectory()
      let file = try clip("xhe.mp4", in: folder)
      var bytes = Array(try Data(contentsOf: file))
      let esds = try #require(Self.index(of: Array("esds".utf8), in: bytes))
      let tag = try #require(Self.index(of: [5, 0x80, 0x80, 0x80], in: bytes, from: esds))
      // An AudioSpecificConfig of USAC, which is xHE-AAC: type 42 behind its escape, 48 kHz, two channels.
      bytes.replaceSubrange(tag + 5..<tag + 7, with: [0b1111_1001, 0b0100_0110])
      try Data(bytes).write(to: file)
      let prepared = try await Prepared.make(file, in: folder)
      let warnings = prepared.manifest.warnings.map(\.sentence)
      #expect(
        warnings.contains { $0.contains("audio track 1 (aac) cannot be decoded") }, "\(warnings)")
      #expect(prepared.manifest.video?.frames == 100)
      #expect(prepared.manifest.steps.contains { $0.action == .silence })
    }

    @Test func `ten thousand tracks are refused for their number`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip("many.mp4", in: folder)
      let bytes = Array(try Data(contentsOf: file))
      let moov = try #require(Self.index(of: Array("moov".utf8), in: bytes)) - 4
      let end = moov + Self.number(bytes, at: moov)
      var tracks: [Range<Int>] = []
      var place = moov + 8
      while place < end {
        let size = Self.number(bytes, at: place)
        if bytes[place + 4..<place + 8].elementsEqual("trak".utf8) {
          tracks.append(place..<place + size)
        }
        place += size
      }
      let sound = Array(bytes[try #require(tracks.last)])
      let added = Array(repeatElement(sound, count: 9_998).joined())
      let size = end - moov + added.count
      let header = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
      try Data(
        bytes[..<moov] + header + bytes[moov + 4..<end] + added + bytes[end...]
      ).write(to: file)
      let error = await #expect(throws: PrepError.self) {
        try await Prepared.make(file, in: folder)
      }
      #expect(
        error?.sentence.contains("has more than 1,000 tracks") == true, "\(error?.sentence ?? "")")
    }

    private static func number(_ bytes: [UInt8], at place: Int) -> Int {
      bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func index(of part: [UInt8], in bytes: [UInt8], from start: Int = 0) -> Int? {
      (start..<bytes.count - part.count).first { bytes[$0...].starts(with: part) }
    }
  }
}
