internal import Foundation

/// A process and all that descend from it, as Linux's `/proc` lists them.
struct ProcessTree {
  let root: pid_t

  /// Bytes of memory that all of them hold now; pages that two share count twice. nil where there
  /// is no `/proc`, or the process has ended.
  var residentBytes: Int64? {
    var (waiting, total, found) = ([root], Int64(0), false)
    while let pid = waiting.popLast() {
      guard let pages = Self.read("/proc/\(pid)/statm").split(separator: " ").dropFirst().first,
        let count = Int64(pages)
      else { continue }
      total += count * Self.pageBytes
      found = true
      let threads =
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
      for thread in threads {
        waiting += Self.read("/proc/\(pid)/task/\(thread)/children").split(separator: " ")
          .compactMap { pid_t($0) }
      }
    }
    return found ? total : nil
  }

  private static let pageBytes = Int64(sysconf(Int32(_SC_PAGESIZE)))

  private static func read(_ path: String) -> String {
    guard let data = FileManager.default.contents(atPath: path) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }
}
