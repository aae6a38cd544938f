public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Gets files by `URLSession`, without cache and cookies.
///
/// Redirects are followed within a scheme and from `http` to `https`, and nowhere else.
public final class URLSessionTransport: PayloadTransport {
  private let session: URLSession
  private let delegate = TransportDelegate()
  private let headers: [String: String]

  /// - Parameters:
  ///   - headers: Sent with every request, as for `Authorization`.
  ///   - idleSeconds: So long without a byte ends a transfer.
  public init(headers: [String: String] = [:], idleSeconds: Double = 30) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = idleSeconds
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    self.headers = headers
  }

  // The session holds its delegate until then.
  deinit { session.invalidateAndCancel() }

  public func get(
    _ url: URL, range: Range<Int64>?, bytesMaximum: Int64
  ) -> AsyncThrowingStream<PayloadPart, any Error> {
    var request = URLRequest(url: url)
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    // Lengths and hashes are of the file, not of a compressed form.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    if let range {
      request.setValue(
        "bytes=\(range.lowerBound)-\(range.upperBound - 1)", forHTTPHeaderField: "Range")
    }
    let task = session.dataTask(with: request)
    let (stream, feed) = AsyncThrowingStream.makeStream(of: PayloadPart.self)
    delegate.add(task, feed, bytesMaximum: bytesMaximum)
    // Also where the listener went away.
    feed.onTermination = { [delegate] _ in delegate.stop(task) }
    task.resume()
    return stream
  }
}
