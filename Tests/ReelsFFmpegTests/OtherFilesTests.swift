import Foundation
import ReelsFFmpeg
import ReelsModel
import TestSupport
import Testing

/// No input makes the program open another file, nor the network.
@Suite(.enabled(if: Clip.isPossible)) struct OtherFilesTests {
  @Test func `playlists, manifests and scripts are not followed`() throws {
    let folder = try TemporaryDirectory()
    let video = try Clip.copy(named: "video.mp4", in: folder)
    for target in ["video.mp4", video.string, "file:\(video.string)", "http://127.0.0.1:9/v.mp4"] {
      let texts = [
        "list.m3u8": """
        #EXTM3U
        #EXT-X-VERSION:3
        #EXT-X-TARGETDURATION:10
        #EXT-X-MEDIA-SEQUENCE:0
        #EXTINF:0.3,
        \(target)
        #EXT-X-ENDLIST

        """,
        "manifest.mpd": """
        <?xml version="1.0"?>
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:full:2011"
          type="static" mediaPresentationDuration="PT0.3S"><Period><AdaptationSet>
          <Representation id="1" mimeType="video/mp4" bandwidth="1000"><BaseURL>\(target)</BaseURL>
          <SegmentBase/></Representation></AdaptationSet></Period></MPD>
        """,
        "script.ffconcat": "ffconcat version 1.0\nfile '\(target)'\n",
        "script.txt": "ffconcat version 1.0\nfile \(target)\n",
        "stream.sdp": """
        v=0
        o=- 0 0 IN IP4 127.0.0.1
        s=x
        c=IN IP4 127.0.0.1
        t=0 0
        m=video 9 RTP/AVP 96
        a=rtpmap:96 H264/90000

        """,
        "list.asx": "<asx version=\"3.0\"><entry><ref href=\"\(target)\"/></entry></asx>",
      ]
      for (name, text) in texts {
        // Under their own name and under a video's.
        for name in [name, name + ".mp4"] {
          let path = try folder.write(text, named: name)
          #expect(throws: FFmpegError.self, "\(name) of \(target)") {
            _ = try Demuxer.open(path, interrupt: Interrupt())
          }
        }
      }
    }
  }

  @Test func `a movie's reference to another file's data is not followed`() throws {
    let folder = try TemporaryDirectory()
    let target = try Clip.copy(named: "other.mp4", in: folder)
    _ = try Clip.copy(named: "reference.mov", in: folder)
    let file = folder.file("reference.mov")
    try DataReference.add(to: file, naming: target)
    // The patch does what it is to do: when asked to, libav follows the reference.
    let lenient = try Tool.ffmpeg.outcome([
      "-v", "warning", "-enable_drefs", "1", "-use_absolute_path", "1", "-i", file.path, "-map",
      "0:v", "-f", "null", "-",
    ])
    #expect(lenient.status == 0, "\(lenient.stderr)")
    #expect(lenient.stderr.contains("Using absolute path"), "\(lenient.stderr)")
    let strict = try Tool.ffmpeg.outcome([
      "-v", "warning", "-i", file.path, "-map", "0:v", "-f", "null", "-",
    ])
    #expect(strict.stderr.contains("Skipped opening external track"), "\(strict.stderr)")

    let demuxer = try? Demuxer.open(file.filePath, interrupt: Interrupt())
    guard let demuxer else { return }
    demuxer.select([0])
    var packets = 0
    while case .value(let packet)? = try? demuxer.read() {
      if packet.stream == 0 { packets += 1 }
    }
    #expect(packets == 0)
  }

  @Test func `a drawing's picture is not read from another file`() throws {
    let folder = try TemporaryDirectory()
    let white = folder.file("white.png")
    try Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "color=white:s=64x64:d=0.04", "-frames:v", "1",
      white.path,
    ])
    func brightness(_ content: String) throws -> Double? {
      let path = try folder.write(
        """
        <?xml version="1.0"?>
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
          width="64" height="64"><rect width="64" height="64" fill="black"/>\(content)</svg>
        """, named: "drawing.svg")
      guard let demuxer = try? Demuxer.open(path, interrupt: Interrupt()),
        let decoder = try? Decoder.open(demuxer, stream: 0, threads: 1)
      else { return nil }
      guard case .value(let packet) = try demuxer.read() else { return nil }
      try decoder.send(packet)
      try decoder.sendEnd()
      guard case .value(let frame) = try decoder.receive() else { return nil }
      let graph = try FilterGraph.video(
        "format=gray", from: frame.videoFormat(timeBase: Ratio(1, 25)), threads: 1)
      frame.pts = 0
      try graph.send(frame)
      try graph.sendEnd()
      guard case .value(let gray) = try graph.receive() else { return nil }
      return gray.lumaStatistics.mean
    }
    // Either drawings are not opened at all, or they are drawn without what they refer to.
    if let drawn = try brightness("<rect width=\"64\" height=\"64\" fill=\"white\"/>") {
      #expect(drawn > 250)
    }
    for reference in [white.path, "white.png", white.absoluteString] {
      let drawn = try brightness(
        "<image width=\"64\" height=\"64\" xlink:href=\"\(reference)\" href=\"\(reference)\"/>")
      #expect((drawn ?? 0) < 5, "\(reference)")
    }
  }
}

/// Makes a movie's first track refer to another file, as QuickTime's aliases do.
private enum DataReference {
  static func add(to file: URL, naming target: FilePath) throws {
    var data = try Data(contentsOf: file)
    let oracle = try BoxOracle(file)
    let reference = try #require(oracle.boxes.first { $0.path.hasSuffix("dinf/dref/url ") })
    // A box in front of the samples would move them.
    try #require(oracle.topLevel.last == "moov")
    let alias = Self.alias(to: target)
    let added = alias.count - reference.range.count
    data.replaceSubrange(reference.range, with: alias)
    for box in oracle.boxes
    where box.range.lowerBound < reference.range.lowerBound
      && box.range.upperBound >= reference.range.upperBound
    {
      write(UInt32(box.range.count + added), to: &data, at: box.range.lowerBound)
    }
    try data.write(to: file)
  }

  /// An `alis` entry: volume and file name in their fixed places, then the whole path (type 2).
  private static func alias(to target: FilePath) -> Data {
    var record = Data(count: 150)
    func put(_ text: [UInt8], at offset: Int, limit: Int) {
      record[offset] = UInt8(min(text.count, limit))
      record.replaceSubrange(
        offset + 1..<offset + 1 + min(text.count, limit), with: text.prefix(limit))
    }
    record[5] = 150
    put(Array("disk".utf8), at: 10, limit: 27)
    put(target.lastComponent.bytes, at: 50, limit: 63)
    // No levels to a common folder, so that the path is all there is.
    var path = Array("disk".utf8) + target.bytes
    let length = path.count
    if path.count % 2 == 1 { path.append(0) }
    record.append(contentsOf: [0, 2, UInt8(length >> 8), UInt8(length & 255)] + path)
    record.append(contentsOf: [0xFF, 0xFF, 0, 0])
    var box = Data(count: 12)
    write(UInt32(12 + record.count), to: &box, at: 0)
    box.replaceSubrange(4..<8, with: Data("alis".utf8))
    return box + record
  }

  private static func write(_ value: UInt32, to data: inout Data, at offset: Int) {
    withUnsafeBytes(of: value.bigEndian) {
      data.replaceSubrange(offset..<offset + 4, with: $0)
    }
  }
}
