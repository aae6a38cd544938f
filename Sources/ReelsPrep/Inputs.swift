public import ReelsModel

/// The files that a list of arguments stands for, each with the name of its payload.
///
/// An argument is a file or a folder. A folder is searched recursively, by content. What is found
/// there and is no video is counted and left alone; what is named and cannot be used is a failure.
public struct Inputs: Hashable, Sendable {
  /// One file to prepare.
  public struct Item: Hashable, Sendable {
    public var path: FilePath
    /// Named itself, not found in a folder: it fails for what it is.
    public var isNamed: Bool
    /// The payload's name without `.reel`, different for each item whatever a file system takes
    /// for equal.
    public var slug: String

    public init(path: FilePath, isNamed: Bool, slug: String) {
      self.path = path
      self.isNamed = isNamed
      self.slug = slug
    }
  }

  /// What was left alone in folders, by kind.
  public struct PassedOver: Hashable, Sendable {
    public var stills = 0
    public var sounds = 0
    /// Text, documents, pipes, devices, links to nowhere.
    public var others = 0
    /// Hidden files and folders.
    public var hidden = 0
    /// `*.reel` and the output directory.
    public var payloads = 0
    /// Reached a second time, through a link or a second argument.
    public var repeated = 0

    public init() {}

    /// What is no video, hidden names not counted: `Event.Summary.passedOver`.
    public var nonVideos: Int { stills + sounds + others }

    static func += (a: inout PassedOver, b: PassedOver) {
      a.stills += b.stills
      a.sounds += b.sounds
      a.others += b.others
      a.hidden += b.hidden
      a.payloads += b.payloads
      a.repeated += b.repeated
    }
  }

  /// In the order of the arguments, and by the bytes of the paths within a folder.
  public var items: [Item] = []
  /// Arguments that cannot be used, and parts of folders that cannot be read.
  public var failures: [Event.Failed] = []
  public var passedOver = PassedOver()

  public init() {}

  /// Finds the inputs. It waits for the disk: call it on a thread of its own.
  ///
  /// - Parameters:
  ///   - outputDirectory: not searched where it lies in one of the folders; it need not exist.
  ///   - isCancelled: asked before each file of a folder.
  /// - Throws: `CancellationError` soon after `isCancelled` turns true. What is wrong with an
  ///   argument is in `failures`.
  public static func find(
    _ arguments: [FilePath], outputDirectory: FilePath?, isCancelled: () -> Bool = { false }
  ) throws(CancellationError) -> Inputs {
    var search = Search(
      outputDirectory: outputDirectory.flatMap { (try? FileSystem.status($0))??.identity })
    for argument in arguments { try search.take(argument, isCancelled: isCancelled) }
    var inputs = search.inputs
    let slugs = Slug.distinct(for: inputs.items.map(\.path))
    for (index, slug) in slugs.enumerated() { inputs.items[index].slug = slug }
    return inputs
  }

  /// Refuses what a named path is, without opening it.
  ///
  /// - Returns: the status of a file or folder.
  package static func check(_ path: FilePath) throws(PrepError) -> FileStatus {
    let found: FileStatus?
    do throws(FileError) {
      found = try FileSystem.status(path)
    } catch {
      throw error.prepError(blame: .input)
    }
    guard let found else {
      throw PrepError(
        code: .notFound, sentence: "\(path): there is no such file or folder", blame: .input)
    }
    guard found.kind != .other else {
      throw PrepError(
        code: .notAFile,
        sentence: "\(path) is a pipe, a socket or a device, and the input must be a file; save it"
          + " to one first",
        blame: .input)
    }
    return found
  }
}

/// The state of a search through all arguments.
private struct Search {
  var inputs = Inputs()
  let outputDirectory: FileStatus.Identity?
  private var indices: [FileStatus.Identity: Int] = [:]

  init(outputDirectory: FileStatus.Identity?) { self.outputDirectory = outputDirectory }

  mutating func take(
    _ argument: FilePath, isCancelled: () -> Bool
  ) throws(CancellationError) {
    let status: FileStatus
    do throws(PrepError) {
      status = try Inputs.check(argument)
      let manifest = argument.appending(Manifest.fileName)
      if status.kind == .directory, argument.pathExtension == "reel",
        let there = try? FileSystem.status(manifest), there.kind == .file
      {
        throw PrepError(
          code: .notAFile,
          sentence: "\(argument) is a finished payload; to prepare it again, name its video.mp4",
          blame: .input)
      }
    } catch {
      fail(argument, error)
      return
    }
    guard status.kind == .directory else {
      add(argument, status.identity, isNamed: true)
      return
    }
    var walk = DirectoryWalk(root: argument, outputDirectory: outputDirectory)
    try walk.run(isCancelled: isCancelled)
    inputs.passedOver += walk.passedOver
    for file in walk.found { add(file.path, file.identity, isNamed: false) }
    for (path, error) in walk.unreadable { fail(path, error.prepError(blame: .input)) }
  }

  private mutating func add(
    _ path: FilePath, _ identity: FileStatus.Identity, isNamed: Bool
  ) {
    if let index = indices[identity] {
      inputs.passedOver.repeated += 1
      if isNamed { inputs.items[index].isNamed = true }
      return
    }
    indices[identity] = inputs.items.count
    inputs.items.append(Inputs.Item(path: path, isNamed: isNamed, slug: ""))
  }

  private mutating func fail(_ path: FilePath, _ error: PrepError) {
    inputs.failures.append(
      Event.Failed(
        input: path, code: error.code.rawValue, sentence: error.sentence, blame: error.blame))
  }
}
