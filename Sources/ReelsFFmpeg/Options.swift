internal import CReelsFFmpeg

/// Key and value pairs for a libav call that takes an `AVDictionary`.
struct Options: ~Copyable {
  private var dictionary: OpaquePointer?

  init(_ pairs: KeyValuePairs<String, String>) {
    for (key, value) in pairs { av_dict_set(&dictionary, key, value, 0) }
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
