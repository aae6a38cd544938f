/// A clip that ffmpeg's generators make, the same each time.
struct SyntheticClip: Hashable, Sendable {
  let name: String
  /// What ffmpeg's `lavfi` input reads, for a clip of `seconds`.
  let graph: String

  /// The set: what is easy and what is hard to encode, and changes between them.
  static func all(seconds: Double) -> [SyntheticClip] {
    let (portrait, landscape) = ("1080x1920", "1920x1080")
    func gradient(_ size: String, _ rate: Int, seed: Int) -> String {
      "gradients=s=\(size):r=\(rate):seed=\(seed):nb_colors=4:speed=0.01"
        + ":c0=0x204060:c1=0xd08040:c2=0x406020:c3=0xe0d0c0"
    }
    func grain(_ strength: Int, when: String? = nil) -> String {
      "format=yuv420p,noise=c0s=\(strength):c0f=t:c0_seed=7"
        + (when.map { ":enable='\($0)'" } ?? "")
    }
    let confetti = max(0, seconds / 2 - 2.5)
    return [
      SyntheticClip(
        name: "noise-24", graph: "\(gradient(portrait, 24, seed: 1)),\(grain(4))"),
      SyntheticClip(
        name: "mandelbrot-30",
        graph: "mandelbrot=s=\(landscape):r=30:maxiter=800:end_scale=0.001:end_pts=1200"),
      SyntheticClip(name: "testsrc2-60", graph: "testsrc2=s=\(landscape):r=60"),
      SyntheticClip(
        name: "life-30",
        graph: "life=s=270x480:r=30:seed=3:ratio=0.2:mold=12:stitch=1:life_color=0xf0c040"
          + ":death_color=0x203050:mold_color=0x101820,scale=1080:1920:flags=neighbor"),
      SyntheticClip(
        name: "cellauto-24",
        graph: "cellauto=s=480x270:r=24:seed=5:rule=30,scale=1920:1080:flags=neighbor"),
      // 5 s of confetti over a picture that stands still.
      SyntheticClip(
        name: "still-confetti-30",
        graph: "smptehdbars=s=\(portrait):r=30,"
          + grain(10, when: "between(t,\(confetti),\(confetti + 5))")),
      SyntheticClip(
        name: "hard-ending-30",
        graph: "\(gradient(portrait, 30, seed: 2)),\(grain(6, when: "gte(t,\(seconds * 0.8))"))"),
      SyntheticClip(
        name: "easy-ending-60",
        graph: "\(gradient(portrait, 60, seed: 4)),\(grain(3, when: "lt(t,\(seconds * 0.7))"))"),
      // Another picture every 2 s.
      SyntheticClip(
        name: "cuts-30",
        graph: "testsrc2=s=\(portrait):r=30[a];mandelbrot=s=\(portrait):r=30:maxiter=400[b];"
          + "\(gradient(portrait, 30, seed: 6)),\(grain(3))[c];"
          + "[a][b]overlay=enable='gte(mod(t,6),2)':shortest=1[ab];"
          + "[ab][c]overlay=enable='gte(mod(t,6),4)':shortest=1"),
    ]
  }

  /// ffmpeg's options that make it, the output's name apart.
  func ffmpegArguments(seconds: Double) -> [String] {
    [
      "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "\(graph),\(Self.bt709)", "-f", "lavfi",
      "-i", "anoisesrc=r=48000:a=0.1:c=pink:seed=11", "-t", "\(seconds)",
    ] + Self.encoding
  }

  /// How made clips are stored: near the original, labelled, and without a limit on the rate or
  /// x264's macroblock tree, which give other bytes in other runs.
  static let encoding = [
    "-c:v", "libx264", "-preset", "superfast", "-crf", "20", "-g", "60", "-colorspace", "bt709",
    "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv", "-c:a", "aac", "-b:a",
    "128k", "-movflags", "+faststart", "-fflags", "+bitexact",
  ]

  static let bt709 = "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,setsar=1"
}
