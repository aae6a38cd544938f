internal import CReelsFFmpeg
internal import ReelsModel

extension Ratio {
  /// nil for 0/0 and other fractions without a value.
  init?(_ rational: AVRational) {
    self.init(Int64(rational.num), over: Int64(rational.den))
  }

  /// The nearest fraction with 32-bit parts (`av_d2q` where the exact one does not fit).
  var rational: AVRational {
    if let num = Int32(exactly: num), let den = Int32(exactly: den) {
      return AVRational(num: num, den: den)
    }
    return av_d2q(doubleValue, Int32.max)
  }
}

/// A libav time stamp without its "no value" sentinel.
func timestamp(_ value: Int64) -> Int64? { value == rp_no_pts ? nil : value }
