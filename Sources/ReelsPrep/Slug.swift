import ReelsModel

enum Slug { static func plain(for path: FilePath) -> String { path.stem.string } }
