import Foundation
import ReelsModel
import Testing

@testable import ReelsPrep

/// Bundles and projects, as they lie on a disk.
@Suite(.timeLimit(.minutes(1))) struct DoctorTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func write(_ text: String, _ name: String) throws {
    let path = folder.path.appending(name)
    try FileSystem.makeDirectories(path.parent)
    try FileSystem.write(Array(text.utf8), to: path)
  }

  private func report(_ name: String = ".") throws -> DoctorReport {
    try Doctor().run(folder.path.appending(name))
  }

  @Test func `an app for iOS and one for macOS`() throws {
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: ["FacebookAppID": "1"], format: .binary, options: 0)
    for name in ["A.app/Info.plist", "B.app/Contents/Info.plist"] {
      try write("", name)
      try FileSystem.write(Array(bytes), to: folder.path.appending(name))
    }
    #expect(try report("A.app").findings.names == ["error query-schemes-missing"])
    #expect(try report("B.app/").findings.names == ["error query-schemes-missing"])
    try FileSystem.makeDirectories(folder.path.appending("C.app"))
    #expect(throws: PrepError.self) { try report("C.app") }
  }

  @Test func `of a project only the app's own files are read`() throws {
    let bare = DoctorSample.plist("<key>CFBundleName</key><string>x</string>")
    try write(DoctorSample.sound, "App/Info.plist")
    try write(
      DoctorSample.plist("<key>NSExtension</key><dict/>"), "ShareExtension/Info.plist")
    try write(bare, "AppTests/Info.plist")
    try write(
      DoctorSample.plist("<key>CFBundlePackageType</key><string>FMWK</string>"), "Kit/Info.plist")
    for place in ["build", "Pods/X", "node_modules/y", ".git", "DerivedData", "Built.app"] {
      try write(bare, "\(place)/Info.plist")
    }
    try write(DoctorSample.soundManifest, "android/app/src/main/AndroidManifest.xml")
    try write(DoctorSample.paths, "android/app/src/main/res/xml/file_paths.xml")
    try write(DoctorSample.manifest(""), "android/app/src/debug/AndroidManifest.xml")
    try write(DoctorSample.manifest(""), "android/app/build/AndroidManifest.xml")
    let report = try report()
    #expect(report.findings.isEmpty, "\(report.findings)")
    #expect(report.files.map { $0.lastComponent.string }.count == 3)
    #expect(report.passedOver == 4)
    #expect(!report.isCutShort)
  }

  @Test func `the paths of a FileProvider are looked up`() throws {
    let main = "app/src/main/AndroidManifest.xml"
    try write(DoctorSample.soundManifest, main)
    #expect(try report().findings.names == ["error file-provider-paths"])
    #expect(try report(main).findings.names == ["advice file-provider-paths"])
    try write("<paths/>", "app/src/main/res/xml/file_paths.xml")
    #expect(try report(main).findings.names == ["error file-provider-paths"])
    try write("<paths", "app/src/main/res/xml/file_paths.xml")
    #expect(try report(main).findings.names == ["error readable"])
    try write(DoctorSample.paths, "app/src/main/res/xml/file_paths.xml")
    #expect(try report(main).findings.isEmpty)
    #expect(try report("app/src/main/res/xml/file_paths.xml").findings.isEmpty)
  }

  @Test func `a library's manifest counts for the app, wherever it is`() throws {
    try write(
      DoctorSample.manifest("<application>\(DoctorSample.activity)</application>"),
      "app/src/main/AndroidManifest.xml")
    try write(
      DoctorSample.manifest(
        "\(DoctorSample.queries)<application>\(DoctorSample.provider)</application>"),
      "share/src/main/AndroidManifest.xml")
    try write(DoctorSample.paths, "share/src/main/res/xml/file_paths.xml")
    let report = try self.report()
    #expect(report.findings.isEmpty)
    #expect(report.passedOver == 1)
  }

  @Test func `a file that cannot be read is a finding among others, and an error alone`() throws {
    try write("<plist>", "Bad/Info.plist")
    #expect(throws: PrepError.self) { try self.report() }
    try write(DoctorSample.sound, "Good/Info.plist")
    let report = try self.report()
    #expect(report.findings.names == ["error readable"])
    #expect(report.files.count == 1)
  }

  @Test func `nothing found, nothing there, a pipe and a loop of links`() throws {
    #expect(throws: PrepError.self) { try report() }
    let missing = #expect(throws: PrepError.self) { try report("missing") }
    #expect(missing?.code == .notFound)
    let pipe = folder.path.appending("Info.plist").string
    #expect(mkfifo(pipe, 0o600) == 0)
    let error = #expect(throws: PrepError.self) { try report("Info.plist") }
    #expect(error?.code == .notAFile)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path.appending("loop").string, withDestinationPath: ".")
    try write(DoctorSample.sound, "App/Info.plist")
    #expect(try report().files.count == 1)
  }

  @Test func `a search ends at its bounds and says so`() throws {
    let deep = Array(repeating: "d", count: ProjectSearch.depthMaximum + 2)
      .joined(separator: "/")
    try write(DoctorSample.plist(""), "\(deep)/Info.plist")
    try write(DoctorSample.sound, "Info.plist")
    let report = try report()
    #expect(report.isCutShort)
    #expect(report.files.count == 1)
    for number in 0...ProjectSearch.filesMaximum { try write("<plist/>", "a\(number)/Info.plist") }
    #expect(try self.report().isCutShort)
  }
}
