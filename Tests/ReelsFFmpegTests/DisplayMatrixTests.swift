import ReelsFFmpeg
import ReelsModel
import TestSupport
import Testing

@Suite(.enabled(if: Clip.isPossible)) struct DisplayMatrixTests {
  @Test(arguments: [
    ([1, 0, 0, 1], 0, false), ([0, 1, -1, 0], 1, false), ([-1, 0, 0, -1], 2, false),
    ([0, -1, 1, 0], 3, false), ([-1, 0, 0, 1], 0, true), ([0, -1, -1, 0], 1, true),
    ([1, 0, 0, -1], 2, true), ([0, 1, 1, 0], 3, true),
  ])
  func `all eight orientations are read from a file`(
    matrix: [Int], quarterTurns: Int, mirrored: Bool
  ) throws {
    let folder = try TemporaryDirectory()
    let path = try Clip.copy(named: "turned.mp4", in: folder)
    try BoxPatch.setMatrix(
      a: matrix[0], b: matrix[1], c: matrix[2], d: matrix[3], in: folder.file("turned.mp4"))
    let demuxer = try Demuxer.open(path, interrupt: Interrupt())
    // libav gives no matrix where it is the identity.
    #expect(
      (demuxer.orientation(of: 0) ?? .upright)
        == Orientation(quarterTurns: quarterTurns, mirrored: mirrored))
  }
}
