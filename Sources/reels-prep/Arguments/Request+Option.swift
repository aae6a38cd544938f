internal import ReelsModel

extension Request {
  /// Reads the value of an option that is a part of a request.
  ///
  /// - Returns: whether the value is one that the option allows.
  mutating func set(_ option: Option, to text: String) -> Bool {
    switch option {
    case .start: Self.assign(MediaTime(parsing: text), to: &start)
    case .duration: Self.assign(MediaTime(parsing: text), to: &duration)
    case .end: Self.assign(MediaTime(parsing: text), to: &end)
    case .snap:
      Self.assign(
        MediaTime(parsing: text).flatMap { $0 <= MediaTime(seconds: 10) ? $0 : nil }, to: &snap)
    case .pick: Self.assign(PickChoice(rawValue: text), to: &pick)
    case .preset: Self.assign(text, to: &preset)
    case .destination: Self.assign(Destination(rawValue: text)?.preset, to: &preset)
    case .fit: Self.assign(Fit(rawValue: text), to: &fit)
    case .canvas:
      Self.assign(
        PixelSize(parsing: text).flatMap { $0.width % 2 + $0.height % 2 == 0 ? $0 : nil },
        to: &canvas)
    case .padColor: Self.assign(RGBColor(parsing: text), to: &padColor)
    case .cropFocus: Self.assign(PicturePoint(parsing: text), to: &cropFocus)
    case .maxMemory:
      Self.assign(
        ByteCount(parsing: text).flatMap { $0.value >= 256_000_000 ? $0 : nil }, to: &maxMemory)
    case .fps: Self.assign(Ratio(frameRate: text), to: &frameRate)
    case .maxSize: Self.assign(ByteCount(parsing: text), to: &maxSize)
    case .minQuality:
      Self.assign(Double(text).flatMap { (0...100).contains($0) ? $0 : nil }, to: &minQuality)
    case .effort: Self.assign(Effort(rawValue: text), to: &effort)
    case .short: Self.assign(ShortPolicy(rawValue: text), to: &short)
    case .audio: Self.assign(AudioChoice(rawValue: text), to: &audio)
    case .loudness:
      Self.assign(Double(text).flatMap { (-40 ... -5).contains($0) ? $0 : nil }, to: &loudness)
    case .stickerSize:
      Self.assign(
        PixelSize(parsing: text).flatMap { max($0.width, $0.height) <= 4096 ? $0 : nil },
        to: &stickerSize)
    case .background: Self.assign(StoryBackground(parsing: text), to: &background)
    case .appID:
      Self.assign(
        text.count <= 64 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
          ? text : nil, to: &appID)
    case .cover:
      Self.assign(text == "auto" ? .auto : MediaTime(parsing: text).map { .time($0) }, to: &cover)
    case .deep, .diff, .removeBorders, .safeArea, .split, .reencode, .overwrite, .jobs, .json,
      .dryRun, .quiet,
      .verbose,
      .version,
      .help, .output, .sticker:
      false
    }
  }

  private static func assign<Value>(_ value: Value?, to property: inout Value) -> Bool {
    guard let value else { return false }
    property = value
    return true
  }

  private static func assign<Value>(_ value: Value?, to property: inout Value?) -> Bool {
    guard let value else { return false }
    property = value
    return true
  }
}

extension StoryBackground {
  /// Reads "#102030" or "#102030,#405060": colours as `RGBColor` reads them.
  fileprivate init?(parsing text: String) {
    let colors = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { RGBColor(parsing: String($0)) }
    guard (1...2).contains(colors.count), let top = colors.first ?? nil,
      let bottom = colors.last ?? nil
    else { return nil }
    self = .colors(top: top, bottom: bottom)
  }
}

extension Ratio {
  /// Reads "30", "30000/1001" or "25.5". The short forms of the NTSC rates, as in "29.97" or
  /// "23.976", are the rates themselves.
  ///
  /// - Returns: nil for anything else, and for rates that are not positive or above 1,000.
  init?(frameRate text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let rate: Ratio
    switch parts.count {
    case 1:
      guard let value = MediaTime(parsing: text), !text.contains(":") else { return nil }
      rate = Self.ntsc(near: value.seconds) ?? value.seconds
    case 2:
      guard let num = Int64(parts[0]), let den = Int64(parts[1]), num > 0, den > 0,
        let value = Ratio(num, over: den)
      else { return nil }
      rate = value
    default: return nil
    }
    guard rate.isPositive, rate <= Ratio(1000) else { return nil }
    self = rate
  }

  /// The multiple of 1000/1001 that `rate` is a rounded form of.
  private static func ntsc(near rate: Ratio) -> Ratio? {
    guard rate.den != 1 else { return nil }
    return [24, 30, 48, 60, 120].map { Ratio($0 * 1000, 1001) }.first { exact in
      let difference = rate - exact
      return difference < Ratio(1, 200) && -difference < Ratio(1, 200)
    }
  }
}
