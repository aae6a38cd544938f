internal import ReelsFFmpeg
internal import ReelsModel

/// A payload that has a job's name before the job begins.
///
/// It is the job's where it was made of the same file, by the same preset: one of another clip of that name
/// would otherwise stand for this one without a word.
enum ExistingPayload {
  /// Reads its manifest. It waits for the disk: call it on a thread of its own.
  ///
  /// - Throws: `PrepError` where it was made of something else, or cannot be read.
  static func manifest(at path: FilePath, of request: Request) throws(PrepError) -> Manifest {
    let manifest = try ManifestFile.read(in: path)
    let made = manifest.source.fingerprint
    let own = try Manifest.Fingerprint(of: request.input)
    // A file that was copied has another time, and is the same.
    guard made.bytes == own.bytes, made.headSHA256 == own.headSHA256,
      made.tailSHA256 == own.tailSHA256
    else { throw other(path, "was made of another file than this \(request.input.lastComponent)") }
    let preset = try Presets.load(request.preset).name
    guard manifest.preset.name == preset else {
      throw other(path, "was made by the preset \(manifest.preset.name)")
    }
    return manifest
  }

  private static func other(_ path: FilePath, _ fact: String) -> PrepError {
    PrepError(
      code: .output,
      sentence: "\(path) \(fact); use --overwrite to replace it, or another output folder with -o",
      blame: .output)
  }
}

extension Manifest.Fingerprint {
  /// - Throws: `PrepError` for a file that cannot be read.
  init(of path: FilePath) throws(PrepError) {
    try self.init(of: path) { bytes in
      // It fails for want of memory alone.
      guard let digest = try? Digest() else { return "" }
      digest.update(bytes)
      return digest.finish()
    }
  }
}
