/// The page that `--help` shows: one screen of 24 lines and 80 columns.
enum Help {
  static let text = """
    Usage: reels-prep INPUT... -o DIR [options]    videos and folders into payloads
           reels-prep inspect FILE [--json]        what it is, what would be done
           reels-prep presets [NAME] [--json]      the destinations and their limits

      -o, --output DIR          where the <name>.reel directories go
      --start T --duration T --end T   the part to take: 90, 1:30 or 00:01:30.500
      --preset NAME|FILE        the destination [reels]
      --fit keep|pad|crop|blur  keep the shape [keep], or fill --canvas 1080x1920;
                                --pad-color '#102030' with --fit pad
      --fps N, --max-size 50MB, --min-quality VMAF   rate, limit, least quality
      --effort fast|balanced|best, --short reject|loop|hold [balanced, reject]
      --audio auto|N|mix|none, --loudness -14     the track [auto], its LUFS
      --cover auto|T            the frame for the cover [auto]
      --sticker FILE, --app-id ID      for the hand-over to the app
      --overwrite, --jobs N     replace payloads; work on N files at once
      --dry-run, --json         only tell the plan; events as JSON lines on stdout
      --quiet, --verbose        errors alone; libav's log as well
      --, --version, --help     end of options; of a repeated one the last counts

    Examples:
      reels-prep holiday.mov -o out
      reels-prep ~/Movies -o out --start 1:30 --duration 45 --fit blur
      reels-prep inspect clip.mkv --json
    """
}
