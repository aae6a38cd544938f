import Foundation
import ReelsPipeline
import Testing

@Suite(.timeLimit(.minutes(1))) struct ChannelTests {
  /// Says when it is freed; cannot be copied.
  private struct Item: ~Copyable, Sendable {
    let number: Int
    let freed: Shared<[Int]>
    deinit {
      let number = number
      freed.update { $0.append(number) }
    }
  }

  @Test func `elements come out in order, each once`() {
    let channel = Channel<Int>(capacity: 3)
    let sender = Worker {
      for number in 0..<2_000 { _ = channel.send(number) }
      channel.finish()
    }
    let received = Shared<[Int]>([])
    let receiver = Worker {
      while let number = channel.receive() { received.update { $0.append(number) } }
    }
    #expect(sender.ends(within: 20))
    #expect(receiver.ends(within: 20))
    #expect(received.value == (0..<2_000).map { $0 })
  }

  @Test(arguments: [1, 4]) func `a sender is never further ahead than the capacity`(capacity: Int) {
    let channel = Channel<Int>(capacity: capacity)
    let sent = Shared(0)
    let sender = Worker {
      for number in 0..<50 where channel.send(number) { sent.update { $0 += 1 } }
      channel.finish()
    }
    // Without a receiver it stops at the capacity.
    Thread.sleep(forTimeInterval: 0.05)
    #expect(sent.value == capacity)
    #expect(!sender.ends(within: 0.01))
    var received = 0
    while let number = channel.receive() {
      #expect(number == received)
      received += 1
      if received % 10 == 0 { Thread.sleep(forTimeInterval: 0.005) }
      #expect(sent.value <= received + capacity)
    }
    #expect(received == 50)
    #expect(sender.ends(within: 5))
  }

  @Test func `a finish wakes a waiting receiver`() {
    let channel = Channel<Int>(capacity: 1)
    let receiver = Worker { while channel.receive() != nil {} }
    Thread.sleep(forTimeInterval: 0.02)
    channel.finish()
    #expect(receiver.ends(within: 5))
    #expect(!channel.send(1))
  }

  @Test func `a cancel wakes a waiting receiver`() {
    let channel = Channel<Int>(capacity: 1)
    let receiver = Worker { while channel.receive() != nil {} }
    Thread.sleep(forTimeInterval: 0.02)
    channel.cancel()
    #expect(receiver.ends(within: 5))
  }

  @Test func `a cancel wakes a waiting sender and tells it so`() {
    let channel = Channel<Int>(capacity: 1)
    let answers = Shared<[Bool]>([])
    let sender = Worker {
      for number in 0..<3 {
        let isAccepted = channel.send(number)
        answers.update { $0.append(isAccepted) }
      }
    }
    Thread.sleep(forTimeInterval: 0.02)
    #expect(answers.value == [true])
    channel.cancel()
    #expect(sender.ends(within: 5))
    #expect(answers.value == [true, false, false])
    #expect(channel.receive() == nil)
  }

  @Test func `nothing that was sent is leaked or freed twice`() {
    let freed = Shared<[Int]>([])
    let channel = Channel<Item>(capacity: 3)
    for number in 0..<3 { _ = channel.send(Item(number: number, freed: freed)) }
    do {
      let item = channel.receive()
      #expect(freed.value == [])
      _ = consume item
    }
    #expect(freed.value == [0])
    channel.cancel()
    #expect(freed.value == [0, 1, 2])
    _ = channel.send(Item(number: 3, freed: freed))
    #expect(freed.value == [0, 1, 2, 3])
  }

  @Test func `what is left inside goes with the channel`() {
    let freed = Shared<[Int]>([])
    do {
      let channel = Channel<Item>(capacity: 3)
      _ = channel.send(Item(number: 0, freed: freed))
      _ = channel.send(Item(number: 1, freed: freed))
    }
    #expect(freed.value.sorted() == [0, 1])
  }
}
