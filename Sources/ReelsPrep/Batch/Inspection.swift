public import ReelsModel

/// What a file is, and what `prepare` would do with it.
public struct Inspection: Hashable, Sendable, Codable {
  public var info: MediaInfo
  /// nil where `prepare` would refuse the file.
  public var plan: Plan?
  /// What the plan would make; nil where it cannot be foreseen.
  public var prediction: Prediction?
  /// Why it would.
  public var refusal: Event.Failed?

  public init(info: MediaInfo, plan: Plan?, prediction: Prediction? = nil, refusal: Event.Failed?) {
    self.info = info
    self.plan = plan
    self.prediction = prediction
    self.refusal = refusal
  }
}
