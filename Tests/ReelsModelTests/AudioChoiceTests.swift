import Foundation
import ReelsModel
import Testing

@Suite struct AudioChoiceTests {
  @Test func `words and track numbers`() throws {
    for (text, choice) in [
      ("auto", AudioChoice.auto), ("mix", .mix), ("none", .none), ("1", .track(1)),
      ("12", .track(12)),
    ] {
      #expect(AudioChoice(rawValue: text) == choice && choice.rawValue == text)
      let data = try JSONEncoder().encode([choice])
      #expect(String(decoding: data, as: UTF8.self) == "[\"\(text)\"]")
      #expect(try JSONDecoder().decode([AudioChoice].self, from: data) == [choice])
    }
  }

  @Test(arguments: ["", "0", "-1", "Auto", "1.5", "all", "99999999999999999999", "+1"])
  func `a text that is no choice`(text: String) {
    #expect(AudioChoice(rawValue: text) == nil)
  }
}
