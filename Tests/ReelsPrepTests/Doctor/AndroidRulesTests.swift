import ReelsModel
import Testing

@testable import ReelsPrep

@Suite(.timeLimit(.minutes(1))) struct AndroidRulesTests {
  private func findings(_ manifests: String...) throws -> [DoctorFinding] {
    let roots = try manifests.map { try DoctorSample.markup($0) }
    return QueriesRules(manifests: roots, file: "AndroidManifest.xml").findings()
      + FileProviderRules(manifests: roots, file: "AndroidManifest.xml").findings()
  }

  private func queries(_ body: String) throws -> [String] {
    try findings(
      DoctorSample.manifest("\(body)<application>\(DoctorSample.provider)</application>")
    ).names
  }

  @Test func `a sound manifest has no finding`() throws {
    #expect(try findings(DoctorSample.soundManifest).isEmpty)
  }

  @Test func `what queries lack`() throws {
    #expect(try queries("") == ["error queries", "advice queries"])
    #expect(try queries("<queries/>") == ["error queries", "advice queries"])
    let instagram = #"<package android:name="com.instagram.android"/>"#
    let facebook = #"<package android:name="com.facebook.katana"/>"#
    #expect(try queries("<queries>\(instagram)</queries>") == ["advice queries"])
    #expect(try queries("<queries>\(facebook)</queries>") == ["error queries"])
    #expect(try queries("<queries>\(instagram)</queries><queries>\(facebook)</queries>") == [])
    let intent = #"<intent><action android:name="com.instagram.share.ADD_TO_REEL"/></intent>"#
    #expect(try queries("<queries>\(intent)\(facebook)</queries>") == [])
    #expect(
      try queries("<queries>\(facebook)<package/></queries>") == ["error queries", "error queries"])
    let wrong = #"<package android:name="com.instagram.Android"/>"#
    #expect(try queries("<queries>\(wrong)\(facebook)</queries>") == ["error queries"])
    let removed = #"<package tools:node="remove" android:name="com.instagram.android"/>"#
    #expect(try queries("<queries>\(removed)\(facebook)</queries>") == ["error queries"])
    let all = #"<uses-permission android:name="android.permission.QUERY_ALL_PACKAGES"/>"#
    #expect(try queries(all) == [])
  }

  @Test func `queries inside the application are ignored by the system`() throws {
    let found = try findings(
      DoctorSample.manifest(
        "<application>\(DoctorSample.queries)\(DoctorSample.provider)</application>"))
    #expect(found.names == ["error queries", "error queries", "advice queries"])
    #expect(found.first?.sentence.contains("ignored") == true)
  }

  @Test func `what a library of the project declares counts`() throws {
    let app = DoctorSample.manifest("<application>\(DoctorSample.activity)</application>")
    let library = DoctorSample.manifest(
      "\(DoctorSample.queries)<application>\(DoctorSample.provider)</application>")
    #expect(try findings(app).count == 3)
    #expect(try findings(app, library).isEmpty)
  }

  @Test(arguments: [
    (#"android:exported="false""#, #"android:exported="true""#, "error file-provider-exported"),
    (#"android:exported="false""#, "", nil),
    (#"android:exported="false""#, #"android:exported="@bool/no""#, nil),
    (#"android:grantUriPermissions="true""#, "", "error file-provider-grants"),
    (
      #"android:grantUriPermissions="true""#, #"android:grantUriPermissions="false""#,
      "error file-provider-grants"
    ),
    (
      #"android:authorities="${applicationId}.fileprovider""#, "", "error file-provider-authority"
    ),
    ("${applicationId}", "com.example", "advice file-provider-authority"),
    ("android.support.FILE_PROVIDER_PATHS", "other", "error file-provider-paths"),
    ("@xml/file_paths", "file_paths", "error file-provider-paths"),
    ("@xml/file_paths", "@xml/../../secret", "error file-provider-paths"),
    ("androidx.core.content.FileProvider", ".ShareFileProvider", nil),
    ("androidx.core.content.FileProvider", ".Shared", nil),
  ])
  func `one fault of a FileProvider is one finding`(
    right: String, wrong: String, expected: String?
  ) throws {
    let found = try findings(DoctorSample.soundManifest.replacing(right, with: wrong))
    #expect(found.names == (expected.map { [$0] } ?? []))
    #expect(found.allSatisfy { !$0.fix.isEmpty && $0.location?.contains("line") == true })
  }

  @Test func `no FileProvider, and two of one authority`() throws {
    let none = try findings(
      DoctorSample.manifest("\(DoctorSample.queries)<application></application>"))
    #expect(none.names == ["error file-provider"])
    #expect(none.first?.fix.contains(#"android:grantUriPermissions="true""#) == true)
    // The fix itself is sound.
    let mended = DoctorSample.manifest(
      "\(DoctorSample.queries)<application>\(try #require(none.first?.fix))</application>")
    #expect(try findings(mended).isEmpty)
    let two = DoctorSample.manifest(
      "\(DoctorSample.queries)<application>\(DoctorSample.provider)\(DoctorSample.provider)"
        + "</application>")
    #expect(try findings(two).names == ["error file-provider-authority"])
  }

  @Test(arguments: [
    (DoctorSample.paths, []), (FilePathsRules.fix, []),
    (#"<paths><files-path name="a" path="."/></paths>"#, []),
    (#"<resources><paths><cache-path name="a" path="."/></paths></resources>"#, []),
    ("<paths/>", ["error file-provider-paths"]),
    ("<path/>", ["error file-provider-paths"]),
    (#"<paths><cachepath name="a" path="."/></paths>"#, ["error file-provider-paths"]),
    (
      #"<paths><cache-path name="a" path="."/><cash-path name="b" path="."/></paths>"#,
      ["error file-provider-paths"]
    ),
    (#"<paths><cache-path path="."/></paths>"#, ["error file-provider-paths"]),
    (#"<paths><external-path name="a" path="."/></paths>"#, ["advice file-provider-paths"]),
    (
      #"<paths><root-path name="a" path=""/><cache-path name="b" path="x"/></paths>"#,
      ["advice file-provider-paths"]
    ),
  ])
  func `what the paths file shares`(text: String, expected: [String]) throws {
    let root = try DoctorSample.markup(text)
    let found = FilePathsRules(root: root, file: "file_paths.xml").findings()
    #expect(found.names == expected)
  }
}
