internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// 64: a wrong option; 1: something could not be measured at all.
do {
  let arguments = Array(CommandLine.arguments.dropFirst())
  if arguments.first == LimitWorker.word {
    try LimitWorker(parsing: Array(arguments.dropFirst())).run()
    exit(0)
  }
  if arguments.contains("--help") {
    print(Options.usage)
    exit(0)
  }
  let options: Options
  do {
    options = try Options(parsing: arguments)
  } catch {
    FileHandle.standardError.write(Data("reels-bench: \(error)\n".utf8))
    exit(64)
  }
  let bench = try Bench(options: options)
  for scenario in options.scenarios {
    bench.log(scenario.rawValue)
    try await scenario.run(bench).write(to: bench.results, bench: bench)
  }
} catch {
  FileHandle.standardError.write(Data("reels-bench: \(error)\n".utf8))
  exit(1)
}
