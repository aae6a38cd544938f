internal import ReelsFFmpeg
package import ReelsModel

/// Pairs of frames at even distances, encoded apart at more than one size, to learn what the larger one
/// takes for each bit of the smaller one: a sample of the clip that costs no decoding of its own.
package struct PairProbe: Sendable {
  /// How the pairs are made and encoded.
  package struct Version: Sendable {
    package var size: PixelSize
    package var encoding: VideoEncoding
    package var recipe: @Sendable (PictureFormat) -> PictureRecipe
    /// It is made of each pair whose number this divides.
    package var every: Int

    package init(
      size: PixelSize, encoding: VideoEncoding,
      recipe: @escaping @Sendable (PictureFormat) -> PictureRecipe, every: Int = 1
    ) {
      self.size = size
      self.encoding = encoding
      self.recipe = recipe
      self.every = max(1, every)
    }
  }

  /// What a pair takes in one version, in bytes.
  package struct Frames: Hashable, Sendable {
    package var intra: Int
    package var inter: Int

    package init(intra: Int, inter: Int) {
      self.intra = intra
      self.inter = inter
    }
  }

  package struct Pair: Hashable, Sendable {
    /// The first frame's place in the output.
    package var place: Int
    /// nil where the version is not made of this pair.
    package var versions: [Frames?]
  }

  package var versions: [Version]
  /// Frames from one pair to the next.
  package var stride: Int

  /// Frames from the first of a pair to the second: P frames of most clips refer so far or twice as far.
  package static let distance = 2

  package init(versions: [Version], stride: Int) {
    self.versions = versions
    self.stride = max(Self.distance + 1, stride)
  }

  /// The first places of the pairs in a range.
  package func places(in range: VideoPlan.EncodeRange) -> [Int] {
    let end = range.first + range.count - Self.distance
    return Array(
      Swift.stride(from: range.first + min(stride / 2, max(0, end - 1)), to: end, by: stride))
  }
}

/// Passes pictures on, and gives those of the pairs to the versions' filters as well.
struct PairTap {
  let probe: PairProbe
  let ranges: [VideoPlan.EncodeRange]

  func run(
    from input: Channel<PlacedPicture>, into output: Channel<PlacedPicture>,
    versions: [Channel<PlacedPicture>]
  ) throws {
    var range: Int?
    // The frames of the range's pairs still to come: the pair's place and the frame's.
    var wanted: ArraySlice<(number: Int, pair: Int, place: Int)> = []
    while let picture = input.receive() {
      if picture.range != range {
        range = picture.range
        wanted =
          probe.places(in: ranges[picture.range]).enumerated().flatMap { number, place in
            [0, PairProbe.distance].map { (number: number, pair: place, place: place + $0) }
          }[...]
      }
      let end = picture.run.first + picture.run.count
      while let next = wanted.first, next.place < end {
        wanted.removeFirst()
        for (channel, version) in zip(versions, probe.versions)
        where next.number % version.every == 0 {
          // Each pair is a range of its own, filtered and encoded apart.
          let part = PlacedPicture(
            frame: try picture.frame.shared(), run: .init(first: next.place, count: 1),
            range: next.pair, timeBase: picture.timeBase)
          guard channel.send(part) else { return input.cancel() }
        }
      }
      guard output.send(picture) else { return input.cancel() }
    }
  }
}

/// Encodes pairs of one version.
struct PairStage {
  let version: PairProbe.Version
  let frameRate: Ratio

  /// - Returns: the bytes of each pair's frames, by the pair's place.
  func run(from input: Channel<PlacedPicture>) throws -> [Int: [Int]] {
    var results: [Int: [Int]] = [:]
    var encoder: Encoder?
    var pair: Int?
    while let picture = input.receive() {
      if picture.range != pair {
        encoder = try Encoder.h264(
          size: version.size, frameRate: frameRate, encoding: version.encoding, pass: .alone)
        pair = picture.range
      }
      picture.frame.pts = Int64(picture.run.first)
      try encoder?.send(picture.frame)
      while case .value(let packet)? = try encoder?.receive() {
        results[picture.range, default: []].append(packet.byteCount)
      }
    }
    return results
  }
}
