internal import Foundation
internal import ReelsModel
internal import Testing

/// `reels-prep doctor`, as a process.
@Suite(.timeLimit(.minutes(1))) struct DoctorCommandTests {
  private struct Line: Decodable {
    var type: String
    var rule: String?
    var severity: String?
    var sentence: String?
    var file: String?
    var fix: String?
    var source: String?
    var path: String?
    var files: [String]?
    var errors: Int?
    var advice: Int?
    var passedOver: Int?
  }

  private static let sound = """
    <plist version="1.0"><dict>
    <key>FacebookAppID</key><string>1234</string>
    <key>LSApplicationQueriesSchemes</key><array>
    <string>instagram-reels</string><string>instagram-stories</string>
    <string>facebook-reels</string></array>
    </dict></plist>
    """

  @Test func `a sound file is exit code 0, advice too, a fault is 1`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.sound, to: "Info.plist")
    let sound = try Program.run(["doctor", "Info.plist"], in: folder)
    #expect(sound.code == 0, "\(sound.errors)")
    #expect(sound.output.contains("nothing to mend"))
    try folder.write(
      Self.sound.replacing("<string>facebook-reels</string>", with: ""), to: "advice.plist")
    let advice = try Program.run(["doctor", "advice.plist"], in: folder)
    #expect(advice.code == 0)
    #expect(advice.output.contains("advice  facebook-reels is not listed"))
    try folder.write(Self.sound.replacing("m-reels", with: "m_reels"), to: "fault.plist")
    let fault = try Program.run(["doctor", "fault.plist"], in: folder)
    #expect(fault.code == 1)
    #expect(fault.output.contains("at: LSApplicationQueriesSchemes[0], line 4"))
    #expect(fault.lines.contains("            <string>instagram-reels</string>"))
    let both = try Program.run(["doctor", "Info.plist", "fault.plist"], in: folder)
    #expect(both.code == 1)
  }

  @Test func `JSON is an object a finding, then a summary`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.sound.replacing("m-reels", with: "m_reels"), to: "App/Info.plist")
    try folder.write("<manifest/>", to: "app/src/main/AndroidManifest.xml")
    let result = try Program.run(["doctor", ".", "--json"], in: folder)
    #expect(result.code == 1)
    let lines = try result.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    let summary = try #require(lines.last)
    #expect(summary.type == "summary" && summary.path == "." && summary.files?.count == 2)
    let findings = lines.dropLast()
    #expect(findings.count == 4)
    #expect(findings.count { $0.severity == "error" } == summary.errors)
    #expect(findings.count { $0.severity == "advice" } == summary.advice)
    for finding in findings {
      #expect(finding.type == "finding" && finding.rule != nil && finding.sentence != nil)
      #expect(finding.source?.isEmpty == false && finding.fix?.isEmpty == false)
      #expect(finding.file.map { summary.files?.contains($0) == true } == true)
    }
    #expect(result.lines.dropLast().allSatisfy { $0.contains("\"where\":") })
  }

  @Test func `what cannot be read is exit code 65 and one sentence`() throws {
    let folder = try TemporaryFolder()
    try folder.write("nothing", to: "Info.plist")
    try folder.write("", to: "empty/x")
    for name in ["Info.plist", "missing", "empty"] {
      let result = try Program.run(["doctor", name], in: folder)
      #expect(result.code == 65, "\(name)")
      #expect(result.output.isEmpty)
      #expect(result.errors.split(separator: "\n").count == 1)
    }
    try folder.write(Self.sound, to: "good.plist")
    #expect(try Program.run(["doctor", "good.plist", "missing"], in: folder).code == 1)
  }

  @Test func `nothing of a file reaches the terminal as a control character`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      Self.sound.replacing("instagram-reels", with: "instagram&#x9;reels\u{9B}31m\u{202E}"),
      to: "\u{1B}[31m.plist")
    for options in [[], ["--json"]] {
      let result = try Program.run(["doctor", "\u{1B}[31m.plist"] + options, in: folder)
      #expect(result.code == 1)
      for line in result.lines { #expect(line == line.singleLine) }
    }
  }

  @Test func `options of other commands have no meaning`() throws {
    for arguments in [["doctor"], ["doctor", "a", "--deep"], ["doctor", "a", "-o", "b"]] {
      let result = try Program.run(arguments)
      #expect(result.code == 64)
      #expect(result.errors.split(separator: "\n").count == 1)
    }
    #expect(try Program.run(["--help"]).output.contains("reels-prep doctor PATH"))
  }
}
