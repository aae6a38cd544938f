internal import ReelsModel

/// The command's arguments as bytes: `CommandLine.arguments` would repair what is not UTF-8, and
/// then name another file.
enum RawArguments {
  /// All but the program's own name.
  static var all: [FilePath] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      // Sound: the system hands over `argc` strings that end in NUL and stay for good.
      guard let start = unsafe CommandLine.unsafeArgv[index] else { return nil }
      var bytes: [UInt8] = []
      // Sound: nothing is read beyond the NUL.
      while case let byte = unsafe start[bytes.count], byte != 0 {
        bytes.append(UInt8(bitPattern: byte))
      }
      return FilePath(bytes: bytes)
    }
  }
}
