import ReelsModel
import Testing

@testable import ReelsPrep

/// Which sound goes with the picture.
@Suite struct PlannerAudioTests {
  private func audio(
    _ tracks: [AudioSurvey], _ choice: AudioChoice = .auto
  ) throws -> AudioPlan {
    var source = Source()
    source.audio = tracks
    return try source.plan { $0.audio = choice }.audio
  }

  @Test func `one track is taken, silent or not`() throws {
    #expect(try audio([Source.track(1)]).streams == [1])
    #expect(try audio([Source.track(1, isSilent: true)]).streams == [1])
  }

  @Test func `of several the default one is taken, else the first`() throws {
    #expect(try audio([Source.track(1), Source.track(2, isDefault: true)]).streams == [2])
    #expect(try audio([Source.track(3), Source.track(2)]).streams == [3])
  }

  @Test func `a track that is silent throughout does not win over one that is not`() throws {
    let tracks = [
      Source.track(1, isDefault: true, isSilent: true), Source.track(2, isSilent: false),
    ]
    #expect(try audio(tracks).streams == [2])
    let silent = [
      Source.track(1, isSilent: true), Source.track(2, isDefault: true, isSilent: true),
    ]
    #expect(try audio(silent).streams == [2])
  }

  @Test func `a track that cannot be decoded is left out and told of`() throws {
    var source = Source()
    source.audio = [
      Source.track(1, isDefault: true, isDecodable: false, codec: "apac"), Source.track(2),
    ]
    let plan = try source.plan()
    #expect(plan.audio.streams == [2])
    #expect(plan.warnings.contains { $0.code == "audio-undecodable" })
    source.audio.removeLast()
    let alone = try source.plan()
    #expect(alone.audio.streams == [])
    #expect(alone.warnings.contains { $0.code == "no-sound" })
    #expect(alone.steps.contains { $0.action == .silence && $0.stream == .audio })
  }

  @Test func `a number chooses among the audio tracks`() throws {
    let tracks = [Source.track(1, isDefault: true), Source.track(4, isSilent: true)]
    #expect(try audio(tracks, .track(2)).streams == [4])
    let beyond = #expect(throws: PrepError.self) { try audio(tracks, .track(3)) }
    #expect(beyond?.code == .badOption)
    #expect(beyond?.sentence.contains("choose 1–2") == true)
    let broken = #expect(throws: PrepError.self) {
      try audio([Source.track(1, isDecodable: false, codec: "apac")], .track(1))
    }
    #expect(broken?.code == .undecodable)
    #expect(broken?.sentence.contains("apac") == true)
  }

  @Test func `a number without any track to choose is refused in words that are true`() throws {
    let error = #expect(throws: PrepError.self) { try audio([], .track(1)) }
    #expect(error?.code == .badOption)
    #expect(error?.sentence.contains("1–0") == false)
  }

  @Test func `mix takes all that can be decoded, none takes none`() throws {
    let tracks = [Source.track(1), Source.track(2, isDecodable: false), Source.track(3)]
    #expect(try audio(tracks, .mix).streams == [1, 3])
    let none = try audio(tracks, .none)
    #expect(none.streams == [])
    #expect(none.sampleRate == 48_000 && none.channels == 2 && none.samples == 60 * 48_000)
  }

  @Test func `a choice of none is no reason for a warning`() throws {
    #expect(try Source().plan { $0.audio = .none }.warnings == [])
  }

  @Test func `44,1 kHz is kept, every other rate is 48`() throws {
    #expect(try audio([Source.track(1, rate: 44_100)]).sampleRate == 44_100)
    #expect(try audio([Source.track(1, rate: 44_100)]).samples == 60 * 44_100)
    for rate in [8_000, 22_050, 32_000, 48_000, 96_000, 192_000] {
      #expect(try audio([Source.track(1, rate: rate)]).sampleRate == 48_000)
    }
    let mixed = [Source.track(1, rate: 44_100), Source.track(2)]
    #expect(try audio(mixed, .mix).sampleRate == 48_000)
  }

  @Test func `mono is kept, more than two channels become two`() throws {
    #expect(try audio([Source.track(1, channels: 1)]).channels == 1)
    #expect(try audio([Source.track(1, channels: 6)]).channels == 2)
    #expect(try audio([Source.track(1, channels: 22)]).channels == 2)
    #expect(try audio([Source.track(1, channels: 1), Source.track(2)], .mix).channels == 2)
    #expect(
      try audio([Source.track(1, channels: 1), Source.track(2, channels: 1)], .mix).channels == 1)
  }
}
