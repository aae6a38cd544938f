import Foundation
import TestSupport

/// Damages files and puts them through the command for some minutes.
///
///   reels-fuzz MINUTES PROGRAM FINDINGS FOLDER...
///
/// A finding is kept as the damaged file, and as a line with the original's path and the seed.
let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 4, let minutes = Double(arguments[1]) else {
  FileHandle.standardError.write(
    Data("usage: reels-fuzz MINUTES PROGRAM FINDINGS FOLDER...\n".utf8))
  exit(64)
}

/// Lines are seen as they come, in a file too.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let findings = URL(filePath: arguments[3])
try FileManager.default.createDirectory(at: findings, withIntermediateDirectories: true)

/// A file above this is cut: what breaks a parser is in its headers, and time is short.
let mostBytes = 3_000_000
let originals = arguments.dropFirst(3).flatMap { folder -> [URL] in
  let files = FileManager.default.enumerator(
    at: URL(filePath: folder), includingPropertiesForKeys: [.isRegularFileKey])
  return (files?.compactMap { $0 as? URL } ?? []).filter {
    (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
  }
}.sorted { $0.path < $1.path }
guard !originals.isEmpty else {
  say("no files in \(arguments.dropFirst(3).joined(separator: ", "))")
  exit(65)
}

let trial = try FuzzTrial(program: Tool(arguments[2]))
let end = Date(timeIntervalSinceNow: minutes * 60)
// A run's first seed is told, so that it can be run again.
var seed = UInt64(Date().timeIntervalSince1970)
let first = seed
var found = 0
say("\(originals.count) files, seeds from \(first)")
while Date() < end {
  let original = originals[Int(seed % UInt64(originals.count))]
  guard let handle = try? FileHandle(forReadingFrom: original),
    let data = try? handle.read(upToCount: mostBytes)
  else {
    seed += 1
    continue
  }
  let bytes = Mutation(seed: seed).apply(to: Array(data))
  let problems = try trial.run(bytes, seed: seed)
  if !problems.isEmpty {
    found += 1
    let name = "\(seed)-\(original.lastPathComponent)"
    try Data(bytes).write(to: findings.appending(path: name))
    let text = "\(original.path) seed \(seed)\n" + problems.joined(separator: "\n") + "\n"
    try Data(text.utf8).write(to: findings.appending(path: "\(name).txt"))
    say("seed \(seed), \(original.lastPathComponent): \(problems[0].prefix(300))")
  }
  seed += 1
}
say("\(seed - first) files damaged, \(found) findings in \(findings.path)")
exit(found == 0 ? 0 : 1)
