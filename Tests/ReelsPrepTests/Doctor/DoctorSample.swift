import Foundation
import ReelsModel

@testable import ReelsPrep

/// Documents for the doctor, and what it says of them.
enum DoctorSample {
  static let file: FilePath = "Info.plist"
  static let schemes = ["instagram-reels", "instagram-stories", "facebook-reels"]

  /// An Info.plist of XML with the body of its dictionary.
  static func plist(_ body: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \(body)
    </dict>
    </plist>
    """
  }

  static func listed(_ schemes: [String]) -> String {
    let lines = schemes.map { "<string>\(Markup.escaped($0))</string>" }
    return "<key>LSApplicationQueriesSchemes</key>\n<array>\n"
      + lines.joined(separator: "\n") + "\n</array>"
  }

  static let appID = "<key>FacebookAppID</key>\n<string>1234567890</string>"

  static let sound = plist(appID + "\n" + listed(schemes))

  /// What the rules make of an Info.plist.
  static func findings(_ text: String) throws -> [DoctorFinding] {
    let document = try DoctorDocument.read(Array(text.utf8), file)
    guard case .infoPlist(let list) = document else { return [] }
    return InfoPlistRules(list: list, file: file).findings()
  }

  /// A manifest with what is inside `<manifest>`.
  static func manifest(_ body: String) -> String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <manifest xmlns:android="http://schemas.android.com/apk/res/android"
      xmlns:tools="http://schemas.android.com/tools">
    \(body)
    </manifest>
    """
  }

  static let queries = """
    <queries>
      <package android:name="com.instagram.android" />
      <package android:name="com.facebook.katana" />
    </queries>
    """

  static let provider = """
    <provider android:name="androidx.core.content.FileProvider"
      android:authorities="${applicationId}.fileprovider"
      android:exported="false" android:grantUriPermissions="true">
      <meta-data android:name="android.support.FILE_PROVIDER_PATHS"
        android:resource="@xml/file_paths" />
    </provider>
    """

  static let activity = """
    <activity android:name=".Main">
      <intent-filter>
        <action android:name="android.intent.action.MAIN" />
        <category android:name="android.intent.category.LAUNCHER" />
      </intent-filter>
    </activity>
    """

  static let soundManifest = manifest(
    "\(queries)\n<application>\n\(activity)\n\(provider)\n</application>")

  static let paths = #"<paths><cache-path name="payloads" path="payloads/" /></paths>"#

  static func markup(_ text: String) throws -> Markup { try MarkupReader.read(Array(text.utf8)) }
}

extension [DoctorFinding] {
  /// As in "error query-scheme-missing", in their order.
  var names: [String] { map { "\($0.severity.rawValue) \($0.rule.rawValue)" } }
}
