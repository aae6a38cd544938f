import Foundation
import ReelsShare
import SwiftUI

/// Picks a payload that `reels-prep` made, hands it to Instagram, and says what became of it.
@main
struct ShareToReelsApp: App {
  var body: some Scene {
    WindowGroup { ShareView() }
  }
}

struct ShareView: View {
  /// The Facebook app ID of your app: Meta's dashboard, Settings, Basic.
  private static let appID = "YOUR_APP_ID"

  @State private var isPicking = false
  @State private var directory: URL?
  @State private var message = "Pick a payload: a folder that ends in .reel."

  var body: some View {
    VStack(spacing: 16) {
      Text(message)
      Button("Pick a payload") { isPicking = true }
      if let directory {
        ShareToReelsButton(directory: directory, appID: Self.appID) { result in
          message = Self.message(result)
        }
      }
    }
    .padding()
    .fileImporter(isPresented: $isPicking, allowedContentTypes: [.folder]) { result in
      if case .success(let picked) = result { directory = Self.imported(picked) }
    }
  }

  /// A folder from outside the app's container may be read only between these calls: a copy is kept.
  private static func imported(_ picked: URL) -> URL? {
    guard picked.startAccessingSecurityScopedResource() else { return nil }
    defer { picked.stopAccessingSecurityScopedResource() }
    let copy = FileManager.default.temporaryDirectory
      .appendingPathComponent(picked.lastPathComponent)
    try? FileManager.default.removeItem(at: copy)
    do {
      try FileManager.default.copyItem(at: picked, to: copy)
      return copy
    } catch {
      return nil
    }
  }

  private static func message(_ result: Result<ShareOutcome, any Error>) -> String {
    switch result {
    case .success(.opened): "Opened. Go on in Instagram."
    case .success(.refused(let refusals)):
      "Not shared: \(refusals.map(\.because).joined(separator: "; "))."
    case .success(.noAnswer): "Instagram did not answer. If it is open, go on there."
    case .failure(let error): "Not shared: \(error)."
    }
  }
}
