package import ReelsModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The directory that payloads are put into.
package enum OutputDirectory {
  /// Refuses a path that can neither hold payloads nor be made to; makes nothing.
  ///
  /// - Throws: `PrepError` to blame on the output.
  package static func check(_ path: FilePath) throws(PrepError) {
    do throws(FileError) {
      // What is not there yet is made inside its parent.
      var place = path
      var status = try FileSystem.status(place)
      while status == nil, place != place.parent {
        place = place.parent
        status = try FileSystem.status(place)
      }
      guard status?.kind == .directory else {
        throw FileError(number: ENOTDIR, operation: "write into", path: path)
      }
      _ = try FileSystem.call("write into", place) { name in
        // Sound: `name` is NUL-terminated and outlives the call.
        unsafe access(name, W_OK | X_OK)
      }
    } catch {
      throw error.prepError(blame: .output)
    }
  }
}
