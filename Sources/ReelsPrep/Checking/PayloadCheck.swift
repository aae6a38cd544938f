internal import ReelsFFmpeg
internal import ReelsModel

/// The rules of a payload's directory: its manifest, its files and its pictures.
struct PayloadCheck: Sendable {
  let directory: FilePath
  let manifest: Manifest
  let limits: Preset.Limits

  /// - Throws: `PrepError` where the directory cannot be read.
  func findings() throws(PrepError) -> [Finding] {
    var findings = [try files(), manifestFinding]
    if let cover = manifest.cover { findings.append(self.cover(cover.file)) }
    if let background = PayloadFile.background(in: manifest.files) {
      findings.append(self.background(background))
    }
    if let sticker = PayloadFile.sticker(in: manifest.files) {
      findings.append(self.sticker(sticker))
    }
    return findings
  }

  // MARK: Files

  private func files() throws(PrepError) -> Finding {
    var fault: (found: String, place: String)?
    let names = Set(manifest.files.map(\.name))
    for file in manifest.files where fault == nil {
      if file.name.contains("/") || file.name == ".." || file.name.isEmpty {
        fault = ("a name that is a path: \(file.name)", Manifest.fileName)
      } else {
        fault = problem(of: file).map { ($0, file.name) }
      }
    }
    if fault == nil {
      let found: [String]
      do throws(FileError) {
        found = try DirectoryTree.names(in: directory).map(\.string)
      } catch {
        throw error.prepError(blame: .input)
      }
      fault = found.sorted().first { $0 != Manifest.fileName && !names.contains($0) }
        .map { ("a file that the manifest does not name", $0) }
    }
    return Finding(
      rule: .payloadFiles, verdict: fault == nil ? .pass : .fail,
      found: (fault?.found ?? "\(names.count) files").singleLine,
      allowed: "the manifest's files, each of its bytes and hash", location: fault?.place.singleLine
    )
  }

  private func problem(of file: Manifest.File) -> String? {
    let path = directory.appending(file.name)
    do {
      guard let status = try FileSystem.status(path, followingLinks: false) else {
        return "missing"
      }
      guard status.kind == .file else { return "no regular file" }
      guard status.bytes.value == file.bytes else {
        return "\(status.bytes.value) bytes where the manifest says \(file.bytes)"
      }
      let digest = try Digest()
      try FileSystem.readChunks(path) { digest.update($0) }
      let hash = digest.finish()
      return hash == file.sha256.lowercased() ? nil : "another SHA-256 than the manifest says"
    } catch {
      return "not readable"
    }
  }

  private var manifestFinding: Finding {
    var faults: [String] = []
    if let video = manifest.video {
      faults += videoFaults(video)
    } else {
      faults += storyFaults
    }
    if manifest.share.isEmpty { faults.append("no destination") }
    if Set(manifest.files.map(\.name)).count != manifest.files.count {
      faults.append("a file twice")
    }
    for file in manifest.files {
      guard let known = Self.mediaTypes[file.name], known != file.mediaType else { continue }
      faults.append("\(file.name) as \(file.mediaType), not \(known)")
    }
    faults += ShareCheck(manifest: manifest).faults
    return Finding(
      rule: .manifest, verdict: faults.isEmpty ? .pass : .fail,
      found: faults.first ?? "version \(manifest.formatVersion)",
      allowed: "version \(Manifest.currentVersion), a destination, and "
        + (manifest.video == nil
          ? "a picture, or a sticker on colours or nothing" : "a video and a cover"),
      location: Manifest.fileName)
  }

  private func videoFaults(_ video: Manifest.Video) -> [String] {
    var faults: [String] = []
    if PayloadFile.video(in: manifest.files) == nil { faults.append("no video") }
    if let cover = manifest.cover {
      if !manifest.files.contains(where: { $0.name == cover.file }) { faults.append("no cover") }
      if cover.timeSeconds < .zero || cover.timeSeconds >= video.durationSeconds {
        faults.append("a cover at \(cover.timeSeconds) s")
      }
    } else {
      faults.append("no cover")
    }
    if manifest.background != nil || PayloadFile.background(in: manifest.files) != nil {
      faults.append("a background besides the video")
    }
    return faults
  }

  /// Of a payload without a video: which parts go together is from Meta, Sharing to Stories,
  /// 2026-06-30.
  private var storyFaults: [String] {
    var faults: [String] = []
    let picture = PayloadFile.background(in: manifest.files)
    if PayloadFile.video(in: manifest.files) != nil {
      faults.append("a video of which it tells nothing")
    }
    if manifest.cover != nil { faults.append("a cover without a video") }
    if picture == nil, PayloadFile.sticker(in: manifest.files) == nil {
      faults.append("no video, no picture and no sticker")
    }
    if manifest.background?.file != picture?.name {
      faults.append("another background than there is")
    }
    let colors = [manifest.background?.topColor, manifest.background?.bottomColor]
    if picture != nil, colors.contains(where: { $0 != nil }) {
      faults.append("colours behind a picture")
    }
    if picture == nil, manifest.background != nil,
      !colors.allSatisfy({ $0.map(Self.isHashedColor) ?? false })
    {
      faults.append("colours that are not as in #1A2B3C")
    }
    return faults
  }

  private static func isHashedColor(_ text: String) -> Bool {
    text.hasPrefix("#") && text.utf8.count == 7
      && text.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  private static let mediaTypes = [
    PayloadFile.video: "video/mp4", PayloadFile.cover: "image/jpeg",
    PayloadFile.stickerPNG: "image/png", PayloadFile.stickerJPEG: "image/jpeg",
    PayloadFile.backgroundPNG: "image/png", PayloadFile.backgroundJPEG: "image/jpeg",
  ]

  // MARK: Pictures

  private static let most = ByteCount(32_000_000)

  private func read(_ name: String) -> [UInt8]? {
    try? FileSystem.read(directory.appending(name), limit: Self.most)
  }

  private func cover(_ name: String) -> Finding {
    let limit = limits.coverBytesMaximum
    let bytes = read(name) ?? []
    let picture = StillPicture(bytes)
    var fault: String?
    switch picture {
    case .jpeg(let jpeg):
      if Int64(bytes.count) > limit.value {
        fault = "\(ByteCount(Int64(bytes.count)))"
      } else if jpeg.bits != 8 || jpeg.components != 3 {
        fault = "\(jpeg.components) components of \(jpeg.bits) bits"
      } else {
        fault = jpeg.fault ?? jpeg.metadata
      }
    case .png: fault = "PNG"
    case nil: fault = "no picture that can be read"
    }
    return Finding(
      rule: .cover, verdict: fault == nil ? .pass : limit.severity == .hard ? .fail : .advised,
      found: fault ?? "JPEG \(picture.map { "\($0.size)" } ?? "")",
      allowed: "a JPEG of 8 bits in colour, at most \(ByteCount(limit.value)), without metadata",
      location: name)
  }

  private func sticker(_ file: Manifest.File) -> Finding {
    let limit = limits.stickerSize
    let size: PixelSize
    switch picture(file) {
    case .failure(let fault): return finding(.sticker, fault, file)
    case .success(let found): size = found
    }
    let fits = size.width <= limit.value.width && size.height <= limit.value.height
    return Finding(
      rule: .sticker, verdict: fits ? .pass : limit.severity == .hard ? .fail : .advised,
      found: "\(size)", allowed: "a PNG or JPEG of at most \(limit.value)", location: file.name)
  }

  private func background(_ file: Manifest.File) -> Finding {
    let size: PixelSize
    switch picture(file) {
    case .failure(let fault): return finding(.background, fault, file)
    case .success(let found): size = found
    }
    if let stated = manifest.background?.size, stated != size {
      return Finding(
        rule: .background, verdict: .fail, found: "\(size) where the manifest says \(stated)",
        allowed: "what the picture is", location: file.name)
    }
    let (most, least) = (limits.canvas.value, limits.leastSize)
    guard size.width <= most.width, size.height <= most.height else {
      return Finding(
        rule: .background, verdict: limits.canvas.severity == .hard ? .fail : .advised,
        found: "\(size)", allowed: "at most \(most)", location: file.name)
    }
    if let least, size.width < least.value.width || size.height < least.value.height {
      return Finding(
        rule: .background, verdict: least.severity == .hard ? .fail : .advised,
        found: "\(size)", allowed: "at least \(least.value)", location: file.name)
    }
    return Finding(
      rule: .background, verdict: .pass, found: "\(size)",
      allowed: "a PNG or JPEG of at most \(most)", location: file.name)
  }

  private struct PictureFault: Error {
    var found: String
    var allowed = "a whole PNG or JPEG without metadata, named as what it is"
  }

  private func picture(_ file: Manifest.File) -> Result<PixelSize, PictureFault> {
    guard let picture = read(file.name).flatMap(StillPicture.init) else {
      return .failure(
        PictureFault(found: "no PNG or JPEG that can be read", allowed: "a PNG or JPEG"))
    }
    var fault = picture.fault ?? picture.metadata
    if case .png(let png) = picture, png.isAnimated { fault = "an animation" }
    if fault == nil, let stated = Self.mediaTypes[file.name], stated != picture.mediaType {
      fault = "\(picture.mediaType) in \(file.name)"
    }
    return fault.map { .failure(PictureFault(found: $0)) } ?? .success(picture.size)
  }

  private func finding(_ rule: Rule, _ fault: PictureFault, _ file: Manifest.File) -> Finding {
    Finding(
      rule: rule, verdict: .fail, found: fault.found, allowed: fault.allowed, location: file.name)
  }
}
