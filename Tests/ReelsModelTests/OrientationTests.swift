import ReelsModel
import Testing

@Suite struct OrientationTests {
  /// Where a corner of the stored picture is shown, as signs from the middle; y goes down.
  private struct Corner: Hashable { var x, y: Int }

  private let corners = [
    Corner(x: -1, y: -1), Corner(x: 1, y: -1), Corner(x: -1, y: 1), Corner(x: 1, y: 1),
  ]

  /// Where the orientation, done as its documentation says, takes a corner.
  private func shown(_ corner: Corner, by orientation: Orientation) -> Corner {
    var corner = corner
    if orientation.mirrored { corner.x = -corner.x }
    for _ in 0..<orientation.quarterTurns { corner = Corner(x: -corner.y, y: corner.x) }
    return corner
  }

  @Test func `each of the eight matrices takes every corner where its orientation does`() {
    var found: Set<Orientation> = []
    for (a, b, c, d) in [
      (1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0), (-1, 0, 0, 1), (0, 1, 1, 0),
      (1, 0, 0, -1), (0, -1, -1, 0),
    ] {
      let orientation = Orientation(a: Double(a), b: Double(b), c: Double(c), d: Double(d))
      for corner in corners {
        let expected = Corner(x: a * corner.x + c * corner.y, y: b * corner.x + d * corner.y)
        #expect(shown(corner, by: orientation) == expected, "\(a) \(b) \(c) \(d): \(orientation)")
      }
      #expect(orientation.exchangesSides == (a == 0))
      found.insert(orientation)
    }
    #expect(found.count == 8)
  }

  @Test func `a phone's upright picture is stored a quarter turn to the left`() {
    #expect(Orientation(a: 0, b: 1, c: -1, d: 0) == Orientation(quarterTurns: 1, mirrored: false))
    #expect(Orientation(a: 0, b: 1, c: -1, d: 0).description == "turned 90° clockwise")
    #expect(Orientation.upright.description == "upright")
    #expect(Orientation(a: -1, b: 0, c: 0, d: 1).description == "mirrored")
  }

  @Test func `scaled and slightly skewed matrices snap to the nearest`() {
    #expect(Orientation(a: 0.01, b: 2, c: -2, d: 0.01).quarterTurns == 1)
    #expect(Orientation(a: 65536, b: 0, c: 0, d: 65536) == .upright)
  }

  @Test func `a matrix without a picture is upright`() {
    for (a, b, c, d) in [
      (0.0, 0.0, 0.0, 0.0), (1, 1, 1, 1), (.nan, 0, 0, 1), (.infinity, 0, 0, 1), (1, 0, 0, 0),
    ] {
      #expect(Orientation(a: a, b: b, c: c, d: d) == .upright)
    }
  }

  @Test func `turns are counted from 0 to 3`() {
    #expect(Orientation(quarterTurns: -1, mirrored: false).quarterTurns == 3)
    #expect(Orientation(quarterTurns: 6, mirrored: true).quarterTurns == 2)
    #expect(Orientation(quarterTurns: .min, mirrored: true).quarterTurns == 0)
  }
}
