import TestSupport
import Testing

@Suite struct NumberCodeTests {
  private func levels(_ number: Int) -> [Double] {
    NumberCode.blocks(for: number).map { $0 ? 235 : 16 }
  }

  @Test func `every number reads as itself`() {
    for number in Array(0..<2000) + [65_535, 65_536, NumberCode.capacity - 1] {
      #expect(NumberCode.number(from: levels(number)) == number)
    }
  }

  @Test func `raised blacks and dull whites still read`() {
    #expect(NumberCode.number(from: levels(1234).map { 60 + $0 * 0.5 }) == 1234)
  }

  @Test func `two frames blended read as none`() {
    for number in 0..<500 {
      for share in [0.25, 0.4, 0.5, 0.6, 0.75] {
        let blend = zip(levels(number), levels(number + 1)).map { $0 * share + $1 * (1 - share) }
        let read = NumberCode.number(from: blend)
        // A quarter of the other frame is still noise to a reader of one.
        #expect(read == nil || read == (share > 0.5 ? number : number + 1))
        if (0.4...0.6).contains(share) { #expect(read == nil) }
      }
    }
  }

  @Test func `a turned, mirrored or blank picture reads as none`() {
    let grid = levels(77)
    let lines = stride(from: 0, to: grid.count, by: NumberCode.columns).map {
      Array(grid[$0..<$0 + NumberCode.columns])
    }
    #expect(NumberCode.number(from: lines.flatMap { $0.reversed() }) == nil)
    #expect(NumberCode.number(from: lines.reversed().flatMap { $0 }) == nil)
    #expect(NumberCode.number(from: grid.reversed()) == nil)
    for level in [16.0, 128, 235] {
      #expect(NumberCode.number(from: grid.map { _ in level }) == nil)
    }
  }

  @Test func `one wrong block reads as none`() {
    let blocks = NumberCode.blocks(for: 4242)
    for wrong in blocks.indices {
      var other = blocks
      other[wrong].toggle()
      #expect(NumberCode.number(from: other.map { $0 ? 235 : 16 }) == nil)
    }
  }
}
