public import ReelsModel
import ReelsPresets

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The built-in presets, and presets of the user's own.
public enum Presets {
  /// A preset is a few kilobytes; more than this is none.
  public static let fileLimit = ByteCount(1 << 20)

  /// The built-in presets' names, the default first.
  public static var names: [String] { EmbeddedPresets.files.map(\.name) }

  /// A built-in preset, or the preset in a file: a text with a "/" or ending in ".json" is a path.
  ///
  /// - Throws: `PrepError` for a name that is not known, a file that cannot be read, and a preset
  ///   that is wrong; its sentence names the path of the key.
  public static func load(_ nameOrPath: String) throws(PrepError) -> Preset {
    if nameOrPath.contains("/") || nameOrPath.lowercased().hasSuffix(".json") {
      let path = FilePath(nameOrPath)
      do {
        return try parse(FileSystem.read(path, limit: fileLimit), from: path.description)
      } catch let error as FileError {
        throw error.presetError
      } catch let error as PrepError {
        throw error
      } catch {
        throw PrepError(code: .badPreset, sentence: "\(path): \(error)", blame: .input)
      }
    }
    guard let file = EmbeddedPresets.files.first(where: { $0.name == nameOrPath }) else {
      throw PrepError(
        code: .badPreset,
        sentence: "there is no preset \"\(nameOrPath)\"; the presets are"
          + " \(names.joined(separator: ", ")), and a file of your own is given by its path",
        blame: .input)
    }
    return try parse(file.json, from: file.name)
  }

  /// The text of a built-in preset's file; nil for a name that is not known.
  public static func json(_ name: String) -> String? {
    EmbeddedPresets.files.first { $0.name == name }.map { String(decoding: $0.json, as: UTF8.self) }
  }

  /// - Parameter name: What the sentences call the preset.
  static func parse(_ json: [UInt8], from name: String) throws(PrepError) -> Preset {
    func refused(_ fact: String) -> PrepError {
      PrepError(code: .badPreset, sentence: "\(name): \(fact)", blame: .input)
    }
    let preset: Preset
    let unknown: [String]
    do {
      let decoder = JSONDecoder()
      let data = Data(json)
      preset = try decoder.decode(Preset.self, from: data)
      let known = try decoder.decode(JSONKeys.self, from: JSONEncoder().encode(preset))
      unknown = try decoder.decode(JSONKeys.self, from: data).paths(missingFrom: known)
    } catch {
      throw refused(pathOfFraction(in: json) ?? "\(JSONProblem(error))")
    }
    if let path = unknown.first { throw refused("\(path): unknown key") }
    if let problem = PresetCheck.problems(in: preset).first { throw refused(problem) }
    return preset
  }

  /// The decoder takes a text with 19.5 in the place of a whole number for no JSON at all.
  private static func pathOfFraction(in json: [UInt8]) -> String? {
    let keys = try? JSONDecoder().decode(JSONKeys.self, from: Data(json))
    return keys?.pathOfFraction(except: [
      "minimum", "maximum", "gopSecondsMaximum", "concealedShareMaximum",
    ]).map {
      "\($0): expected a whole number"
    }
  }
}

extension FileError {
  fileprivate var presetError: PrepError {
    var error = prepError(blame: .input)
    error.code = .badPreset
    return error
  }
}
