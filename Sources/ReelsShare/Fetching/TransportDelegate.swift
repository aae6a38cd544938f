import Foundation
import ReelsModel

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Feeds what a session receives to the stream of each task.
///
/// A stream that is ended here ends at once: nothing waits for a task to tell that it was cancelled.
// Sound: what changes is behind the lock.
final class TransportDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  typealias Feed = AsyncThrowingStream<PayloadPart, any Error>.Continuation

  private struct Transfer {
    let feed: Feed
    let bytesMaximum: Int64
    var bytes: Int64 = 0
    var hasHead = false
    var redirects = 0
  }

  private let lock = NSLock()
  private var transfers: [Int: Transfer] = [:]

  func add(_ task: URLSessionTask, _ feed: Feed, bytesMaximum: Int64) {
    lock.withLock {
      transfers[task.taskIdentifier] = Transfer(feed: feed, bytesMaximum: bytesMaximum)
    }
  }

  /// Cancels a task that still runs.
  func stop(_ task: URLSessionTask) {
    let isRunning = lock.withLock { transfers.removeValue(forKey: task.taskIdentifier) != nil }
    if isRunning { task.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let (old, new) = (response.url?.scheme, request.url?.scheme)
    let isSafe = Self.follows(old, new)
    let count = countRedirect(of: task)
    guard !isSafe || count > Self.redirectsMaximum else {
      completionHandler(request)
      return
    }
    // First: on Linux a task that is cancelled must not be waiting for this answer.
    completionHandler(nil)
    let sentence =
      isSafe
      ? "the server leads on more than \(Self.redirectsMaximum) times"
      : "the server leads from \((old ?? "nowhere").singleLine) to \((new ?? "nowhere").singleLine), which is"
        + " not followed"
    end(task, ShareError(code: .badRedirect, sentence: sentence))
  }

  /// Whether a redirect from one scheme to another loses nothing that the first one protects.
  static func follows(_ old: String?, _ new: String?) -> Bool {
    switch (old?.lowercased(), new?.lowercased()) {
    case ("https", "https"), ("http", "https"), ("http", "http"): true
    default: false
    }
  }

  /// A file behind a signed address is one or two away.
  private static let redirectsMaximum = 10

  private func countRedirect(of task: URLSessionTask) -> Int {
    lock.withLock {
      transfers[task.taskIdentifier]?.redirects += 1
      return transfers[task.taskIdentifier]?.redirects ?? 0
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    sendHead(of: dataTask)
    let (feed, isTooLong) = lock.withLock { () -> (Feed?, Bool) in
      guard var transfer = transfers[dataTask.taskIdentifier] else { return (nil, false) }
      transfer.bytes += Int64(data.count)
      transfers[dataTask.taskIdentifier] = transfer
      return (transfer.feed, transfer.bytes > transfer.bytesMaximum)
    }
    if isTooLong {
      end(
        dataTask,
        ShareError(code: .wrongLength, sentence: "the server sends more than was asked for"))
      dataTask.cancel()
    } else {
      feed?.yield(.bytes(data))
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let error else {
      sendHead(of: task)
      end(task, nil)
      return
    }
    end(task, Self.error(error))
  }

  private func sendHead(of task: URLSessionTask) {
    guard let response = task.response as? HTTPURLResponse else { return }
    let feed = lock.withLock { () -> Feed? in
      guard var transfer = transfers[task.taskIdentifier], !transfer.hasHead else { return nil }
      transfer.hasHead = true
      transfers[task.taskIdentifier] = transfer
      return transfer.feed
    }
    let length = response.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
    feed?.yield(
      .head(
        PayloadHead(
          status: response.statusCode,
          contentRange: response.value(forHTTPHeaderField: "Content-Range"),
          contentLength: length)))
  }

  private func end(_ task: URLSessionTask, _ error: (any Error)?) {
    let feed = lock.withLock { transfers.removeValue(forKey: task.taskIdentifier)?.feed }
    feed?.finish(throwing: error)
  }

  private static func error(_ error: any Error) -> any Error {
    let error = error as NSError
    if error.domain == NSURLErrorDomain, error.code == NSURLErrorCancelled {
      return CancellationError()
    }
    let fact =
      switch error.code {
      case NSURLErrorTimedOut: "the server did not answer in time"
      case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: "the server is not known"
      case NSURLErrorCannotConnectToHost: "the server cannot be reached"
      case NSURLErrorNotConnectedToInternet: "there is no connection to the internet"
      case NSURLErrorSecureConnectionFailed, NSURLErrorServerCertificateHasBadDate,
        NSURLErrorServerCertificateUntrusted, NSURLErrorServerCertificateHasUnknownRoot,
        NSURLErrorServerCertificateNotYetValid:
        "no secure connection could be made"
      default: "the connection broke off"
      }
    return ShareError(code: .connectionLost, sentence: "\(fact) (\(error.code))")
  }
}
