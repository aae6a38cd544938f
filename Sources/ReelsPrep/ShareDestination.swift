import ReelsModel

/// A place that payloads are shared to, and the limits of its page that a payload for another
/// destination may break.
enum ShareDestination: String {
  case instagramReels = "instagram-reels"
  case instagramStories = "instagram-stories"
  case facebookReels = "facebook-reels"
  /// Upload through the Graph API alone, for what the share sheets do not take.
  case instagramGraph = "instagram-graph"
  /// The same for stories.
  case instagramGraphStory = "instagram-graph-story"

  /// The destinations that every payload is tried for.
  static let offered: [ShareDestination] = [.instagramReels, .instagramStories, .facebookReels]

  static let noVideo = Share.Refusal(rule: .payloadFiles, because: "the payload has no video")

  /// Why the destination does not take what a story has instead of a video; empty where it does.
  func refusals(of background: Manifest.Background?) -> [Share.Refusal] {
    guard self == .instagramStories else {
      return [Self.noVideo]
    }
    guard let size = background?.size, let least = limits.leastSize,
      size.width < least.width || size.height < least.height
    else { return [] }
    return [Share.Refusal(rule: .frameSize, because: "is \(size); at least \(least) needed")]
  }

  /// Why the destination does not take the video; empty where it does.
  ///
  /// - Parameter isRequested: The size is recommended, not required: it binds where the payload was
  ///   made for another destination, and not where the user asked for a larger file.
  func refusals(
    of video: Manifest.Video, _ file: Manifest.File, isRequested: Bool
  ) -> [Share.Refusal] {
    var refusals: [Share.Refusal] = []
    func refuse(_ rule: Rule, _ because: String) {
      refusals.append(Share.Refusal(rule: rule, because: because))
    }
    let seconds = limits.seconds
    if video.durationSeconds < MediaTime(seconds: seconds.lowerBound)
      || video.durationSeconds > MediaTime(seconds: seconds.upperBound)
    {
      let allowed =
        seconds.lowerBound == 0
        ? "at most \(seconds.upperBound) s" : "\(seconds.lowerBound) to \(seconds.upperBound) s"
      refuse(.duration, "lasts \(video.durationSeconds) s; \(allowed) allowed")
    }
    let size = PixelSize(width: video.width, height: video.height)
    if let least = limits.leastSize, size.width < least.width || size.height < least.height {
      refuse(.frameSize, "is \(size); at least \(least) needed")
    }
    if limits.isNineBySixteen, size.width * 16 != size.height * 9 {
      refuse(.aspect, "is \(size); exactly 9:16 needed")
    }
    if let rates = limits.rates,
      video.frameRate < Ratio(rates.lowerBound) || video.frameRate > Ratio(rates.upperBound)
    {
      refuse(
        .frameRate,
        "has \(MediaTime(seconds: video.frameRate)) frames a second;"
          + " \(rates.lowerBound) to \(rates.upperBound) allowed")
    }
    if !isRequested, file.bytes >= limits.bytesBelow {
      refuse(
        .fileSize,
        "has \(ByteCount(file.bytes)); less than \(ByteCount(limits.bytesBelow)) recommended")
    }
    return refusals
  }

  private struct Limits {
    var seconds: ClosedRange<Int64>
    var bytesBelow: Int64 = 50_000_000
    var leastSize: PixelSize?
    var isNineBySixteen = false
    var rates: ClosedRange<Int64>?
  }

  private var limits: Limits {
    switch self {
    // Meta, Sharing to Reels, iOS, 2026-04-06.
    case .instagramReels: Limits(seconds: 3...60)
    // Meta, Sharing to Stories, 2026-06-30. The aspect ratio is a recommendation.
    case .instagramStories:
      Limits(seconds: 0...20, leastSize: PixelSize(width: 720, height: 1280))
    // Meta, Sharing to Facebook Reels and the publishing API, 2026-06-30.
    case .facebookReels:
      Limits(
        seconds: 3...90, leastSize: PixelSize(width: 540, height: 960), isNineBySixteen: true,
        rates: 24...60)
    // Meta, IG User Media, v24.0, 2025.
    case .instagramGraph: Limits(seconds: 3...900, bytesBelow: 300_000_001)
    case .instagramGraphStory: Limits(seconds: 3...60, bytesBelow: 100_000_001)
    }
  }
}
