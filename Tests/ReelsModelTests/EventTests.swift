import Foundation
import ReelsModel
import Testing

@Suite struct EventTests {
  private static let input: FilePath = "/in/a.mov"

  static let events: [(type: String, event: Event)] = [
    (
      "planned",
      .planned(Event.Planned(input: input, payload: "/out/a.reel", plan: Samples.plan))
    ),
    (
      "progress",
      .progress(
        Event.Progress(input: input, fraction: 0.5, frames: 75, speed: 2.5, secondsLeft: nil))
    ),
    (
      "finished",
      .finished(Event.Finished(input: input, payload: "/out/a.reel", manifest: Samples.manifest))
    ),
    (
      "skipped",
      .skipped(Event.Skipped(input: input, reason: .exists, sentence: "It is there already."))
    ),
    (
      "failed",
      .failed(
        Event.Failed(input: input, code: "too-short", sentence: "It lasts 1.8 s.", blame: .input))
    ),
    (
      "summary",
      .summary(
        Event.Summary(prepared: 1, existing: 2, passedOver: 3, failed: 4, wallSeconds: 5.5))
    ),
  ]

  @Test(arguments: events)
  func `an event is one flat object that tells its type, and reads back`(
    type: String, event: Event
  ) throws {
    let data = try JSONEncoder().encode(event)
    let object = try #require(
      try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object["type"] as? String == type)
    #expect(object.count > 3)
    #expect(!data.contains(UInt8(ascii: "\n")))
    #expect(try JSONDecoder().decode(Event.self, from: data) == event)
  }

  @Test func `no key is an artefact of the compiler`() throws {
    for (_, event) in Self.events {
      let text = String(decoding: try JSONEncoder().encode(event), as: UTF8.self)
      #expect(!text.contains(#""_0""#))
    }
  }

  @Test func `an unknown type is refused`() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Event.self, from: Data(#"{"type":"paused"}"#.utf8))
    }
  }

  @Test func `a cover is auto or a time`() throws {
    for (choice, text) in [
      (CoverChoice.auto, #"["auto"]"#), (.time(MediaTime(seconds: Ratio(3, 2))), "[1.5]"),
    ] {
      let data = try JSONEncoder().encode([choice])
      #expect(String(decoding: data, as: UTF8.self) == text)
      #expect(try JSONDecoder().decode([CoverChoice].self, from: data) == [choice])
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([CoverChoice].self, from: Data(#"["best"]"#.utf8))
    }
  }
}
