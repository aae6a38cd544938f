internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

extension FileSystem {
  /// A file's size; its absence is an output error.
  static func bytes(of path: FilePath) throws(PrepError) -> ByteCount {
    do throws(FileError) {
      if let status = try status(path) { return status.bytes }
    } catch {
      throw error.prepError(blame: .output)
    }
    throw PrepError(
      code: .output, sentence: "\(path.lastComponent) has vanished while it was written",
      blame: .output)
  }
}

extension PictureFormat {
  init(_ survey: VideoSurvey) {
    self.init(
      size: survey.codedSize, sampleAspect: survey.bitstreamAspect,
      pixelFormat: survey.pixelFormat, color: survey.color)
  }
}

extension PrepError {
  /// The sentence for what failed between decoding and writing.
  init(transcoding name: String, output: FilePath, _ error: FFmpegError) {
    if error.code == .outOfMemory {
      self.init(reading: name, error)
      return
    }
    let detail = error.detail.map { " (\($0))" } ?? ""
    switch (error.operation, error.code.errno) {
    case ("write", 28), ("create", 28):
      self = DiskSpace.full(at: output, needed: nil)
    case ("write", _), ("create", _):
      self.init(
        code: .output, sentence: "cannot write into \(output): \(error.meaning)\(detail)",
        blame: .output)
    case ("encode", _), ("filter", _):
      self.init(
        code: .program,
        sentence: "\(name) could not be processed: \(error.description); this is a bug of "
          + "reels-prep, or an FFmpeg without what it needs", blame: .program)
    default:
      self.init(reading: name, error)
    }
  }
}
