//===- BankCalendar.cpp - which banks are taken in which cycle --------------===//
// A ring of bank masks, one a port and cycle.
#include "simulator/scratchpad/BankCalendar.h"

#include "simulator/kernel/Error.h"

#include <algorithm>

namespace forerun::sim {

namespace {
constexpr std::uint64_t kInitialCycles = 512;  // more than commands of the targets book ahead; grows on demand
constexpr std::uint64_t kMaximumCycles = 1ull << 26;
}  // namespace

BankCalendar::BankCalendar(const Horizon* horizon, std::uint32_t ports)
    : horizon_(horizon),
      ports_(std::max<std::uint32_t>(ports, 1)),
      taken_(kInitialCycles * ports_, 0),
      ringMask_(kInitialCycles - 1) {}

Cycles BankCalendar::probe(Cycles at, std::uint64_t mask) const {
  Cycles cycle = std::max(clamped(at), base_);
  // The last port's mask says which banks have none left.
  while (cycle < clear_ && (taken_[(cycle & ringMask_) * ports_ + ports_ - 1] & mask)) ++cycle;
  return cycle;
}

Cycles BankCalendar::reserveSlow(Cycles at, std::uint64_t mask) {
  const Cycles cycle = probe(at, mask);
  if (cycle > base_ + ringMask_) makeRoom(cycle);
  std::uint64_t* slot = &taken_[(cycle & ringMask_) * ports_];
  for (std::uint32_t port = 0; mask && port < ports_; ++port) {
    const std::uint64_t carry = slot[port] & mask;
    slot[port] |= mask;
    mask = carry;
  }
  clear_ = std::max(clear_, cycle + 1);
  return cycle;
}

void BankCalendar::makeRoom(Cycles cycle) {
  // Forget what lies before the horizon, then grow if that was not enough.
  if (horizon_ && horizon_->now > base_) {
    const Cycles until = std::min(horizon_->now, clear_);
    for (Cycles c = base_; c < until;) {  // in at most two stretches of the ring
      const Cycles stretch = std::min(until - c, ringMask_ + 1 - (c & ringMask_));
      std::fill_n(taken_.begin() + static_cast<std::ptrdiff_t>((c & ringMask_) * ports_), stretch * ports_, 0);
      c += stretch;
    }
    base_ = horizon_->now;
    clear_ = std::max(clear_, base_);
  }
  std::uint64_t cycles = ringMask_ + 1;
  while (cycle >= base_ + cycles) cycles *= 2;
  if (cycles == ringMask_ + 1) return;
  if (cycles > kMaximumCycles) throw Error(ErrorKind::ModelBug, "a bank is booked more than 2^26 cycles ahead");
  std::vector<std::uint64_t> grown(cycles * ports_, 0);
  for (Cycles c = base_; c < clear_; ++c)
    std::copy_n(taken_.begin() + static_cast<std::ptrdiff_t>((c & ringMask_) * ports_), ports_,
                grown.begin() + static_cast<std::ptrdiff_t>((c & (cycles - 1)) * ports_));
  taken_ = std::move(grown);
  ringMask_ = cycles - 1;
}

}  // namespace forerun::sim
