import Foundation
import ReelsModel
import Testing

@testable import ReelsPrep

/// `docs/preset.schema.json` takes what the program takes, and refuses what it refuses.
struct PresetSchemaTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "docs/preset.schema.json")

  private func schema() throws -> JSONSchema { try JSONSchema(Data(contentsOf: Self.file)) }

  private func problem(_ text: String) throws -> String? {
    try schema().problem(in: JSONSerialization.jsonObject(with: Data(text.utf8)))
  }

  @Test(arguments: Presets.names) func `a built-in preset is one`(name: String) throws {
    #expect(try problem(try #require(Presets.json(name))) == nil)
  }

  @Test(arguments: [
    ("\"revision\": 3,", "\"revision\": 0,"),
    ("\"revision\": 3,", "\"revision\": \"3\","),
    ("\"revision\": 3,", "\"revision\": 3.5,"),
    ("\"revision\": 3,", "\"revision\": 3, \"note\": [],"),
    ("\"severity\": \"hard\"", "\"severity\": \"soft\""),
    ("\"fileBytesBelow\"", "\"fileBytes\""),
    ("\"value\": 50000000", "\"value\": -1"),
    ("\"value\": false", "\"value\": \"no\""),
    ("\"date\": \"2026-04-06\"", "\"date\": \"April\""),
    ("\"maximum\": 60", "\"most\": 60"),
  ]) func `what the program refuses, the schema does`(good: String, bad: String) throws {
    let text = try #require(Presets.json("reels"))
    try #require(text.contains(good))
    let broken = text.replacing(good, with: bad)
    #expect(try problem(broken) != nil)
    #expect(throws: PrepError.self) { try Presets.parse(Array(broken.utf8), from: "broken") }
  }

  /// Every limit that the program knows is in the schema, and no other.
  @Test func `the limits are the program's`() throws {
    var preset = try Presets.load("stories")
    preset.name = "all"
    #expect(preset.limits.leastSize != nil)
    let encoded = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(preset)) as? [String: Any])
    let limits = try #require(encoded["limits"] as? [String: Any])
    #expect(Set(limits.keys) == (try schema().keys(of: ["properties", "limits", "properties"])))
  }
}

/// As much of JSON Schema (draft 2020-12) as the preset's needs.
private struct JSONSchema {
  private let root: [String: Any]

  init(_ data: Data) throws {
    root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  func keys(of path: [String]) throws -> Set<String> {
    var node = root
    for key in path { node = try #require(node[key] as? [String: Any]) }
    return Set(node.keys)
  }

  /// - Returns: the path of the first value that does not fit; nil where all do.
  func problem(in value: Any) -> String? { problem(value, root, "") }

  private func problem(_ value: Any, _ schema: [String: Any], _ path: String) -> String? {
    if let reference = schema["$ref"] as? String {
      let name = String(reference.dropFirst("#/$defs/".count))
      guard let next = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
        return "\(path): no \(reference)"
      }
      return problem(value, next, path)
    }
    if let allowed = schema["enum"] as? [String] {
      return (value as? String).map(allowed.contains) == true ? nil : path
    }
    switch schema["type"] as? String {
    case "object": return object(value, schema, path)
    case "array":
      guard let items = value as? [Any], let each = schema["items"] as? [String: Any] else {
        return path
      }
      return items.indices.lazy.compactMap { problem(items[$0], each, "\(path)[\($0)]") }.first
    case "string":
      guard let text = value as? String, text.count >= schema["minLength"] as? Int ?? 0 else {
        return path
      }
      guard let pattern = schema["pattern"] as? String else { return nil }
      return text.range(of: pattern, options: .regularExpression) == nil ? path : nil
    case "boolean": return Self.isBoolean(value) ? nil : path
    case "integer", "number":
      guard let number = value as? NSNumber, !Self.isBoolean(value) else { return path }
      let double = number.doubleValue
      if schema["type"] as? String == "integer", double != double.rounded() { return path }
      if let least = schema["minimum"] as? Double, double < least { return path }
      if let below = schema["exclusiveMinimum"] as? Double, double <= below { return path }
      return nil
    default: return "\(path): unknown type"
    }
  }

  private func object(_ value: Any, _ schema: [String: Any], _ path: String) -> String? {
    guard let object = value as? [String: Any] else { return path }
    for key in schema["required"] as? [String] ?? [] where object[key] == nil {
      return "\(path).\(key)"
    }
    let properties = schema["properties"] as? [String: Any] ?? [:]
    for (key, child) in object {
      if let known = properties[key] as? [String: Any] {
        if let found = problem(child, known, "\(path).\(key)") { return found }
      } else if let others = schema["additionalProperties"] as? [String: Any] {
        if let found = problem(child, others, "\(path).\(key)") { return found }
      } else {
        return "\(path).\(key)"
      }
    }
    return nil
  }

  private static func isBoolean(_ value: Any) -> Bool {
    (value as? NSNumber).map { CFBooleanLike.isBoolean($0) } ?? false
  }
}

/// JSON's true and false are numbers of a kind of their own in Foundation.
private enum CFBooleanLike {
  static func isBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c"
  }
}
