package import Foundation
import ReelsModel

/// Measures, on decoded pictures and samples, how far the clicks of a `ClickFlashClip` are from
/// their flashes.
package struct SyncMeter: Sendable {
  package struct Event: Sendable, CustomStringConvertible {
    /// Seconds of the file's own time: the pts of the flash's first frame.
    package let flash: Double
    /// Seconds of the file's own time: the click's first sample.
    package let click: Double

    /// Click minus flash: positive where the sound is late.
    package var milliseconds: Double { (click - flash) * 1000 }

    package var description: String { "\(flash) s: \(milliseconds) ms" }
  }

  /// Each flash with the click nearest to it, in the order of time.
  package let events: [Event]
  /// Flashes without a click within 0.3 s, and clicks without a flash.
  package let loneFlashes: [Double]
  package let loneClicks: [Double]

  package init(_ file: URL, editLists: EditLists = .honoured) throws {
    let flashes = try Self.flashes(in: file, editLists: editLists)
    let sound = try DecodedAudio(file, editLists: editLists)
    var clicks = Click.onsets(in: sound.samples, rate: sound.rate).compactMap(sound.time(of:))
    var events: [Event] = []
    var lone: [Double] = []
    for flash in flashes {
      let nearest = clicks.indices.min { abs(clicks[$0] - flash) < abs(clicks[$1] - flash) }
      if let nearest, abs(clicks[nearest] - flash) < 0.3 {
        events.append(Event(flash: flash, click: clicks.remove(at: nearest)))
      } else {
        lone.append(flash)
      }
    }
    self.events = events
    loneFlashes = lone
    loneClicks = clicks
  }

  /// Click minus flash of each event.
  package var milliseconds: [Double] { events.map(\.milliseconds) }

  /// The offset that is farthest from 0; infinite where there is no event or one without a partner.
  package var worst: Double {
    guard !events.isEmpty, loneFlashes.isEmpty, loneClicks.isEmpty else { return .infinity }
    return milliseconds.max { abs($0) < abs($1) } ?? .infinity
  }

  /// The mean offset of the last third of the events minus that of the first third.
  package var drift: Double {
    let third = max(1, events.count / 3)
    let (first, last) = (milliseconds.prefix(third), milliseconds.suffix(third))
    return last.reduce(0, +) / Double(third) - first.reduce(0, +) / Double(third)
  }

  /// The pts of the frames at which the picture turns white.
  private static func flashes(in file: URL, editLists: EditLists) throws -> [Double] {
    let video = try DecodedVideo(
      file, size: PixelSize(width: 16, height: 8), editLists: editLists)
    let means = video.frames.map { frame in
      Double(frame.luma.reduce(0) { $0 + Int($1) }) / Double(frame.luma.count)
    }
    guard let low = means.min(), let high = means.max(), high - low > 60 else { return [] }
    let middle = (low + high) / 2
    return means.indices.compactMap { index in
      let turnsWhite = means[index] > middle && (index == 0 || means[index - 1] <= middle)
      return turnsWhite ? video.frames[index].pts?.doubleValue : nil
    }
  }
}
