import Foundation
import ReelsModel
import TestSupport
import Testing

@Suite(.enabled(if: Tool.ffmpeg.isAvailable)) struct SyncMeterTests {
  private let folder: TemporaryDirectory
  private let events = [0.5, 1.25, 3.1, 4.7]

  init() throws { folder = try TemporaryDirectory() }

  private func clip(
    _ rate: Ratio, _ format: ClipFormat, seconds: Int64 = 6, delay: Double = 0, start: Double = 0,
    sampleRate: Int = 48_000
  ) throws -> URL {
    try ClickFlashClip(
      .constant(rate, seconds: seconds), events: events, format: format, clickDelay: delay,
      audioStart: start, sampleRate: sampleRate
    ).write(in: folder)
  }

  @Test(arguments: [Ratio(24), Ratio(30000, 1001), Ratio(30), Ratio(60)])
  func `a PCM MOV reads as 0 within 0.1 ms`(rate: Ratio) throws {
    // Without B-frames there is no edit list that could be ignored.
    let file = try clip(rate, ClipFormat(.mov, bFrames: 0))
    for editLists in EditLists.allCases {
      let meter = try SyncMeter(file, editLists: editLists)
      #expect(meter.events.count == events.count)
      #expect(abs(meter.worst) < 0.1)
      #expect(abs(meter.drift) < 0.1)
    }
  }

  @Test(arguments: [-0.04, -0.0015, 0.001, 0.0213])
  func `an injected offset reads as itself`(delay: Double) throws {
    for format in [ClipFormat(.mov), ClipFormat(.mp4)] {
      let meter = try SyncMeter(clip(Ratio(30), format, delay: delay))
      #expect(meter.events.count == events.count)
      #expect(meter.milliseconds.allSatisfy { abs($0 - delay * 1000) < 0.1 })
    }
  }

  @Test(arguments: ClipFormat.Container.allCases)
  func `every container reads as 0 within its own rounding`(
    container: ClipFormat.Container
  ) throws {
    let meter = try SyncMeter(clip(Ratio(30000, 1001), ClipFormat(container)))
    #expect(meter.events.count == events.count)
    #expect(abs(meter.worst) < (container == .mkv || container == .webm ? 1.01 : 0.1))
  }

  @Test func `events are where they were put`() throws {
    let meter = try SyncMeter(clip(Ratio(60), ClipFormat(.mov)))
    #expect(zip(meter.events, events).allSatisfy { abs($0.flash - $1) < 0.0084 })
  }

  @Test func `44,100 Hz and AAC change nothing`() throws {
    let meter = try SyncMeter(clip(Ratio(25), ClipFormat(.mp4), sampleRate: 44_100))
    #expect(abs(meter.worst) < 0.1)
  }

  @Test(arguments: [-0.4, 0.3])
  func `sound that begins early or late is still in sync where edit lists are honoured`(
    start: Double
  ) throws {
    let file = try clip(Ratio(30), ClipFormat(.mp4), start: start)
    #expect(abs(try SyncMeter(file).worst) < 0.1)
    #expect(abs(try SyncMeter(file, editLists: .ignored).worst) > 20)
  }

  @Test func `a drift is told from an offset`() throws {
    let source = try clip(Ratio(30), ClipFormat(.mov, bFrames: 0))
    let slow = folder.file("slow.mov")
    try Tool.ffmpeg.run(
      ["-v", "error", "-i", source.path, "-c:v", "copy", "-af", "asetrate=47900,aresample=48000"]
        + ["-c:a", "pcm_s16le", slow.path])
    let meter = try SyncMeter(slow)
    // 4.2 s between the first and the last event, 100 in 47,900 too slow.
    #expect(abs(meter.drift - 8.77) < 0.1)
  }

  @Test func `a flash without a click is no event`() throws {
    let source = try clip(Ratio(30), ClipFormat(.mov, bFrames: 0))
    let muted = folder.file("muted.mov")
    try Tool.ffmpeg.run(
      ["-v", "error", "-i", source.path, "-c:v", "copy", "-af"]
        + ["volume=enable='between(t,3,4)':volume=0", "-c:a", "pcm_s16le", muted.path])
    let meter = try SyncMeter(muted)
    #expect(meter.events.count == 3 && meter.loneFlashes.count == 1 && meter.loneClicks.isEmpty)
    #expect(meter.worst == .infinity)
  }
}
