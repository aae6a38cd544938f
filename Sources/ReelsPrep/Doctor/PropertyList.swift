/// A property list as it is written: in order, a key that comes twice twice, with lines.
struct PropertyList: Hashable, Sendable {
  enum Value: Hashable, Sendable {
    case text(String)
    case array([PropertyList])
    case dictionary([Entry])
    /// Another kind, as in "a number".
    case other(String)
  }

  struct Entry: Hashable, Sendable {
    var key: String
    var value: PropertyList
    /// Of the key.
    var line: Int?
  }

  var value: Value
  /// Counted from 1; nil in a binary list.
  var line: Int?

  /// What it is, for people.
  var kind: String {
    switch value {
    case .text: "a string"
    case .array: "an array"
    case .dictionary: "a dictionary"
    case .other(let kind): kind
    }
  }

  var text: String? {
    if case .text(let text) = value { text } else { nil }
  }

  /// Empty where it is no array.
  var elements: [PropertyList] {
    if case .array(let elements) = value { elements } else { [] }
  }

  /// Empty where it is no dictionary.
  var entries: [Entry] {
    if case .dictionary(let entries) = value { entries } else { [] }
  }

  func entries(for key: String) -> [Entry] { entries.filter { $0.key == key } }

  /// The first of that key.
  subscript(key: String) -> PropertyList? { entries.first { $0.key == key }?.value }
}

extension PropertyList {
  /// The value of a `<plist>` element. Apple, PropertyList-1.0.dtd.
  ///
  /// - Throws: `DocumentError`.
  init(_ root: Markup) throws(DocumentError) {
    guard root.name == "plist", let top = root.children.first, root.children.count == 1 else {
      throw DocumentError(because: "is no property list: it has no single value in <plist>")
    }
    self = try Self.value(of: top)
  }

  private static func value(of element: Markup) throws(DocumentError) -> PropertyList {
    let value: Value
    switch element.name {
    case "string": value = .text(element.text)
    case "array":
      var elements: [PropertyList] = []
      for child in element.children { elements.append(try Self.value(of: child)) }
      value = .array(elements)
    case "dict": value = .dictionary(try entries(of: element))
    case "integer", "real": value = .other("a number")
    case "true", "false": value = .other("true or false")
    case "date": value = .other("a date")
    case "data": value = .other("data")
    default:
      throw DocumentError(
        because: "is no property list: <\(element.name)> in line \(element.line)")
    }
    return PropertyList(value: value, line: element.line)
  }

  private static func entries(of element: Markup) throws(DocumentError) -> [Entry] {
    var entries: [Entry] = []
    var rest = element.children[...]
    while let key = rest.popFirst() {
      guard key.name == "key", let value = rest.popFirst() else {
        throw DocumentError(
          because: "is no property list: <\(key.name)> in line \(key.line) has no pair")
      }
      entries.append(
        Entry(key: key.text, value: try Self.value(of: value), line: key.line))
    }
    return entries
  }
}
