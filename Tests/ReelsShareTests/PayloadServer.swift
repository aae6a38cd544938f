import Foundation

/// A server on the loopback that serves a folder with ranges, and with a fault by the first part of the
/// path: `http://127.0.0.1:PORT/cut/video.mp4`.
///
/// It is a Python process. It ends with its owner, when the test process is gone, and after two
/// minutes in any case.
final class PayloadServer {
  /// Whether there is a Python to run it.
  static let isThere = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }

  struct Failure: Error {}

  let port: Int
  private let process = Process()
  private let input = Pipe()
  private let log: URL

  init(_ folder: URL) throws {
    log = FileManager.default.temporaryDirectory
      .appendingPathComponent("payload-server-\(UUID().uuidString)")
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.script, folder.path, log.path]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      kill(process.processIdentifier, SIGKILL)
      throw Failure()
    }
    self.port = port
  }

  deinit {
    // Threads here block SIGTERM, and a child inherits that.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: log)
  }

  func url(_ fault: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)/\(fault)") ?? URL(fileURLWithPath: "/")
  }

  /// What was asked for, as in "video.mp4 bytes=0-999".
  var requests: [String] {
    ((try? String(contentsOf: log, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
  }

  private static let script = #"""
    import http.server, os, re, sys, threading, time

    folder, log = sys.argv[1], sys.argv[2]
    cuts = {}

    def watch():
        sys.stdin.buffer.read()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    threading.Timer(120, lambda: os._exit(0)).start()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments):
            pass

        def reply(self, status, headers, body, length=None, cut=None):
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            if length != -1:
                self.send_header("Content-Length", str(len(body) if length is None else length))
            else:
                self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body if cut is None else body[:cut])
            self.wfile.flush()
            if cut is not None or length == -1:
                self.close_connection = True

        def do_GET(self):
            path, _, query = self.path.partition("?")
            _, fault, name = (path.split("/") + ["", ""])[:3]
            wanted = self.headers.get("Range")
            with open(log, "a") as file:
                file.write(f"{name} {wanted or '-'}{' ?' + query if query else ''}\n")
            if fault == "signed" and query != "key=1" or fault == "forbidden":
                return self.reply(403, [], b"no")
            if fault == "broken":
                return self.reply(503, [], b"later")
            if fault.startswith("to-"):
                target = {"to-ok": "/ok/" + name, "to-ftp": "ftp://127.0.0.1/" + name,
                          "to-file": "file:///etc/hosts", "to-itself": self.path}[fault]
                return self.reply(302, [("Location", target)], b"")
            try:
                with open(os.path.join(folder, name), "rb") as file:
                    data = file.read()
            except OSError:
                return self.reply(404, [], b"none")
            if name == "payload.json":
                if fault == "no-manifest":
                    return self.reply(404, [], b"none")
                if fault == "cut-manifest":
                    return self.reply(200, [], data, cut=len(data) // 2)
                if fault == "large-manifest":
                    return self.reply(200, [], b" " * (6 << 20))
                if fault == "endless-manifest":
                    return self.reply(200, [], b" " * (6 << 20), length=-1)
                return self.reply(200, [], data)
            if name == "video.mp4":
                if fault == "absent":
                    return self.reply(404, [], b"none")
                if fault == "other-bytes":
                    data = data[:-1] + bytes([data[-1] ^ 1])
                if fault == "shorter":
                    data = data[:-10]
                if fault == "longer":
                    data = data + b"x" * 10
                if fault == "refuses-range" and wanted:
                    return self.reply(416, [("Content-Range", f"bytes */{len(data)}")], b"")
                if fault == "endless":
                    return self.reply(200, [], data * 50, length=-1)
                if fault == "slow":
                    self.reply(200, [], data, cut=100)
                    time.sleep(20)
                    return
                if fault == "no-ranges":
                    return self.reply(200, [], data)
                if fault == "no-ranges-chunked":
                    return self.reply(200, [], data, length=-1)
                if fault == "no-ranges-cut":
                    count = cuts[fault] = cuts.get(fault, 0) + 1
                    return self.reply(200, [], data, cut=len(data) // 2 if count == 1 else None)
            match = re.fullmatch(r"bytes=(\d+)-(\d+)", wanted or "")
            if not match:
                return self.reply(200, [], data)
            first, last = int(match[1]), min(int(match[2]), len(data) - 1)
            if first >= len(data):
                return self.reply(416, [("Content-Range", f"bytes */{len(data)}")], b"")
            total = len(data)
            if name == "video.mp4":
                if fault == "other-part":
                    first += 1
                if fault == "unknown-total":
                    total = "*"
                if fault == "small-parts":
                    last = min(last, first + 99)
                if fault == "total-lies":
                    total = 10**9
            body = data[first:last + 1]
            headers = [("Content-Range", f"bytes {first}-{last}/{total}")]
            if fault == "more" and name == "video.mp4":
                return self.reply(206, headers, body + b"x" * 5)
            if fault == "cut" and name == "video.mp4":
                cuts["cut"] = cuts.get("cut", 0) + 1
                if cuts["cut"] % 3 == 0:
                    return self.reply(206, headers, body, cut=len(body) // 2)
            self.reply(206, headers, body)

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *arguments):
            pass

    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """#
}
