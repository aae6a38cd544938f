import ReelsModel

/// A file that the doctor reads, by what it holds, whatever its name is.
enum DoctorDocument: Hashable, Sendable {
  case infoPlist(PropertyList)
  case manifest(Markup)
  /// What a `FileProvider` shares, of `res/xml`.
  case paths(Markup)

  /// Bytes. An Info.plist has a few kilobytes, a large project's manifest about a hundred.
  static let bytesMaximum = 4_000_000

  /// - Throws: `PrepError`, blamed on the input.
  static func read(_ path: FilePath) throws(PrepError) -> DoctorDocument {
    let bytes: [UInt8]?
    do throws(FileError) {
      let file = try OpenFile.open(path, for: .reading)
      // A pipe would be waited for.
      bytes = try file.status().kind == .file ? file.read(bytesMaximum + 1) : nil
    } catch {
      throw error.prepError(blame: .input)
    }
    guard let bytes else {
      throw PrepError(code: .notAFile, sentence: "\(path) is no regular file", blame: .input)
    }
    return try read(bytes, path)
  }

  static func read(_ bytes: [UInt8], _ path: FilePath) throws(PrepError) -> DoctorDocument {
    do throws(DocumentError) {
      return try document(bytes)
    } catch {
      throw PrepError(
        code: .notReadable, sentence: "\(path) \(error.because)", blame: .input)
    }
  }

  private static func document(_ bytes: [UInt8]) throws(DocumentError) -> DoctorDocument {
    guard bytes.count <= bytesMaximum else {
      throw DocumentError(because: "has more than \(bytesMaximum) bytes")
    }
    guard !bytes.isEmpty else { throw DocumentError(because: "is empty") }
    if bytes.starts(with: Array("bplist".utf8)) {
      return .infoPlist(try BinaryPropertyList.read(bytes))
    }
    // ResChunk_header of Android's ResourceTypes.h: RES_XML_TYPE, a header of 8 bytes.
    if bytes.starts(with: [3, 0, 8, 0]) {
      throw DocumentError(
        because: "is a compiled manifest; name the AndroidManifest.xml of the sources")
    }
    let root = try MarkupReader.read(bytes)
    switch root.name {
    case "plist": return .infoPlist(try PropertyList(root))
    case "manifest": return .manifest(root)
    case "paths": return .paths(root)
    default:
      throw DocumentError(
        because: "is neither an Info.plist nor an AndroidManifest.xml: its element is <"
          + "\(root.name.prefix(64))>")
    }
  }
}
