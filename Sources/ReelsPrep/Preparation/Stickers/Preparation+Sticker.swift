internal import ReelsModel

extension Preparation {
  /// The sticker that was asked for, made ready; nil where none was.
  ///
  /// - Throws: `PrepError` for what is no sticker.
  func preparedSticker() async throws -> Sticker.Made? {
    guard let path = request.sticker else { return nil }
    let recommended = preset.limits.stickerSize.value
    let canvas = request.stickerSize ?? recommended
    var made = try await blocking("sticker") { interrupt in
      try Sticker(path: path, canvas: canvas, interrupt: interrupt).made()
    }
    if made.size.width > recommended.width || made.size.height > recommended.height {
      made.warnings.append(
        Warning(
          code: "sticker-size",
          sentence: "the sticker is \(made.size), and the destination recommends \(recommended)"
            + " at most"))
    }
    return made
  }
}
