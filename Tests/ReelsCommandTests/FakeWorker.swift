internal import Foundation
internal import ReelsModel
internal import ReelsPrep

/// A script that speaks the workers' protocol, and does with an input what its name says.
enum FakeWorker {
  /// Puts it into `folder`. It leaves its process number in `<folder>/pids/`.
  static func write(to folder: TemporaryFolder) throws -> FilePath {
    let finished = Event.finished(
      Event.Finished(input: "@INPUT@", payload: "@PAYLOAD@", manifest: .sample))
    try folder.write(try JSONLine.encode(finished), to: "finished.json")
    let place = folder.url.path
    return try folder.writeScript(
      """
      #!/bin/sh
      IFS= read -r job
      field() { printf '%s\\n' "$job" | sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p"; }
      input=$(field input)
      out=$(field outputDirectory)
      slug=$(field slug)
      part="$out/.$slug.reel.$$.part"
      mkdir -p '\(place)/pids'
      : > "\(place)/pids/$$"
      printf '%s\\n' "$job" > "\(place)/job"
      progress() {
        printf '{"type":"progress","input":"%s","fraction":%s,"frames":1,"speed":1.5}\\n' \\
          "$input" "$1"
      }
      case "$input" in
      *crash*) mkdir -p "$part"; : > "$part/video.mp4"; progress 0.25; kill -SEGV $$ ;;
      *exit*) echo "the library is missing" >&2; exit 3 ;;
      *stubborn*) trap '' TERM; mkdir -p "$part"; : > "\(place)/ready"; exec sleep 600 ;;
      *hang*) mkdir -p "$part"; : > "\(place)/ready"; exec sleep 600 ;;
      *flood*)
        : > "\(place)/ready"
        i=0
        while [ $i -lt 4000 ]; do progress 0.5; i=$((i + 1)); done
        exec sleep 600 ;;
      *chatter*) while :; do echo "still here" >&2; sleep 0.05; done ;;
      *garbage*) echo "this is no message"; echo '{"type":"unheard-of"}' ;;
      *audio*)
        printf '{"type":"failed","input":"%s","code":"no-video","sentence":"%s holds no video",' \\
          "$input" "$input"
        printf '"blame":"input"}\\n'
        exit 0 ;;
      *disk*)
        printf '{"type":"failed","input":"%s","code":"disk-full","sentence":"the disk is full",' \\
          "$input"
        printf '"blame":"output"}\\n'
        exit 0 ;;
      *there*)
        printf '{"type":"skipped","input":"%s","reason":"exists","sentence":"it is there"}\\n' \\
          "$input"
        exit 0 ;;
      esac
      progress 0.5
      echo "a line of the log" >&2
      mkdir -p "$out/$slug.reel"
      sed -e "s|@INPUT@|$input|" -e "s|@PAYLOAD@|$out/$slug.reel|" '\(place)/finished.json'
      """, to: "worker")
  }

  /// The processes that it was started as.
  static func pids(in folder: TemporaryFolder) -> [Int32] {
    folder.names(in: "pids").compactMap { Int32($0) }
  }
}

extension Manifest {
  /// A manifest of 12.3 MB that took 14.2 s.
  static var sample: Manifest {
    Manifest(
      tool: Tool(name: "reels-prep", version: "0.1.0"),
      preset: PresetReference(name: "reels", revision: 1, source: "page", date: "2026-01-01"),
      files: [
        File(name: "video.mp4", bytes: 12_300_000, sha256: "00", mediaType: "video/mp4"),
        File(name: "cover.jpg", bytes: 100_000, sha256: "00", mediaType: "image/jpeg"),
      ],
      video: Video(
        width: 1080, height: 1920, frameRate: Ratio(30000, 1001), frames: 900,
        durationSeconds: MediaTime(seconds: 30), videoCodec: "h264", profile: "High", level: "4.0",
        audioCodec: "aac", sampleRate: 48000, channels: 2, bitRate: BitsPerSecond(3_280_000)),
      cover: Cover(file: "cover.jpg", timeSeconds: .zero),
      window: Plan.Window(
        requestedStart: .zero, start: .zero, duration: MediaTime(seconds: 30)),
      source: Source(
        name: "clip.mov", bytes: 1,
        fingerprint: Fingerprint(bytes: 1, modified: .zero, headSHA256: "00", tailSHA256: "00"),
        container: "mov", videoCodec: "hevc", size: PixelSize(width: 1920, height: 1080),
        sampleAspect: Ratio(1), orientation: Orientation(quarterTurns: 1, mirrored: false),
        pixelFormat: "yuv420p", color: .bt709, interlaced: false,
        constantFrameRate: Ratio(30000, 1001), audioCodec: "aac", audioTracks: 1),
      steps: [
        Plan.Step(action: .encode, stream: .video, rule: .videoCodec, because: "hevc"),
        Plan.Step(action: .copy, stream: .audio, rule: .audioCodec, because: "it is AAC"),
      ],
      warnings: [], damage: Damage(framesConcealed: 0, share: 0), share: [],
      work: Work(
        framesEncoded: 900, framesOut: 900, encodesPerFrame: 1, cpuSeconds: 20, wallSeconds: 14.2,
        inspectCPUSeconds: 1, transcodeCPUSeconds: 18, finishCPUSeconds: 1, capShare: 0.246))
  }
}
