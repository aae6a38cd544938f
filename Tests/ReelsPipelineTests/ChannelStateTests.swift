import ReelsPipeline
import Testing

@Suite struct ChannelStateTests {
  @Test func `as many elements as the capacity are accepted`() {
    var state = ChannelState(capacity: 2)
    #expect(state.send() == .accepted)
    #expect(state.send() == .accepted)
    #expect(state.send() == .wait)
    #expect(state.receive() == .received)
    #expect(state.send() == .accepted)
    #expect(state.send() == .wait)
  }

  @Test func `an empty channel makes the receiver wait`() {
    var state = ChannelState(capacity: 1)
    #expect(state.receive() == .wait)
    #expect(state.send() == .accepted)
    #expect(state.receive() == .received)
    #expect(state.receive() == .wait)
  }

  @Test func `after the finish what is inside is received, then the end for ever`() {
    var state = ChannelState(capacity: 3)
    _ = state.send()
    _ = state.send()
    state.finish()
    #expect(state.send() == .refused)
    #expect(state.receive() == .received)
    #expect(state.receive() == .received)
    #expect(state.receive() == .ended)
    #expect(state.receive() == .ended)
  }

  @Test func `after a cancel both sides end at once`() {
    var state = ChannelState(capacity: 3)
    _ = state.send()
    state.cancel()
    #expect(state.receive() == .ended)
    #expect(state.send() == .refused)
    state.finish()
    #expect(state.receive() == .ended)
  }

  @Test func `a full channel refuses once it is finished or cancelled`() {
    for isCancelled in [false, true] {
      var state = ChannelState(capacity: 1)
      _ = state.send()
      #expect(state.send() == .wait)
      if isCancelled { state.cancel() } else { state.finish() }
      #expect(state.send() == .refused)
    }
  }
}
