//===- Timing.h - the timing rules of a hart as pure functions --------------===//
// Every formula of the hart's cycle model, apart from the machinery that applies it, so that tests can check each at
// its edge.
//
// Cycles here are those of the hart's own clock. An instruction that issues in cycle t with latency L has its result
// for an instruction that issues in cycle t + L, not before. All rules:
//  - Issue is in order. A cycle holds at most `issue.total` instructions and at most as many of each class as the
//  team's slots say.
//  - An instruction waits until its source registers are ready (rawScalar; rawVector for vector registers; bank or
//  memory when a load is awaited).
//    A later write of a register replaces an earlier pending one without waiting.
//  - Integer and floating-point dividers are not pipelined: the next division waits (structural).
//  - A conditional branch is predicted taken when it goes backward, not taken when forward; jal, and jalr as `ret`, are
//  predicted. A predicted taken
//    branch delays the next issue by branchTaken cycles, a wrong prediction (and every other jalr) by branchMiss; a
//    correct not-taken branch by none.
//  - Instructions come through a direct-mapped cache of icacheBytes; a line that is not there delays issue by
//  icacheMissCycles, or by what is left of them when the stream buffer has asked for it before (StreamBuffer.h).
//  - Private and program memory are tightly coupled: loads take privateCycles, stores are accepted at once. Other
//  memory answers through
//    Environment::access: loads do not block until their result is used (one outstanding access a register), stores
//    wait in a buffer of one entry a hart: a store issues once the one before it was accepted.
//  - A vector instruction also waits for vl and vtype (vectorSet after the vsetvl), and for its unit: one arithmetic,
//  one load and one store unit, each busy for
//    the occupancy below. It may start when the first element groups of its sources are there (chaining); permutations
//    and reductions need them whole.
//  - Fences, engine commands, barrier arrivals and semaphore credits wait until all earlier accesses of the hart are
//  complete (memory).
//  - A command occupies the engine port until the environment says that its token is known (the engine's issueCycles);
//  the next command waits for the
//    port (structural), other instructions do not. Waits that are over only later than the cycle they issue in
//    (synchronisation latency) hold the hart.
#pragma once

#include "simulator/kernel/Cycles.h"
#include "targets/TargetSpec.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace forerun::sim::core::timing {

/// Kinds of issue slot, in the order of the bytes of a packed slot word; byte 0 is the total.
enum class Slot : std::uint8_t { Scalar = 1, Vector, Load, Store, Engine };

/// Free slots of a cycle, packed: a byte for the total and one a class, each 128 + free, so that a byte below 128 means
/// one too many was taken.
inline constexpr std::uint64_t kSlotGuards = 0x0000'8080'8080'8080;
constexpr std::uint64_t freeSlots(const targets::IssueSlots& issue) {
  const std::uint32_t counts[] = {issue.total, issue.scalar, issue.vector, issue.load, issue.store, issue.engine};
  std::uint64_t packed = 0;
  for (unsigned i = 0; i < 6; ++i) packed |= std::uint64_t{128 + std::min(counts[i], 127u)} << (8 * i);
  return packed;
}
constexpr std::uint64_t slotsOf(Slot slot) {
  return std::uint64_t{1} | std::uint64_t{1} << (8 * static_cast<unsigned>(slot));
}
/// Whether `need` can still be taken from `free`.
constexpr bool slotsFit(std::uint64_t free, std::uint64_t need) { return ((free - need) & kSlotGuards) == kSlotGuards; }

/// Cycle in which a result is ready.
constexpr Cycles resultReady(Cycles issue, std::uint32_t latency) { return issue + latency; }

/// Delay of the next issue after a conditional branch.
constexpr std::uint32_t branchPenalty(bool backward, bool taken, const targets::HartLatencies& l) {
  if (backward != taken) return l.branchMiss;
  return taken ? l.branchTaken : 0;
}
/// Delay of the next issue after jalr: returns (jalr x0, 0(ra)) are predicted.
constexpr std::uint32_t indirectPenalty(unsigned rd, unsigned rs1, const targets::HartLatencies& l) {
  return rd == 0 && rs1 == 1 ? l.branchTaken : l.branchMiss;
}

/// Where an instruction cache of `lines` lines of `lineBytes` keeps the line of an address.
constexpr std::uint64_t cacheLine(std::uint64_t address, std::uint32_t lineBytes) { return address / lineBytes; }
constexpr std::uint64_t cacheSlot(std::uint64_t line, std::uint32_t lines) { return line % lines; }

// Vector
// -------------------------------------------------------------------------------------------------------------------------------------

/// Cycles that an element-wise operation keeps its unit: the bits of its widest operand through the datapath; at
/// least 1.
constexpr Cycles vectorOccupancy(std::uint64_t elements, unsigned widestBits, std::uint32_t datapathBits) {
  return std::max<Cycles>(1, (elements * widestBits + datapathBits - 1) / datapathBits);
}
/// Division and square root: one element after the other in each of the datapath's lanes of that width (at least one
/// lane).
constexpr Cycles vectorDivideOccupancy(std::uint64_t elements, unsigned elementBits, std::uint32_t datapathBits,
                                       std::uint32_t cyclesPerElement) {
  const std::uint64_t lanes = std::max<std::uint64_t>(1, datapathBits / elementBits);
  return std::max<Cycles>(1, (elements + lanes - 1) / lanes * cyclesPerElement);
}
/// Extra latency of an operation that crosses lanes: crossLaneCycles a log2 step over the lanes of the datapath.
constexpr Cycles crossLaneLatency(unsigned elementBits, std::uint32_t datapathBits, std::uint32_t crossLaneCycles) {
  const std::uint64_t lanes = std::max<std::uint64_t>(1, datapathBits / elementBits);
  return Cycles{crossLaneCycles} * static_cast<Cycles>(std::bit_width(lanes - 1));
}
/// Cycles a load or store keeps its unit: contiguous runs at the datapath's width, other accesses one element a cycle.
constexpr Cycles vectorMemoryOccupancy(std::uint64_t elements, std::uint64_t bytes, bool contiguous,
                                       std::uint32_t datapathBits) {
  return std::max<Cycles>(1, contiguous ? (bytes * 8 + datapathBits - 1) / datapathBits : elements);
}

/// When the first element group of a contiguous load is there: groups arrive a cycle apart, the last when the whole
/// access is done.
constexpr Cycles firstGroup(Cycles issue, Cycles done, Cycles occupancy) {
  return std::max(issue + 1, done >= occupancy ? done - (occupancy - 1) : 0);
}

/// Progress of a vector result: its first element group is ready at `first`, all of it at `last`.
struct VectorReady {
  Cycles first = 0, last = 0;
};
/// Chaining: a consumer may start when the first group of each source is there.
constexpr Cycles chainStart(VectorReady source) { return source.first; }
/// When the result of an operation that starts in `start` is there: latency after the start, one cycle a further
/// element group, and never before the sources' last group has passed through.
constexpr VectorReady vectorResult(Cycles start, Cycles latency, Cycles occupancy, Cycles sourcesLast) {
  return {start + latency, std::max(start + latency + occupancy - 1, sourcesLast + latency)};
}

}  // namespace forerun::sim::core::timing
