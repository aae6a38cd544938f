import Foundation
import Testing

@testable import ReelsShare

@Suite struct HandOffMachineTests {
  private static let now = Date(timeIntervalSince1970: 0)

  /// Whatever happens in whatever order, a hand-over ends once, and puts back only what it wrote.
  @Test func `no order of events breaks it`() throws {
    let sample = try SamplePayload(
      SamplePayload.files, share: [SamplePayload.reels, SamplePayload.stories])
    let handOff = try sample.open().handOff(to: .instagramReels, appID: "1")
    let error = ShareError(code: .wrongFile, sentence: "s")
    let refusal = ShareError(code: .refused, sentence: "s")
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<5_000 {
      var machine = HandOffMachine(routes: [
        .app(.instagramReels), .app(.instagramStories), .shareSheet,
      ])
      var ends = 0
      var writes = 0
      var restores = 0
      for _ in 0..<40 {
        let event: HandOffMachine.Event =
          switch Int.random(in: 0..<13, using: &generator) {
          case 0, 1: .start
          case 2, 3: .prepared(handOff)
          case 4: .failed(Bool.random() ? error : refusal)
          case 5: .saved(Bool.random())
          case 6: .written(Int.random(in: 0..<9))
          case 7, 8: .answered(Bool.random())
          case 9: .waited(Int.random(in: 0..<5))
          case 10: .leftForeground
          case 11: .notWritten(Bool.random() ? 3 : nil)
          default: .cameBack
          }
        for effect in machine.handle(event, now: Self.now) {
          #expect(ends == 0, "nothing follows the end")
          switch effect {
          case .finish, .fail: ends += 1
          case .write: writes += 1
          case .restorePasteboard, .clearPasteboard: restores += 1
          default: break
          }
        }
      }
      #expect(ends <= 1)
      #expect(restores <= 1 && restores <= writes)
      #expect((machine.state == .done) == (ends == 1))
    }
  }

  @Test func `an answer that comes late, and a timer of before, do nothing`() throws {
    let sample = try SamplePayload(SamplePayload.files, share: [SamplePayload.reels])
    let handOff = try sample.open().handOff(to: .instagramReels, appID: "1")
    var machine = HandOffMachine(routes: [.app(.instagramReels)])
    #expect(machine.handle(.start, now: Self.now) == [.prepare(.instagramReels)])
    #expect(machine.handle(.start, now: Self.now) == [])
    #expect(machine.handle(.prepared(handOff), now: Self.now) == [.savePasteboard])
    #expect(
      machine.handle(.saved(true), now: Self.now)
        == [.write(handOff, expires: Self.now.addingTimeInterval(300))])
    #expect(
      machine.handle(.written(4), now: Self.now)
        == [.open(handOff.url), .wait(seconds: 10, number: 1)])
    #expect(machine.handle(.leftForeground, now: Self.now) == [])
    #expect(machine.handle(.waited(1), now: Self.now) == [])
    #expect(machine.handle(.cameBack, now: Self.now) == [.wait(seconds: 10, number: 3)])
    #expect(
      machine.handle(.waited(3), now: Self.now) == [.finish(.noAnswer(.app(.instagramReels)))])
    #expect(machine.handle(.answered(true), now: Self.now) == [])
  }
}
