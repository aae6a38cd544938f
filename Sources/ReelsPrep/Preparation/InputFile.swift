internal import ReelsModel

/// What has to be true of an input before libav sees it.
enum InputFile {
  /// What a path is that a user named.
  ///
  /// - Throws: `PrepError` where nothing has that name, or it cannot be looked at.
  static func status(of path: FilePath) throws(PrepError) -> FileStatus {
    let status: FileStatus?
    do throws(FileError) {
      status = try FileSystem.status(path)
    } catch {
      throw error.prepError(blame: .input)
    }
    guard let status else {
      throw PrepError(
        code: .notFound, sentence: "\(path) does not exist; check the path", blame: .input)
    }
    return status
  }

  /// - Returns: the file's size.
  /// - Throws: `PrepError` for what is missing, empty, unreadable or not a regular file.
  static func check(_ path: FilePath) throws(PrepError) -> ByteCount {
    let name = path.lastComponent.description
    let status = try status(of: path)
    switch status.kind {
    case .file: break
    case .directory:
      throw PrepError(
        code: .notAFile, sentence: "\(path) is a folder, not a video; name a file in it",
        blame: .input)
    case .symbolicLink, .other:
      throw PrepError(
        code: .notAFile,
        sentence: "\(path) is a pipe or a device, not a file; save it to a file first",
        blame: .input)
    }
    guard status.bytes > ByteCount(0) else {
      throw PrepError(
        code: .empty, sentence: "\(name) is empty (0 bytes); copy or download it again",
        blame: .input)
    }
    do throws(FileError) {
      _ = try OpenFile.open(path, for: .reading)
    } catch {
      throw error.prepError(blame: .input)
    }
    return status.bytes
  }
}
