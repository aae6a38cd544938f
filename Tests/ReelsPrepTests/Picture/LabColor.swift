import Foundation

/// A colour of CIE 1976 L*a*b* under D65, for how different two colours look.
struct LabColor {
  var l: Double
  var a: Double
  var b: Double

  init(l: Double, a: Double, b: Double) { (self.l, self.a, self.b) = (l, a, b) }

  /// From light of BT.709's primaries, white being 1.
  init(linear rgb: [Double]) {
    let x = 0.4123908 * rgb[0] + 0.3575843 * rgb[1] + 0.1804808 * rgb[2]
    let y = 0.2126390 * rgb[0] + 0.7151687 * rgb[1] + 0.0721923 * rgb[2]
    let z = 0.0193308 * rgb[0] + 0.1191948 * rgb[1] + 0.9505322 * rgb[2]
    func f(_ t: Double) -> Double {
      t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116
    }
    let (fx, fy, fz) = (f(x / 0.9504559), f(y), f(z / 1.0890578))
    self.init(l: 116 * fy - 16, a: 500 * (fx - fy), b: 200 * (fy - fz))
  }

  /// From a signal shown by a display of this gamma.
  init(signal rgb: [Double], gamma: Double = 2.4) {
    self.init(linear: rgb.map { pow(max(0, $0), gamma) })
  }

  var chroma: Double { hypot(a, b) }
  /// Degrees, 0 to 360.
  var hue: Double {
    let angle = atan2(b, a) * 180 / .pi
    return angle < 0 ? angle + 360 : angle
  }

  /// CIEDE2000 (Sharma, Wu and Dalal 2005).
  func difference(to other: LabColor) -> Double {
    let mean = (chroma + other.chroma) / 2
    let g = 0.5 * (1 - (pow(mean, 7) / (pow(mean, 7) + pow(25, 7))).squareRoot())
    let one = LabColor(l: l, a: (1 + g) * a, b: b)
    let two = LabColor(l: other.l, a: (1 + g) * other.a, b: other.b)
    let lightness = two.l - one.l
    let chroma = two.chroma - one.chroma
    var turn = two.hue - one.hue
    if one.chroma * two.chroma == 0 {
      turn = 0
    } else if turn > 180 {
      turn -= 360
    } else if turn < -180 {
      turn += 360
    }
    let radians = Double.pi / 180
    let hue = 2 * (one.chroma * two.chroma).squareRoot() * sin(turn / 2 * radians)
    let meanL = (one.l + two.l) / 2
    let meanC = (one.chroma + two.chroma) / 2
    var meanH = one.hue + two.hue
    if one.chroma * two.chroma != 0 {
      if abs(one.hue - two.hue) > 180 { meanH += meanH < 360 ? 360 : -360 }
      meanH /= 2
    }
    let t =
      1 - 0.17 * cos((meanH - 30) * radians) + 0.24 * cos(2 * meanH * radians)
      + 0.32 * cos((3 * meanH + 6) * radians) - 0.20 * cos((4 * meanH - 63) * radians)
    let spread = 30 * exp(-pow((meanH - 275) / 25, 2))
    let rc = 2 * (pow(meanC, 7) / (pow(meanC, 7) + pow(25, 7))).squareRoot()
    let sl = 1 + 0.015 * pow(meanL - 50, 2) / (20 + pow(meanL - 50, 2)).squareRoot()
    let sc = 1 + 0.045 * meanC
    let sh = 1 + 0.015 * meanC * t
    let rt = -sin(2 * spread * radians) * rc
    let (dl, dc, dh) = (lightness / sl, chroma / sc, hue / sh)
    return (dl * dl + dc * dc + dh * dh + rt * dc * dh).squareRoot()
  }
}
