internal import ReelsFFmpeg
internal import ReelsModel
internal import Synchronization

/// The tables of one job, each made once.
final class ColorCubes: Sendable {
  private let made = Mutex<[LightMap: ColorCube]>([:])

  func cube(of map: LightMap) -> ColorCube {
    made.withLock { made in
      if let cube = made[map] { return cube }
      let cube = ColorCube(map)
      made[map] = cube
      return cube
    }
  }
}
