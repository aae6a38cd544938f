import Testing

@testable import ReelsPrep

@Suite struct PeakSearchTests {
  private let search = PeakSearch(limit: 100, second: 3)

  @Test func `no second above the limit, no frame`() {
    #expect(search.places(in: [[50, 25, 25, 50], [25, 25]]) == [[], []])
    #expect(search.places(in: [[], [100]]) == [[], []])
    #expect(search.places(in: []) == [])
  }

  @Test func `every frame of a second above it`() {
    #expect(search.places(in: [[10, 10, 80, 11, 9, 10, 10]]) == [[1, 2, 3]])
    #expect(search.places(in: [[101, 0, 0, 0]]) == [[0, 1, 2]])
    #expect(search.places(in: [[0, 0, 0, 101]]) == [[1, 2, 3]])
  }

  @Test func `a second across two ranges is of both`() {
    #expect(search.places(in: [[0, 0, 60], [50, 0, 0]]) == [[1, 2], [0, 1]])
  }
}
