internal import Foundation

/// What every scenario works with.
struct Bench: Sendable {
  let options: Options
  let tools: Tools
  let versions: Versions
  /// For outputs; emptied at the start of a run.
  let scratch: URL

  init(options: Options) throws {
    self.options = options
    tools = try Tools()
    scratch = tools.cache.appending(path: "work")
    try? FileManager.default.removeItem(at: scratch)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    versions = Versions(tools: tools, scratch: scratch)
  }

  /// The folder that the results go to.
  var results: URL {
    options.output.map { URL(filePath: $0) } ?? tools.package.appending(path: "benchmarks/results")
  }

  /// The clips to measure: those asked for, or the made ones.
  func clips() throws -> [URL] {
    if let clip = options.clip { return [URL(filePath: clip)] }
    if let folder = options.clipFolder { return try Self.files(in: URL(filePath: folder)) }
    return try ClipSet(bench: self).files()
  }

  /// The one clip of the scenarios that take one: the natural mix where there is one.
  func clip() throws -> URL {
    if options.clip == nil, options.clipFolder == nil { return try ClipSet(bench: self).main() }
    guard let first = try clips().first else { throw BenchError("there is no clip to measure") }
    return first
  }

  static func files(in folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { !$0.lastPathComponent.hasPrefix(".") }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  /// An empty folder in the scratch folder.
  func emptyFolder(_ name: String) throws -> URL {
    let folder = scratch.appending(path: name)
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Tells a person how far it is.
  func log(_ text: String) { FileHandle.standardError.write(Data("reels-bench: \(text)\n".utf8)) }

  /// The same with every path reduced to its last part.
  func withoutPaths(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text):
      .string(text.replacing(/(?:\/[^\/\s:']+)+\/([^\/\s:']*)/) { String($0.output.1) })
    case .array(let values): .array(values.map(withoutPaths))
    case .object(let members): .object(members.mapValues(withoutPaths))
    default: value
    }
  }
}
