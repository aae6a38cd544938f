package import Foundation
package import ReelsModel

/// What ffprobe says of a file. Names are ffprobe's own.
package struct Probe: Sendable, Codable {
  package struct Format: Sendable, Codable {
    package let formatName: String
    package let startTime: String?
    package let duration: String?
    package let size: String?
    package let bitRate: String?
    package let tags: [String: String]?
  }

  package struct Stream: Sendable, Codable {
    package struct SideData: Sendable, Codable {
      package let sideDataType: String?
      package let rotation: Int?
    }

    package let index: Int
    package let codecType: String?
    package let codecName: String?
    package let codecTagString: String?
    package let profile: String?
    package let level: Int?
    package let width: Int?
    package let height: Int?
    package let pixFmt: String?
    package let sampleAspectRatio: String?
    package let fieldOrder: String?
    package let colorRange: String?
    package let colorSpace: String?
    package let colorTransfer: String?
    package let colorPrimaries: String?
    package let hasBFrames: Int?
    package let sampleRate: String?
    package let channels: Int?
    package let channelLayout: String?
    package let rFrameRate: String?
    package let avgFrameRate: String?
    package let timeBase: String?
    package let startPts: Int64?
    package let durationTs: Int64?
    package let duration: String?
    package let bitRate: String?
    package let nbFrames: String?
    /// With `counting`: frames that were decoded.
    package let nbReadFrames: String?
    package let tags: [String: String]?
    package let sideDataList: [SideData]?

    /// Seconds of one tick.
    package var tick: Ratio { timeBase.flatMap { Ratio(fraction: $0) } ?? Ratio(0) }

    package func time(_ ticks: Int64) -> MediaTime { MediaTime(ticks: ticks, timeBase: tick) }
  }

  package struct Packet: Sendable, Codable {
    package let streamIndex: Int
    package let pts: Int64?
    package let dts: Int64?
    package let duration: Int64?
    package let size: String
    /// "K" is a key frame, "D" is decoded and not shown.
    package let flags: String

    package var bytes: Int { Int(size) ?? 0 }
    package var isKey: Bool { flags.contains("K") }
  }

  package struct Frame: Sendable, Codable {
    package let mediaType: String?
    package let streamIndex: Int
    package let keyFrame: Int?
    package let pts: Int64?
    package let width: Int?
    package let height: Int?
    package let pixFmt: String?
    package let pictType: String?
    package let interlacedFrame: Int?
    package let colorRange: String?
    package let colorSpace: String?
    package let colorPrimaries: String?
    package let colorTransfer: String?
    package let nbSamples: Int?
  }

  package let format: Format
  package let streams: [Stream]
  package let packets: [Packet]?
  package let frames: [Frame]?

  /// - Parameters:
  ///   - packets: Whether all packets are listed.
  ///   - frames: Whether all frames are decoded and listed.
  ///   - counting: Whether all frames are decoded and counted.
  package init(
    _ file: URL, packets: Bool = false, frames: Bool = false, counting: Bool = false,
    editLists: EditLists = .honoured
  ) throws {
    var arguments = [
      "-v", "error", "-threads", "2", "-of", "json", "-show_format", "-show_streams",
    ]
    // Asked for both at once, ffprobe makes one list of both; hence the two calls.
    if frames {
      arguments.append("-show_frames")
    } else if packets {
      arguments.append("-show_packets")
    }
    if counting { arguments.append("-count_frames") }
    arguments += editLists.inputArguments(for: file) + [file.path]
    let answer = try Self.decode(try Tool.ffprobe.run(arguments).stdout)
    format = answer.format
    streams = answer.streams
    self.frames = answer.frames
    self.packets =
      packets && frames
      ? try Probe(file, packets: true, editLists: editLists).packets : answer.packets
  }

  private static func decode(_ data: Data) throws -> Probe {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Probe.self, from: data)
  }

  package func streams(of type: String) -> [Stream] { streams.filter { $0.codecType == type } }
  package var video: Stream? { streams(of: "video").first }
  package var audio: Stream? { streams(of: "audio").first }

  package func packets(of stream: Stream) -> [Packet] {
    (packets ?? []).filter { $0.streamIndex == stream.index }
  }
}
