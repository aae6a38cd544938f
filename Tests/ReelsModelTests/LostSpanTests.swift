import ReelsModel
import Testing

struct LostSpanTests {
  private static let timeBase = Ratio(1, 1_000)

  /// A packet every 40 ms of so many bytes, and `others` bytes of sound between them.
  private func places(_ count: Int, bytes: Int64 = 2_000, others: Int64 = 1_000) -> [PacketPlace] {
    (0..<Int64(count)).map {
      PacketPlace(time: $0 * 40, position: $0 * (bytes + others), bytes: bytes)
    }
  }

  private func spans(_ places: [PacketPlace]) -> [LostSpan] {
    LostSpan.spans(places, gap: 500, timeBase: Self.timeBase)
  }

  @Test func `a hole in time and in the file is a loss`() {
    var places = places(100)
    places.removeSubrange(30..<60)
    #expect(
      spans(places) == [
        LostSpan(
          start: MediaTime(ticks: 29 * 40, timeBase: Self.timeBase),
          end: MediaTime(ticks: 60 * 40, timeBase: Self.timeBase))
      ])
  }

  /// Sound goes on while the picture stands still.
  @Test func `a hole in time alone is none`() {
    var places = places(100)
    places.removeSubrange(30..<60)
    for index in 30..<places.count { places[index].position -= 30 * 2_000 }
    #expect(spans(places).isEmpty)
  }

  @Test func `a hole in the file alone is none`() {
    var places = places(100)
    for index in 50..<100 { places[index].position += 1_000_000 }
    #expect(spans(places).isEmpty)
  }

  @Test func `what has no order, or nothing beside the gap, is none`() {
    #expect(spans([]).isEmpty)
    #expect(spans(Array(places(100).prefix(1))).isEmpty)
    #expect(
      spans([
        PacketPlace(time: 0, position: 0, bytes: 10),
        PacketPlace(time: 900, position: 90_000, bytes: 10),
      ]).isEmpty)
    #expect(spans(places(100).reversed()).isEmpty)
  }

  @Test func `hostile values do not trap`() {
    let wild: [Int64] = [.min, .max, 0, 1, -1]
    for time in wild {
      for position in wild {
        for bytes in wild {
          _ = spans(
            places(10) + [PacketPlace(time: time, position: position, bytes: bytes)] + places(3))
        }
      }
    }
  }
}
