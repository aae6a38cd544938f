#if !canImport(CryptoKit)
  import Foundation

  /// SHA-256 as in FIPS 180-4, for systems without CryptoKit.
  struct PortableSHA256 {
    private var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
      0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// Less than a block, waiting for more.
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0
    /// The message schedule, kept so that it is allocated once.
    private var w = [UInt32](repeating: 0, count: 64)

    /// Takes the next bytes, without a copy of more than a block.
    mutating func update(_ data: Data) {
      // Sound: the buffer stays in the closure.
      unsafe data.withUnsafeBytes { unsafe update($0) }
    }

    private mutating func update(_ bytes: UnsafeRawBufferPointer) {
      byteCount &+= UInt64(bytes.count)
      var start = 0
      if !pending.isEmpty {
        start = min(Self.blockBytes - pending.count, bytes.count)
        // Sound: the slice is copied here.
        unsafe pending += bytes.prefix(start)
        guard pending.count == Self.blockBytes else { return }
        compressPending()
      }
      while bytes.count - start >= Self.blockBytes {
        // Sound: a whole block lies at `start`.
        unsafe compress(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Self.blockBytes)]))
        start += Self.blockBytes
      }
      // Sound: as above.
      unsafe pending += bytes.dropFirst(start)
    }

    private mutating func compressPending() {
      let block = pending
      // Sound: the buffer is a whole block and stays in the closure.
      unsafe block.withUnsafeBytes { unsafe compress($0) }
      pending.removeAll(keepingCapacity: true)
    }

    /// Section 5.1.1: one bit, zeros, and the length in bits.
    consuming func finish() -> [UInt8] {
      let bits = byteCount &* 8
      let zeros = (2 * Self.blockBytes - 9 - pending.count) % Self.blockBytes
      let tail =
        [0x80] + [UInt8](repeating: 0, count: zeros)
        + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
      update(Data(tail))
      return state.flatMap { word in
        (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) }
      }
    }

    /// Section 6.2.2.
    private mutating func compress(_ block: UnsafeRawBufferPointer) {
      for t in 0..<16 {
        // Sound: a block has 16 words.
        w[t] = unsafe UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * t, as: UInt32.self))
      }
      for t in 16..<64 {
        let (x, y) = (w[t - 15], w[t - 2])
        let s0 = Self.rotate(x, 7) ^ Self.rotate(x, 18) ^ x >> 3
        let s1 = Self.rotate(y, 17) ^ Self.rotate(y, 19) ^ y >> 10
        w[t] = s1 &+ w[t - 7] &+ s0 &+ w[t - 16]
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      for t in 0..<64 {
        let s1 = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
        let t1 = h &+ s1 &+ (e & f ^ ~e & g) &+ Self.constants[t] &+ w[t]
        let s0 = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
        let t2 = s0 &+ (a & b ^ a & c ^ b & c)
        (h, g, f, e) = (g, f, e, d &+ t1)
        (d, c, b, a) = (c, b, a, t1 &+ t2)
      }
      for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
      word >> count | word << (32 &- count)
    }

    private static let blockBytes = 64

    /// Section 4.2.2.
    private static let constants: [UInt32] = [
      0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5,
      0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
      0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
      0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
      0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc,
      0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
      0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
      0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
      0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
      0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
      0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3,
      0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
      0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5,
      0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
      0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
      0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
  }
#endif
