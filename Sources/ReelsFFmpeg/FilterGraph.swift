internal import CReelsFFmpeg
internal import ReelsModel

/// A configured libavfilter graph with one output, and one input or more.
package struct FilterGraph: ~Copyable, @unchecked Sendable {
  // Sound to send: one owner at a time.
  private let graph: UnsafeMutablePointer<AVFilterGraph>
  private let sources: [UnsafeMutablePointer<AVFilterContext>]
  private let sink: UnsafeMutablePointer<AVFilterContext>
  private let subject: String

  deinit {
    var graph: UnsafeMutablePointer<AVFilterGraph>? = graph
    avfilter_graph_free(&graph)
  }

  /// A graph for pictures: `description` is libavfilter's syntax between input and output.
  ///
  /// - Throws: where the description or the input's format does not work out
  ///   (`avfilter_graph_parse_ptr`, `avfilter_graph_config`).
  package static func video(
    _ description: String, from format: VideoFormat, threads: Int
  ) throws(FFmpegError) -> FilterGraph {
    try video(description, from: [format], threads: threads)
  }

  /// The same of several inputs, named in0, in1, … in the description; one alone is named in.
  package static func video(
    _ description: String, from formats: [VideoFormat], threads: Int
  ) throws(FFmpegError) -> FilterGraph {
    try open(
      description, source: "buffer", sink: "buffersink",
      arguments: formats.map { format in
        """
        video_size=\(format.size):pix_fmt=\(format.pixelFormat):\
        time_base=\(format.timeBase.num)/\(format.timeBase.den):pixel_aspect=1/1
        """
      },
      threads: threads)
  }

  /// As `video`, for sound; time stamps are in samples. One input is named in, several in0, in1, …
  package static func audio(
    _ description: String, from formats: [AudioFormat]
  ) throws(FFmpegError) -> FilterGraph {
    try open(
      description, source: "abuffer", sink: "abuffersink",
      arguments: formats.map { format in
        """
        sample_rate=\(format.sampleRate):sample_fmt=\(format.sampleFormat):\
        channel_layout=\(format.channelLayout):time_base=1/\(format.sampleRate)
        """
      },
      threads: 1)
  }

  private static func open(
    _ description: String, source sourceName: String, sink sinkName: String,
    arguments: [String], threads: Int
  ) throws(FFmpegError) -> FilterGraph {
    LibraryLog.install()
    var owned: UnsafeMutablePointer<AVFilterGraph>? = try allocated(
      avfilter_graph_alloc(), "filter graph")
    guard let graph = owned else {
      throw FFmpegError(code: .outOfMemory, operation: "filter", subject: description, detail: nil)
    }
    graph.pointee.nb_threads = Int32(clamping: max(1, threads))
    var inputs: UnsafeMutablePointer<AVFilterInOut>?
    var outputs: UnsafeMutablePointer<AVFilterInOut>?
    var sources: [UnsafeMutablePointer<AVFilterContext>] = []
    var sink: UnsafeMutablePointer<AVFilterContext>?
    do throws(FFmpegError) {
      for (index, argument) in arguments.enumerated().reversed() {
        var source: UnsafeMutablePointer<AVFilterContext>?
        // A chain without labels takes the input called "in".
        let name = arguments.count == 1 ? "in" : "in\(index)"
        try check(
          avfilter_graph_create_filter(
            &source, avfilter_get_by_name(sourceName), name, argument, nil, graph),
          "filter", argument)
        // The names are seen from the parsed chain: its input is our source's output.
        let link = try allocated(avfilter_inout_alloc(), "filter graph")
        link.pointee.name = av_strdup(name)
        link.pointee.filter_ctx = source
        link.pointee.next = outputs
        outputs = link
        sources.insert(try allocated(source, name), at: 0)
      }
      try check(
        avfilter_graph_create_filter(&sink, avfilter_get_by_name(sinkName), "out", nil, nil, graph),
        "filter", description)
      inputs = try allocated(avfilter_inout_alloc(), "filter graph")
      inputs?.pointee.name = av_strdup("out")
      inputs?.pointee.filter_ctx = sink
      try check(
        avfilter_graph_parse_ptr(graph, description, &inputs, &outputs, nil), "filter",
        description)
      try check(avfilter_graph_config(graph, nil), "filter", description)
    } catch {
      avfilter_inout_free(&inputs)
      avfilter_inout_free(&outputs)
      avfilter_graph_free(&owned)
      throw error
    }
    avfilter_inout_free(&inputs)
    avfilter_inout_free(&outputs)
    guard let sink else {
      avfilter_graph_free(&owned)
      throw FFmpegError(code: .outOfMemory, operation: "filter", subject: description, detail: nil)
    }
    return FilterGraph(graph: graph, sources: sources, sink: sink, subject: description)
  }

  /// Sends one frame; its data is shared, not copied (`av_buffersrc_write_frame`).
  package func send(_ frame: borrowing Frame, input: Int = 0) throws(FFmpegError) {
    try check(av_buffersrc_write_frame(sources[input], frame.pointer), "filter", subject)
  }

  /// Says that no frame follows, on any input.
  package func sendEnd() throws(FFmpegError) {
    for source in sources {
      try check(av_buffersrc_write_frame(source, nil), "filter", subject)
    }
  }

  /// The next frame (`av_buffersink_get_frame`).
  package func receive() throws(FFmpegError) -> Pull<Frame> {
    let frame = try Frame()
    let result = av_buffersink_get_frame(sink, frame.pointer)
    switch FFmpegError.Code(rawValue: result) {
    case .again: return .needsInput
    case .end: return .end
    default:
      try check(result, "filter", subject)
      return .value(frame)
    }
  }
}
