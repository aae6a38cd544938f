// The declarations of Photos that ReelsShare uses; see UIKit.swift.

public import Foundation

/// https://developer.apple.com/documentation/photokit/phaccesslevel
public enum PHAccessLevel: Int, Sendable {
  case addOnly = 1
  case readWrite = 2
}

/// https://developer.apple.com/documentation/photokit/phauthorizationstatus
public enum PHAuthorizationStatus: Int, Sendable {
  case notDetermined, restricted, denied, authorized, limited
}

/// https://developer.apple.com/documentation/photokit/phphotolibrary
open class PHPhotoLibrary: @unchecked Sendable {
  /// …/phphotolibrary/shared()
  public class func shared() -> PHPhotoLibrary { PHPhotoLibrary() }
  /// …/phphotolibrary/requestauthorization(for:handler:)
  public class func requestAuthorization(
    for accessLevel: PHAccessLevel
  ) async -> PHAuthorizationStatus { .denied }
  /// …/phphotolibrary/performchanges(_:completionhandler:)
  open func performChanges(_ changeBlock: @escaping @Sendable () -> Void) async throws {}
}

/// https://developer.apple.com/documentation/photokit/phassetchangerequest
open class PHAssetChangeRequest {
  /// …/phassetchangerequest/creationrequestforassetfromvideo(atfileurl:)
  public class func creationRequestForAssetFromVideo(
    atFileURL fileURL: URL
  ) -> PHAssetChangeRequest? { nil }
  /// …/phassetchangerequest/creationrequestforassetfromimage(atfileurl:)
  public class func creationRequestForAssetFromImage(
    atFileURL fileURL: URL
  ) -> PHAssetChangeRequest? { nil }
}
