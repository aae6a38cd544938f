import Testing

/// Whole jobs on whole clips. One at a time: each keeps the machine busy, and other suites measure
/// time meanwhile.
@Suite(.serialized) struct EndToEnd {}
