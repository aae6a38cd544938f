/// Why a run or a part of it could not be measured: one sentence.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
