import Foundation
import Testing

/// The part of ReelsShare that needs Apple's frameworks, and the example app, against `Tests/AppleStubs`.
@Suite struct AppleTypesTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static let hasCompiler = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/swiftc")
    }

  @Test(.enabled(if: hasCompiler, "needs swiftc on the PATH"))
  func `the glue to UIKit and SwiftUI and the example app have right types`() throws {
    let process = Process()
    process.executableURL = Self.root.appendingPathComponent("scripts/typecheck-ios")
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(said.prefix(4_000))")
  }
}
