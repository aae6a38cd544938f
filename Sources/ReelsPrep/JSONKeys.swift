/// The keys and the numbers of a JSON text, nested as they are; other values are passed over.
indirect enum JSONKeys: Decodable {
  case object([String: JSONKeys])
  case list([JSONKeys])
  case number(Double)
  case value

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.singleValueContainer().decode([String: JSONKeys].self) {
      self = .object(object)
    } else if let list = try? decoder.singleValueContainer().decode([JSONKeys].self) {
      self = .list(list)
    } else if let number = try? decoder.singleValueContainer().decode(Double.self) {
      self = .number(number)
    } else {
      self = .value
    }
  }

  /// The paths of the keys that are here and not in `known`, sorted.
  func paths(missingFrom known: JSONKeys, at prefix: String = "") -> [String] {
    switch (self, known) {
    case (.object(let keys), .object(let known)):
      return keys.sorted { $0.key < $1.key }.flatMap { key, nested in
        let path = prefix.isEmpty ? key : "\(prefix).\(key)"
        return known[key].map { nested.paths(missingFrom: $0, at: path) } ?? [path]
      }
    case (.list(let items), .list(let known)):
      return zip(items, known).enumerated().flatMap { index, pair in
        pair.0.paths(missingFrom: pair.1, at: "\(prefix)[\(index)]")
      }
    default: return []
    }
  }

  /// The path of the first number that is not whole, of those under a key that is not in `except`.
  func pathOfFraction(except: Set<String>, at prefix: String = "") -> String? {
    switch self {
    case .object(let keys):
      keys.sorted { $0.key < $1.key }.lazy.filter { !except.contains($0.key) }
        .compactMap { key, nested in
          nested.pathOfFraction(except: except, at: prefix.isEmpty ? key : "\(prefix).\(key)")
        }.first
    case .list(let items):
      items.enumerated().lazy.compactMap { index, item in
        item.pathOfFraction(except: except, at: "\(prefix)[\(index)]")
      }.first
    case .number(let number): Int64(exactly: number) == nil ? prefix : nil
    case .value: nil
    }
  }
}
