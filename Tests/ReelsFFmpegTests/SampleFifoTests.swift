import ReelsFFmpeg
import Testing

@Suite struct SampleFifoTests {
  @Test func `what is missing is silence, and takes are exact`() throws {
    let queue = try SampleFifo(channels: 2, sampleRate: 48_000)
    try queue.appendSilence(100)
    #expect(queue.count == 100)
    let frame = try queue.take(1_024)
    #expect(frame.sampleCount == 1_024)
    #expect(frame.sampleRate == 48_000)
    #expect(frame.audioFormat.sampleFormat == "fltp")
    #expect(frame.audioFormat.channelLayout == "stereo")
    #expect(frame.peakAmplitude == 0)
    #expect(queue.count == 0)
  }

  @Test func `a part of a frame is appended and dropped`() throws {
    let queue = try SampleFifo(channels: 1, sampleRate: 44_100)
    let frame = try queue.take(1_000)
    try queue.append(frame, from: 990, limit: 100)
    #expect(queue.count == 10)
    try queue.append(frame, from: 0, limit: 7)
    try queue.append(frame, from: 2_000, limit: 7)
    #expect(queue.count == 17)
    queue.drop(5)
    #expect(queue.count == 12)
    queue.drop(500)
    #expect(queue.count == 0)
  }
}
