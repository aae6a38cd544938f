/// A destination by its short name: another way to name its built-in preset.
enum Destination: String, CaseIterable {
  case reels, stories, facebook, graph

  var preset: String {
    switch self {
    case .reels: "reels"
    case .stories: "stories"
    case .facebook: "facebook-reels"
    case .graph: "graph-reel"
    }
  }
}
