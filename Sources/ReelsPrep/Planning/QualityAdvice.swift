private import Foundation
internal import ReelsModel

/// What a rate factor looks like, and what would look better where a cap allows too little.
struct QualityAdvice {
  let plan: Plan
  let rateFactor: Double

  /// Below this most viewers see that something is wrong: "good" on VMAF's scale begins at 80.
  static let floor = 85.0
  /// A logistic curve through what five natural clips had at two or three sizes each, 63 to 97:
  /// none was farther off than 4.
  private static let (middle, width) = (44.5, 7.2)

  /// VMAF v0.6.1 of x264 at a rate factor, about ±5.
  static func vmaf(rateFactor: Double) -> Double { 100 / (1 + exp((rateFactor - middle) / width)) }

  static func rateFactor(vmaf: Double) -> Double { middle + width * log(100 / vmaf - 1) }

  var vmaf: Double { Self.vmaf(rateFactor: rateFactor) }

  /// Where the quality is under the floor: what helps, and by how much.
  var warning: Warning? {
    guard vmaf < Self.floor else { return nil }
    var ways: [String] = []
    let seconds = plan.window.duration.doubleValue
    let shorter = seconds * exp2((rateFactor - Self.rateFactor(vmaf: Self.floor)) / -Self.halving)
    if shorter >= 3 { ways.append("\(Int(shorter)) s of it would reach \(Int(Self.floor))") }
    let rate = plan.video.frameRate.doubleValue
    if rate > 45 { ways.append("--fps 30 would reach about \(reached(with: Self.halfTheFrames))") }
    let canvas = plan.video.geometry.canvas
    if min(canvas.width, canvas.height) > 720 {
      let reached = reached(with: Self.smaller) - Self.scalingLoss
      if Double(reached) > vmaf + 1 { ways.append("720p about \(reached)") }
    }
    let advice = ways.isEmpty ? "allow more with --max-size" : ways.joined(separator: ", ")
    return Warning(
      code: "low-quality",
      sentence:
        "\(plan.fileBytesBelow) is little for this clip: VMAF about \(Int(vmaf.rounded())); "
        + advice)
  }

  private static let halving = BitBudget.usualHalving
  /// Of the bits, at the same rate factor: half the frames differ more from one another; 720p has
  /// 0.44 of the pixels.
  private static let (halfTheFrames, smaller) = (0.65, 0.55)
  /// VMAF that 720p loses when it is shown at 1080p.
  private static let scalingLoss = 4

  private func reached(with share: Double) -> Int {
    Int(Self.vmaf(rateFactor: rateFactor + Self.halving * log2(share)).rounded())
  }
}
