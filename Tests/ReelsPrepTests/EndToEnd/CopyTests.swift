import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// What complies is copied packet by packet.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct CopyTests {
    @Test(arguments: [ClipFormat.Container.mp4, .mov, .mkv], [0, 2])
    func `every packet is the source's own`(
      container: ClipFormat.Container, bFrames: Int
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(container, bFrames: bFrames, in: folder)
      let made = try await Prepared.make(file, in: folder)
      try CopyClip.expectCopied(made)
      #expect(try CopyClip.packets(made.video, "v") == CopyClip.packets(file, "v"))
      // The priming packet is left out.
      let sound = try CopyClip.packets(made.video, "a")
      #expect(sound.count == 282)
      #expect(try CopyClip.packets(file, "a").dropFirst().prefix(282).elementsEqual(sound))
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<180).map { $0 })
    }

    @Test func `untagged colours are tagged, and nothing else changes`() async throws {
      let folder = try TemporaryDirectory()
      for inBand in [false, true] {
        let file = try CopyClip.make(
          size: PixelSize(width: 1280, height: 720), tagged: false,
          // Parameter sets at each key frame as well.
          extra: inBand ? ["-bsf:v", "dump_extra=freq=keyframe"] : [], in: folder)
        let made = try await Prepared.make(file, in: folder, slug: "made-\(inBand)")
        try CopyClip.expectCopied(made)
        let frames = { (file: URL) in
          try Tool.ffmpeg.run(["-v", "error", "-i", file.path, "-an", "-f", "md5", "-"]).text
        }
        #expect(try frames(made.video) == frames(file))
        if !inBand { #expect(try CopyClip.packets(made.video, "v") == CopyClip.packets(file, "v")) }
        #expect(made.manifest.steps[0].because.contains("tagged"))
      }
    }

    @Test(arguments: [ClipFormat.Container.mp4, .mov, .mkv])
    func `click and flash stay together`(container: ClipFormat.Container) async throws {
      let folder = try TemporaryDirectory()
      let file = try ClickFlashClip(
        .constant(Ratio(30000, 1001), seconds: 59), events: [0.5, 5, 30, 45, 58.2],
        format: ClipFormat(container, audioCodec: .aac, extra: CopyClip.tags)
      ).write(in: folder)
      let input = try SyncMeter(file)
      let made = try await Prepared.make(file, in: folder)
      #expect(CopyClip.steps(made.manifest, .video).map(\.action) == [.copy])
      for editLists in EditLists.allCases {
        let meter = try SyncMeter(made.video, editLists: editLists)
        #expect(meter.events.count == 5)
        #expect(abs(meter.worst) <= 1 + abs(input.worst), "\(meter.events) from \(input.events)")
      }
    }

    /// Sound that no whole packet begins with the picture is encoded alone.
    @Test(arguments: [0.013, 0.7]) func `sound that is out of step is encoded alone`(
      start: Double
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try ClickFlashClip(
        .constant(Ratio(30), seconds: 6), events: [1.5, 3, 4.5],
        format: ClipFormat(.mp4, extra: CopyClip.tags), audioStart: start
      ).write(in: folder)
      let made = try await Prepared.make(file, in: folder)
      try CopyClip.expectCopied(made, audio: false)
      #expect(try CopyClip.packets(made.video, "v") == CopyClip.packets(file, "v"))
      #expect(CopyClip.steps(made.manifest, .audio).map(\.action) == [.encode])
      #expect(CopyClip.steps(made.manifest, .audio).map(\.rule) == [.endsTogether])
      #expect(abs(try SyncMeter(made.video).worst) <= 1)
    }

    @Test func `other sound is encoded, and the picture is not`() async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(.mkv, extra: ["-c:a", "libmp3lame"], in: folder)
      let made = try await Prepared.make(file, in: folder)
      try CopyClip.expectCopied(made, audio: false)
      #expect(CopyClip.steps(made.manifest, .audio).map(\.rule) == [.audioCodec])
      let silent = try await Prepared.make(
        try CopyClip.make(tone: false, in: folder), in: folder, slug: "silent")
      try CopyClip.expectCopied(silent, audio: false)
      #expect(CopyClip.steps(silent.manifest, .audio).map(\.action) == [.silence])
    }

    @Test func `a transport stream's picture is copied`() async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(.ts, in: folder)
      let made = try await Prepared.make(file, in: folder)
      try CopyClip.expectCopied(made, audio: false)
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<180).map { $0 })
      let frames = { (file: URL) in
        try Tool.ffmpeg.run(["-v", "error", "-i", file.path, "-an", "-f", "md5", "-"]).text
      }
      #expect(try frames(made.video) == frames(file))
    }

    /// Sound that begins with the picture loses the header of each packet, and nothing else.
    @Test func `a transport stream's sound is copied where it begins with the picture`()
      async throws
    {
      let folder = try TemporaryDirectory()
      // Both streams of a payload begin at 0.
      let source = try CopyClip.make(extra: ["-x264-params", "b-adapt=0"], in: folder)
      let first = try await Prepared.make(source, in: folder, slug: "first")
      let plain = first.video
      let file = folder.file("clip.ts")
      try Tool.ffmpeg.run([
        "-v", "error", "-i", plain.path, "-map", "0", "-c", "copy", "-muxdelay", "0", file.path,
      ])
      let made = try await Prepared.make(file, in: folder)
      try CopyClip.expectCopied(made)
      let sound = try CopyClip.packets(made.video, "a")
      #expect(Array(try CopyClip.packets(plain, "a").prefix(sound.count)) == sound)
    }

    /// Its sets stand in the stream, and are written anew there; all else of the pictures stays.
    @Test func `an untagged transport stream's picture is copied and tagged`() async throws {
      let folder = try TemporaryDirectory()
      let size = PixelSize(width: 1280, height: 720)
      let file = try CopyClip.make(
        .ts, .constant(Ratio(30), seconds: 4), size: size, tagged: false, in: folder)
      let made = try await Prepared.make(file, in: folder)
      try CopyClip.expectCopied(made, audio: false)
      let frames = { (file: URL) in
        try Tool.ffmpeg.run(["-v", "error", "-i", file.path, "-an", "-f", "md5", "-"]).text
      }
      #expect(try frames(made.video) == frames(file))
      #expect(try CopyClip.packets(made.video, "v").count == 120)
      #expect(made.manifest.steps[0].because.contains("tagged"))
    }

    /// Text beside the pictures may tell of a person: it is not copied.
    @Test func `messages with text in them are not copied`() async throws {
      let folder = try TemporaryDirectory()
      let bsf = "h264_metadata=sei_user_data=086f3693-b7b3-4f2c-9653-21492feee5b8+"
      for (name, text, action) in [
        ("place", "+48.2000+016.3667/", Plan.Step.Action.encode), ("short", "abc", .copy),
      ] {
        let source = try TemporaryDirectory()
        let plain = try CopyClip.make(in: source)
        let file = folder.file("\(name).mp4")
        try Tool.ffmpeg.run([
          "-v", "error", "-i", plain.path, "-c", "copy", "-bsf:v", bsf + text, file.path,
        ])
        let made = try await Prepared.make(file, in: folder, slug: name)
        #expect(CopyClip.steps(made.manifest, .video).map(\.action) == [action], "\(name)")
        let bytes = try Data(contentsOf: made.video)
        #expect(bytes.firstRange(of: Data("48.2000".utf8)) == nil)
        if action == .encode {
          #expect(CopyClip.steps(made.manifest, .video).contains { $0.rule == .metadata })
        }
      }
    }

    /// The stream may reorder, and its encoder chose no B frames: times that never go back are of showing.
    @Test(arguments: [ClipFormat.Container.mp4, .mkv, .ts])
    func `a stream that may reorder and does not is copied`(
      container: ClipFormat.Container
    ) async throws {
      let folder = try TemporaryDirectory()
      let source = try TemporaryDirectory()
      let coded = try CopyClip.make(
        bFrames: 2, extra: ["-x264-params", "b-adapt=2:b-bias=-90"], in: source)
      let first = try await Prepared.make(coded, in: source)
      let file = folder.file("clip.\(container)")
      try Tool.ffmpeg.run([
        "-v", "error", "-i", first.video.path, "-map", "0", "-c", "copy", "-muxdelay", "0",
        file.path,
      ])
      let made = try await Prepared.make(file, in: folder)
      try CopyClip.expectCopied(made)
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<180).map { $0 })
    }

    @Test func `the cover of a copy is the frame at its time`() async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(in: folder)
      let made = try await Prepared.make(file, in: folder) {
        $0.cover = .time(MediaTime(seconds: Ratio(100, 30)))
      }
      try CopyClip.expectCopied(made)
      #expect(made.manifest.cover?.timeSeconds == MediaTime(seconds: Ratio(100, 30)))
      #expect(try NumberReader.read(made.cover).first?.number == 100)
    }
  }
}
