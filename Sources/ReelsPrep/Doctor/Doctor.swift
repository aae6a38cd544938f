public import ReelsModel

/// Tells what keeps an app from handing payloads over, by its Info.plist or its AndroidManifest.xml.
///
/// Reads files alone: what code does, such as an app ID that it passes, is not seen.
public struct Doctor: Sendable {
  public init() {}

  /// Examines an Info.plist, an `.app`, an AndroidManifest.xml, or a project's folder.
  ///
  /// Findings are no failure.
  ///
  /// - Throws: `PrepError` where nothing of it can be read.
  public func run(_ path: FilePath) throws(PrepError) -> DoctorReport {
    guard try InputFile.status(of: path).kind == .directory else {
      return try file(path, for: path)
    }
    return path.pathExtension == "app" ? try bundle(path) : try project(path)
  }

  private func file(_ file: FilePath, for path: FilePath) throws(PrepError) -> DoctorReport {
    var report = DoctorReport(path: path, files: [file], findings: [])
    switch try DoctorDocument.read(file) {
    case .infoPlist(let list):
      report.findings = InfoPlistRules(list: list, file: file).findings()
    case .paths(let root):
      report.findings = FilePathsRules(root: root, file: file).findings()
    case .manifest(let root):
      var resources = Resources(near: [file], found: [], isProject: false)
      report.findings = Self.findings([root], file, &resources)
      report.files += resources.read
    }
    return report
  }

  /// iOS has the Info.plist in the bundle itself, macOS in its Contents.
  private func bundle(_ path: FilePath) throws(PrepError) -> DoctorReport {
    for name in ["Info.plist", "Contents/Info.plist"] {
      let plist = path.appending(name)
      if (try? FileSystem.status(plist)) != nil { return try file(plist, for: path) }
    }
    throw PrepError(
      code: .notFound, sentence: "\(path) has no Info.plist, so it is no app", blame: .input)
  }

  // MARK: Project

  private func project(_ path: FilePath) throws(PrepError) -> DoctorReport {
    let search: ProjectSearch
    do throws(FileError) {
      search = try ProjectSearch(path)
    } catch {
      throw error.prepError(blame: .input)
    }
    guard !search.infoPlists.isEmpty || !search.manifests.isEmpty else {
      throw PrepError(
        code: .notFound,
        sentence: "no Info.plist and no AndroidManifest.xml was found in \(path); where Xcode"
          + " generates the Info.plist, add a file with the keys that it cannot generate",
        blame: .input)
    }
    var report = DoctorReport(path: path, files: [], findings: [], isCutShort: search.isCutShort)
    var unreadable: [PrepError] = []
    for file in search.infoPlists {
      do throws(PrepError) {
        guard case .infoPlist(let list) = try DoctorDocument.read(file) else { continue }
        guard AppFiles.isApp(list, at: file, in: path) else {
          report.passedOver += 1
          continue
        }
        report.files.append(file)
        report.findings += InfoPlistRules(list: list, file: file).findings()
      } catch {
        unreadable.append(error)
        report.findings.append(Self.unreadable(file, error))
      }
    }
    manifests(of: search, in: path, &report, &unreadable)
    if report.files.isEmpty, let error = unreadable.first { throw error }
    return report
  }

  private func manifests(
    of search: ProjectSearch, in path: FilePath, _ report: inout DoctorReport,
    _ unreadable: inout [PrepError]
  ) {
    var apps: [(FilePath, Markup)] = []
    var libraries: [(FilePath, Markup)] = []
    for file in search.manifests {
      do throws(PrepError) {
        guard case .manifest(let root) = try DoctorDocument.read(file) else { continue }
        if !AppFiles.isMainSource(file, in: path) {
          report.passedOver += 1
        } else if AppFiles.isLaunched(root) {
          apps.append((file, root))
        } else {
          libraries.append((file, root))
        }
      } catch {
        unreadable.append(error)
        report.findings.append(Self.unreadable(file, error))
      }
    }
    if apps.isEmpty, let first = libraries.first {
      apps = [first]
      libraries.removeFirst()
    }
    report.passedOver += libraries.count
    for (file, root) in apps {
      var resources = Resources(
        near: [file] + libraries.map(\.0), found: search.resources, isProject: true)
      report.findings += Self.findings([root] + libraries.map(\.1), file, &resources)
      report.files += [file] + resources.read
    }
  }

  private static func findings(
    _ manifests: [Markup], _ file: FilePath, _ resources: inout Resources
  ) -> [DoctorFinding] {
    let providers = FileProviderRules(manifests: manifests, file: file)
    var findings = QueriesRules(manifests: manifests, file: file).findings()
    findings += providers.findings()
    for (name, element) in providers.pathResources {
      findings += resources.findings(name, element, providers)
    }
    return findings
  }

  private static func unreadable(_ file: FilePath, _ error: PrepError) -> DoctorFinding {
    DoctorFinding(
      rule: Rule(rawValue: "readable"), severity: .error, sentence: error.sentence, file: file,
      location: nil, fix: "", source: "the file itself")
  }

  /// The files of `res/xml` that manifests name.
  private struct Resources {
    /// Each of these may have a `res/xml` beside it.
    let near: [FilePath]
    let found: [FilePath]
    let isProject: Bool
    private(set) var read: [FilePath] = []

    init(near: [FilePath], found: [FilePath], isProject: Bool) {
      self.near = near
      self.found = found
      self.isProject = isProject
    }

    mutating func findings(
      _ name: String, _ element: Markup, _ rules: FileProviderRules
    ) -> [DoctorFinding] {
      let beside = near.map { $0.parent.appending("res/xml/\(name).xml") }
      let file =
        beside.first { (try? FileSystem.status($0)) != nil }
        ?? found.first { $0.lastComponent.string == "\(name).xml" }
      guard let file else {
        // Alone, a manifest need not lie where its resources do.
        return [rules.missing(name, element, severity: isProject ? .error : .advice)]
      }
      guard !read.contains(file) else { return [] }
      read.append(file)
      do throws(PrepError) {
        guard case .paths(let root) = try DoctorDocument.read(file) else {
          return [rules.missing(name, element, severity: .error)]
        }
        return FilePathsRules(root: root, file: file).findings()
      } catch {
        return [Doctor.unreadable(file, error)]
      }
    }
  }
}
