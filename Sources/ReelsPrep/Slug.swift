import ReelsFFmpeg
public import ReelsModel

/// The names of payloads: portable, and different for each input of a batch.
///
/// Nothing here depends on the order of the inputs, so a second run gives the same names.
public enum Slug {
  static let byteLimit = 100

  /// The slug of an input on its own: its stem, in which letters, digits, `-`, `_` and `.` of ASCII
  /// stay and every other character, as people count characters, becomes `-`.
  ///
  /// It is at most 100 bytes. Dots at its beginning become `_`, and an empty one is "video".
  public static func plain(for path: FilePath) -> String {
    let name = portable(path.stem.string)
    let leadingDots = name.prefix { $0 == "." }.count
    let slug = String(repeating: "_", count: leadingDots) + name.dropFirst(leadingDots)
    return slug.isEmpty ? "video" : String(slug.prefix(byteLimit))
  }

  /// A slug for each of `paths`, in their order.
  ///
  /// Inputs of one slug (upper and lower case are one) each get `-<extension>`. Those that are equal
  /// still, each get the first digits of their fingerprint's hash, and the equal ones among these
  /// those of their paths' hash too.
  public static func distinct(for paths: [FilePath]) -> [String] {
    var slugs = paths.map { plain(for: $0) }
    extend(&slugs) { portable(paths[$0].pathExtension) }
    extend(&slugs) { fingerprint(of: paths[$0]) }
    extend(&slugs) { digits(sha256(paths[$0].bytes)) }
    return slugs
  }

  /// Adds a suffix to every slug that another one equals.
  private static func extend(_ slugs: inout [String], by suffix: (Int) -> String) {
    let groups = Dictionary(grouping: slugs.indices) { slugs[$0].lowercased() }
    for index in groups.values.filter({ $0.count > 1 }).joined() {
      let addition = suffix(index).prefix(16)
      if addition.isEmpty { continue }
      slugs[index] = "\(slugs[index].prefix(byteLimit - addition.count - 1))-\(addition)"
    }
  }

  /// A file that cannot be read has none; its worker will say what is wrong with it.
  private static func fingerprint(of path: FilePath) -> String {
    guard let print = try? Manifest.Fingerprint(of: path, sha256: sha256) else { return "" }
    let modified = print.modified.decimals(9)
    let parts = ["\(print.bytes)", modified, print.headSHA256, print.tailSHA256]
    return digits(sha256(Array(parts.joined(separator: " ").utf8)))
  }

  private static func sha256(_ bytes: [UInt8]) -> String {
    // It fails for want of memory alone.
    guard let digest = try? Digest() else { return "" }
    digest.update(bytes)
    return digest.finish()
  }

  private static func digits(_ hash: String) -> String { String(hash.prefix(8)) }

  /// Counted as people count, so that composed and decomposed letters give the same.
  private static func portable(_ text: String) -> String {
    String(
      text.map { character in
        let isPortable = character.isLetter || character.isNumber || "-_.".contains(character)
        return character.isASCII && isPortable ? character : "-"
      })
  }
}
