import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// What complies is copied packet by packet; what does not is encoded, and the rule is named.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct CopyTests {
    static let tags = [
      "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range",
      "tv",
    ]

    static let noTags = [
      "-color_primaries", "2", "-color_trc", "2", "-colorspace", "2", "-color_range", "0",
    ]

    /// Numbered frames that keep every rule.
    private func clip(
      _ container: ClipFormat.Container = .mp4,
      _ clock: ClipClock = .constant(Ratio(30), seconds: 6),
      size: PixelSize = PixelSize(width: 320, height: 180), gopFrames: Int = 30, bFrames: Int = 2,
      tagged: Bool = true, tone: Bool = true, extra: [String] = [], in folder: TemporaryDirectory
    ) throws -> URL {
      try NumberedClip(
        clock, size: size,
        format: ClipFormat(
          container, audioCodec: .aac, gopFrames: gopFrames, bFrames: bFrames,
          extra: (tagged ? Self.tags : Self.noTags) + extra), hasTone: tone
      ).write(in: folder)
    }

    /// MD5 of each packet's bytes, in the file's order.
    private func packets(_ file: URL, _ stream: String) throws -> [String] {
      try Tool.ffprobe.run([
        "-v", "error", "-select_streams", stream, "-show_packets", "-show_data_hash", "md5",
        "-show_entries", "packet=data_hash", "-of", "default=nw=1:nk=1", file.path,
      ]).text.split(separator: "\n").filter { $0.hasPrefix("MD5:") }.map(String.init)
    }

    private func steps(
      _ manifest: Manifest, _ stream: Plan.Step.Stream
    ) -> [Plan.Step] { manifest.steps.filter { $0.stream == stream } }

    private func expectCopied(_ made: Prepared, audio: Bool = true) throws {
      #expect(steps(made.manifest, .video).map(\.action) == [.copy])
      if audio { #expect(steps(made.manifest, .audio).map(\.action) == [.copy]) }
      #expect(made.manifest.work.framesEncoded == 0)
      #expect(made.manifest.work.encodesPerFrame == 0)
      let problems = try IndependentCheck(isCopy: true).problems(in: made.video)
      #expect(problems == [])
    }

    // MARK: Exactness

    @Test(arguments: [ClipFormat.Container.mp4, .mov, .mkv], [0, 2])
    func `every packet is the source's own`(
      container: ClipFormat.Container, bFrames: Int
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(container, bFrames: bFrames, in: folder)
      let made = try await Prepared.make(file, in: folder)
      try expectCopied(made)
      #expect(try packets(made.video, "v") == packets(file, "v"))
      // The priming packet is left out.
      let sound = try packets(made.video, "a")
      #expect(sound.count == 282)
      #expect(try packets(file, "a").dropFirst().prefix(282).elementsEqual(sound))
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<180).map { $0 })
    }

    @Test func `untagged colours are tagged, and nothing else changes`() async throws {
      let folder = try TemporaryDirectory()
      for inBand in [false, true] {
        let file = try clip(
          size: PixelSize(width: 1280, height: 720), tagged: false,
          // Parameter sets at each key frame as well.
          extra: inBand ? ["-bsf:v", "dump_extra=freq=keyframe"] : [], in: folder)
        let made = try await Prepared.make(file, in: folder, slug: "made-\(inBand)")
        try expectCopied(made)
        let frames = { (file: URL) in
          try Tool.ffmpeg.run(["-v", "error", "-i", file.path, "-an", "-f", "md5", "-"]).text
        }
        #expect(try frames(made.video) == frames(file))
        if !inBand { #expect(try packets(made.video, "v") == packets(file, "v")) }
        #expect(made.manifest.steps[0].because.contains("tagged"))
      }
    }

    @Test(arguments: [ClipFormat.Container.mp4, .mov, .mkv])
    func `click and flash stay together`(container: ClipFormat.Container) async throws {
      let folder = try TemporaryDirectory()
      let file = try ClickFlashClip(
        .constant(Ratio(30000, 1001), seconds: 59), events: [0.5, 5, 30, 45, 58.2],
        format: ClipFormat(container, audioCodec: .aac, extra: Self.tags)
      ).write(in: folder)
      let input = try SyncMeter(file)
      let made = try await Prepared.make(file, in: folder)
      #expect(steps(made.manifest, .video).map(\.action) == [.copy])
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
        format: ClipFormat(.mp4, extra: Self.tags), audioStart: start
      ).write(in: folder)
      let made = try await Prepared.make(file, in: folder)
      try expectCopied(made, audio: false)
      #expect(try packets(made.video, "v") == packets(file, "v"))
      #expect(steps(made.manifest, .audio).map(\.action) == [.encode])
      #expect(steps(made.manifest, .audio).map(\.rule) == [.endsTogether])
      #expect(abs(try SyncMeter(made.video).worst) <= 1)
    }

    @Test func `other sound is encoded, and the picture is not`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(.mkv, extra: ["-c:a", "libmp3lame"], in: folder)
      let made = try await Prepared.make(file, in: folder)
      try expectCopied(made, audio: false)
      #expect(steps(made.manifest, .audio).map(\.rule) == [.audioCodec])
      let silent = try await Prepared.make(
        try clip(tone: false, in: folder), in: folder, slug: "silent")
      try expectCopied(silent, audio: false)
      #expect(steps(silent.manifest, .audio).map(\.action) == [.silence])
    }

    @Test func `a transport stream's picture is copied`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(.ts, in: folder)
      let made = try await Prepared.make(file, in: folder)
      try expectCopied(made, audio: false)
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<180).map { $0 })
      let frames = { (file: URL) in
        try Tool.ffmpeg.run(["-v", "error", "-i", file.path, "-an", "-f", "md5", "-"]).text
      }
      #expect(try frames(made.video) == frames(file))
    }

    // MARK: Cuts

    @Test(arguments: [0, 1, 2, 3]) func `a cut is exact, copied or not`(bFrames: Int) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(
        .mp4, .constant(Ratio(30), seconds: 8), bFrames: bFrames,
        extra: ["-b_strategy", "0"], in: folder)
      var copied = 0
      for (index, cut) in [(0, 91), (0, 100), (30, 92), (60, 93), (60, 180), (45, 100), (31, 95)]
        .enumerated()
      {
        let made = try await Prepared.make(file, in: folder, slug: "cut-\(index)") {
          $0.start = MediaTime(seconds: Ratio(Int64(cut.0), 30))
          $0.duration = MediaTime(seconds: Ratio(Int64(cut.1), 30))
        }
        #expect(
          try NumberReader.read(made.video).map(\.number)
            == (cut.0..<cut.0 + cut.1).map { $0 }, "\(cut)")
        let isCopy = steps(made.manifest, .video).first?.action == .copy
        #expect(try IndependentCheck(isCopy: isCopy).problems(in: made.video) == [])
        // The start must be a key frame; without B-frames that is all.
        if cut.0 % 30 != 0 { #expect(!isCopy, "\(cut)") }
        if cut.0 % 30 == 0, bFrames == 0 { #expect(isCopy, "\(cut)") }
        if isCopy {
          copied += 1
        } else {
          let rule = steps(made.manifest, .video).first?.rule
          #expect(rule == (cut.0 % 30 == 0 ? .window : .closedGOP), "\(cut)")
        }
      }
      #expect(copied >= 1)
      if bFrames > 0 { #expect(copied < 5) }
    }

    /// Whatever is copied, the frames are those that were asked for, and sound stays with them.
    @Test(arguments: [ClipFormat.Container.mp4, .mkv, .ts], [0, 2, 4])
    func `random cuts are exact`(container: ClipFormat.Container, bFrames: Int) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(
        container, .constant(Ratio(25), seconds: 12), gopFrames: 20, bFrames: bFrames, in: folder)
      var generator = SeededGenerator(state: UInt64(bFrames) + 77)
      var copied = 0
      for index in 0..<8 {
        // Half of the starts at a key frame.
        let first =
          index % 2 == 0
          ? 20 * Int.random(in: 0...8, using: &generator)
          : Int.random(in: 0...200, using: &generator)
        let count = Int.random(in: 75...(300 - first), using: &generator)
        let made = try await Prepared.make(file, in: folder, slug: "cut-\(index)") {
          $0.start = MediaTime(seconds: Ratio(Int64(first), 25))
          $0.duration = MediaTime(seconds: Ratio(Int64(count), 25))
        }
        #expect(
          try NumberReader.read(made.video).map(\.number) == (first..<first + count).map { $0 },
          "\(first), \(count): \(made.manifest.steps)")
        let isCopy = steps(made.manifest, .video).first?.action == .copy
        copied += isCopy ? 1 : 0
        #expect(try IndependentCheck(isCopy: isCopy).problems(in: made.video) == [])
      }
      #expect(copied > 0)
    }

    @Test func `a start moves to a key frame that is near enough`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(.mp4, .constant(Ratio(30), seconds: 8), bFrames: 0, in: folder)
      for (snap, first) in [(nil, 55), (Ratio(1, 10), 55), (Ratio(1, 4), 60)] as [(Ratio?, Int)] {
        let made = try await Prepared.make(file, in: folder, slug: "snap-\(first)-\(snap != nil)") {
          $0.start = MediaTime(seconds: Ratio(55, 30))
          $0.snap = snap.map { MediaTime(seconds: $0) }
          $0.duration = MediaTime(seconds: 4)
        }
        #expect(
          try NumberReader.read(made.video).map(\.number) == (first..<first + 120).map { $0 })
        #expect(steps(made.manifest, .video).first?.action == (first == 60 ? .copy : .encode))
        #expect(made.manifest.window.requestedStart == MediaTime(seconds: Ratio(55, 30)))
        #expect(made.manifest.window.start == MediaTime(seconds: Ratio(Int64(first), 30)))
      }
    }

    // MARK: What is not copied

    struct Fault: Sendable, CustomTestStringConvertible {
      var name: String
      var rule: Rule
      var extra: [String] = []
      var tagged = true
      var gopFrames = 30
      var rate = Ratio(30)
      var seconds: Int64 = 6
      var request: @Sendable (inout Request) -> Void = { _ in }
      var testDescription: String { name }
    }

    static let faults: [Fault] = [
      Fault(name: "10 bits", rule: .pixelFormat, extra: ["-pix_fmt", "yuv420p10le"]),
      Fault(name: "4:2:2", rule: .pixelFormat, extra: ["-pix_fmt", "yuv422p"]),
      Fault(name: "full range", rule: .colorTags, extra: ["-color_range", "pc"]),
      Fault(name: "untagged and small", rule: .colorTags, tagged: false),
      Fault(
        name: "open GOPs", rule: .closedGOP,
        extra: ["-x264-params", "open-gop=1:bframes=2:b-adapt=0:scenecut=0"]),
      Fault(name: "long GOPs", rule: .closedGOP, gopFrames: 360, seconds: 13),
      Fault(
        name: "coded for fields", rule: .progressive,
        extra: ["-flags", "+ildct+ilme", "-x264-params", "interlaced=1"]),
      Fault(name: "a level too low", rule: .videoLevel, extra: ["-level", "1.0"]),
      Fault(name: "pixels that are not square", rule: .squarePixels, extra: ["-aspect", "4:3"]),
      Fault(name: "too slow", rule: .constantFrameRate, rate: Ratio(15)),
      Fault(name: "another codec", rule: .videoCodec, extra: ["-c:v", "mpeg4"]),
      Fault(
        name: "too large", rule: .fileSize, extra: ["-crf", "1", "-vf", "noise=alls=20:allf=t"],
        request: { $0.maxSize = ByteCount(1_000_000) }),
      Fault(name: "another rate is asked for", rule: .constantFrameRate) {
        $0.frameRate = Ratio(25)
      },
      Fault(name: "another shape is asked for", rule: .frameSize) { $0.fit = .pad },
      Fault(name: "an encode is asked for", rule: .closedGOP) { $0.reencode = true },
    ]

    @Test(arguments: faults) func `what breaks a rule is encoded, and the rule is named`(
      fault: Fault
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(
        .mp4, .constant(fault.rate, seconds: fault.seconds), gopFrames: fault.gopFrames,
        tagged: fault.tagged, extra: fault.extra, in: folder)
      let made = try await Prepared.make(file, in: folder, fault.request)
      let steps = steps(made.manifest, .video)
      #expect(steps.map(\.action).allSatisfy { $0 == .encode })
      #expect(steps.map(\.rule).contains(fault.rule), "\(steps)")
      #expect(made.manifest.work.framesEncoded > 0)
    }

    /// As a phone's clock writes them: each within half a millisecond of its place, or of twice that.
    @Test(arguments: [(40, true), (200, false)]) func `nearly even frames are copied`(
      ticks: Int, isCopied: Bool
    ) async throws {
      let folder = try TemporaryDirectory()
      let raw = try NumberedClip(
        .constant(Ratio(30), seconds: 6), format: ClipFormat(.mp4, gopFrames: 1, crf: 4)
      ).write(in: folder, stem: "raw")
      let file = folder.file("phone.mp4")
      try Tool.ffmpeg.run(
        [
          "-v", "error", "-i", raw.path, "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=6",
          "-vf",
          "settb=1/90000,setpts='PTS*0.9991+\(ticks)*sin(N*N)*gt(N,0)'", "-fps_mode", "passthrough",
          "-enc_time_base", "1:90000", "-video_track_timescale", "90000", "-c:v", "libx264", "-g",
          "30",
          "-bf", "2", "-pix_fmt", "yuv420p", "-c:a", "aac",
        ] + Self.tags + [file.path])
      let made = try await Prepared.make(file, in: folder)
      #expect((steps(made.manifest, .video).first?.action == .copy) == isCopied)
      #expect(
        try NumberReader.read(made.video).compactMap(\.number).prefix(170).elementsEqual(0..<170))
      guard isCopied else { return }
      try expectCopied(made)
      #expect(abs(made.manifest.video.frameRate.doubleValue - 30.027) < 0.005)
      #expect(try packets(made.video, "v") == packets(file, "v"))
    }

    @Test func `uneven frames are not copied`() async throws {
      let folder = try TemporaryDirectory()
      // 2 ms to and fro.
      let times = (0..<180).map { Int64($0) * 33 + Int64($0 % 2) * 2 }
      let made = try await Prepared.make(
        try clip(.mkv, .variable(milliseconds: times), in: folder), in: folder)
      #expect(steps(made.manifest, .video).first?.rule == .constantFrameRate)
    }

    @Test func `a source that turns its picture is encoded`() async throws {
      let folder = try TemporaryDirectory()
      let plain = try clip(in: folder)
      let turned = folder.file("turned.mp4")
      try Tool.ffmpeg.run([
        "-v", "error", "-i", plain.path, "-c", "copy", "-metadata:s:v", "rotate=90", turned.path,
      ])
      let made = try await Prepared.make(turned, in: folder)
      #expect(steps(made.manifest, .video).contains { $0.rule == .upright })
    }

    @Test func `a damaged source is not passed on`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(in: folder)
      try PacketPatch.damage(file, noise: true) { $0 % 30 == 0 && $0 > 0 }
      let made = try await Prepared.make(file, in: folder)
      #expect(steps(made.manifest, .video).first?.action == .encode)
      #expect(made.manifest.damage.framesConcealed > 0)
    }

    /// What the packets do not show, and decoding does.
    @Test func `damage inside of frames is found by decoding, and only the picture is encoded`()
      async throws
    {
      let folder = try TemporaryDirectory()
      let file = try clip(in: folder)
      // The lengths and the slice's header are left.
      try PacketPatch.damage(file, keeping: 24, noise: true) { $0 % 30 == 0 && $0 > 0 }
      let events = EventLog()
      let payload = try await ReelsPrep().prepare(
        Request(
          input: FilePath(file.path), outputDirectory: FilePath(folder.url.path), slug: "made",
          effort: .fast)
      ) { events.add($0) }
      let video = steps(payload.manifest, .video)
      #expect(video.map(\.action) == [.encode])
      #expect(video.map(\.rule) == [.decodable])
      #expect(steps(payload.manifest, .audio).map(\.action) == [.copy])
      #expect(payload.manifest.damage.framesConcealed > 0)
      #expect(payload.manifest.damage.framesExamined == nil)
      #expect(events.planned == 1)
      #expect(events.fractions == events.fractions.sorted())
      let names = Set(folder.contents.filter { !$0.contains("/") })
      #expect(names == ["made.reel", file.lastPathComponent])
    }

    @Test func `damage in sound is not passed on`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(in: folder)
      try PacketPatch.damage(file, stream: "a:0", noise: true) { (60..<70).contains($0) }
      let made = try await Prepared.make(file, in: folder)
      #expect(steps(made.manifest, .video).map(\.action) == [.copy])
      #expect(made.manifest.damage.framesExamined.map { (1..<180).contains($0) } == true)
      #expect(steps(made.manifest, .audio).map(\.action) == [.encode])
      #expect(steps(made.manifest, .audio).map(\.rule) == [.decodable])
      #expect(made.manifest.warnings.contains { $0.code == "audio-damage" })
    }

    /// The last packet ends a little before the picture does: 155 of 44.1 kHz in 3.6 s.
    @Test func `sound that ends up to a millisecond early is copied`() async throws {
      let folder = try TemporaryDirectory()
      let file = folder.file("early.mp4")
      try Tool.ffmpeg.run(
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=3.6", "-f", "lavfi", "-i",
          "sine=sample_rate=44100:d=5,atrim=end_sample=\(155 * 1_024)", "-vf",
          "scale=out_color_matrix=bt709", "-c:v", "libx264", "-g", "25", "-pix_fmt", "yuv420p",
          "-c:a",
          "aac",
        ] + Self.tags + [file.path])
      let made = try await Prepared.make(file, in: folder)
      try expectCopied(made)
    }

    @Test func `joined streams of other parameter sets are not copied`() async throws {
      let folder = try TemporaryDirectory()
      var list = ""
      for crf in [20, 26] {
        let part = folder.file("part-\(crf).mp4")
        try Tool.ffmpeg.run(
          [
            "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=3", "-c:v", "libx264",
            "-crf",
            "\(crf)", "-qp", "\(crf)", "-pix_fmt", "yuv420p",
          ] + Self.tags + [part.path])
        list += "file '\(part.path)'\n"
      }
      try Data(list.utf8).write(to: folder.file("list.txt"))
      let file = folder.file("joined.mp4")
      try Tool.ffmpeg.run([
        "-v", "error", "-f", "concat", "-safe", "0", "-i", folder.file("list.txt").path, "-c",
        "copy",
        file.path,
      ])
      let made = try await Prepared.make(file, in: folder)
      #expect(steps(made.manifest, .video).first?.rule == .videoCodec)
    }

    @Test func `rich sound does not take what the picture needs`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(
        extra: ["-vf", "noise=alls=20:allf=t", "-b:a", "320k"], in: folder)
      let made = try await Prepared.make(file, in: folder) {
        $0.maxSize = ByteCount(400_000)
      }
      #expect(steps(made.manifest, .audio).map(\.rule) == [.fileSize])
      #expect(made.manifest.files[0].bytes < 400_000)
      let plenty = try await Prepared.make(file, in: folder, slug: "plenty")
      #expect(steps(plenty.manifest, .audio).map(\.action) == [.copy])
    }

    @Test func `a start is not moved where nothing can be copied, or too little is left`()
      async throws
    {
      let folder = try TemporaryDirectory()
      let file = try clip(.mp4, .constant(Ratio(30), seconds: 8), bFrames: 0, in: folder)
      for (index, change)
        in ([
          {
            $0.frameRate = Ratio(25)
            $0.duration = MediaTime(seconds: 3)
          },
          { $0.end = MediaTime(seconds: Ratio(49, 10)) },
        ] as [(inout Request) -> Void]).enumerated()
      {
        let made = try await Prepared.make(file, in: folder, slug: "snap-\(index)") {
          $0.start = MediaTime(seconds: Ratio(55, 30))
          $0.snap = MediaTime(seconds: Ratio(1, 2))
          change(&$0)
        }
        #expect(made.manifest.window.start == MediaTime(seconds: Ratio(55, 30)))
      }
    }

    @Test func `a short source is held or looped by an encode`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(.mp4, .constant(Ratio(30), seconds: 2), in: folder)
      for short in [ShortPolicy.hold, .loop] {
        let made = try await Prepared.make(file, in: folder, slug: short.rawValue) {
          $0.short = short
        }
        #expect(steps(made.manifest, .video).first?.action == .encode)
        #expect(steps(made.manifest, .audio).first?.action == .encode)
        #expect(try IndependentCheck.problems(in: made.video) == [])
      }
    }

    // MARK: The cover

    @Test func `the cover of a copy is the frame at its time`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(in: folder)
      let made = try await Prepared.make(file, in: folder) {
        $0.cover = .time(MediaTime(seconds: Ratio(100, 30)))
      }
      try expectCopied(made)
      #expect(made.manifest.cover.timeSeconds == MediaTime(seconds: Ratio(100, 30)))
      #expect(try NumberReader.read(made.cover).first?.number == 100)
    }
  }
}

/// What a job told.
private final class EventLog: @unchecked Sendable {
  // Sound to share: the events are only touched under the lock.
  private let lock = NSLock()
  private var events: [Event] = []

  func add(_ event: Event) { lock.withLock { events.append(event) } }

  var planned: Int {
    lock.withLock { events.count { if case .planned = $0 { true } else { false } } }
  }

  var fractions: [Double] {
    lock.withLock {
      events.compactMap { if case .progress(let progress) = $0 { progress.fraction } else { nil } }
    }
  }
}
