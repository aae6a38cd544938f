import Foundation
import ReelsModel
import Testing

@Suite struct MediaTimeTests {
  @Test(arguments: [
    ("12.5", Ratio(25, 2)), ("1:02.5", Ratio(125, 2)), ("00:01:02.500", Ratio(125, 2)),
    ("0", Ratio(0)), ("90", Ratio(90)), (".5", Ratio(1, 2)), ("5.", Ratio(5)),
    ("100:00", Ratio(6000)), ("2:00:00", Ratio(7200)),
    ("0.123456789", Ratio(123_456_789, 1_000_000_000)),
    ("0.1234567894", Ratio(123_456_789, 1_000_000_000)), ("00:00:59.999", Ratio(59_999, 1000)),
  ])
  func `a time that is one`(text: String, seconds: Ratio) {
    #expect(MediaTime(parsing: text)?.seconds == seconds)
  }

  @Test(arguments: [
    "", ":", "::", ".", "-1", "+1", "1:60", "1:60:00", "1:-2", "1e3", "1:2:3:4", " 1", "1 ", "1,5",
    "1.2.3", "0x10", "nan", "inf", "1:", ":5", "1:.", "١", "½", "1s", "9999999999", "1:61.5",
    "99999999:00",
  ])
  func `a text that is no time`(text: String) {
    #expect(MediaTime(parsing: text) == nil)
  }

  @Test func `ticks are rounded to the nearest or down`() {
    let time = MediaTime(ticks: 100, timeBase: Ratio(1001, 30000))
    #expect(time.ticks(in: Ratio(1, 48_000)) == 160_160)
    #expect(MediaTime(seconds: Ratio(1, 3)).ticks(in: Ratio(1, 10)) == 3)
    #expect(MediaTime(seconds: Ratio(-1, 3)).ticksRoundedDown(in: Ratio(1, 10)) == -4)
    #expect(MediaTime(seconds: Ratio(1, 4)).ticks(in: Ratio(1, 2)) == 1)
    #expect(MediaTime(seconds: 5).ticks(in: Ratio(0)) == 0)
  }

  @Test func `decimals are rounded, padded and signed`() {
    let cases: [(Ratio, Int, String)] = [
      (Ratio(25, 2), 3, "12.500"), (Ratio(1, 3), 3, "0.333"), (Ratio(2, 3), 3, "0.667"),
      (Ratio(-1, 3), 3, "-0.333"), (Ratio(-1, 100_000), 3, "0.000"), (Ratio(7, 1000), 2, "0.01"),
      (Ratio(5, 2), 0, "3"), (Ratio(-25, 2), 1, "-12.5"), (Ratio(1_999_999, 1_000_000), 3, "2.000"),
    ]
    for (seconds, places, text) in cases {
      #expect(MediaTime(seconds: seconds).decimals(places) == text)
    }
    #expect(MediaTime(seconds: Ratio(25, 2)).description == "12.500")
  }

  @Test func `times of a hostile file neither trap nor print nonsense`() {
    let huge = MediaTime(ticks: .max, timeBase: Ratio(1000))
    #expect(huge > .zero && !huge.description.isEmpty)
    let past = MediaTime(ticks: .min, timeBase: Ratio(1000))
    #expect(past < .zero && !past.description.isEmpty)
    #expect(!MediaTime(ticks: .min, timeBase: Ratio(1)).decimals(30).isEmpty)
    #expect(MediaTime.zero.decimals(-3) == "0")
  }

  @Test func `JSON is a number of seconds to the nanosecond`() throws {
    let encoder = JSONEncoder()
    for (seconds, text) in [
      (Ratio(25, 2), "[12.5]"), (Ratio(1, 3), "[0.333333333]"), (Ratio(0), "[0]"),
      (Ratio(1001, 30000), "[0.033366667]"),
    ] {
      let data = try encoder.encode([MediaTime(seconds: seconds)])
      #expect(String(decoding: data, as: UTF8.self) == text)
    }
    let read = try JSONDecoder().decode([MediaTime].self, from: Data("[0.033366667]".utf8))
    #expect(read.first?.seconds == Ratio(33_366_667, 1_000_000_000))
  }

  @Test func `a time of day survives JSON to the nanosecond of a double`() throws {
    let time = MediaTime(seconds: Ratio(1_764_000_000)) + MediaTime(seconds: Ratio(1, 4))
    let data = try JSONEncoder().encode([time])
    #expect(try JSONDecoder().decode([MediaTime].self, from: data) == [time])
  }
}
