#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is wrong with a JSON text, and the path of the key: `limits.frameRate: expected a number`.
struct JSONProblem: CustomStringConvertible {
  let description: String

  init(_ error: any Error) {
    switch error {
    case DecodingError.typeMismatch(let type, let context):
      description = Self.at(context.codingPath, "expected \(Self.name(of: type))")
    case DecodingError.valueNotFound(let type, let context):
      description = Self.at(context.codingPath, "is null; expected \(Self.name(of: type))")
    case DecodingError.keyNotFound(let key, let context):
      description = Self.at(context.codingPath + [key], "is missing")
    case DecodingError.dataCorrupted(let context):
      description =
        context.codingPath.isEmpty
        ? "is not JSON" : Self.at(context.codingPath, Self.fact(of: context))
    case EncodingError.invalidValue(let value, let context):
      description = Self.at(context.codingPath, "\(value) has no place in JSON")
    default:
      description = "\(error)"
    }
  }

  private static func at(_ path: [any CodingKey], _ fact: String) -> String {
    path.isEmpty ? fact : "\(text(of: path)): \(fact)"
  }

  /// As in `share[0].ios.url`.
  static func text(of path: [any CodingKey]) -> String {
    var text = ""
    for key in path {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return text
  }

  private static func fact(of context: DecodingError.Context) -> String {
    context.codingPath.last?.stringValue == "severity"
      ? "expected \"hard\" or \"advised\"" : "has a value that is not allowed here"
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is any FixedWidthInteger.Type: "a whole number"
    case is any FloatingPoint.Type: "a number"
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is any Sequence.Type where "\(type)".hasPrefix("Array"): "a list"
    default: "an object"
    }
  }
}
