import ReelsFFmpeg
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPipeline

@Suite(.enabled(if: Clip.isPossible)) struct AudioSourceTests {
  private func plan(_ stream: Int, channels: Int = 2) -> AudioPlan {
    AudioPlan(
      streams: [stream], sampleRate: 48_000, channels: channels, bitRate: BitsPerSecond(128_000),
      samples: 48_000 * 5)
  }

  private func open(
    _ path: FilePath, stream: Int = 1, at origin: MediaTime, channels: Int = 2
  ) throws -> AudioSource {
    try AudioSource.open(
      path, stream: stream, plan: plan(stream, channels: channels), origin: origin,
      interrupt: Interrupt())
  }

  /// The magnitude of each sample, the louder channel's.
  private func samples(_ source: AudioSource, _ count: Int) throws -> [Float] {
    try (0..<count).map { _ in try source.take(1).peakAmplitude }
  }

  /// Where the sound first rises to a tenth of its peak.
  private func onset(_ samples: [Float]) -> Int? {
    guard let peak = samples.max(), peak > 0.01 else { return nil }
    return samples.firstIndex { $0 > peak / 10 }
  }

  /// Instants that are no multiple of any packet, before a click at 1.5 s.
  private static let origins: [Ratio] = [
    Ratio(1), Ratio(12_345, 10_000), Ratio(65_537, 48_000), Ratio(67_000, 48_000),
    Ratio(69_001, 48_000), Ratio(71_500, 48_000), Ratio(60_000, 48_000), Ratio(68_600, 48_000),
  ]

  @Test(arguments: origins)
  func `the first sample is the one at the origin, exactly`(origin: Ratio) throws {
    let path = try Clip.clicks(.mov, .pcm)
    let click = 72_000 - Int((origin * Ratio(48_000)).rounded)
    // A click is the same wherever the reading began.
    let whole = try open(path, at: .zero)
    _ = try whole.take(72_000)
    let expected = try samples(whole, 200)
    #expect(expected[0] == 0 && expected[4] > 0 && expected.max() ?? 0 > 0.5)
    let source = try open(path, at: MediaTime(seconds: origin))
    if click > 0 { #expect(try source.take(click).peakAmplitude == 0) }
    #expect(try samples(source, 200) == expected)
    #expect(source.refusedPackets == 0)
  }

  @Test(arguments: [
    (ClipFormat.Container.mkv, ClipFormat.AudioCodec.pcm), (.mp4, .aac), (.ts, .aac), (.mkv, .aac),
    (.webm, .vorbis),
  ])
  func `other containers and codecs keep the instant within a millisecond`(
    container: ClipFormat.Container, codec: ClipFormat.AudioCodec
  ) throws {
    let path = try Clip.clicks(container, codec)
    // The file's own time of the first frame: T = 0 of the events.
    var reader = try VideoReader.open(
      path, stream: 0, entry: nil, threads: 1, interrupt: Interrupt())
    guard let first = try reader.next() else {
      Issue.record("no picture")
      return
    }
    let zero = first.time
    for origin in [Ratio(1), Ratio(67_000, 48_000), Ratio(68_600, 48_000)] {
      let source = try open(path, at: zero + MediaTime(seconds: origin))
      let until = Int(((Ratio(3, 2) - origin) * Ratio(48_000)).rounded)
      let skipped = max(0, until - 400)
      _ = try source.take(skipped)
      let sound = try samples(source, 800)
      let found = try #require(onset(sound))
      #expect(abs(skipped + found - until) <= 60, "from \(origin): \(skipped + found) for \(until)")
    }
  }

  @Test func `another sample rate is converted without moving it`() throws {
    let path = try Clip.clicks(.mov, .pcm, sampleRate: 44_100)
    let reference = try open(try Clip.clicks(.mov, .pcm), at: MediaTime(seconds: 1))
    let source = try open(path, at: MediaTime(seconds: 1))
    _ = try reference.take(23_900)
    _ = try source.take(23_900)
    let (expected, found) = (try samples(reference, 300), try samples(source, 300))
    let (a, b) = (try #require(onset(expected)), try #require(onset(found)))
    #expect(abs(a - b) <= 2)
  }

  @Test func `before the track there is silence of the right length`() throws {
    let source = try open(try Clip.clicks(.mov, .pcm), at: MediaTime(seconds: Ratio(-1, 2)))
    #expect(try source.take(48_000).peakAmplitude == 0)
    #expect(try source.take(200).peakAmplitude > 0.5)
  }

  @Test func `after the end there is silence for ever`() throws {
    let source = try open(try Clip.clicks(.mov, .pcm), at: MediaTime(seconds: 2))
    #expect(try source.take(48_000).peakAmplitude > 0.5)
    for _ in 0..<20 { #expect(try source.take(48_000).peakAmplitude == 0) }
  }

  @Test func `a hole in the time stamps is silence of its length`() throws {
    let path = try Clip.sound(
      "hole.mkv", "sine=f=997:r=48000:d=2,aselect=not(between(t\\,0.8\\,1.2))",
      ["-c:a", "pcm_s16le"])
    var packets = try PacketReader.open(path, stream: 0, at: nil, interrupt: Interrupt())
    var times: [MediaTime] = []
    while let packet = try packets.next() {
      if let time = packets.time(of: packet) { times.append(time) }
    }
    let after = try #require(
      zip(times, times.dropFirst()).first { $1 - $0 > MediaTime(seconds: Ratio(1, 4)) }
    ).1
    let source = try open(path, stream: 0, at: .zero, channels: 1)
    let end = Int(after.ticks(in: Ratio(1, 48_000)))
    #expect(try source.take(36_000).peakAmplitude > 0.1)
    _ = try source.take(48_000 * 85 / 100 - 36_000)
    #expect(try source.take(end - 48_000 * 85 / 100 - 100).peakAmplitude == 0)
    let sound = try samples(source, 300)
    let found = try #require(onset(sound))
    #expect(abs(found - 100) <= 52, "within a millisecond of \(after)")
  }

  @Test func `a centre channel is kept in stereo and in mono`() throws {
    let path = try Clip.sound(
      "centre.mka", "aevalsrc=0|0|0.5*sin(6000*t)|0|0|0:c=5.1:s=48000:d=0.5", ["-c:a", "pcm_s16le"])
    for channels in 1...2 {
      let source = try open(path, stream: 0, at: .zero, channels: channels)
      #expect(try source.take(12_000).peakAmplitude > 0.1, "\(channels)")
    }
  }

  @Test func `two channels become one`() throws {
    let source = try open(try Clip.clicks(.mov, .pcm), at: MediaTime(seconds: 1), channels: 1)
    let frame = try source.take(24_100)
    #expect(frame.audioFormat.channelLayout == "mono")
    #expect(frame.peakAmplitude > 0.3)
  }

  @Test func `many channels without an order give their first two`() {
    let format = AudioFormat(
      sampleRate: 48_000, sampleFormat: "s16", channelLayout: "22 channels")
    #expect(AudioSource.recipe(from: format, to: plan(0)).hasPrefix("pan=stereo|c0=c0|c1=c1,"))
    #expect(
      AudioSource.recipe(from: format, to: plan(0, channels: 1)).hasPrefix("pan=mono|c0=c0,"))
  }
}
