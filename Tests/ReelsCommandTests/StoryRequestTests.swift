internal import Foundation
internal import ReelsModel
internal import Testing

/// A sticker without an input, as it reaches the worker, and what is refused before.
@Suite struct `Story requests` {
  private struct Job: Decodable {
    var request: Request
  }

  private static let sticker = ["--sticker", "logo.mov", "--destination", "stories", "-o", "out"]

  private static func request(_ arguments: [String]) throws -> Request {
    let folder = try TemporaryFolder()
    let worker = try FakeWorker.write(to: folder)
    let result = try Program.run(arguments, worker: worker, in: folder)
    #expect(result.code == 0, "\(result.errors)")
    return try JSONDecoder().decode(Job.self, from: Data(folder.read("job").utf8)).request
  }

  @Test func `a sticker without an input is the input, on nothing`() throws {
    let request = try Self.request(Self.sticker + ["--sticker-size", "320x240"])
    #expect(request.input == "logo.mov")
    #expect(request.sticker == nil)
    #expect(request.background == .unspecified)
    #expect(request.slug == "logo")
    #expect(request.stickerSize == PixelSize(width: 320, height: 240))
  }

  @Test(arguments: [
    ("#102030,white", RGBColor(red: 255, green: 255, blue: 255)),
    ("#102030", RGBColor(red: 0x10, green: 0x20, blue: 0x30)),
  ])
  func `one colour or two are behind it`(text: String, bottom: RGBColor) throws {
    let top = RGBColor(red: 0x10, green: 0x20, blue: 0x30)
    let request = try Self.request(Self.sticker + ["--background", text])
    #expect(request.background == .colors(top: top, bottom: bottom))
  }

  @Test(arguments: [
    (["--sticker", "a.png", "-o", "out"], "--destination stories"),
    (["--sticker", "a.png", "-o", "out", "--destination", "facebook"], "--destination stories"),
    (sticker + ["--start", "1"], "--start has no meaning"),
    (sticker + ["--fit", "pad"], "--fit has no meaning"),
    (sticker + ["--split"], "--split has no meaning"),
    (sticker + ["--background", "red"], "as in '#102030,#405060'"),
    (sticker + ["--background", "#102030,#405060,#708090"], "as in '#102030,#405060'"),
    (sticker + ["--background", "#102030,"], "as in '#102030,#405060'"),
    (sticker + ["a.mov", "--background", "#102030"], "leave out the inputs"),
    (["a.mov", "-o", "out", "--background", "#102030"], "add --sticker FILE"),
    (["-o", "out", "--destination", "stories", "--background", "#102030"], "add --sticker FILE"),
    (["inspect", "--sticker", "a.png", "--destination", "stories"], "inspect takes one file"),
  ])
  func `what says nothing of it is refused in one sentence`(
    arguments: [String], hint: String
  ) throws {
    let result = try Program.run(arguments)
    #expect(result.code == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(hint), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
  }
}
