import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Pictures of every kind come out as they were meant, measured on decoded pixels.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct PictureKindTests {
    /// A clip of 4 s of a libavfilter source.
    private func clip(
      _ source: String, _ arguments: [String], name: String, in folder: TemporaryDirectory
    ) throws -> URL {
      let file = folder.file(name)
      try Tool.ffmpeg.run(
        ["-v", "error", "-f", "lavfi", "-i", source, "-t", "4"] + arguments + [file.path])
      return file
    }

    private func isNear(_ color: [Double], _ expected: [Double], within limit: Double = 6) -> Bool {
      zip(color, expected).allSatisfy { abs($0 - $1) <= limit }
    }

    static let x264 = [
      "-c:v", "libx264", "-preset", "superfast", "-crf", "10", "-pix_fmt", "yuv420p",
    ]

    @Test(arguments: ["libvpx-vp9", "libvpx"]) func `WebM's alpha shows the canvas`(
      codec: String
    ) async throws {
      let folder = try TemporaryDirectory()
      // Half-transparent green left, whole green right.
      let file = try clip(
        "color=0x00FF00:s=320x240:r=25,format=rgba,geq=r='0':g='255':b='0':a='if(lt(X,160),128,255)',format=yuva420p",
        [
          "-c:v", codec, "-pix_fmt", "yuva420p", "-auto-alt-ref", "0", "-crf", "4", "-b:v", "4M",
          "-deadline", "realtime", "-cpu-used", "8",
        ],
        name: "alpha.webm", in: folder)
      let made = try await Prepared.make(file, in: folder)
      let picture = try Picture(made.video, at: 1)
      let (left, right) = (
        picture.mean(x: 0.1...0.4, y: 0.2...0.8), picture.mean(x: 0.6...0.9, y: 0.2...0.8)
      )
      #expect(isNear(left, [0, 128, 0], within: 10), "\(left)")
      #expect(isNear(right, [0, 255, 0], within: 10), "\(right)")
    }

    /// Four corners of a picture that covers its frame: nothing is lost by any of the turns.
    @Test(arguments: [
      ("upright", [1, 0, 0, 1]), ("90°", [0, 1, -1, 0]), ("180°", [-1, 0, 0, -1]),
      ("270°", [0, -1, 1, 0]), ("mirrored", [-1, 0, 0, 1]), ("mirrored, 90°", [0, 1, 1, 0]),
      ("flipped", [1, 0, 0, -1]), ("mirrored, 270°", [0, -1, -1, 0]),
    ]) func `all eight orientations are upright, the cover too`(
      name: String, matrix: [Int]
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(
        "color=black:s=320x192:r=25,drawbox=0:0:160:96:red:t=fill,drawbox=160:0:160:96:lime:t=fill,drawbox=0:96:160:96:blue:t=fill",
        Self.x264, name: "turned.mp4", in: folder)
      try BoxPatch.setMatrix(
        a: matrix[0], b: matrix[1], c: matrix[2], d: matrix[3], in: file)
      let made = try await Prepared.make(file, in: folder)
      let turned = matrix[0] == 0
      #expect(made.manifest.video?.width == (turned ? 192 : 320))
      // Where the stored corners are shown: a point (x, y) goes to (ax + cy, bx + dy).
      let colors: [[Double]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [0, 0, 0]]
      for (index, corner) in [(-1, -1), (1, -1), (-1, 1), (1, 1)].enumerated() {
        let x = matrix[0] * corner.0 + matrix[2] * corner.1
        let y = matrix[1] * corner.0 + matrix[3] * corner.1
        for picture in [try Picture(made.video, at: 1), try Picture(made.cover)] {
          let color = picture.mean(
            x: x < 0 ? 0.1...0.4 : 0.6...0.9, y: y < 0 ? 0.1...0.4 : 0.6...0.9)
          #expect(isNear(color, colors[index], within: 12), "\(name), corner \(index): \(color)")
        }
      }
    }

    @Test(arguments: [
      ("720x576", "16/11"), ("720x480", "8/9"), ("300x200", "7/13"), ("500x720", "6429/5000"),
      ("321x241", "1/1"),
    ]) func `a circle stays round`(size: String, aspect: String) async throws {
      let folder = try TemporaryDirectory()
      let sides = try #require(PixelSize(parsing: size))
      let parts = aspect.split(separator: "/").compactMap { Double($0) }
      let ratio = parts[0] / parts[1]
      // Round where it is shown.
      let radius = 0.45 * min(Double(sides.width) * ratio, Double(sides.height))
      let inside =
        "lt(hypot((X-\(Double(sides.width - 1) / 2))*\(ratio)\\,Y-\(Double(sides.height - 1) / 2))\\,\(radius))"
      let file = try clip(
        "color=black:s=\(size):r=25,format=gray,geq=lum='255*\(inside)',setsar=\(aspect)",
        ["-c:v", "ffv1", "-pix_fmt", "yuv444p"], name: "circle.mkv", in: folder)
      let made = try await Prepared.make(file, in: folder)
      let picture = try Picture(made.video, at: 1)
      // Diameters from the sums of the middle row and column, in whole white pixels.
      let row = (0..<picture.size.width).reduce(0) {
        $0 + picture.color(x: $1, y: picture.size.height / 2)[1] / 255
      }
      let column = (0..<picture.size.height).reduce(0) {
        $0 + picture.color(x: picture.size.width / 2, y: $1)[1] / 255
      }
      #expect(abs(row - column) <= 1.5, "\(row) x \(column) in \(picture.size)")
      #expect(picture.size.width % 2 == 0 && picture.size.height % 2 == 0)
      // No green or repeated edge where a side was odd.
      let edge = picture.mean(x: 0.97...1, y: 0.05...0.95)
      #expect(isNear(edge, [0, 0, 0], within: 4), "\(edge)")
    }

    /// Film of 24 frames spread over 30, coded as frames: nothing says that they are fields, and nothing is
    /// done to them.
    @Test func `telecine is left alone`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(
        "testsrc2=s=320x240:r=24000/1001,telecine=pattern=23", ["-c:v", "mpeg2video", "-q:v", "2"],
        name: "telecine.ts", in: folder)
      let made = try await Prepared.make(file, in: folder)
      #expect(!made.manifest.steps.contains { $0.rule == .progressive })
      #expect(made.manifest.video?.frameRate == Ratio(30000, 1001))
      let frames = try Tool.ffmpeg.run([
        "-v", "error", "-i", file.path, "-i", made.video.path, "-lavfi",
        "[0]scale=out_color_matrix=bt709[a];[a][1]psnr=stats_file=-:shortest=1", "-f", "null", "-",
      ]).text.split(separator: "\n").compactMap { line -> Double? in
        line.split(separator: " ").first { $0.hasPrefix("psnr_y:") }
          .map { Double($0.dropFirst("psnr_y:".count)) ?? .infinity }
      }
      #expect(frames.count >= 117)
      // A deinterlaced comb loses its lines: below 30.
      #expect(frames.allSatisfy { $0 > 34 }, "\(frames.min() ?? 0)")
    }

    @Test func `interlacing that begins later is taken out`() async throws {
      let folder = try TemporaryDirectory()
      // Progressive first; then fields of a moving bar, half a frame apart.
      let progressive = try clip(
        "testsrc2=s=320x240:r=25:d=1", ["-c:v", "mpeg2video", "-q:v", "2", "-g", "5"], name: "a.ts",
        in: folder)
      let interlaced = try clip(
        "color=black:s=320x240:r=50:d=4,drawbox=0:0:40:240:white:t=fill,scroll=h=0.03,interlace=scan=tff",
        ["-c:v", "mpeg2video", "-q:v", "2", "-g", "5", "-flags", "+ildct+ilme", "-top", "1"],
        name: "b.ts", in: folder)
      let file = folder.file("both.ts")
      try Tool.ffmpeg.run([
        "-v", "error", "-i", "concat:\(progressive.path)|\(interlaced.path)", "-c", "copy",
        file.path,
      ])
      let made = try await Prepared.make(file, in: folder)
      let picture = try Picture(made.video, at: 2.5)
      // Combs: neighbouring lines that differ while those two apart are alike.
      var combs = 0
      for y in stride(from: 40, to: 200, by: 2) {
        for x in 0..<picture.size.width {
          let (a, b, c) = (
            picture.color(x: x, y: y)[1], picture.color(x: x, y: y + 1)[1],
            picture.color(x: x, y: y + 2)[1]
          )
          if abs(a - c) < 20, abs(a - b) > 100 { combs += 1 }
        }
      }
      #expect(combs < 50, "\(combs) pixels are combed")
    }

    /// Tags that no standard defines are as good as none; the picture is still the same.
    @Test(arguments: [
      ["colour_primaries=0", "matrix_coefficients=3", "transfer_characteristics=0"],
      ["matrix_coefficients=11"], ["matrix_coefficients=14"], ["colour_primaries=250"],
      ["matrix_coefficients=0"],
    ]) func `reserved colour tags do no harm`(tags: [String]) async throws {
      let folder = try TemporaryDirectory()
      let plain = try clip(
        "color=0x3C78C8:s=1280x720:r=25,scale=out_color_matrix=bt709,format=yuv420p", Self.x264,
        name: "plain.mp4", in: folder)
      let file = folder.file("tagged.mp4")
      try Tool.ffmpeg.run([
        "-v", "error", "-i", plain.path, "-c", "copy", "-bsf:v",
        "h264_metadata=" + tags.joined(separator: ":"), file.path,
      ])
      let made = try await Prepared.make(file, in: folder)
      let color = try Picture(made.video, at: 1).mean(x: 0.3...0.7, y: 0.3...0.7)
      #expect(isNear(color, [60, 120, 200]), "\(color)")
    }

    @Test func `HDR becomes SDR in the file too`() async throws {
      let folder = try TemporaryDirectory()
      // 75 % of HLG is reference white.
      let file = try clip(
        "color=gray:s=320x240:r=25,format=yuv420p10le,geq=lum=721:cb=512:cr=512",
        [
          "-c:v", "libx264", "-preset", "superfast", "-crf", "4", "-pix_fmt", "yuv420p10le",
          "-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-colorspace", "bt2020nc",
        ], name: "hlg.mp4", in: folder)
      let made = try await Prepared.make(file, in: folder)
      // 79 % of the light: 0.906 of the signal.
      let color = try Picture(made.video, at: 1).mean(x: 0.3...0.7, y: 0.3...0.7)
      #expect(isNear(color, [231, 231, 231], within: 4), "\(color)")
      #expect(made.manifest.steps.contains { $0.because.contains("BT.2390") })
    }

    @Test func `black borders are cut where that is asked for`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(
        "testsrc2=s=320x180:r=25,pad=320:320:0:70:black", Self.x264, name: "boxed.mp4", in: folder)
      let kept = try await Prepared.make(file, in: folder, slug: "kept")
      #expect(kept.manifest.video?.height == 320)
      let cut = try await Prepared.make(file, in: folder, slug: "cut") { $0.removeBorders = true }
      #expect(cut.manifest.video?.width == 320)
      #expect(try (178...180).contains(#require(cut.manifest.video).height))
      #expect(cut.manifest.steps.contains { $0.because.contains("borders") })
      // A picture without any keeps its size, and one that is black throughout too.
      for source in ["testsrc2=s=320x240:r=25", "color=black:s=320x240:r=25"] {
        let plain = try clip(source, Self.x264, name: "plain\(source.count).mp4", in: folder)
        let made = try await Prepared.make(plain, in: folder, slug: "plain\(source.count)") {
          $0.removeBorders = true
        }
        #expect(made.manifest.video?.height == 240)
      }
    }

    @Test(arguments: [(0.0, [255.0, 0, 0]), (0.5, [0, 255, 0]), (1.0, [0, 0, 255])])
    func `a crop keeps what it is told to`(x: Double, color: [Double]) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(
        "color=red:s=960x320:r=25,drawbox=320:0:320:320:lime:t=fill,drawbox=640:0:320:320:blue:t=fill",
        Self.x264, name: "wide.mp4", in: folder)
      let made = try await Prepared.make(file, in: folder) {
        ($0.fit, $0.canvas) = (.crop, PixelSize(width: 180, height: 320))
        $0.cropFocus = PicturePoint(x: x, y: 0.5)
      }
      let found = try Picture(made.video, at: 1).mean(x: 0.05...0.95, y: 0.1...0.9)
      #expect(isNear(found, color, within: 12), "\(found)")
    }

    @Test(arguments: [(230, true), (1_000, false), (1_700, true)])
    func `detail under the interface is warned of`(y: Int, isWarned: Bool) async throws {
      let folder = try TemporaryDirectory()
      // Lines like letters on a plain ground; those at 230 of 1920 lie in the top 14 %.
      let file = try clip(
        "color=0x406080:s=540x960:r=25,geq=lum='if(between(Y,\(y / 2 - 50),\(y / 2 + 50))*lt(mod(X,6),3),235,lum(X,Y))':cb='cb(X,Y)':cr='cr(X,Y)'",
        Self.x264, name: "caption.mp4", in: folder)
      let made = try await Prepared.make(file, in: folder) { $0.safeArea = true }
      #expect(made.manifest.warnings.contains { $0.code == "safe-area" } == isWarned)
      let unasked = try await Prepared.make(file, in: folder, slug: "unasked")
      #expect(!unasked.manifest.warnings.contains { $0.code == "safe-area" })
    }

    @Test func `detail that is everywhere is not warned of`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(
        "color=0x406080:s=540x960:r=25,geq=lum='if(lt(mod(X,6),3),235,lum(X,Y))':cb='cb(X,Y)':cr='cr(X,Y)'",
        Self.x264, name: "even.mp4", in: folder)
      let made = try await Prepared.make(file, in: folder) { $0.safeArea = true }
      #expect(!made.manifest.warnings.contains { $0.code == "safe-area" })
    }
  }
}
