import Foundation
import ReelsModel

/// Fetches a payload's files into a directory: the manifest first, and it is written last.
struct PayloadFetch {
  /// A server is asked for so many bytes at a time: what waits in memory to be written is at most one
  /// piece, 4 MB.
  static let pieceBytes: Int64 = 4_000_000
  /// A payload has four.
  static let filesMaximum = 64

  let base: URL
  let directory: URL
  let transport: any PayloadTransport
  let bytesMaximum: Int64
  let pieceBytes: Int64
  let progress: @Sendable (FetchProgress) -> Void

  /// - Throws: `ShareError` or `CancellationError`; what came so far stays in the directory.
  func run() async throws {
    guard ["http", "https"].contains(base.scheme?.lowercased() ?? ""), base.host != nil else {
      throw ShareError(
        code: .badAddress,
        sentence: "\(base.absoluteString.singleLine) is no address of a server: http or https")
    }
    let data = try await manifestData()
    let manifest = try ManifestReader.parse(data)
    let total = try check(manifest)
    try prepareDirectory(for: manifest, data)
    var done: Int64 = 0
    for file in manifest.files {
      if !isThere(file) { try await fetch(file, done: done, total: total) }
      done += file.bytes
      progress(FetchProgress(bytes: done, total: total))
    }
    do {
      try data.write(to: manifestFile, options: .atomic)
    } catch {
      throw PartialFile.unwritable(Manifest.fileName)
    }
  }

  // MARK: Manifest

  private var manifestFile: URL { directory.appendingPathComponent(Manifest.fileName) }

  private func manifestData() async throws -> Data {
    let maximum = Int64(ManifestReader.bytesMaximum)
    var data = Data()
    var status: Int?
    do {
      for try await part in transport.get(
        base.appendingPathComponent(Manifest.fileName), range: nil, bytesMaximum: maximum)
      {
        switch part {
        case .head(let head):
          status = head.status
          guard head.status == 200 else { throw refusal(head, Manifest.fileName) }
          guard head.contentLength ?? 0 <= maximum else { throw Self.largeManifest }
        case .bytes(let bytes): data.append(bytes)
        }
      }
    } catch let error as ShareError where error.code == .wrongLength {
      throw Self.largeManifest
    }
    try Task.checkCancellation()
    guard status != nil else { throw Self.brokenOff(Manifest.fileName) }
    return data
  }

  private static let largeManifest = ShareError(
    code: .badManifest, sentence: "\(Manifest.fileName) is too large to be a manifest")

  /// - Returns: the bytes of all files together.
  private func check(_ manifest: Manifest) throws(ShareError) -> Int64 {
    var total: Int64 = 0
    for file in manifest.files {
      let digits = file.sha256.utf8
      guard digits.count == 64, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
      else {
        throw ShareError(
          code: .badManifest, sentence: "the manifest has no SHA-256 of \(file.name)")
      }
      guard file.name != Manifest.fileName else {
        throw ShareError(code: .unsafeFile, sentence: "the manifest names itself among its files")
      }
      let sum = total.addingReportingOverflow(file.bytes)
      total = sum.overflow ? .max : sum.partialValue
    }
    guard manifest.files.count <= Self.filesMaximum, total <= bytesMaximum else {
      throw ShareError(
        code: .tooLarge,
        sentence: "the payload has \(manifest.files.count) files of \(total) bytes; at most"
          + " \(Self.filesMaximum) of \(bytesMaximum) bytes are fetched")
    }
    return total
  }

  // MARK: Directory

  /// Takes away what an earlier version has left, so that the directory is whole or has no manifest.
  private func prepareDirectory(for manifest: Manifest, _ data: Data) throws(ShareError) {
    let manager = FileManager.default
    do {
      try manager.createDirectory(at: directory, withIntermediateDirectories: true)
      if manager.fileExists(atPath: manifestFile.path), try Data(contentsOf: manifestFile) != data {
        try manager.removeItem(at: manifestFile)
      }
      let wanted = Set(manifest.files.map { ".\($0.sha256.lowercased()).part" })
      for name in try manager.contentsOfDirectory(atPath: directory.path)
      where PartialFile.isName(name) && !wanted.contains(name) {
        try manager.removeItem(at: directory.appendingPathComponent(name))
      }
    } catch {
      throw PartialFile.unwritable(directory.lastPathComponent)
    }
  }

  /// Whether an earlier try has fetched the file.
  private func isThere(_ file: Manifest.File) -> Bool {
    guard let data = try? PayloadFileReader.read(file, in: directory) else { return false }
    return SHA256Digest.hexadecimal(data) == file.sha256.lowercased()
  }

  // MARK: Files

  private func fetch(_ file: Manifest.File, done: Int64, total: Int64) async throws {
    var partial = try PartialFile(of: file, in: directory)
    defer { partial.close() }
    while partial.count < file.bytes {
      try Task.checkCancellation()
      let end = min(file.bytes, partial.count + pieceBytes)
      try await fetch(file, partial.count..<end, into: &partial) { count in
        progress(FetchProgress(bytes: done + count, total: total))
      }
    }
    try partial.finish(file, in: directory)
  }

  /// One piece; or the whole file, where the server knows no ranges.
  private func fetch(
    _ file: Manifest.File, _ range: Range<Int64>, into partial: inout PartialFile,
    report: (Int64) -> Void
  ) async throws {
    var end: Int64?
    for try await part in transport.get(
      base.appendingPathComponent(file.name), range: range, bytesMaximum: file.bytes)
    {
      switch part {
      case .head(let head):
        end = try self.end(of: head, file, range)
        // The whole file again: what was there is not gone on with.
        if head.status == 200, partial.count > 0 { try partial.restart(file) }
      case .bytes(let data):
        guard let end, partial.count + Int64(data.count) <= end else { throw Self.long(file) }
        try partial.append(data, file)
        report(partial.count)
      }
    }
    try Task.checkCancellation()
    guard let end, partial.count >= end else { throw Self.brokenOff(file.name) }
  }

  /// - Returns: the place in the file at which an answer ends.
  private func end(
    of head: PayloadHead, _ file: Manifest.File, _ range: Range<Int64>
  ) throws(ShareError) -> Int64 {
    switch head.status {
    case 200:
      if let length = head.contentLength, length != file.bytes {
        throw wrongLength(file, length)
      }
      return file.bytes
    case 206:
      guard let answer = head.contentRange.flatMap(ContentRange.init),
        answer.first == range.lowerBound, answer.last < range.upperBound
      else {
        throw ShareError(
          code: .wrongRange,
          sentence: "the server sent another part of \(file.name) than was asked for")
      }
      if let total = answer.total, total != file.bytes { throw wrongLength(file, total) }
      return answer.last + 1
    default:
      throw refusal(head, file.name)
    }
  }

  // MARK: Errors

  private func refusal(_ head: PayloadHead, _ name: String) -> ShareError {
    switch head.status {
    case 300..<400:
      ShareError(
        code: .badRedirect,
        sentence: "the server leads elsewhere for \(name) (\(head.status)), which is not followed")
    case 404, 410:
      ShareError(code: .notOnServer, sentence: "the server has no \(name) (\(head.status))")
    case 416:
      ShareError(
        code: .rangeRefused,
        sentence: "the server has no such part of \(name) (416); its file is shorter than the"
          + " manifest says")
    default:
      ShareError(
        code: .serverError, sentence: "the server answers \(head.status) for \(name)")
    }
  }

  private func wrongLength(_ file: Manifest.File, _ length: Int64) -> ShareError {
    ShareError(
      code: .wrongLength,
      sentence: "\(file.name) on the server has \(length) bytes; the manifest says \(file.bytes)")
  }

  private static func long(_ file: Manifest.File) -> ShareError {
    ShareError(
      code: .wrongLength,
      sentence: "the server sends more of \(file.name) than the manifest's \(file.bytes) bytes")
  }

  private static func brokenOff(_ name: String) -> ShareError {
    ShareError(
      code: .connectionLost,
      sentence: "the connection broke off within \(name); trying again goes on from there")
  }
}
