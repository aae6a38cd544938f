// The declarations of SwiftUI that ReelsShare and its example use; see UIKit.swift.

public import Foundation

/// https://developer.apple.com/documentation/swiftui/view
@MainActor
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor var body: Body { get }
}

extension Never: View {
  public typealias Body = Never
}

extension View where Body == Never {
  public var body: Never { fatalError("a stub") }
}

/// https://developer.apple.com/documentation/swiftui/viewbuilder
@resultBuilder
public struct ViewBuilder {
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Group {
    Group()
  }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<Content: View>(first: Content) -> Group { Group() }
  public static func buildEither<Content: View>(second: Content) -> Group { Group() }
}

/// https://developer.apple.com/documentation/swiftui/group
public struct Group: View {
  public nonisolated init() {}
  public typealias Body = Never
}

/// https://developer.apple.com/documentation/swift/optional
extension Optional: View where Wrapped: View {
  public typealias Body = Never
}

extension URL {
  /// https://developer.apple.com/documentation/foundation/url/startaccessingsecurityscopedresource()
  public func startAccessingSecurityScopedResource() -> Bool { false }
  /// …/url/stopaccessingsecurityscopedresource()
  public func stopAccessingSecurityScopedResource() {}
}

/// https://developer.apple.com/documentation/swiftui/button
public struct Button: View {
  /// …/button/init(_:action:)
  public init(_ title: String, action: @escaping @MainActor () -> Void) {}
  public typealias Body = Never
}

/// https://developer.apple.com/documentation/swiftui/text
public struct Text: View {
  /// …/text/init(_:)
  public init(_ content: String) {}
  public typealias Body = Never
}

/// https://developer.apple.com/documentation/swiftui/vstack
public struct VStack: View {
  /// …/vstack/init(alignment:spacing:content:)
  public init<Content: View>(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
  public typealias Body = Never
}

extension View {
  /// https://developer.apple.com/documentation/swiftui/view/disabled(_:)
  public func disabled(_ disabled: Bool) -> some View { Group() }
  /// https://developer.apple.com/documentation/swiftui/view/padding(_:_:)
  public func padding() -> some View { Group() }
  /// https://developer.apple.com/documentation/swiftui/view/fileimporter(ispresented:allowedcontenttypes:oncompletion:)
  public func fileImporter(
    isPresented: Binding<Bool>, allowedContentTypes: [UTType],
    onCompletion: @escaping (Result<URL, any Error>) -> Void
  ) -> some View { Group() }
}

/// https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct
public struct UTType: Sendable {
  /// …/uttype-swift.struct/folder
  public static let folder = UTType()
}

/// https://developer.apple.com/documentation/swiftui/state
@propertyWrapper
public struct State<Value> {
  private final class Box {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
  private let box: Box
  public init(wrappedValue: Value) { box = Box(wrappedValue) }
  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
  public var projectedValue: Binding<Value> { Binding() }
}

/// https://developer.apple.com/documentation/swiftui/binding
public struct Binding<Value> {}

/// https://developer.apple.com/documentation/swiftui/scene
@MainActor
public protocol Scene {}

/// https://developer.apple.com/documentation/swiftui/windowgroup
public struct WindowGroup: Scene {
  public init<Content: View>(@ViewBuilder content: () -> Content) {}
}

/// https://developer.apple.com/documentation/swiftui/app
@MainActor
public protocol App {
  associatedtype Body: Scene
  @MainActor var body: Body { get }
  init()
}

extension App {
  /// …/app/main()
  public static func main() {}
}
