package import ReelsModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How much room a disk has.
package enum DiskSpace {
  /// The bytes that this user may still write to the disk of `path`, or of the nearest of its
  /// parents that exists; nil where the file system does not tell.
  ///
  /// - Throws: `FileError`. statvfs(3).
  package static func available(at path: FilePath) throws(FileError) -> ByteCount? {
    var info = statvfs()
    let place = try nearestExisting(path)
    _ = try FileSystem.call("inspect", place) { name in
      // Sound: `name` is NUL-terminated, `info` is a whole `statvfs`; both outlive the call.
      unsafe statvfs(name, &info)
    }
    // Some network file systems report no blocks at all.
    guard info.f_blocks > 0 else { return nil }
    let (bytes, overflow) = UInt64(info.f_bavail).multipliedReportingOverflow(
      by: UInt64(info.f_frsize))
    return ByteCount(overflow || bytes > UInt64(Int64.max) ? .max : Int64(bytes))
  }

  /// Checks that the disk of `path` has room for `bytes` more.
  ///
  /// - Throws: `PrepError` with `.diskFull`, or about a path that cannot be inspected.
  package static func require(_ bytes: ByteCount, at path: FilePath) throws(PrepError) {
    do {
      guard let free = try available(at: path), free < bytes else { return }
    } catch {
      throw error.prepError(blame: .output)
    }
    throw full(at: path, needed: bytes)
  }

  /// The error for a disk without room: which disk, how much is free, how much is missing.
  static func full(at path: FilePath, needed: ByteCount?, isQuota: Bool = false) -> PrepError {
    let place = (try? nearestExisting(path)) ?? path
    let free = (try? available(at: place)) ?? nil
    var fact: String
    switch (free, needed) {
    case (let free?, let needed?) where free < needed:
      fact = "\(free) free, \(needed) needed, \(needed - free) missing"
    case (let free?, _): fact = "\(free) free"
    case (nil, let needed?): fact = "\(needed) needed"
    case (nil, nil): fact = "no room left"
    }
    if isQuota { fact = "the user's quota is used up" }
    let disk = mountPoint(of: place).map { "the disk at \($0)" } ?? "the disk"
    return PrepError(
      code: .diskFull,
      sentence:
        "\(disk) is full: \(fact) for \(path); free some room, or choose another output folder"
        + " with -o",
      blame: .output)
  }

  /// The directory at which the disk of `path` is mounted.
  static func mountPoint(of path: FilePath) -> FilePath? {
    // Sound: `name` is NUL-terminated; realpath returns nil or a text that is ours to free.
    guard let resolved = unsafe realpath(path.cString, nil) else { return nil }
    // Sound: as above; nobody uses it after this.
    defer { unsafe free(resolved) }
    // Sound: as above.
    var place = FilePath(unsafe String(cString: resolved))
    guard let device = try? FileSystem.status(place)?.identity.device else { return nil }
    while place.parent != place,
      (try? FileSystem.status(place.parent)?.identity.device) == device
    {
      place = place.parent
    }
    return place
  }

  private static func nearestExisting(_ path: FilePath) throws(FileError) -> FilePath {
    var place = path
    while try FileSystem.status(place) == nil, place.parent != place { place = place.parent }
    return place
  }
}
