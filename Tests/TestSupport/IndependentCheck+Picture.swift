import Foundation
import ReelsModel

extension IndependentCheck {
  func checkPicture(_ subject: Subject, _ video: Probe.Stream, _ problems: inout Problems) {
    let report = subject.report.video ?? [:]
    problems.expect(.videoCodec, "the video codec", video.codecName, "h264")
    problems.expect(.videoCodec, "mediainfo's format", report["Format"], "AVC")
    let profiles = isCopy ? ["High", "Main", "Baseline", "Constrained Baseline"] : ["High"]
    problems.expect(
      .videoProfile, profiles.contains(video.profile ?? ""),
      "the profile is \(video.profile ?? "not stated")")
    problems.expect(
      .videoProfile, profiles.contains(report["Format_Profile"] ?? ""),
      "mediainfo's profile is \(report["Format_Profile"] ?? "not stated")")
    problems.expect(.pixelFormat, "the pixel format", video.pixFmt, "yuv420p")
    problems.expect(.pixelFormat, "mediainfo's bit depth", report["BitDepth"], "8")
    problems.expect(.pixelFormat, "mediainfo's chroma", report["ChromaSubsampling"], "4:2:0")
    problems.expect(.progressive, "the field order", video.fieldOrder, "progressive")
    problems.expect(.progressive, "mediainfo's scan type", report["ScanType"], "Progressive")

    let (width, height) = (video.width ?? 0, video.height ?? 0)
    problems.expect(
      .evenSides, width > 0 && height > 0 && width % 2 == 0 && height % 2 == 0,
      "the size is \(width)x\(height)")
    problems.expect(
      .frameSize, max(width, height) <= 1920 && min(width, height) <= 1080,
      "the size is \(width)x\(height), more than 1080x1920 or 1920x1080")
    if !(isCopy && video.sampleAspectRatio == nil) {
      problems.expect(.squarePixels, "the sample aspect ratio", video.sampleAspectRatio, "1:1")
    }
    problems.expect(
      .squarePixels, "mediainfo's pixel aspect ratio", report["PixelAspectRatio"], "1.000")
    for data in video.sideDataList ?? [] {
      problems.expect(
        .upright, (data.rotation ?? 0) == 0 && data.sideDataType != "Display Matrix",
        "ffprobe has \(data.sideDataType ?? "side data") with rotation \(data.rotation ?? 0)")
    }
    problems.expect(
      .upright, Double(report["Rotation"] ?? "0") == 0,
      "mediainfo's rotation is \(report["Rotation"] ?? "")")
  }

  /// BT.709 in the bitstream and in the container.
  func checkColor(_ subject: Subject, _ video: Probe.Stream, _ problems: inout Problems) {
    problems.expect(.colorTags, "the range", video.colorRange, "tv")
    problems.expect(.colorTags, "the matrix", video.colorSpace, "bt709")
    problems.expect(.colorTags, "the primaries", video.colorPrimaries, "bt709")
    problems.expect(.colorTags, "the transfer", video.colorTransfer, "bt709")
    let track = subject.boxes.tracks.first { $0.handler == "vide" }
    problems.expect(
      .colorTags, "the box colr", track?.color,
      BoxOracle.Track.Color(primaries: 1, transfer: 1, matrix: 1, isFullRange: false))
    let report = subject.report.video ?? [:]
    for key in ["colour_primaries", "transfer_characteristics", "matrix_coefficients"] {
      problems.expect(.colorTags, "mediainfo's \(key)", report[key], "BT.709")
      problems.expect(
        .colorTags, report["\(key)_Source"]?.contains("Stream") == true,
        "mediainfo has \(key) from \(report["\(key)_Source"] ?? "nowhere"), not from the stream")
    }
    problems.expect(.colorTags, "mediainfo's range", report["colour_range"], "Limited")
  }

  func checkSound(_ subject: Subject, _ audio: Probe.Stream, _ problems: inout Problems) {
    let report = subject.report.audio ?? [:]
    problems.expect(.audioCodec, "the audio codec", audio.codecName, "aac")
    problems.expect(.audioCodec, "the audio profile", audio.profile, "LC")
    problems.expect(.audioCodec, "mediainfo's audio format", report["Format"], "AAC")
    problems.expect(
      .audioCodec, "mediainfo's audio profile", report["Format_AdditionalFeatures"], "LC")
    let rate = audio.sampleRate.flatMap { Int($0) } ?? 0
    problems.expect(
      .audioSampleRate, (8000...48_000).contains(rate), "the sample rate is \(rate) Hz")
    let channels = audio.channels ?? 0
    problems.expect(.audioChannels, (1...2).contains(channels), "there are \(channels) channels")
  }
}
