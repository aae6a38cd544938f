internal import CReelsFFmpeg
internal import ReelsModel

/// Key and value pairs for a libav call that takes an `AVDictionary`.
struct Options: ~Copyable {
  private var dictionary: OpaquePointer?

  init(_ pairs: KeyValuePairs<String, String>) {
    for (key, value) in pairs { av_dict_set(&dictionary, key, value, 0) }
  }

  /// A path as its bytes.
  mutating func set(_ key: String, to path: FilePath) {
    _ = path.cString.withUnsafeBufferPointer { av_dict_set(&dictionary, key, $0.baseAddress, 0) }
  }

  deinit {
    var dictionary = dictionary
    av_dict_free(&dictionary)
  }

  /// Lends the dictionary to a call, which takes out what it knows.
  mutating func lend<R>(_ body: (UnsafeMutablePointer<OpaquePointer?>) -> R) -> R {
    body(&dictionary)
  }
}
