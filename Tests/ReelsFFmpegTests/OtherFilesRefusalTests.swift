import CReelsFFmpeg
import ReelsModel
import TestSupport
import Testing

@testable import ReelsFFmpeg

@Suite(.enabled(if: Clip.isPossible)) struct OtherFilesRefusalTests {
  @Test func `an opened input can open no other file and no protocol but file`() throws {
    let folder = try TemporaryDirectory()
    let path = try Clip.copy(named: "a.mp4", in: folder)
    let other = try folder.write("words", named: "other.txt")
    let demuxer = try Demuxer.open(path, interrupt: Interrupt())
    let context = demuxer.context
    var io: UnsafeMutablePointer<AVIOContext>?
    let open = try #require(context.pointee.io_open)
    #expect(open(context, &io, other.cString, AVIO_FLAG_READ, nil) < 0)
    #expect(io == nil)
    avio_closep(&io)
    #expect(context.pointee.protocol_whitelist.map { String(cString: $0) } == "file")
    // Kept open until here.
    #expect(demuxer.streamCount == 2)
  }
}
