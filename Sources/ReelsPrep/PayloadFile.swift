package import ReelsModel

/// The names of the files in a payload.
package enum PayloadFile {
  package static let video = "video.mp4"
  package static let cover = "cover.jpg"
  package static let stickerPNG = "sticker.png"
  package static let stickerJPEG = "sticker.jpg"
  package static let backgroundPNG = "background.png"
  package static let backgroundJPEG = "background.jpg"

  package static func video(in files: [Manifest.File]) -> Manifest.File? {
    files.first { $0.name == video }
  }

  package static func background(in files: [Manifest.File]) -> Manifest.File? {
    files.first { $0.name == backgroundPNG || $0.name == backgroundJPEG }
  }

  package static func sticker(in files: [Manifest.File]) -> Manifest.File? {
    files.first { $0.name == stickerPNG || $0.name == stickerJPEG }
  }
}
