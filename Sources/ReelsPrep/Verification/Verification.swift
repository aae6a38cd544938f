package import ReelsModel

/// The check of a finished file against a preset, by a reader of its own.
///
/// It walks the boxes, expands the sample tables, parses the parameter sets and looks at every NAL
/// unit's header, and shares no code with what wrote the file. Decoding is left to others: what a
/// decoder found comes in as `DecodedFacts`.
package struct Verification: Sendable {
  package let preset: Preset
  package let expected: Expectation

  package init(preset: Preset, expected: Expectation? = nil) {
    self.preset = preset
    self.expected = expected ?? Expectation()
  }

  /// What a check found, and what the file is.
  package struct Report: Hashable, Sendable {
    /// One for each rule, in a fixed order.
    package var findings: [Finding]
    /// nil where the file has no readable H.264 video, or no sound.
    package var summary: Summary?

    /// The rules that the destination would refuse the file for.
    package var failures: [Finding] { findings.filter { $0.verdict == .fail } }
  }

  /// Checks a file.
  ///
  /// A rule whose subject is not there is left out, because another rule fails for that: the rules
  /// of sound where there is no audio track (`tracks`), the rules of time in a fragmented file
  /// (`no-fragments`), the rules of the bitstream where its parameter sets cannot be read
  /// (`video-codec` or `video-profile`). `decodable` is left out where nothing was decoded.
  ///
  /// - Throws: `VerificationError` where the file cannot be opened or its structure cannot be read.
  package func check(
    _ file: FilePath, decoded: DecodedFacts? = nil
  ) throws(VerificationError) -> Report {
    let evidence: Evidence
    do throws(Malformed) {
      evidence = try Evidence(reading: try FileBytes.open(file))
    } catch {
      throw VerificationError(file: file, because: error.sentence)
    }
    let judge = Judge(
      limits: preset.limits, expected: expected, decoded: decoded, evidence: evidence)
    return Report(findings: judge.findings, summary: Summary(evidence))
  }

  /// The findings of `check` alone.
  package func findings(
    for file: FilePath, decoded: DecodedFacts? = nil
  ) throws(VerificationError) -> [Finding] {
    try check(file, decoded: decoded).findings
  }
}
