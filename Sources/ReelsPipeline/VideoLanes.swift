internal import ReelsFFmpeg
internal import ReelsModel

/// The picture's ranges made side by side, each lane a chain of decoder, filters and single-threaded
/// encoder: on two cores that costs a tenth less CPU than one encoder with frame threads, and the
/// bytes do not depend on the timing of threads.
struct VideoLanes {
  let job: Transcode
  let packets: [Channel<Packet>]
  let ledger: BudgetLedger?
  let store: PacketStore?
  var probe: PairProbe?
  let interrupt: Interrupt
  let outcome: TranscodeOutcome

  /// More lanes would take more memory: each is about 250 MB at 1080p.
  private static let maximumLanes = 4

  /// Starts the stages. By a budget, each lane has ranges of its own, for its answers rest on what
  /// the lanes before it have done; else whoever is free takes the next.
  func start(on executor: StageExecutor) {
    if let lanes = job.budget?.layout.lanes {
      for (index, ranges) in lanes.enumerated() {
        start(
          lane: index + 1, queue: RangeQueue(ranges), threads: max(1, job.threads / lanes.count),
          on: executor)
      }
      return
    }
    let lanes = max(1, min(job.video.ranges.count, job.threads, Self.maximumLanes))
    let queue = RangeQueue(Array(job.video.ranges.indices))
    for lane in 1...lanes {
      start(lane: lane, queue: queue, threads: max(1, job.threads / lanes), on: executor)
    }
  }

  private func start(lane: Int, queue: RangeQueue, threads: Int, on executor: StageExecutor) {
    // 2 decoded frames, at most 2 × 25 MB (4K, 10-bit), and 2 filtered ones of 3.1 MB (1080p).
    let decoded = Channel<PlacedPicture>(capacity: 2)
    let filtered = Channel<PlacedPicture>(capacity: 2)
    executor.onStop {
      decoded.cancel()
      filtered.cancel()
    }
    executor.start("decode \(lane)") {
      let stage = DecodeStage(job: job, threads: threads, interrupt: interrupt)
      while let range = queue.next() {
        let concealed = try stage.run(range, into: decoded)
        outcome.update { $0.framesConcealed += concealed }
      }
      decoded.finish()
    }
    let tapped = probe.map { tap(decoded, by: $0, lane: lane, on: executor) } ?? decoded
    executor.start("filter \(lane)") {
      try FilterStage(recipe: job.recipe).run(from: tapped, into: filtered)
      filtered.finish()
    }
    executor.start("encode \(lane)") {
      let stage = EncodeStage(job: job, packets: packets, ledger: ledger, store: store)
      let (encoded, cover) = try stage.run(from: filtered)
      outcome.update {
        $0.framesEncoded += encoded
        if let cover, cover.isBetter(than: $0.cover) { $0.cover = cover }
      }
    }
  }

  /// - Returns: where the pictures come out again.
  private func tap(
    _ pictures: Channel<PlacedPicture>, by probe: PairProbe, lane: Int, on executor: StageExecutor
  ) -> Channel<PlacedPicture> {
    let output = Channel<PlacedPicture>(capacity: 1)
    let versions = probe.versions.map { _ in Channel<PlacedPicture>(capacity: 2) }
    executor.onStop {
      output.cancel()
      for channel in versions { channel.cancel() }
    }
    executor.start("tap \(lane)") {
      try PairTap(probe: probe, ranges: job.video.ranges)
        .run(from: pictures, into: output, versions: versions)
      output.finish()
      for channel in versions { channel.finish() }
    }
    for (index, version) in probe.versions.enumerated() {
      let filtered = Channel<PlacedPicture>(capacity: 1)
      executor.onStop { filtered.cancel() }
      executor.start("filter \(lane), version \(index)") {
        try FilterStage(recipe: version.recipe).run(from: versions[index], into: filtered)
        filtered.finish()
      }
      executor.start("encode \(lane), version \(index)") {
        let results = try PairStage(version: version, frameRate: job.video.frameRate)
          .run(from: filtered)
        outcome.update {
          for (place, bytes) in results { $0.pairs[place, default: [:]][index] = bytes }
        }
      }
    }
    return output
  }
}
