import Foundation
import ReelsModel

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads an XML document that somebody else wrote: no entity of its own, nothing loaded from
/// elsewhere, bounded in depth and in elements.
enum MarkupReader {
  /// A manifest is about 10 deep, and libxml2 stops at 256.
  static let depthMaximum = 64
  /// A large project's manifest has a few thousand.
  static let elementsMaximum = 50_000

  /// - Throws: `DocumentError` for what is not UTF-8, not well-formed, declares entities, or is
  ///   nested or large beyond all use.
  static func read(_ bytes: [UInt8]) throws(DocumentError) -> Markup {
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw DocumentError(because: "is not text in UTF-8")
    }
    if let name = encoding(of: text), !["utf-8", "us-ascii"].contains(name.lowercased()) {
      throw DocumentError(
        because: "says that it is written in \(name.singleLine); save it as UTF-8")
    }
    // What expands to a billion times its size, or reads other files, is no app's file.
    guard text.range(of: "<!ENTITY") == nil else {
      throw DocumentError(because: "declares entities, which are not read")
    }
    let parser = XMLParser(data: Data(bytes))
    parser.shouldResolveExternalEntities = false
    let builder = Builder()
    parser.delegate = builder
    let isWhole = parser.parse()
    if let refusal = builder.refusal { throw refusal }
    guard isWhole, let root = builder.root else {
      throw DocumentError(because: "is no well-formed XML: line \(max(1, parser.lineNumber))")
    }
    return root
  }

  /// What `<?xml … encoding="…"?>` says; nil where it says nothing.
  private static func encoding(of text: String) -> String? {
    let head = text.prefix(200)
    guard let end = head.range(of: "?>") else { return nil }
    let declaration = head[..<end.lowerBound]
    guard declaration.drop(while: { $0 == "\u{FEFF}" }).hasPrefix("<?xml"),
      let key = declaration.range(of: "encoding")
    else { return nil }
    let parts = declaration[key.upperBound...].split(
      maxSplits: 2, omittingEmptySubsequences: false, whereSeparator: { $0 == "\"" || $0 == "'" })
    return parts.count == 3 ? String(parts[1]) : ""
  }

  private final class Builder: NSObject, XMLParserDelegate {
    private(set) var root: Markup?
    private(set) var refusal: DocumentError?
    private var open: [Markup] = []
    private var count = 0

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      count += 1
      if open.count >= MarkupReader.depthMaximum {
        refuse("is nested more than \(MarkupReader.depthMaximum) deep", parser)
      } else if count > MarkupReader.elementsMaximum {
        refuse("has more than \(MarkupReader.elementsMaximum) elements", parser)
      } else {
        open.append(Markup(name: name, attributes: attributes, line: parser.lineNumber))
      }
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
      qualifiedName: String?
    ) {
      guard refusal == nil, let element = open.popLast() else { return }
      if open.isEmpty {
        root = element
      } else {
        open[open.count - 1].children.append(element)
      }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { take(text) }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
      take(String(decoding: block, as: UTF8.self))
    }

    private func take(_ text: String) {
      if !open.isEmpty { open[open.count - 1].text += text }
    }

    private func refuse(_ because: String, _ parser: XMLParser) {
      guard refusal == nil else { return }
      refusal = DocumentError(because: because)
      parser.abortParsing()
    }
  }
}
