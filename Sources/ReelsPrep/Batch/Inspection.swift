public import ReelsModel

/// What a file is, and what `prepare` would do with it.
public struct Inspection: Hashable, Sendable, Codable {
  public var info: MediaInfo
  /// nil where `prepare` would refuse the file.
  public var plan: Plan?
  /// The same of a picture, or a sticker, for a story; nil of a video.
  public var story: StoryPlan?
  /// What the plan would make; nil where it cannot be foreseen.
  public var prediction: Prediction?
  /// Why it would.
  public var refusal: Event.Failed?

  public init(info: MediaInfo, story: StoryPlan) {
    self.info = info
    self.story = story
  }

  public init(info: MediaInfo, plan: Plan?, prediction: Prediction? = nil, refusal: Event.Failed?) {
    self.info = info
    self.plan = plan
    self.prediction = prediction
    self.refusal = refusal
  }
}
