import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// What does not comply is encoded, and the rule is named.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct CopyFaultTests {
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
        name: "too large", rule: .fileSize,
        extra: ["-crf", "1", "-vf", "noise=alls=20:allf=t", "-level", "3.1"],
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
      let file = try CopyClip.make(
        .mp4, .constant(fault.rate, seconds: fault.seconds), gopFrames: fault.gopFrames,
        tagged: fault.tagged, extra: fault.extra, in: folder)
      let made = try await Prepared.make(file, in: folder, fault.request)
      let steps = CopyClip.steps(made.manifest, .video)
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
        ] + CopyClip.tags + [file.path])
      let made = try await Prepared.make(file, in: folder)
      #expect((CopyClip.steps(made.manifest, .video).first?.action == .copy) == isCopied)
      #expect(
        try NumberReader.read(made.video).compactMap(\.number).prefix(170).elementsEqual(0..<170))
      guard isCopied else { return }
      try CopyClip.expectCopied(made)
      #expect(try abs(#require(made.manifest.video).frameRate.doubleValue - 30.027) < 0.005)
      #expect(try CopyClip.packets(made.video, "v") == CopyClip.packets(file, "v"))
    }

    @Test func `uneven frames are not copied`() async throws {
      let folder = try TemporaryDirectory()
      // 2 ms to and fro.
      let times = (0..<180).map { Int64($0) * 33 + Int64($0 % 2) * 2 }
      let made = try await Prepared.make(
        try CopyClip.make(.mkv, .variable(milliseconds: times), in: folder), in: folder)
      #expect(CopyClip.steps(made.manifest, .video).first?.rule == .constantFrameRate)
    }

    @Test func `a source that turns its picture is encoded`() async throws {
      let folder = try TemporaryDirectory()
      let plain = try CopyClip.make(in: folder)
      let turned = folder.file("turned.mp4")
      try Tool.ffmpeg.run([
        "-v", "error", "-i", plain.path, "-c", "copy", "-metadata:s:v", "rotate=90", turned.path,
      ])
      let made = try await Prepared.make(turned, in: folder)
      #expect(CopyClip.steps(made.manifest, .video).contains { $0.rule == .upright })
    }

    @Test func `a damaged source is not passed on`() async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(in: folder)
      try PacketPatch.damage(file, noise: true) { $0 % 30 == 0 && $0 > 0 }
      let made = try await Prepared.make(file, in: folder)
      #expect(CopyClip.steps(made.manifest, .video).first?.action == .encode)
      #expect(made.manifest.damage.framesConcealed > 0)
    }

    /// What the packets do not show, and decoding does.
    @Test func `damage inside of frames is found by decoding, and only the picture is encoded`()
      async throws
    {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(in: folder)
      // The lengths and the slice's header are left.
      try PacketPatch.damage(file, keeping: 24, noise: true) { $0 % 30 == 0 && $0 > 0 }
      let events = EventLog()
      let payload = try await ReelsPrep().prepare(
        Request(
          input: FilePath(file.path), outputDirectory: FilePath(folder.url.path), slug: "made",
          effort: .fast)
      ) { events.add($0) }
      let video = CopyClip.steps(payload.manifest, .video)
      #expect(video.map(\.action) == [.encode])
      #expect(video.map(\.rule) == [.decodable])
      #expect(CopyClip.steps(payload.manifest, .audio).map(\.action) == [.copy])
      #expect(payload.manifest.damage.framesConcealed > 0)
      #expect(payload.manifest.damage.framesExamined == nil)
      #expect(events.planned == 1)
      #expect(events.fractions == events.fractions.sorted())
      let names = Set(folder.contents.filter { !$0.contains("/") })
      #expect(names == ["made.reel", file.lastPathComponent])
    }

    @Test func `damage in sound is not passed on`() async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(in: folder)
      try PacketPatch.damage(file, stream: "a:0", noise: true) { (60..<70).contains($0) }
      let made = try await Prepared.make(file, in: folder)
      #expect(CopyClip.steps(made.manifest, .video).map(\.action) == [.copy])
      #expect(made.manifest.damage.framesExamined.map { (1..<180).contains($0) } == true)
      #expect(CopyClip.steps(made.manifest, .audio).map(\.action) == [.encode])
      #expect(CopyClip.steps(made.manifest, .audio).map(\.rule) == [.decodable])
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
        ] + CopyClip.tags + [file.path])
      let made = try await Prepared.make(file, in: folder)
      try CopyClip.expectCopied(made)
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
          ] + CopyClip.tags + [part.path])
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
      #expect(CopyClip.steps(made.manifest, .video).first?.rule == .videoCodec)
      #expect(CopyClip.steps(made.manifest, .video).first?.action == .encode)
    }

    /// The set in `avcC` alone is what a decoder has to go by.
    @Test func `another picture parameter set in the stream is not copied`() async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(extra: ["-bsf:v", "dump_extra=freq=keyframe"], in: folder)
      try CopyClip.expectCopied(try await Prepared.make(file, in: folder, slug: "whole"))

      var bytes = [UInt8](try Data(contentsOf: file))
      let name = Array("avcC".utf8)
      let box = try #require(bytes.indices.first { bytes[$0...].starts(with: name) }) + 4
      let length = { (place: Int) in Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
      let place = box + 8 + length(box + 6) + 1
      let set = Array(bytes[(place + 2)..<(place + 2 + length(place))])
      let found = bytes.indices.filter { bytes[$0...].starts(with: set) }
      // In the stream before the index, at each key frame.
      try #require(found.count == 7)
      bytes[found[2] + set.count - 1] ^= 0x10
      try Data(bytes).write(to: file)
      let made = try await Prepared.make(file, in: folder)
      #expect(CopyClip.steps(made.manifest, .video).map(\.rule) == [.videoCodec])
      #expect(CopyClip.steps(made.manifest, .video).map(\.action) == [.encode])
    }

    @Test func `rich sound does not take what the picture needs`() async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(
        extra: ["-vf", "noise=alls=20:allf=t", "-b:a", "320k"], in: folder)
      let made = try await Prepared.make(file, in: folder) {
        $0.maxSize = ByteCount(400_000)
      }
      #expect(CopyClip.steps(made.manifest, .audio).map(\.rule) == [.fileSize])
      #expect(made.manifest.files[0].bytes < 400_000)
      let plenty = try await Prepared.make(file, in: folder, slug: "plenty")
      #expect(CopyClip.steps(plenty.manifest, .audio).map(\.action) == [.copy])
    }

    @Test func `a short source is held or looped by an encode`() async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(.mp4, .constant(Ratio(30), seconds: 2), in: folder)
      for short in [ShortPolicy.hold, .loop] {
        let made = try await Prepared.make(file, in: folder, slug: short.rawValue) {
          $0.short = short
        }
        #expect(CopyClip.steps(made.manifest, .video).first?.action == .encode)
        #expect(CopyClip.steps(made.manifest, .audio).first?.action == .encode)
        #expect(try IndependentCheck.problems(in: made.video) == [])
      }
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
