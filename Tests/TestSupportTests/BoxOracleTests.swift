import Foundation
import ReelsModel
import TestSupport
import Testing

@Suite(.enabled(if: Tool.ffmpeg.isAvailable)) struct BoxOracleTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func `the tree, the order and the tables of a plain Reel`() throws {
    let file = folder.file("reel.mp4")
    try PlainReel().write(to: file)
    let oracle = try BoxOracle(file)
    #expect(oracle.topLevel == ["ftyp", "moov", "free", "mdat"])
    #expect(oracle.isMoovFirst && !oracle.contains("elst"))
    #expect(oracle.all("moov/trak/mdia/minf/stbl/stsd/avc1/avcC").count == 1)
    #expect(oracle.all("moov/trak/mdia/minf/stbl/stsd/mp4a/esds").count == 1)
    #expect(oracle.all("moov/udta/meta/ilst/©too/data").count == 1)
    let tracks = oracle.tracks
    #expect(tracks.map(\.handler) == ["vide", "soun"])
    #expect(tracks.map(\.entries) == [["avc1"], ["mp4a"]])
    #expect(tracks.map(\.length.seconds) == [Ratio(16, 5), Ratio(16, 5)])
    #expect(tracks[0].deltas.map(\.count) == [96])
    #expect(tracks.filter(\.isUpright).count == 2)
    #expect(
      tracks[0].color == .init(primaries: 1, transfer: 1, matrix: 1, isFullRange: false))
  }

  @Test func `a turned MOV with moov last and edit lists`() throws {
    let file = try NumberedClip(
      .constant(Ratio(30), frames: 9), format: ClipFormat(.mov), hasTone: true
    ).write(in: folder)
    try BoxPatch.setMatrix(a: 0, b: 1, c: -1, d: 0, in: file)
    let oracle = try BoxOracle(file)
    #expect(oracle.topLevel.last == "moov" && !oracle.isMoovFirst)
    #expect(oracle.all("moov/trak/edts/elst").count == 2)
    #expect(
      oracle.tracks.first?.matrix
        == [0, 0x10000, 0, -0x10000, 0, 0, 180 << 16, 0, 0x4000_0000])
    #expect(oracle.tracks.last?.isUpright == true)
    #expect(oracle.tracks.last?.entries == ["sowt"])
  }

  @Test func `what is cut short is malformed`() throws {
    let file = folder.file("reel.mp4")
    try PlainReel().write(to: file)
    try Data(contentsOf: file).dropLast(100).write(to: file)
    #expect(throws: BoxOracle.Malformed.self) { try BoxOracle(file) }
  }

  @Test func `only MP4 and MOV look like it`() throws {
    for container in ClipFormat.Container.allCases {
      let file = try NumberedClip(.constant(Ratio(30), frames: 3), format: ClipFormat(container))
        .write(in: folder)
      #expect(BoxOracle.looksLike(file) == (container == .mp4 || container == .mov))
    }
    #expect(!BoxOracle.looksLike(folder.file("none")))
  }
}
