import Foundation
import ReelsModel
import Testing

@testable import ReelsPrep

@Suite(.timeLimit(.minutes(1))) struct InfoPlistRulesTests {
  private func findings(_ schemes: [String]) throws -> [DoctorFinding] {
    try DoctorSample.findings(
      DoctorSample.plist(DoctorSample.appID + "\n" + DoctorSample.listed(schemes)))
  }

  @Test func `a sound file has no finding, nor has one with schemes of other apps`() throws {
    #expect(try DoctorSample.findings(DoctorSample.sound).isEmpty)
    let others = [
      "instagram", "fb", "fbapi", "facebook", "facebook-stories", "fb-messenger-share-api", "tel",
      "whatsapp", "snapchat", "pinterest", "instagram-capture", "tiktok",
    ]
    #expect(try findings(DoctorSample.schemes + others).isEmpty)
  }

  @Test(arguments: [
    ("instagram_reels", "instagram-reels"), ("instagramreels", "instagram-reels"),
    ("Instagram-Reels", "instagram-reels"), ("instagram-reel", "instagram-reels"),
    ("instagram-reels://", "instagram-reels"), (" instagram-reels", "instagram-reels"),
    ("instagarm-reels", "instagram-reels"), ("instagram-reels://share", "instagram-reels"),
    ("instgram-reels", "instagram-reels"), ("instagram reels", "instagram-reels"),
    ("instagram-story", "instagram-stories"), ("instagram-storys", "instagram-stories"),
    ("INSTAGRAM_STORIES", "instagram-stories"), ("instagram–stories", "instagram-stories"),
    ("facebook-reel", "facebook-reels"), ("facebook_reels", "facebook-reels"),
  ])
  func `a misspelt scheme is told with the right one`(typed: String, meant: String) throws {
    let found = try findings(DoctorSample.schemes.map { $0 == meant ? typed : $0 })
    #expect(found.names == ["error query-scheme-misspelt"])
    #expect(found.first?.sentence.contains(meant) == true)
    #expect(found.first?.fix == "<string>\(meant)</string>")
    #expect(found.first?.location?.hasPrefix("LSApplicationQueriesSchemes[") == true)
  }

  @Test func `a misspelt scheme beside the right one is advice`() throws {
    let found = try findings(DoctorSample.schemes + ["instagram_reels"])
    #expect(found.names == ["advice query-scheme-misspelt"])
  }

  @Test func `each missing scheme is told; that of Reels is an error`() throws {
    #expect(
      try findings(["fb"]).names == [
        "error query-scheme-missing", "advice query-scheme-missing", "advice query-scheme-missing",
      ])
    #expect(try findings(DoctorSample.schemes.dropLast()).names == ["advice query-scheme-missing"])
    #expect(try findings([]).count == 3)
  }

  @Test func `an entry that comes twice is advice, with the list put right`() throws {
    let found = try findings(["fb", "fb", "a&b"] + DoctorSample.schemes)
    #expect(found.names == ["advice query-scheme-duplicated"])
    #expect(found.first?.location == "LSApplicationQueriesSchemes[1], line 10")
    let lines = try #require(found.first?.fix).split(separator: "\n")
    #expect(
      lines.dropFirst(2).dropLast() == [
        "  <string>instagram-reels</string>", "  <string>instagram-stories</string>",
        "  <string>facebook-reels</string>", "  <string>fb</string>", "  <string>a&amp;b</string>",
      ])
  }

  @Test func `the 25th place counts, and the 26th does not`() throws {
    let many = (0..<40).map { "app\($0)" }
    let rest = Array(DoctorSample.schemes.dropFirst())
    let last = rest + many.prefix(22) + ["instagram-reels"]
    #expect(last.count == 25)
    #expect(try findings(last).isEmpty)
    let late = try findings(rest + many.prefix(23) + ["instagram-reels"])
    #expect(late.names == ["error query-scheme-late"])
    #expect(late.first?.sentence.contains("entry 26") == true)
    #expect(late.first?.source.contains("iOS 27") == true)
    // The fix has it first.
    #expect(late.first?.fix.split(separator: "\n")[2] == "  <string>instagram-reels</string>")
    #expect(try findings(DoctorSample.schemes + many).names == ["advice query-scheme-late"])
    // Duplicates take places, too.
    let twice = try findings(rest + Array(repeating: "fb", count: 23) + ["instagram-reels"])
    #expect(twice.names.contains("error query-scheme-late"))
  }

  @Test func `a fix put in leaves nothing to mend`() throws {
    let broken = [
      ["instagram_reels", "fb", "fb"] + (0..<30).map { "app\($0)" } + ["instagram-stories"],
      (0..<30).map { "app\($0)" } + DoctorSample.schemes,
    ]
    for schemes in broken {
      let fix = try #require(
        try findings(schemes).last { $0.fix.contains("<array>") }?.fix)
      let mended = try DoctorSample.findings(DoctorSample.plist(DoctorSample.appID + "\n" + fix))
      #expect(mended.names == ["advice query-scheme-late"])
    }
    for body in ["", DoctorSample.appID, DoctorSample.listed(["fb"])] {
      var text = ""
      for finding in try DoctorSample.findings(DoctorSample.plist(body))
      where finding.rule.rawValue != "query-scheme-missing" {
        text += finding.fix.replacing("YOUR_APP_ID", with: "12345") + "\n"
      }
      if body.contains("FacebookAppID") { text += body }
      if body.contains("LSApp") { text += DoctorSample.listed(DoctorSample.schemes) }
      #expect(try DoctorSample.findings(DoctorSample.plist(text)).isEmpty, "\(text)")
    }
  }

  @Test func `a missing key, a misspelt one, one of another type and one that comes twice`() throws
  {
    func names(_ body: String) throws -> [String] {
      try DoctorSample.findings(DoctorSample.plist(DoctorSample.appID + body)).names
    }
    #expect(try names("") == ["error query-schemes-missing"])
    let near = DoctorSample.listed(DoctorSample.schemes).replacing("Queries", with: "Query")
    #expect(try names(near) == ["error query-schemes-missing"])
    #expect(
      try names("<key>LSApplicationQueriesSchemes</key><string>instagram-reels</string>")
        == ["error query-schemes-type"])
    #expect(
      try names("<key>LSApplicationQueriesSchemes</key><dict><key>a</key><true/></dict>")
        == ["error query-schemes-type"])
    let typed = DoctorSample.listed(DoctorSample.schemes)
      .replacing("</array>", with: "<integer>1</integer></array>")
    #expect(try names(typed) == ["error query-schemes-type"])
    let list = DoctorSample.listed(DoctorSample.schemes)
    #expect(try names(list + list) == ["error query-schemes-repeated"])
  }

  @Test(arguments: [
    ("", true), ("<key>FacebookAppID</key><string>1234</string>", false),
    ("<key>FacebookAppID</key><string>$(FACEBOOK_APP_ID)</string>", false),
    ("<key>FacebookAppID</key><string>${FACEBOOK_APP_ID}</string>", false),
    ("<key>FacebookAppID</key><string></string>", true),
    ("<key>FacebookAppID</key><string>YOUR_APP_ID</string>", true),
    ("<key>FacebookAppID</key><string>fb1234</string>", true),
    ("<key>FacebookAppID</key><string>1234 </string>", true),
    ("<key>FacebookAppID</key><integer>1234</integer>", true),
    ("<key>FacebookAppId</key><string>1234</string>", true),
    (
      "<key>FacebookAppID</key><string>1</string><key>FacebookAppID</key><string>1</string>", true
    ),
  ])
  func `the app ID is a string of digits or a build setting`(body: String, isBad: Bool) throws {
    let found = try DoctorSample.findings(
      DoctorSample.plist(body + DoctorSample.listed(DoctorSample.schemes)))
    #expect(found.names == (isBad ? ["error app-id"] : []))
  }

  @Test func `an app must not claim Instagram's scheme as its own`() throws {
    let claimed = """
      <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key>
      <array><string>fb1234567890</string><string>instagram-stories</string></array></dict></array>
      """
    let found = try DoctorSample.findings(
      DoctorSample.plist(
        DoctorSample.appID + DoctorSample.listed(DoctorSample.schemes) + claimed))
    #expect(found.names == ["error claimed-scheme"])
  }

  @Test func `a list of thousands ends soon`() throws {
    let near = (0..<5_000).map { "instagram-re\($0 % 7)els\($0)" }
    let started = ContinuousClock.now
    #expect(try !findings(near + near + Array(repeating: "fb", count: 5_000)).isEmpty)
    #expect(ContinuousClock.now - started < .seconds(20))
  }

  @Test func `no finding holds a control character, whatever the file holds`() throws {
    let found = try findings([
      "instagram-\u{9}reels", "instagram\u{202E}reel", "a\u{85}b", "a\u{85}b",
    ])
    #expect(found.count == 5)
    for finding in found {
      #expect(finding.sentence == finding.sentence.singleLine)
      for line in finding.fix.split(separator: "\n") {
        #expect(String(line) == String(line).singleLine)
      }
    }
  }
}
