import Foundation
import ReelsModel
import ReelsPipeline
import Testing

@testable import ReelsPrep

@Suite struct RepairPlanTests {
  private static let gops: [RepairPlan.GOP] = (0..<10).map(gop)

  private static func gop(_ index: Int) -> RepairPlan.GOP {
    let first = index * 60
    let bits = Double(1 + index % 5) * 1e6
    return RepairPlan.GOP(
      range: 0, packets: first..<(first + 60), first: first, bits: bits, crf: 24)
  }

  private static func plan(_ allowed: Int, best: Double = 18) -> RepairPlan {
    RepairPlan(gops: gops, halving: 6, bestCRF: best, framesAllowed: allowed)
  }

  /// What the choices change, if bits fall as they are said to.
  private static func change(_ choices: [RepairPlan.Choice]) -> Double {
    choices.reduce(0) { $0 + $1.gop.bits * (exp2(($1.gop.crf - $1.crf) / 6) - 1) }
  }

  @Test(arguments: [-0.5e6, -2e6, -6e6]) func `what is to be shed is shed`(bits: Double) {
    let choices = Self.plan(240).choices(changing: bits)
    #expect(abs(Self.change(choices) / bits - 1) < 0.01)
    #expect(choices.reduce(0) { $0 + $1.gop.packets.count } <= 240)
    #expect(choices.allSatisfy { $0.crf > $0.gop.crf })
  }

  @Test func `a little is shed by one GOP, with the most bits`() {
    let choices = Self.plan(240).choices(changing: -1e6)
    #expect(choices.map(\.gop.bits) == [5e6])
  }

  @Test func `what is to be gained is gained within the frames allowed`() {
    let choices = Self.plan(120).choices(changing: 2e6)
    #expect(choices.count == 2 && abs(Self.change(choices) / 2e6 - 1) < 0.01)
    #expect(Self.plan(59).choices(changing: 2e6).isEmpty)
  }

  @Test func `no GOP becomes better than wanted`() {
    let choices = Self.plan(600, best: 23).choices(changing: 30e6)
    #expect(!choices.isEmpty && choices.allSatisfy { $0.crf >= 23 })
  }

  @Test func `a change that one GOP can take is given to the largest alone, in bits`() throws {
    func steadied(_ bits: Double, best: Double = 18) -> (choice: RepairPlan.Choice, bits: Double)? {
      RepairPlan.steadied(Self.gops, changing: bits, bestCRF: best)
    }
    let less = try #require(steadied(-1.5e6))
    #expect(less.choice.gop.bits == 5e6 && less.choice.crf == 24 && less.bits == 3.5e6)
    let more = try #require(steadied(1.5e6))
    #expect(more.choice.gop.bits == 5e6 && more.choice.crf < 24 && more.bits == 6.5e6)
    #expect(steadied(-3e6) == nil)
    #expect(RepairPlan.steadied([], changing: -3e6, bestCRF: 18) == nil)
    let best = try #require(steadied(1.5e6, best: 23.5))
    #expect(best.choice.crf == 23.5)
    #expect(steadied(1.5e6, best: 23.8) == nil)
  }

  @Test func `between two trials of a GOP lies what is wanted`() throws {
    var now = Self.gops[2]
    (now.bits, now.crf) = (1e6, 26)
    let trial = Self.gops[2]
    let choice = try #require(RepairPlan.mixed([Self.gops[1], now], [trial], changing: 1e6))
    // Half of its frames as before, when it took 3 Mbit, half as now.
    #expect(choice.gop == now && choice.crf == 24)
    #expect(choice.change?.frame == 30 && choice.change?.crf == 26)
    #expect(choice.meanCRF == 25)
    #expect(RepairPlan.mixed([now], [trial], changing: 3e6) == nil)
    #expect(RepairPlan.mixed([now], [trial], changing: -1e6) == nil)
    #expect(RepairPlan.mixed([Self.gops[1]], [trial], changing: 1e6) == nil)
  }
}
