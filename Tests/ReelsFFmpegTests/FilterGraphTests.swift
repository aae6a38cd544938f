import ReelsFFmpeg
import ReelsModel
import Testing

@Suite struct FilterGraphTests {
  private static let stereo = AudioFormat(
    sampleRate: 48_000, sampleFormat: "fltp", channelLayout: "stereo")

  @Test(arguments: [
    ("nosuchfilter", "No such filter: 'nosuchfilter'"),
    ("volume=nosuchoption=1", "nosuchoption"), ("volume=volume=(", "("),
    ("[in]volume=1[other]", ""), ("", ""), ("volume,", ""),
  ])
  func `a description that libav refuses is an error with its line`(
    description: String, line: String
  ) {
    let error = #expect(throws: FFmpegError.self) {
      _ = try FilterGraph.audio(description, from: [Self.stereo])
    }
    #expect(error?.operation == "filter")
    #expect(error?.subject == description)
    if !line.isEmpty { #expect(error?.detail?.contains(line) == true, "\(error?.detail ?? "-")") }
    #expect(error?.detail?.contains("0x") != true)
  }

  @Test func `an input format that does not exist is an error`() {
    let format = AudioFormat(sampleRate: 0, sampleFormat: "none", channelLayout: "unknown")
    #expect(throws: FFmpegError.self) { _ = try FilterGraph.audio("anull", from: [format]) }
  }

  @Test func `frames come out in the format asked for, then the end`() throws {
    let graph = try FilterGraph.audio(
      "aresample=24000:out_chlayout=mono,aformat=sample_fmts=s16", from: [Self.stereo])
    let queue = try SampleFifo(channels: 2, sampleRate: 48_000)
    guard case .needsInput = try graph.receive() else {
      Issue.record("there is output without input")
      return
    }
    for index in 0..<10 {
      let frame = try queue.take(1_024)
      frame.pts = Int64(index * 1_024)
      try graph.send(frame)
    }
    try graph.sendEnd()
    var samples = 0
    loop: while true {
      switch try graph.receive() {
      case .value(let frame):
        #expect(frame.audioFormat.sampleRate == 24_000)
        #expect(frame.audioFormat.sampleFormat == "s16")
        #expect(frame.audioFormat.channelLayout == "mono")
        samples += frame.sampleCount
      case .needsInput:
        Issue.record("more input is wanted after the end")
        break loop
      case .end: break loop
      }
    }
    #expect(abs(samples - 5_120) <= 1)
  }

  @Test func `two inputs are told apart by their numbers`() throws {
    let graph = try FilterGraph.audio(
      "[in0]volume=0[a];[a][in1]amix=inputs=2:normalize=0,aformat=sample_fmts=fltp[out]",
      from: [Self.stereo, Self.stereo])
    let queue = try SampleFifo(channels: 2, sampleRate: 48_000)
    for input in 0...1 {
      let frame = try queue.take(512)
      frame.pts = 0
      try graph.send(frame, input: input)
    }
    guard case .value(let frame) = try graph.receive() else {
      Issue.record("no output")
      return
    }
    #expect(frame.sampleCount == 512)
  }
}
