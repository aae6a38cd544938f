import Foundation
import ReelsModel
import Testing

@testable import ReelsShare

/// Payloads from a server, by real connections.
@Suite(
  .timeLimit(.minutes(5)), .enabled(if: PayloadServer.isThere, "needs python3 for the server"))
struct PayloadFetchTests {
  private let sample: SamplePayload
  private let server: PayloadServer
  private let target: URL

  init() throws {
    sample = try SamplePayload(
      SamplePayload.files, share: [SamplePayload.reels, SamplePayload.stories])
    server = try PayloadServer(sample.url)
    // Inside the sample's own directory, and removed with it.
    target = sample.url.appendingPathComponent("target")
  }

  @discardableResult
  private func fetch(
    _ fault: String, into directory: URL?, pieceBytes: Int64 = 1_000,
    bytesMaximum: Int64 = 1_000_000, idleSeconds: Double = 10,
    progress: @escaping @Sendable (FetchProgress) -> Void = { _ in }
  ) async throws -> SharePayload {
    try await SharePayload.fetch(
      from: server.url(fault), into: directory, bytesMaximum: bytesMaximum,
      transport: URLSessionTransport(idleSeconds: idleSeconds), pieceBytes: pieceBytes,
      progress: progress)
  }

  private func code(
    _ fault: String, pieceBytes: Int64 = 1_000, bytesMaximum: Int64 = 1_000_000,
    idleSeconds: Double = 10
  ) async -> String? {
    do {
      try await fetch(
        fault, into: target, pieceBytes: pieceBytes, bytesMaximum: bytesMaximum,
        idleSeconds: idleSeconds)
      return nil
    } catch let error as ShareError {
      #expect(error.sentence == error.sentence.singleLine)
      return error.code.rawValue
    } catch {
      return "\(error)"
    }
  }

  private func names() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: target.path)) ?? []).sorted()
  }

  private static let whole = ["cover.jpg", "payload.json", "sticker.png", "video.mp4"]

  @Test func `a payload is fetched in pieces, the manifest first, and can be shared`() async throws
  {
    let seen = ProgressLog()
    let payload = try await fetch("ok", into: target) { seen.add($0) }
    let handOff = try payload.handOff(to: .instagramReels, appID: "1")
    #expect(
      handOff.items.first == [
        "com.instagram.sharedSticker.backgroundVideo": .bytes(SamplePayload.video)
      ])
    #expect(names() == Self.whole)
    let requests = server.requests
    #expect(requests.first == "payload.json -")
    #expect(
      requests.filter { $0.hasPrefix("video") }
        == (0..<5).map { "video.mp4 bytes=\($0 * 1_000)-\($0 * 1_000 + 999)" })
    let all = Int64(SamplePayload.files.values.map(\.count).reduce(0, +))
    #expect(seen.values.last == FetchProgress(bytes: all, total: all))
    #expect(seen.values.map(\.bytes) == seen.values.map(\.bytes).sorted())
    // It opens without the server.
    #expect(throws: Never.self) { try SharePayload(contentsOf: target) }
  }

  @Test func `a second call fetches the manifest alone`() async throws {
    try await fetch("ok", into: target)
    let before = server.requests.count
    try await fetch("ok", into: target)
    #expect(server.requests.dropFirst(before) == ["payload.json -"])
  }

  @Test func `without a directory nothing is left on the disk`() async throws {
    func leftovers() throws -> Set<String> {
      Set(
        try FileManager.default.contentsOfDirectory(
          atPath: FileManager.default.temporaryDirectory.path
        ).filter { $0.hasPrefix("reels-fetch-") })
    }
    let payload = try await fetch("ok", into: nil)
    #expect(throws: Never.self) { try payload.handOff(to: .instagramReels, appID: "1") }
    await #expect(throws: ShareError.self) { try await fetch("absent", into: nil) }
    let url = server.url("slow")
    let task = Task { _ = try await SharePayload.fetch(from: url) }
    while !server.requests.contains("video.mp4 bytes=0-\(SamplePayload.video.count - 1)") {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(try !leftovers().isEmpty)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try leftovers().isEmpty)
  }

  @Test(arguments: [
    ("no-manifest", "not-on-server"), ("absent", "not-on-server"), ("forbidden", "server-error"),
    ("broken", "server-error"), ("large-manifest", "bad-manifest"),
    ("endless-manifest", "bad-manifest"), ("shorter", "wrong-length"), ("longer", "wrong-length"),
    ("total-lies", "wrong-length"), ("more", "wrong-length"), ("endless", "wrong-length"),
    ("other-bytes", "wrong-hash"), ("refuses-range", "range-refused"),
    ("other-part", "wrong-range"), ("to-ftp", "bad-redirect"),
    ("to-itself", "bad-redirect"),
  ])
  func `each fault of a server is an error of its own`(fault: String, expected: String) async {
    let code = await code(fault)
    #expect(code == expected)
    #expect(!names().contains("payload.json"))
    #expect(!names().contains("video.mp4"))
  }

  @Test func `a redirect is followed within http and up to https, and nowhere else`() async {
    let follows = TransportDelegate.follows
    #expect(follows("http", "http") && follows("http", "https") && follows("https", "HTTPS"))
    for (old, new) in [
      ("https", "http"), ("https", "file"), ("http", "ftp"), ("http", "data"), ("http", nil),
      (nil, "http"),
    ] {
      #expect(!follows(old, new))
    }
    // FoundationNetworking takes the path of such a place for one on the same server.
    let code = await code("to-file")
    #expect(["bad-redirect", "not-on-server"].contains(code ?? ""))
  }

  @Test(arguments: ["cut-manifest", "slow"])
  func `a server that breaks off or falls asleep is told`(fault: String) async {
    let code = await code(fault, idleSeconds: 2)
    #expect(["connection-lost", "bad-manifest"].contains(code ?? ""), "\(code ?? "nil")")
  }

  @Test(arguments: ["to-ok", "unknown-total", "small-parts", "no-ranges", "no-ranges-chunked"])
  func `what servers may do is no fault`(way: String) async {
    let code = await code(way)
    #expect(code == nil)
    #expect(names() == Self.whole)
  }

  @Test func `after a cut another call goes on from there, and the file is whole`() async throws {
    var codes: [String?] = []
    for _ in 0..<10 {
      codes.append(await code("cut"))
      if codes.last == .some(nil) { break }
      #expect(!names().contains("payload.json"))
      #expect(names().contains { $0.hasSuffix(".part") })
    }
    #expect(codes.count >= 2)
    #expect(codes.dropLast().allSatisfy { $0 == "connection-lost" })
    #expect(codes.last == .some(nil))
    #expect(names() == Self.whole)
    // No byte that was there is asked for again.
    let starts = server.requests.filter { $0.hasPrefix("video") }.compactMap { request in
      request.split(separator: "=").last?.split(separator: "-").first.flatMap { Int($0) }
    }
    #expect(Set(starts).count == starts.count)
    #expect(starts == starts.sorted())
  }

  @Test func `a server without ranges begins a file anew after a cut`() async throws {
    #expect(await code("no-ranges-cut") == "connection-lost")
    #expect(await code("no-ranges-cut") == nil)
    #expect(try Data(contentsOf: target.appendingPathComponent("video.mp4")) == SamplePayload.video)
  }

  @Test func `what is left of another version, or damaged, is not gone on with`() async throws {
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    let stale = "." + String(repeating: "a", count: 64) + ".part"
    try Data("old".utf8).write(to: target.appendingPathComponent(stale))
    try Data("{}".utf8).write(to: target.appendingPathComponent("payload.json"))
    let hash = SHA256Digest.hexadecimal(SamplePayload.video)
    try Data(count: 700).write(to: target.appendingPathComponent(".\(hash).part"))
    #expect(await code("ok") == "wrong-hash")
    #expect(!names().contains(stale) && !names().contains("payload.json"))
    #expect(await code("ok") == nil)
    #expect(names() == Self.whole)
    // A file of the right size and other bytes is fetched anew.
    try Data(count: SamplePayload.video.count)
      .write(to: target.appendingPathComponent("video.mp4"))
    #expect(await code("ok") == nil)
    // A part longer than the whole file is begun anew.
    try FileManager.default.removeItem(at: target.appendingPathComponent("video.mp4"))
    try Data(count: 9_999).write(to: target.appendingPathComponent(".\(hash).part"))
    #expect(await code("ok") == nil)
  }

  @Test func `cancelling ends it and keeps what came`() async throws {
    let server = server
    let (url, target) = (server.url("slow"), target)
    let task = Task {
      try await SharePayload.fetch(from: url, into: target)
    }
    while !server.requests.contains(where: { $0.hasPrefix("video") }) {
      try await Task.sleep(for: .milliseconds(20))
    }
    try await Task.sleep(for: .milliseconds(200))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!names().contains("payload.json"))
    #expect(names().contains { $0.hasSuffix(".part") })
    #expect(await code("ok") == nil)
  }

  @Test func `a query of the address is kept for each file`() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/signed?key=1"))
    _ = try await SharePayload.fetch(from: url, into: target)
    #expect(await code("signed") == "server-error")
  }

  @Test func `a payload that is too large, or whose manifest is unsafe, fetches no file`()
    async throws
  {
    #expect(await code("ok", bytesMaximum: 5_000) == "too-large")
    sample.manifest.files[0].name = "../../escaped"
    try sample.writeManifest()
    #expect(await code("ok") == "unsafe-file")
    sample.manifest.files[0].name = "payload.json"
    try sample.writeManifest()
    #expect(await code("ok") == "unsafe-file")
    sample.manifest.files[0].name = "cover.jpg"
    sample.manifest.files[0].sha256 = "../../x"
    try sample.writeManifest()
    #expect(await code("ok") == "bad-manifest")
    sample.manifest.files[0].sha256 = String(repeating: "0", count: 64)
    sample.manifest.files[0].bytes = .max
    try sample.writeManifest()
    #expect(await code("ok") == "too-large")
    #expect(server.requests.allSatisfy { $0.hasPrefix("payload.json") })
    #expect(names().isEmpty)
  }

  @Test func `nobody listening, and addresses that are none`() async throws {
    let dead = try PayloadServer(sample.url)
    let url = dead.url("ok")
    _ = consume dead
    let lost = await #expect(throws: ShareError.self) {
      try await SharePayload.fetch(from: url, into: target)
    }
    #expect(lost?.code == .connectionLost)
    for text in ["file:///etc", "ftp://host/a", "nothing", "https:///a"] {
      let url = try #require(URL(string: text))
      let error = await #expect(throws: ShareError.self) {
        try await SharePayload.fetch(from: url, into: target)
      }
      #expect(error?.code == .badAddress, "\(text)")
    }
  }

  @Test func `a directory that cannot be written is told`() async throws {
    try Data().write(to: target)
    #expect(await code("ok") == "unwritable")
  }
}

/// What was reported, in its order.
// Sound: what changes is behind the lock.
private final class ProgressLog: @unchecked Sendable {
  private let lock = NSLock()
  private var log: [FetchProgress] = []

  func add(_ progress: FetchProgress) { lock.withLock { log.append(progress) } }
  var values: [FetchProgress] { lock.withLock { log } }
}

@Suite struct ContentRangeTests {
  @Test func `what RFC 9110 allows is read`() {
    #expect(ContentRange("bytes 0-99/1234")?.last == 99)
    #expect(ContentRange("bytes 5-5/*")?.total == nil)
    #expect(ContentRange("Bytes 0-0/1")?.total == 1)
  }

  @Test(arguments: [
    "", "bytes", "bytes */12", "bytes 5-4/10", "bytes 0-10/10", "bytes -1-4/10", "items 0-1/2",
    "bytes 0-/2", "bytes 0-1", "bytes 0-1/", "bytes 0-99999999999999999999/*", "bytes +0-1/2",
    "bytes 0-9223372036854775807/*",
  ])
  func `what it does not is none`(text: String) { #expect(ContentRange(text) == nil) }
}
