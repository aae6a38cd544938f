internal import ReelsModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a worker answers: one JSON object on each line of its standard output.
///
/// A `prepare` job ends with `finished`, `skipped` or `failed`, a `plan` job with `planned`,
/// `skipped` or `failed`, an `inspect` job with `inspected` or `failed`, a `parts` job with `parts` or
/// `failed`.
enum WorkerMessage: Hashable, Sendable {
  case event(Event)
  case inspected(Inspection)
  case parts([Request])
}

extension WorkerMessage: Codable {
  private enum CodingKeys: String, CodingKey { case type, requests }
  private static let inspectedType = "inspected"
  private static let partsType = "parts"

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(String.self, forKey: .type) {
    case Self.inspectedType: self = .inspected(try Inspection(from: decoder))
    case Self.partsType:
      self = .parts(try container.decode([Request].self, forKey: .requests))
    default: self = .event(try Event(from: decoder))
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .event(let event): try event.encode(to: encoder)
    case .parts(let requests):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(Self.partsType, forKey: .type)
      try container.encode(requests, forKey: .requests)
    case .inspected(let inspection):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(Self.inspectedType, forKey: .type)
      try inspection.encode(to: encoder)
    }
  }
}

/// One JSON object on one line.
package enum JSONLine {
  /// The object with sorted keys and a newline after it.
  ///
  /// - Throws: `EncodingError` for a number that is not finite.
  package static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value)) + [0x0A]
  }

  /// - Returns: nil for a line that is no such value.
  package static func decode<Value: Decodable>(_ type: Value.Type, from line: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(line))
  }
}
