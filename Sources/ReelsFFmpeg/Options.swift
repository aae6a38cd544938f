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

  mutating func set(_ key: String, _ value: String) { av_dict_set(&dictionary, key, value, 0) }

  /// Lends the dictionary to a call, which takes out what it knows.
  mutating func lend<R>(_ body: (UnsafeMutablePointer<OpaquePointer?>) -> R) -> R {
    body(&dictionary)
  }

  /// The keys that no call has taken.
  var leftOver: [String] {
    var keys: [String] = []
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      keys.append(String(cString: next.pointee.key))
      entry = next
    }
    return keys
  }
}
