public import ReelsModel

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The program that does one job in a process of its own.
///
/// It reads a job from its standard input and writes messages to its standard output: it calls
/// `Worker.serve()`.
public struct WorkerCommand: Hashable, Sendable {
  public var executable: FilePath
  public var arguments: [String]

  public init(executable: FilePath, arguments: [String] = []) {
    self.executable = executable
    self.arguments = arguments
  }

  /// The running program, with one argument by which it knows that it is to call `Worker.serve()`.
  ///
  /// - Throws: `PrepError` where the system does not tell which program is running.
  public static func sameProgram(argument: String) throws(PrepError) -> WorkerCommand {
    guard let path = ownPath else {
      throw PrepError(
        code: .program, sentence: "the system does not tell where this program's file is",
        blame: .program)
    }
    return WorkerCommand(executable: path, arguments: [argument])
  }

  private static var ownPath: FilePath? {
    var buffer = [CChar](repeating: 0, count: 65_536)
    #if canImport(Darwin)
      var size = UInt32(buffer.count)
      // Sound: the buffer holds `size` bytes, and the answer ends in NUL.
      guard unsafe _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
      return FilePath(bytes: buffer.map { UInt8(bitPattern: $0) })
    #else
      let link = FilePath("/proc/self/exe")
      // Sound: at most the buffer's count is written, less one for the NUL that is there already.
      let count = unsafe readlink(link.cString, &buffer, buffer.count - 1)
      guard count > 0 else { return nil }
      let path = FilePath(bytes: buffer.prefix(count).map { UInt8(bitPattern: $0) })
      // A program whose file was replaced while it runs is still reached through the link.
      let named = (try? FileSystem.status(path))??.identity
      return named == (try? FileSystem.status(link))??.identity ? path : link
    #endif
  }
}
