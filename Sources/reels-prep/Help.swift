/// The page that `--help` shows: one screen of 24 lines and 80 columns.
enum Help {
  static let text = """
    Usage: reels-prep INPUT... -o DIR [options]    videos and folders into payloads
           reels-prep inspect FILE [--json]        what it is, what would be done
           reels-prep check FILE|PAYLOAD... [--deep] [--json]   rule by rule
           reels-prep preview PAYLOAD -o FILE.png  as it will look on a screen
           reels-prep doctor PATH... [--json]      what an app lacks for sharing
           reels-prep presets [NAME | --diff A B]  the destinations, their limits

      -o, --output DIR, --preset NAME|FILE, --destination NAME   where to [reels]
      --start T, --duration T, --end T, --snap T     the part: 90, 1:30; to a key
      --pick best, --split              the liveliest part; all of it, in parts
      --fit keep|pad|crop|blur, --canvas 1080x1920   keep the shape [keep], or fill
      --pad-color '#102030', --crop-focus X,Y, --background '#102030[,#405060]'
      --remove-borders, --safe-area     cut black bars; warn of covered detail
      --fps N, --max-size 50MB, --min-quality VMAF   rate, limit, least quality
      --effort fast|balanced|best, --short reject|loop|hold [balanced, reject]
      --audio auto|N|mix|none, --loudness -14        the track [auto], its LUFS
      --cover auto|T, --sticker FILE, --sticker-size 640x480, --app-id ID
      --reencode, --overwrite           encode even what complies; replace
      --jobs N, --max-memory 2GiB, --dry-run         bounds; only tell the plan
      --json, --quiet, --verbose, --version, --help  JSON lines; less; more

    Examples:
      reels-prep holiday.mov -o out
      reels-prep ~/Movies -o out --start 1:30 --duration 45 --fit blur
    """
}
