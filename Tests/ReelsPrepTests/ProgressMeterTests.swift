import Foundation
import ReelsModel
import Testing

@testable import ReelsPrep

@Suite struct ProgressMeterTests {
  private final class Events: @unchecked Sendable {
    // Sound: only touched under the lock.
    private let lock = NSLock()
    private var stored: [Event.Progress] = []

    func add(_ event: Event) {
      if case .progress(let progress) = event { lock.withLock { stored.append(progress) } }
    }

    var all: [Event.Progress] { lock.withLock { stored } }
  }

  private func meter(_ frames: Int, _ events: Events) -> ProgressMeter {
    ProgressMeter(input: "clip.mov", frames: frames, frameRate: Ratio(30)) { events.add($0) }
  }

  @Test func `it never goes back and ends at 1`() {
    let events = Events()
    let meter = meter(90, events)
    meter.begin(.draft, frames: 90)
    for _ in 0..<90 { meter.encoded(1) }
    #expect(events.all.last?.frames == 0 && (events.all.last?.fraction ?? 0) > 0)
    meter.begin(.encode, frames: 90)
    for _ in 0..<90 { meter.encoded(1) }
    // The file was too large: parts of it again, and again.
    for frames in [20, 10] {
      meter.begin(.again, frames: frames)
      for _ in 0..<frames { meter.encoded(1) }
    }
    meter.finished()
    let fractions = events.all.map(\.fraction)
    #expect(fractions.count >= 3)
    #expect(zip(fractions, fractions.dropFirst()).allSatisfy(<=))
    #expect(fractions.allSatisfy { (0...1).contains($0) })
    #expect(fractions.last == 1)
    #expect(fractions.filter { $0 == 1 }.count == 1)
    #expect(events.all.last?.frames == 90)
    #expect(events.all.allSatisfy { $0.speed.isFinite && ($0.secondsLeft ?? 0) >= 0 })
  }

  @Test func `a second attempt does not begin above what it has`() {
    let events = Events()
    let meter = meter(2, events)
    meter.begin(.encode, frames: 2)
    meter.encoded(2)
    let first = events.all.last?.fraction ?? 1
    #expect(first < 1)
    meter.begin(.again, frames: 2)
    meter.encoded(2)
    #expect((events.all.last?.fraction ?? 0) > first)
    #expect((events.all.last?.fraction ?? 1) < 1)
  }

  @Test func `it reports a few times a second, not every frame`() {
    let events = Events()
    let meter = meter(10_000, events)
    meter.begin(.encode, frames: 10_000)
    for _ in 0..<9_999 { meter.encoded(1) }
    #expect(events.all.count < 20)
    meter.encoded(1)
    #expect(events.all.last?.frames == 10_000)
  }

  @Test func `frames from several threads are all counted, in order`() {
    let events = Events()
    let meter = meter(4_000, events)
    meter.begin(.encode, frames: 4_000)
    let group = DispatchGroup()
    for _ in 0..<4 {
      group.enter()
      Thread.detachNewThread {
        for _ in 0..<1_000 { meter.encoded(1) }
        group.leave()
      }
    }
    #expect(group.wait(timeout: .now() + 20) == .success)
    meter.finished()
    let fractions = events.all.map(\.fraction)
    #expect(zip(fractions, fractions.dropFirst()).allSatisfy(<=))
    #expect(events.all.contains { $0.frames == 4_000 && $0.fraction < 1 })
  }

  @Test func `a slow listener does not put events out of order`() {
    let events = Events()
    let meter = ProgressMeter(input: "clip.mov", frames: 2, frameRate: Ratio(30)) { event in
      if case .progress(let progress) = event, progress.frames == 1 {
        Thread.sleep(forTimeInterval: 0.1)
      }
      events.add(event)
    }
    meter.begin(.encode, frames: 2)
    let ended = DispatchSemaphore(value: 0)
    for delay in [0, 0.03] {
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: delay)
        meter.encoded(1)
        ended.signal()
      }
    }
    for _ in 0..<2 { #expect(ended.wait(timeout: .now() + 20) == .success) }
    #expect(events.all.map(\.frames) == [1, 2])
  }
}
