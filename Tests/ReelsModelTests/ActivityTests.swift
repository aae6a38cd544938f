import ReelsModel
import Testing

@Suite struct ActivityTests {
  private func activity(
    _ motion: [Double], sound: [Double] = [], black: Set<Int> = []
  ) -> Activity {
    Activity(motion: motion, sound: sound, isBlack: motion.indices.map { black.contains($0) })
  }

  @Test func `the liveliest part wins`() {
    var motion = [Double](repeating: 1, count: 300)
    for second in 180..<240 { motion[second] = 5 }
    #expect(activity(motion).best(length: 60) == 180)
  }

  @Test func `sound decides where the picture does not`() {
    let motion = [Double](repeating: 1, count: 200)
    let sound = (0..<200).map { (100..<130).contains($0) ? 0.1 : 0.0001 }
    #expect((70...100).contains(activity(motion, sound: sound).best(length: 60)))
  }

  @Test func `black is avoided, and one flash does not decide`() {
    var motion = [Double](repeating: 1, count: 200)
    motion[10] = 1_000
    let best = activity(motion, black: Set(0..<60)).best(length: 60)
    #expect(best >= 60)
  }

  @Test func `where all is alike, or all is wanted, it begins at the start`() {
    #expect(activity([Double](repeating: 0, count: 100)).best(length: 60) == 0)
    #expect(activity([1, 2, 3]).best(length: 60) == 0)
    #expect(activity([]).best(length: 60) == 0)
  }
}
