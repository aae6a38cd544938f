/// An element of an XML document.
struct Markup: Hashable, Sendable {
  /// With its prefix, as it is written.
  var name: String
  /// By their names with prefix, as in "android:name".
  var attributes: [String: String] = [:]
  var children: [Markup] = []
  /// The text directly inside.
  var text = ""
  /// Counted from 1.
  var line: Int

  func children(named name: String) -> [Markup] { children.filter { $0.name == name } }

  /// The value of `android:<name>`; nil where it is absent.
  func android(_ name: String) -> String? { attributes["android:\(name)"] }

  /// Whether the manifest merger takes the element away: Android, "Merge manifests", tools:node.
  var isRemoved: Bool { ["remove", "removeAll"].contains(attributes["tools:node"]) }

  /// The text as it is written between two tags or two quotation marks.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }
}
