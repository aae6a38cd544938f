internal import ReelsFFmpeg
internal import ReelsModel

/// The rules of a payload's directory: its manifest, its files, its cover and its sticker.
struct PayloadCheck: Sendable {
  let directory: FilePath
  let manifest: Manifest
  let limits: Preset.Limits

  /// - Throws: `PrepError` where the directory cannot be read.
  func findings() throws(PrepError) -> [Finding] {
    var findings = [try files(), manifestFinding]
    findings += [cover()]
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
    if PayloadFile.video(in: manifest.files) == nil { faults.append("no video") }
    if manifest.files.contains(where: { $0.name == manifest.cover.file }) == false {
      faults.append("no cover")
    }
    if manifest.share.isEmpty { faults.append("no destination") }
    if Set(manifest.files.map(\.name)).count != manifest.files.count {
      faults.append("a file twice")
    }
    for file in manifest.files {
      guard let known = Self.mediaTypes[file.name], known != file.mediaType else { continue }
      faults.append("\(file.name) as \(file.mediaType), not \(known)")
    }
    if manifest.cover.timeSeconds < .zero
      || manifest.cover.timeSeconds >= manifest.video.durationSeconds
    {
      faults.append("a cover at \(manifest.cover.timeSeconds) s")
    }
    faults += ShareCheck(manifest: manifest).faults
    return Finding(
      rule: .manifest, verdict: faults.isEmpty ? .pass : .fail,
      found: faults.first ?? "version \(manifest.formatVersion)",
      allowed: "version \(Manifest.currentVersion), a video, a cover and a destination",
      location: Manifest.fileName)
  }

  private static let mediaTypes = [
    PayloadFile.video: "video/mp4", PayloadFile.cover: "image/jpeg",
    PayloadFile.stickerPNG: "image/png", PayloadFile.stickerJPEG: "image/jpeg",
  ]

  // MARK: Pictures

  private static let most = ByteCount(32_000_000)

  private func read(_ name: String) -> [UInt8]? {
    try? FileSystem.read(directory.appending(name), limit: Self.most)
  }

  private func cover() -> Finding {
    let limit = limits.coverBytesMaximum
    let bytes = read(manifest.cover.file) ?? []
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
      location: manifest.cover.file)
  }

  private func sticker(_ file: Manifest.File) -> Finding {
    let limit = limits.stickerSize
    guard let picture = read(file.name).flatMap(StillPicture.init) else {
      return Finding(
        rule: .sticker, verdict: .fail, found: "no PNG or JPEG that can be read",
        allowed: "a PNG or JPEG", location: file.name)
    }
    let size = picture.size
    let fits = size.width <= limit.value.width && size.height <= limit.value.height
    var fault = picture.fault ?? picture.metadata
    if case .png(let png) = picture, png.isAnimated { fault = "an animation" }
    if fault == nil, let stated = Self.mediaTypes[file.name], stated != picture.mediaType {
      fault = "\(picture.mediaType) in \(file.name)"
    }
    if let fault {
      return Finding(
        rule: .sticker, verdict: .fail, found: fault,
        allowed: "a whole PNG or JPEG without metadata, named as what it is", location: file.name)
    }
    return Finding(
      rule: .sticker, verdict: fits ? .pass : limit.severity == .hard ? .fail : .advised,
      found: "\(size)", allowed: "a PNG or JPEG of at most \(limit.value)", location: file.name)
  }
}
