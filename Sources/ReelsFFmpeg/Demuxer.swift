internal import CReelsFFmpeg
package import ReelsModel

/// An open input file. Reads packets; opens no other file and no network.
package struct Demuxer: ~Copyable, @unchecked Sendable {
  // Sound to send: one owner at a time, and libav keeps no thread of its own for a demuxer.
  let context: UnsafeMutablePointer<AVFormatContext>
  private let io: UnsafeMutablePointer<AVIOContext>?
  /// The file's name for messages.
  package let subject: String
  // The callback's opaque pointer does not retain it.
  private let interrupt: Interrupt

  /// How far opening looks for streams. libav's own defaults are 5 MB and 5 s; files from
  /// broadcasters and cameras need more before every stream has shown itself.
  static let probeBytes = 16_000_000
  static let probeMicroseconds = 10_000_000

  /// Demuxers that are tried. Left out: playlists and references (hls, dash, concat, image2, …),
  /// devices, games and trackers.
  static let formats = """
    mov,matroska,webm,mpegts,mpeg,mpegvideo,avi,flv,live_flv,asf,ogg,gif,apng,mxf,h264,hevc,m4v,\
    yuv4mpegpipe,dv,rm,nut,ivf,mjpeg,wtv,vc1,av1,obu,nsv,3gp,\
    aac,ac3,eac3,aiff,amr,ape,au,caf,dts,flac,mp3,wav,w64,wv,tta,\
    png_pipe,jpeg_pipe,webp_pipe,bmp_pipe,tiff_pipe,jpegls_pipe,j2k_pipe,psd_pipe,svg_pipe
    """

  private init(
    context: UnsafeMutablePointer<AVFormatContext>, io: UnsafeMutablePointer<AVIOContext>?,
    subject: String, interrupt: Interrupt
  ) {
    self.context = context
    self.io = io
    self.subject = subject
    self.interrupt = interrupt
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&context)
    var io = io
    avio_closep(&io)
  }

  /// Opens a file by its content, whatever its name, and finds its streams.
  ///
  /// `interrupt`'s limit bounds the time; the format's own claims bound nothing.
  ///
  /// - Parameter decoding: whether frames will be decoded. Where only packets are wanted, a header that
  ///   tells all of them is enough.
  ///
  /// - Parameter ignoringEdits: whether time stamps are the tracks' own, before any edit list.
  ///
  /// - Throws: when the file cannot be opened, or is nothing that a demuxer knows
  ///   (`avio_open2`, `avformat_open_input`, `avformat_find_stream_info`).
  package static func open(
    _ path: FilePath, interrupt: Interrupt, decoding: Bool = true, ignoringEdits: Bool = false
  ) throws(FFmpegError) -> Demuxer {
    LibraryLog.install()
    _ = LibraryLog.takeLastError()
    let subject = path.lastComponent.description
    // With the protocol named, a path like "http:x.mp4" or "-x.mp4" is a file's all the same.
    let url = "file:".utf8.map { CChar(bitPattern: $0) } + path.cString
    var opened: UnsafeMutablePointer<AVIOContext>?
    var ioOptions = Options(["protocol_whitelist": "file"])
    var callback = interrupt.callback
    try check(
      ioOptions.lend { avio_open2(&opened, url, AVIO_FLAG_READ, &callback, $0) }, "open", subject)

    guard let allocatedContext = avformat_alloc_context() else {
      avio_closep(&opened)
      throw FFmpegError(code: .outOfMemory, operation: "open", subject: subject, detail: nil)
    }
    var context: UnsafeMutablePointer<AVFormatContext>? = allocatedContext
    allocatedContext.pointee.pb = opened
    allocatedContext.pointee.interrupt_callback = callback
    // AVI and program streams say when a picture is decoded, not when it is shown.
    allocatedContext.pointee.flags |= AVFMT_FLAG_GENPTS
    rp_refuse_other_files(allocatedContext)
    var options = Options([
      "protocol_whitelist": "file", "format_whitelist": Self.formats,
      "probesize": "\(Self.probeBytes)", "analyzeduration": "\(Self.probeMicroseconds)",
      // Damage of up to this many bytes in a transport stream is passed over; libav gives up after 64 KiB.
      "resync_size": "\(Self.probeBytes)", "ignore_editlist": ignoringEdits ? "1" : "0",
    ])
    // Without a name the content alone decides the format. On failure the context is freed.
    let result = options.lend { avformat_open_input(&context, "", nil, $0) }
    guard result >= 0, let context else {
      avio_closep(&opened)
      throw FFmpegError(
        code: .init(rawValue: result), operation: "open", subject: subject,
        detail: LibraryLog.takeLastError())
    }
    let demuxer = Demuxer(context: context, io: opened, subject: subject, interrupt: interrupt)
    if !decoding, demuxer.formatName == "mov" { return demuxer }
    try check(avformat_find_stream_info(context, nil), "read", subject)
    return demuxer
  }

  /// The demuxer's short name: the first of "mov,mp4,m4a,3gp,3g2,mj2".
  package var formatName: String {
    guard let name = context.pointee.iformat?.pointee.name else { return "unknown" }
    return String(cString: name).split(separator: ",").first.map(String.init) ?? "unknown"
  }

  /// What the header claims; nil where it claims nothing.
  package var claimedDuration: MediaTime? {
    timestamp(context.pointee.duration)
      .map { MediaTime(ticks: $0, timeBase: Ratio(1, Int64(AV_TIME_BASE))) }
  }

  package var streamCount: Int { Int(context.pointee.nb_streams) }

  func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
    guard index >= 0, index < streamCount else { return nil }
    return context.pointee.streams?[index]
  }

  /// Reads packets of these streams only; the data of others is skipped where the format can.
  package func select(_ streams: Set<Int>) {
    for index in 0..<streamCount {
      stream(index)?.pointee.discard = streams.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// Reads key packets of a stream alone, where the format can pass over the others unread.
  package func selectKeys(of index: Int) {
    stream(index)?.pointee.discard = AVDISCARD_NONKEY
  }

  /// The next packet of the selected streams (`av_read_frame`).
  ///
  /// - Throws: an interrupt, or a read error that is not the end of the file.
  package func read() throws(FFmpegError) -> Pull<Packet> {
    while true {
      let packet = try Packet()
      let result = av_read_frame(context, packet.pointer)
      switch FFmpegError.Code(rawValue: result) {
      case .end: return .end
      case let code where result < 0:
        // Damage in the middle reads as "invalid data" at the end of what can be had.
        if code == .invalidData { return .end }
        try check(result, "read", subject)
        return .end
      default:
        // What opening has read ahead is still of every stream.
        if stream(packet.stream)?.pointee.discard != AVDISCARD_ALL { return .value(packet) }
      }
    }
  }

  /// Moves to the last key frame of `stream` at or before `time`, in the file's own time.
  ///
  /// - Returns: false where the format cannot; the position is then unknown, and `rewind` or a new
  ///   demuxer is the way out (`avformat_seek_file`).
  package func seek(stream: Int, to time: MediaTime) -> Bool {
    guard let target = self.stream(stream), let timeBase = Ratio(target.pointee.time_base) else {
      return false
    }
    let ticks = time.ticksRoundedDown(in: timeBase)
    let result = avformat_seek_file(context, Int32(stream), .min, ticks, ticks, 0)
    if result < 0 { _ = LibraryLog.takeLastError() }
    return result >= 0
  }
}
