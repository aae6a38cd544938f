import ReelsModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The names that a payload has in its output directory: `<slug>.reel` when it is whole, and hidden
/// ones while it is being made or replaced.
struct PayloadName: Hashable {
  let slug: String

  /// The name of the whole payload.
  var final: FilePath { FilePath(slug + Self.suffix) }

  /// - Throws: `PrepError` for a slug that cannot be the name of a directory.
  init(slug: String) throws(PrepError) {
    let isName =
      !slug.isEmpty && !slug.utf8.contains(UInt8(ascii: "/")) && !slug.utf8.contains(0)
    // 255 bytes is the limit of the usual file systems; the hidden names add up to 40.
    guard isName, slug.utf8.count <= 200 else {
      throw PrepError(
        code: .badOption,
        sentence: "\"\(slug)\" cannot name a payload: 1 to 200 bytes without a slash are allowed",
        blame: .input)
    }
    self.slug = slug
  }

  /// What a hidden directory is for.
  enum Purpose: String {
    /// The payload being made; just after a replacement, the old one.
    case partial = "part"
    /// The old payload, moved aside while the new one takes its place.
    case aside = "old"
  }

  /// A hidden name of this process; `attempt` sets apart those for the same slug.
  func hidden(_ purpose: Purpose, attempt: Int) -> FilePath {
    let number = attempt == 0 ? "" : "-\(attempt)"
    return FilePath(".\(slug)\(Self.suffix).\(getpid())\(number).\(purpose.rawValue)")
  }

  /// Reads a hidden name, of any process; nil for every other name.
  static func parse(hidden name: FilePath) -> (payload: FilePath, purpose: Purpose)? {
    // As bytes, since a name in the directory need not be valid UTF-8.
    let parts = name.bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count >= 5, parts.first?.isEmpty == true, let last = parts.last,
      let purpose = Purpose(rawValue: String(decoding: last, as: UTF8.self)),
      isOwner(parts[parts.count - 2]), Array(parts[parts.count - 3]) == Array("reel".utf8)
    else { return nil }
    let slug = Array(parts[1..<(parts.count - 3)].joined(separator: [UInt8(ascii: ".")]))
    guard !slug.isEmpty else { return nil }
    return (FilePath(bytes: slug + Array(suffix.utf8)), purpose)
  }

  /// Whether `name` is the hidden name of a payload that the process `pid` was making.
  static func isPartial(_ name: FilePath, of pid: Int32) -> Bool {
    guard parse(hidden: name)?.purpose == .partial else { return false }
    let owner = name.bytes.split(separator: UInt8(ascii: ".")).dropLast().last ?? []
    return owner.split(separator: UInt8(ascii: "-")).first.map { Array($0) } == Array("\(pid)".utf8)
  }

  /// Whether `text` is a process's number, or one with an attempt's number.
  private static func isOwner(_ text: ArraySlice<UInt8>) -> Bool {
    let numbers = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return (1...2).contains(numbers.count)
      && numbers.allSatisfy { number in
        !number.isEmpty && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
      }
  }

  private static let suffix = ".reel"
}
