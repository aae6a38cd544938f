package import Foundation

/// What the mediainfo command says of a file. Keys and values are its own.
package struct MediaInfoReport: Sendable {
  /// One dictionary for the file and one for each track; "@type" tells which.
  package let tracks: [[String: String]]

  package init(_ file: URL) throws {
    struct Answer: Decodable {
      struct Media: Decodable { let track: [[String: Value]] }
      let media: Media?
    }
    let output = try Tool.mediainfo.run(["--Output=JSON", file.path])
    let answer = try JSONDecoder().decode(Answer.self, from: output.stdout)
    tracks = answer.media?.track.map { $0.compactMapValues(\.string) } ?? []
  }

  package func first(_ type: String) -> [String: String]? {
    tracks.first { $0["@type"] == type }
  }
  package var general: [String: String]? { first("General") }
  package var video: [String: String]? { first("Video") }
  package var audio: [String: String]? { first("Audio") }

  /// A string, or something else that is left out.
  private struct Value: Decodable {
    let string: String?

    init(from decoder: any Decoder) throws {
      string = try? decoder.singleValueContainer().decode(String.self)
    }
  }
}
