import Foundation
import ReelsFFmpeg
import ReelsModel
import ReelsPipeline
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clip"))
  struct BudgetTests {
    private static let frames = 360

    /// Twelve seconds at 30, hard and easy by turns: a zoom, a still, noise over a pattern.
    private static func clip(in folder: TemporaryDirectory) throws -> URL {
      let file = folder.file("clip.mp4")
      let size = "size=640x360:rate=30"
      try Tool.ffmpeg.run([
        "-v", "error", "-y", "-f", "lavfi", "-i", "mandelbrot=\(size)", "-f", "lavfi", "-i",
        "smptehdbars=\(size)", "-f", "lavfi", "-i",
        "testsrc2=\(size),noise=alls=12:allf=t:all_seed=5", "-filter_complex",
        "[0]trim=0:5[a];[1]trim=0:3[b];[2]trim=0:4[c];[a][b][c]concat=n=3,format=yuv420p",
        "-c:v", "libx264", "-preset", "ultrafast", "-crf", "12", "-g", "30", "-threads", "2",
        file.path,
      ])
      return file
    }

    @Test(
      "A cap that binds is used to its last percents, never exceeded, and costs at most half an encode more"
    )
    func lands() async throws {
      let folder = try TemporaryDirectory()
      let clip = try Self.clip(in: folder)
      for (index, cap) in [600_000, 1_100_000, 1_400_000].enumerated() {
        let made = try await Prepared.make(clip, in: folder, slug: "cap-\(index)") {
          $0.maxSize = ByteCount(Int64(cap))
        }
        let bytes = try Data(contentsOf: made.video).count
        #expect(bytes < cap)
        #expect(Double(bytes) >= 0.97 * Double(cap), "\(bytes) of \(cap)")
        let work = made.manifest.work
        #expect(work.framesOut == Self.frames)
        #expect(work.draftCPUSeconds ?? 0 > 0)
        #expect(work.encodesPerFrame > 1 && work.encodesPerFrame <= 1.5)
        #expect(work.encodesPerFrame == work.framesEncoded / Double(work.framesOut))
      }
    }

    @Test("The frames that libx264 itself logs with --verbose are those that the manifest counts")
    func counts() throws {
      let folder = try TemporaryDirectory()
      let clip = try Self.clip(in: folder)
      let log = try Tool.built("reels-prep").run([
        clip.path, "-o", folder.url.path, "--max-size", "1.1MB", "--effort", "fast", "--verbose",
      ]).stderr
      // "[libx264 @ 0x…] frame P:46    Avg QP:22.73  size:  1258"
      let logged = log.matches(of: #/\[libx264 .*\] frame [IPB]:(\d+) /#).reduce(0) {
        $0 + (Int($1.output.1) ?? 0)
      }
      let manifest = try ManifestFile.read(in: FilePath(folder.file("clip.reel").path))
      // The draft sees every frame at 160x90 of 640x360, and some twice: each counts by its pixels.
      let weightless = 1 - 160 * 90 / (640 * 360.0)
      let small = (Double(logged) - manifest.work.framesEncoded) / weightless
      #expect(abs(small - small.rounded()) < 0.001, "\(logged)")
      let pairs = (small.rounded() - Double(Self.frames)) / 2
      #expect(pairs == pairs.rounded() && (4...10).contains(pairs), "\(small)")
      #expect(logged > 2 * Self.frames)
    }

    @Test("The draft and the repair report progress, so that a slow one is not taken for a hang")
    func reports() async throws {
      let folder = try TemporaryDirectory()
      let clip = try Self.clip(in: folder)
      let progress = Collected()
      var request = Request(
        input: FilePath(clip.path), outputDirectory: FilePath(folder.url.path), slug: "payload")
      request.maxSize = ByteCount(1_100_000)
      _ = try await ReelsPrep().prepare(request) { progress.add($0) }
      let all = progress.all
      #expect(all.contains { $0.frames == 0 && $0.fraction > 0 })
      #expect(all.contains { $0.frames == Self.frames })
      #expect(zip(all, all.dropFirst()).allSatisfy { $0.fraction <= $1.fraction })
    }

    // Sound: the list is touched under the lock.
    private final class Collected: @unchecked Sendable {
      private let lock = NSLock()
      private var stored: [Event.Progress] = []

      var all: [Event.Progress] { lock.withLock { stored } }

      func add(_ event: Event) {
        if case .progress(let progress) = event { lock.withLock { stored.append(progress) } }
      }
    }

    @Test("The same bytes come from one core and from four")
    func isTheSame() async throws {
      let folder = try TemporaryDirectory()
      let clip = try Self.clip(in: folder)
      var files: [Data] = []
      for threads in [1, 4, 4] {
        let made = try await Prepared.make(clip, in: folder, slug: "threads-\(files.count)") {
          $0.maxSize = ByteCount(1_100_000)
          $0.threads = threads
        }
        files.append(try Data(contentsOf: made.video))
      }
      #expect(files[0] == files[1] && files[1] == files[2])
    }

    /// Each frame as a small grey picture.
    private static func luma(_ file: URL) throws -> [ArraySlice<UInt8>] {
      let raw = try Tool.ffmpeg.run([
        "-v", "error", "-i", file.path, "-vf", "scale=64:36:flags=area", "-pix_fmt", "gray", "-f",
        "rawvideo", "-",
      ]).stdout
      let bytes = Array(raw)
      return stride(from: 0, to: bytes.count, by: 64 * 36).map { bytes[$0..<($0 + 64 * 36)] }
    }

    /// What makes the video, without what comes before and after.
    private static func production(
      _ clip: URL, in folder: TemporaryDirectory, cap: Int64, short: ShortPolicy = .reject
    ) async throws -> Production {
      var request = Request(
        input: FilePath(clip.path), outputDirectory: FilePath(folder.url.path), slug: "payload",
        effort: .fast)
      request.maxSize = ByteCount(cap)
      request.short = short
      let (info, plan) = try await ReelsPrep().plan(request)
      let survey = try #require(info.video)
      let recipe = FilterRecipe(
        plan.video, planned: PictureFormat(survey), hasZscale: Machine.hasZscale)
      let job = Transcode(
        input: request.input, output: FilePath(folder.file("made.mp4").path), video: plan.video,
        audio: plan.audio, cover: plan.cover, threads: 2,
        recipe: { recipe.recipe(for: $0) }, progress: { _ in })
      return Production(job: job, plan: plan, survey: survey, recipe: recipe)
    }

    @Test("The draft guides each frame of the encode, and leaves no file")
    func guides() async throws {
      let folder = try TemporaryDirectory()
      let production = try await Self.production(
        Self.clip(in: folder), in: folder, cap: 1_100_000)
      let before = folder.contents
      let findings = try await Draft(
        job: production.job, recipe: production.recipe, limit: 8_000_000
      ).run()
      #expect(folder.contents == before)
      guard case .follows(let passes, let grid) = findings.guidance else {
        Issue.record("no guidance")
        return
      }
      #expect(grid.size == PixelSize(width: 160, height: 90))
      #expect(passes.map(\.decisions.count) == production.job.video.ranges.map(\.count))
      #expect(passes.allSatisfy { $0.decisions.contains { $0.kind == .bidirectional } })
    }

    @Test(
      "Noise in a still keeps below the peak, whether it was foreseen or not", arguments: [1.5, 0])
    func shaves(doubt: Double) async throws {
      let folder = try TemporaryDirectory()
      let file = folder.file("burst.mp4")
      let size = "size=640x360:rate=30"
      try Tool.ffmpeg.run([
        "-v", "error", "-y", "-f", "lavfi", "-i", "smptehdbars=\(size)", "-f", "lavfi", "-i",
        "color=gray:\(size),noise=alls=100:allf=t:all_seed=7", "-filter_complex",
        "[0]trim=0:9,split[a][c];[1]trim=0:2[b];[a][b][c]concat=n=3,format=yuv420p", "-c:v",
        "libx264", "-preset", "ultrafast", "-crf", "10", "-threads", "2", file.path,
      ])
      let cap: Int64 = 6_000_000
      var production = try await Self.production(file, in: folder, cap: cap)
      production.peakDoubt = doubt
      _ = try await production.run()
      let made = folder.file("made.mp4")
      #expect(try Data(contentsOf: made).count < cap)
      let listing = try Tool.ffprobe.run([
        "-v", "error", "-select_streams", "v", "-show_entries", "packet=size", "-of", "csv=p=0",
        made.path,
      ])
      let sizes = String(decoding: listing.stdout, as: UTF8.self).split(separator: "\n")
        .compactMap { Int($0.filter { $0.isNumber }) }
      #expect(sizes.count == 600)
      let seconds = sizes.indices.dropLast(29).map { sizes[$0..<($0 + 30)].reduce(0, +) * 8 }
      // A picture of 640x360 has VBV of 3.5 Mbit/s with 7 Mbit, 60 % of it at once at a range's start.
      #expect(try #require(seconds.max()) <= 14_700_000)
      // It does take a large part of what there is.
      #expect(try #require(seconds.max()) > 5_000_000)
    }

    @Test("A loop that has to be repaired stays the loop it was")
    func repairsLoop() async throws {
      let folder = try TemporaryDirectory()
      let file = folder.file("loop.mp4")
      try Tool.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "mandelbrot=size=640x360:rate=30", "-t", "1.5", "-g",
        "250", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-threads", "2", file.path,
      ])
      var production = try await Self.production(file, in: folder, cap: 250_000, short: .loop)
      // However well it has landed, there is something to gain.
      production.wellUsed = 0.9999
      let made = try await production.run()
      let output = folder.file("made.mp4")
      #expect(made.framesEncoded > 90 * 1.3)
      #expect(try Data(contentsOf: output).count < 250_000)
      // The second half of a second turn is the second half of the first one.
      let frames = try Self.luma(output)
      #expect(frames.count == 90)
      for place in 0..<45 {
        let (same, other) = (frames[place + 45], frames[(place + 20) % 45])
        let near = zip(frames[place], same).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        let far = zip(frames[place], other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(near * 2 < far, "\(place)")
      }
    }

    @Test("Where the cap does not bind, nothing is spent beyond the quality wanted")
    func isFree() async throws {
      let folder = try TemporaryDirectory()
      let clip = try Self.clip(in: folder)
      let made = try await Prepared.make(clip, in: folder)
      let work = made.manifest.work
      #expect(work.rateFactor == RateControl.crf)
      #expect(work.encodesPerFrame == 1)
      #expect(work.draftCPUSeconds == nil)
      #expect(work.capShare < 0.9)
      #expect(!made.manifest.warnings.contains { $0.code == "low-quality" })
    }

    @Test("A quality that is too low for the cap is said, with what helps")
    func warns() async throws {
      let folder = try TemporaryDirectory()
      let clip = try Self.clip(in: folder)
      let made = try await Prepared.make(clip, in: folder) { $0.maxSize = ByteCount(330_000) }
      let warning = made.manifest.warnings.first { $0.code == "low-quality" }
      #expect(warning?.sentence.contains("330 kB is little for this clip: VMAF about") == true)
      #expect(warning?.sentence.contains("s of it would reach 85") == true)
      #expect((made.manifest.work.predictedVMAF ?? 100) < 85)
    }

    @Test("A quality below the least that is asked for is refused, and nothing is left behind")
    func refuses() async throws {
      let folder = try TemporaryDirectory()
      let output = try TemporaryDirectory()
      let clip = try Self.clip(in: folder)
      var request = Request(
        input: FilePath(clip.path), outputDirectory: FilePath(output.url.path), slug: "payload")
      request.maxSize = ByteCount(330_000)
      request.minQuality = 90
      let asked = request
      let error = await #expect(throws: PrepError.self) { try await ReelsPrep().prepare(asked) }
      #expect(error?.code == .lowQuality)
      #expect(error?.sentence.contains("--min-quality asks for 90") == true)
      #expect(output.contents == [])
      request.minQuality = 20
      let payload = try await ReelsPrep().prepare(request)
      #expect((payload.manifest.work.predictedVMAF ?? 0) >= 20)
    }

    @Test(
      "Size is foreseen from a draft alone, within 15 %", arguments: [nil, 1_100_000] as [Int64?])
    func foresees(cap: Int64?) async throws {
      let folder = try TemporaryDirectory()
      let clip = try Self.clip(in: folder)
      var request = Request(
        input: FilePath(clip.path), outputDirectory: FilePath(folder.url.path), slug: "payload",
        effort: .fast)
      request.maxSize = cap.map { ByteCount($0) }
      let (info, plan) = try await ReelsPrep().plan(request)
      let foreseen = try await ReelsPrep().predict(request, info: info, plan: plan)
      let made = try await ReelsPrep().prepare(request)
      let bytes = try #require(made.manifest.files.first { $0.name == "video.mp4" }).bytes
      let ratio = Double(foreseen.bytes.value) / Double(bytes)
      #expect((0.85...1.15).contains(ratio), "\(foreseen.bytes) foreseen, \(bytes) made")
      #expect(foreseen.capBinds == (cap != nil))
    }
  }
}
