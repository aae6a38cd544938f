import Foundation
import ReelsFFmpeg
import ReelsModel
import ReelsPipeline
import TestSupport
import Testing

@Suite(.enabled(if: Clip.isPossible), .timeLimit(.minutes(1))) struct TranscodeTests {
  private func numbers(_ file: URL) throws -> [Int?] {
    try NumberReader.read(file).map(\.number)
  }

  @Test func `every frame of the window arrives once, with sound of its length`() async throws {
    let folder = try TemporaryDirectory()
    let output = folder.file("out.mp4")
    var job = Job(input: try Clip.numbered(.mp4), output: output.filePath)
    job.cover = .time(MediaTime(seconds: Ratio(101, 100)))
    let counts = Shared<[Int]>([])
    let result = try await job.transcode { count in counts.update { $0.append(count) } }.run()
    #expect(result.framesEncoded == 75)
    #expect(result.framesConcealed == 0)
    #expect(result.audioPacketsLost == 0)
    #expect(result.cover.frame == 25)
    #expect(result.cover.jpeg.prefix(2) == [0xFF, 0xD8])
    #expect(counts.value.reduce(0, +) == 75 && counts.value.allSatisfy { $0 > 0 })
    #expect(try numbers(output) == (0..<75).map { $0 })
    let tracks = try BoxOracle(output).tracks
    #expect(tracks.map(\.length.seconds) == [Ratio(3), Ratio(3)])
  }

  @Test func `a window in the middle begins with the frame at its start`() async throws {
    let folder = try TemporaryDirectory()
    let output = folder.file("out.mp4")
    var job = Job(input: try Clip.numbered(.mp4), output: output.filePath)
    job.start = MediaTime(seconds: Ratio(33, 25))
    job.entry = MediaTime(seconds: Ratio(25, 25))
    (job.frames, job.sourceFrames) = (20, 20)
    _ = try await job.transcode().run()
    #expect(try numbers(output) == (33..<53).map { $0 })
  }

  @Test func `a loop plays the source again from the window's start`() async throws {
    let folder = try TemporaryDirectory()
    let output = folder.file("out.mp4")
    var job = Job(input: try Clip.numbered(.mp4), output: output.filePath)
    (job.frames, job.sourceFrames, job.short) = (70, 30, .loop)
    let result = try await job.transcode().run()
    #expect(result.framesConcealed == 0)
    #expect(try numbers(output) == (0..<70).map { $0 % 30 })
  }

  @Test func `a part of a loop begins wherever it is in the source`() async throws {
    let folder = try TemporaryDirectory()
    let output = folder.file("out.mp4")
    var job = Job(input: try Clip.numbered(.mp4), output: output.filePath)
    (job.frames, job.sourceFrames, job.short) = (100, 30, .loop)
    job.ranges = [0, 40, 90]
    let result = try await job.transcode().run()
    #expect(result.framesConcealed == 0)
    #expect(try numbers(output) == (0..<100).map { $0 % 30 })
  }

  @Test func `a second pass has its IDR frames where the first one says, in each range`()
    async throws
  {
    let folder = try TemporaryDirectory()
    var job = Job(input: try Clip.numbered(.mp4), output: folder.file("out.mp4").filePath)
    job.ranges = [0, 40]
    let size = PixelSize(width: 64, height: 32)
    let logs = ["0", "1"].map { folder.file($0).filePath }
    job.guidance = .writes(logs)
    _ = try await job.transcode().pictures()
    let passes = try zip(logs, [40, 35]).map { log, frames in
      var pass = try #require(
        FirstPass(
          log: Array(try Data(contentsOf: URL(filePath: log.string))),
          tree: Array(try Data(contentsOf: URL(filePath: log.string + ".mbtree"))), size: size,
          frames: frames))
      // Where neither the longest GOP nor a cut would put one.
      pass.decisions[frames - 20].kind = .intra
      return pass
    }
    job.guidance = .follows(passes, FirstPass.Grid(size: size))
    let store = try await job.transcode().pictures().packets
    for (range, pass) in passes.enumerated() {
      let keys = store.entries(of: range).indices.filter { store.entries(of: range)[$0].isKey }
      #expect(keys == pass.decisions.indices.filter { pass.decisions[$0].kind == .intra })
    }
  }

  @Test func `pairs are taken from each range, at each size, whoever makes it`() async throws {
    let folder = try TemporaryDirectory()
    var job = Job(input: try Clip.numbered(.mp4), output: folder.file("out.mp4").filePath)
    job.ranges = [0, 40]
    let transcode = job.transcode()
    let large = PairProbe.Version(
      size: transcode.video.geometry.canvas, encoding: transcode.video.encoding,
      recipe: transcode.recipe)
    var coarse = large
    coarse.encoding.crf += 12
    coarse.every = 2
    let probe = PairProbe(versions: [large, coarse], stride: 16)
    let pairs = try await transcode.pictures(probe).pairs
    #expect(pairs.map(\.place) == [8, 24, 48, 64])
    #expect(pairs.map { $0.versions[1] != nil } == [true, false, true, false])
    for pair in pairs {
      let frames = try #require(pair.versions[0])
      // Each is encoded apart: its first frame is an IDR frame, the second refers to it.
      #expect(frames.inter > 0 && frames.inter < frames.intra)
      if let less = pair.versions[1] { #expect(less.intra < frames.intra) }
    }
    job.threads = 4
    #expect(try await job.transcode().pictures(probe).pairs == pairs)
  }

  @Test func `a range goes on by another rate factor where it is told to`() async throws {
    let folder = try TemporaryDirectory()
    var job = Job(input: try Clip.numbered(.mp4), output: folder.file("out.mp4").filePath)
    job.ranges = [0, 40]
    var transcode = job.transcode()
    // It takes effect with the next frame that is encoded, which a look ahead would put off.
    transcode.video.encoding.lookaheadFrames = 0
    func bytes(_ crfs: [Double], _ changes: [Transcode.CRFChange?]?) async throws -> [Int] {
      (transcode.crfs, transcode.changes) = (crfs, changes)
      let store = try await transcode.pictures().packets
      return (0..<2).map { store.entries(of: $0).reduce(0) { $0 + $1.bytes } }
    }
    let (fine, coarse) = (try await bytes([18, 18], nil), try await bytes([40, 40], nil))
    let mixed = try await bytes([18, 18], [Transcode.CRFChange(frame: 20, crf: 40), nil])
    #expect(mixed[1] == fine[1])
    #expect(mixed[0] < fine[0] - (fine[0] - coarse[0]) / 10)
    #expect(mixed[0] > coarse[0] + (fine[0] - coarse[0]) / 10)
  }

  @Test func `a range too short for a pair has none`() async throws {
    let folder = try TemporaryDirectory()
    var job = Job(input: try Clip.numbered(.mp4), output: folder.file("out.mp4").filePath)
    (job.frames, job.ranges) = (42, [0, 40])
    let transcode = job.transcode()
    let version = PairProbe.Version(
      size: transcode.video.geometry.canvas, encoding: transcode.video.encoding,
      recipe: transcode.recipe)
    let pairs = try await transcode.pictures(PairProbe(versions: [version], stride: 30)).pairs
    #expect(pairs.map(\.place) == [15])
  }

  @Test func `a hold keeps the last frame, which is no damage`() async throws {
    let folder = try TemporaryDirectory()
    let output = folder.file("out.mp4")
    var job = Job(input: try Clip.numbered(.mp4), output: output.filePath)
    job.frames = 100
    let result = try await job.transcode().run()
    #expect(result.framesConcealed == 0)
    #expect(try numbers(output) == (0..<100).map { min($0, 74) })
  }

  @Test(arguments: [1, 2, 4]) func `ranges side by side are the whole, in order`(threads: Int)
    async throws
  {
    let folder = try TemporaryDirectory()
    let (whole, parts) = (folder.file("whole.mp4"), folder.file("parts.mp4"))
    var job = Job(input: try Clip.numbered(.mp4), output: whole.filePath)
    job.ranges = [0, 20, 41, 63]
    _ = try await job.transcode().run()
    (job.output, job.threads) = (parts.filePath, threads)
    let result = try await job.transcode().run()
    #expect(result.framesEncoded == 75 && result.framesConcealed == 0)
    #expect(try numbers(parts) == (0..<75).map { $0 })
    // However many lanes there are, the bytes are the same.
    #expect(try Data(contentsOf: parts) == Data(contentsOf: whole))
  }

  @Test(arguments: [[0], [0, 20, 40]])
  func `a part of a longer source is held at its own last frame, in silence`(
    ranges: [Int]
  ) async throws {
    let folder = try TemporaryDirectory()
    let output = folder.file("out.mp4")
    var job = Job(input: try Clip.numbered(.mp4), output: output.filePath)
    (job.frames, job.sourceFrames, job.ranges) = (60, 30, ranges)
    let result = try await job.transcode().run()
    #expect(result.framesConcealed == 0)
    #expect(try numbers(output) == (0..<60).map { min($0, 29) })
    let sound = try DecodedAudio(output).samples
    let end = 30 * 1_920
    #expect((sound[..<end].suffix(4_800).max() ?? 0) > 0.05)
    // The codec needs two frames to be quiet.
    #expect((sound[(end + 2_048)...].map(abs).max() ?? 1) < 0.002)
  }

  @Test func `several tracks are summed, in step`() async throws {
    let folder = try TemporaryDirectory()
    let (input, output) = (folder.file("two.mkv"), folder.file("out.mp4"))
    try Tool.ffmpeg.run([
      "-v", "error", "-i", try Clip.numbered(.mkv).string, "-f", "lavfi", "-i",
      "aevalsrc=0.25*gt(t\\,1):s=48000:d=3", "-f", "lavfi", "-i",
      "aevalsrc=0.25*gt(t\\,2):s=44100:d=3", "-map", "0:v", "-map", "1", "-map", "2", "-c:v",
      "copy", "-c:a", "pcm_s16le", input.path,
    ])
    var job = Job(input: input.filePath, output: output.filePath)
    job.audioStreams = [1, 2]
    let result = try await job.transcode().run()
    #expect(result.audioPacketsLost == 0)
    let sound = try DecodedAudio(output).samples
    for (seconds, level) in [(0.5, 0.0), (1.05, 0.25), (1.9, 0.25), (2.05, 0.5), (2.8, 0.5)] {
      let part = sound[Int(seconds * 48_000)...].prefix(480)
      let mean = Double(part.reduce(0, +)) / 480
      #expect(abs(mean - level) < 0.03, "at \(seconds) s: \(mean)")
    }
  }

  @Test(arguments: [ClipFormat.Container.ts, .mkv])
  func `an input that is cut off is held to the end, and that is counted`(
    container: ClipFormat.Container
  ) async throws {
    let folder = try TemporaryDirectory()
    let input = folder.file("cut.\(container.rawValue)")
    let whole = URL(filePath: try Clip.numbered(container).string)
    try FileManager.default.copyItem(at: whole, to: input)
    try BoxPatch.truncate(input, to: try Data(contentsOf: whole).count / 2)
    var reader = try VideoReader.open(
      input.filePath, stream: 0, entry: nil, threads: 1, interrupt: Interrupt())
    guard let first = try reader.next() else {
      Issue.record("no picture")
      return
    }
    let output = folder.file("out.mp4")
    var job = Job(input: input.filePath, output: output.filePath)
    (job.start, job.entry) = (first.time, .zero)
    let result = try await job.transcode().run()
    #expect(result.framesEncoded == 75)
    #expect((10..<60).contains(result.framesConcealed), "\(result.framesConcealed)")
    let read = try numbers(output)
    #expect(read.count == 75)
    #expect(read.prefix(10) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    #expect(read.last == read[73])
  }

  @Test func `a cancelled task ends within half a second`() async throws {
    let folder = try TemporaryDirectory()
    var job = Job(
      input: try Clip.numbered(.mp4), output: folder.file("out.mp4").filePath)
    // An hour of it, so that it is under way whenever it is cancelled.
    (job.frames, job.sourceFrames, job.short, job.effort) = (90_000, 75, .loop, .best)
    for place in [1, 50, 400] {
      // Other tests keep the machine busy: the best of some is the pipeline's own time.
      var best = Duration.seconds(60)
      for _ in 0..<8 where best >= .milliseconds(500) {
        let isThere = AsyncStream<Void>.makeStream()
        let count = Shared(0)
        let transcode = job.transcode { more in
          let isEnough = count.update {
            $0 += more
            return $0 >= place
          }
          if isEnough { isThere.continuation.finish() }
        }
        let task = Task { try await transcode.run() }
        for await _ in isThere.stream {}
        let start = ContinuousClock.now
        task.cancel()
        guard await endsCancelled(task) else {
          Issue.record("the task goes on, or did not say that it was cancelled")
          return
        }
        best = min(best, ContinuousClock.now - start)
      }
      #expect(best < .milliseconds(500), "at frame \(place)")
    }
  }

  @Test func `a task that is cancelled beforehand does not begin`() async throws {
    let folder = try TemporaryDirectory()
    var job = Job(
      input: try Clip.numbered(.mp4), output: folder.file("out.mp4").filePath)
    (job.frames, job.sourceFrames, job.short) = (90_000, 75, .loop)
    let transcode = job.transcode()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      _ = try await transcode.run()
    }
    task.cancel()
    #expect(await endsCancelled(task))
  }

  @Test func `a window without a frame is always said to be that`() async throws {
    let folder = try TemporaryDirectory()
    var job = Job(
      input: try Clip.numbered(.mp4), output: folder.file("out.mp4").filePath)
    (job.start, job.entry) = (MediaTime(seconds: 100), MediaTime(seconds: 100))
    for _ in 0..<60 {
      await #expect(throws: TranscodeError.noFrames) { _ = try await job.transcode().run() }
    }
  }

  @Test func `a filter that libav refuses is always the error`() async throws {
    let folder = try TemporaryDirectory()
    var job = Job(
      input: try Clip.numbered(.mp4), output: folder.file("out.mp4").filePath)
    job.recipe = "nosuchfilter"
    for _ in 0..<60 {
      let error = await #expect(throws: FFmpegError.self) { _ = try await job.transcode().run() }
      #expect(error?.operation == "filter")
    }
  }

  @Test func `an input and an output that are not there are each their own error`() async throws {
    let folder = try TemporaryDirectory()
    let input = try Clip.numbered(.mp4)
    let missing = Job(
      input: folder.url.filePath.appending("missing.mp4"),
      output: folder.file("out.mp4").filePath)
    let reading = await #expect(throws: FFmpegError.self) {
      _ = try await missing.transcode().run()
    }
    #expect(reading?.operation == "open")
    let nowhere = Job(input: input, output: folder.url.filePath.appending("missing/out.mp4"))
    let writing = await #expect(throws: FFmpegError.self) {
      _ = try await nowhere.transcode().run()
    }
    #expect(writing?.operation == "create")
  }
}
