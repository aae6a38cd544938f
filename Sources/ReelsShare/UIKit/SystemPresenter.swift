#if canImport(UIKit) && canImport(Photos) && !os(watchOS)
  public import Foundation
  import Photos
  public import UIKit

  /// The share sheet over a view controller, and the photo library.
  @MainActor
  public final class SystemPresenter: PresenterPort {
    private weak var controller: UIViewController?

    /// - Parameter controller: What the share sheet is presented over.
    public init(over controller: UIViewController) { self.controller = controller }

    public func present(_ route: ShareRoute, file: URL) async -> Bool {
      switch route {
      case .shareSheet: await presentSheet(file)
      case .photos: await saveToPhotos(file)
      case .app: false
      }
    }

    private func presentSheet(_ file: URL) async -> Bool {
      guard let controller else { return false }
      let sheet = UIActivityViewController(activityItems: [file], applicationActivities: nil)
      // On an iPad a sheet without an anchor is an exception.
      sheet.popoverPresentationController?.sourceView = controller.view
      sheet.popoverPresentationController?.sourceRect = controller.view.bounds
      return await withCheckedContinuation { continuation in
        sheet.completionWithItemsHandler = { _, isCompleted, _, _ in
          continuation.resume(returning: isCompleted)
        }
        controller.present(sheet, animated: true, completion: nil)
      }
    }

    /// Adding alone, which needs `NSPhotoLibraryAddUsageDescription`.
    private func saveToPhotos(_ file: URL) async -> Bool {
      let status = await PHPhotoLibrary.requestAuthorization(for: .addOnly)
      guard status == .authorized || status == .limited else { return false }
      // The others of a payload are pictures.
      let isVideo = file.pathExtension == "mp4"
      do {
        try await PHPhotoLibrary.shared().performChanges {
          if isVideo {
            _ = PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: file)
          } else {
            _ = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: file)
          }
        }
        return true
      } catch {
        return false
      }
    }
  }
#endif
