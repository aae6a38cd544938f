public import ReelsModel

/// Draws a payload as it will look on a screen of 1080x1920: its cover, its sticker, and over them
/// what the destination's interface covers, in translucent bands.
///
/// Meta's pages do not say where a sticker is put; what is assumed is the screen's centre, one
/// pixel of the sticker on one of the screen. From there its owner moves and scales it.
public struct Preview: Sendable {
  /// Whether an existing file is replaced.
  public var overwrite: Bool

  public init(overwrite: Bool = false) { self.overwrite = overwrite }

  /// Writes the preview of the payload at `directory` to `output` as a PNG: whole or not at all.
  ///
  /// - Throws: `PrepError`, blamed on the input where `directory` is no payload or has no cover,
  ///   and on the output where a file is in the way or cannot be written; `CancellationError`.
  public func run(_ directory: FilePath, output: FilePath) async throws -> PreviewReport {
    try refuse(output)
    let manifest = try ManifestFile.read(in: directory)
    return try await blocking("preview") { _ in
      let drawing = try PreviewDrawing(directory, manifest)
      try Self.write(try drawing.png(), to: output)
      return drawing.report(file: output)
    }
  }

  // MARK: The output

  private func refuse(_ output: FilePath) throws(PrepError) {
    let status: FileStatus?
    do throws(FileError) {
      status = try FileSystem.status(output, followingLinks: false)
    } catch {
      throw error.prepError(blame: .output)
    }
    if let status, status.kind != .file {
      throw PrepError(
        code: .output, sentence: "\(output) is not a file; choose another name with -o",
        blame: .output)
    }
    if status != nil, !overwrite {
      throw PrepError(
        code: .output,
        sentence: "\(output) is there already; add --overwrite or choose another -o",
        blame: .output)
    }
    try OutputDirectory.check(output.parent)
  }

  private static func write(_ png: [UInt8], to output: FilePath) throws(PrepError) {
    let partial = output.parent.appending(".\(output.lastComponent.string).partial")
    do throws(FileError) {
      try FileSystem.write(png, to: partial)
      try FileSystem.rename(partial, to: output)
    } catch {
      try? FileSystem.remove(partial)
      // Its owner knows nothing of the partial file.
      throw FileError(number: error.number, operation: error.operation, path: output)
        .prepError(blame: .output)
    }
  }
}
