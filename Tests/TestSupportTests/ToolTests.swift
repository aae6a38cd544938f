import Foundation
import TestSupport
import Testing

@Suite struct ToolTests {
  @Test func `a command's output, complaints and exit code come back apart`() throws {
    let output = try Tool("sh").outcome(["-c", "printf 'a\\000b'; printf no >&2; exit 3"])
    #expect(output.status == 3)
    #expect([UInt8](output.stdout) == [97, 0, 98])
    #expect(output.stderr == "no")
  }

  @Test func `run throws what the command complained of`() {
    let error = #expect(throws: Tool.Failure.self) {
      try Tool("sh").run(["-c", "echo broken pump >&2; exit 1"])
    }
    #expect(error?.description.contains("broken pump") == true)
  }

  @Test func `a megabyte through both pipes blocks nobody`() throws {
    let output = try Tool("cat").run([]) { input in
      for _ in 0..<16 { try input.write([UInt8](repeating: 7, count: 65_536)) }
    }
    #expect(output.stdout.count == 16 * 65_536)
  }

  @Test func `a command that stops reading is not an error of the tests`() throws {
    let output = try Tool("sh").run(["-c", "exec 0<&-; echo done"]) { input in
      while true { try input.write([UInt8](repeating: 7, count: 65_536)) }
    }
    #expect(output.text == "done\n")
  }

  @Test func `a command that hangs is killed`() {
    let start = Date.now
    #expect(throws: Tool.Failure.self) { try Tool("sleep").run(["30"], timeout: 0.2) }
    #expect(Date.now.timeIntervalSince(start) < 10)
  }

  @Test func `a signal shows as a negative status`() throws {
    #expect(try Tool("sh").outcome(["-c", "kill -TERM $$"]).status == -15)
  }

  @Test func `folder and environment are the command's own`() throws {
    let folder = try TemporaryDirectory()
    let output = try Tool("sh").run(
      ["-c", "pwd -P; echo $PUMP"], in: folder.url, environment: ["PUMP": "blue"])
    #expect(output.text.hasSuffix("\(folder.url.lastPathComponent)\nblue\n"))
  }

  @Test func `a command that is not there says so`() {
    #expect(!Tool("no-such-command").isAvailable)
    #expect(throws: Tool.Failure.self) { try Tool("no-such-command").run([]) }
  }
}
