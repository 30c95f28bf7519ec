//===- Barriers.cpp - the barriers of one core -------------------------------===//
// Counting of arrivals and bytes, phase by phase.
#include "simulator/sync/Barriers.h"

#include "simulator/kernel/Error.h"

#include <algorithm>
#include <string>

namespace forerun::sim::sync {

Barriers::Barrier& Barriers::find(std::uint64_t id, const char* what, bool mustBeReady) {
  if (id >= barriers_.size())
    throw Error(ErrorKind::IllegalProgram, std::string(what) + ": barrier " + std::to_string(id) +
                                               " does not exist; a core has " + std::to_string(barriers_.size()));
  Barrier& barrier = barriers_[id];
  if (mustBeReady && !barrier.ready)
    throw Error(ErrorKind::IllegalProgram,
                std::string(what) + ": barrier " + std::to_string(id) + " was never set up with xbar.init");
  return barrier;
}

Outcome Barriers::init(HartId, std::uint64_t id, std::uint64_t arrivals, Cycles now) {
  Barrier& barrier = find(id, "xbar.init", false);
  if (arrivals == 0)
    throw Error(ErrorKind::IllegalProgram,
                "xbar.init: barrier " + std::to_string(id) + " with 0 arrivals would never be open");
  if (!barrier.waiters.empty())
    throw Error(ErrorKind::IllegalProgram, "xbar.init: harts wait for barrier " + std::to_string(id));
  barrier = {};
  barrier.ready = true;
  barrier.count = arrivals;
  return {true, now, 0};
}

Outcome Barriers::arrive(HartId, std::uint64_t id, std::uint64_t expectBytes, Cycles now, std::vector<Wake>& woken) {
  Barrier& barrier = find(id, "xbar.arrive", true);
  if (barrier.arrived == barrier.count)
    throw Error(ErrorKind::IllegalProgram,
                "xbar.arrive: barrier " + std::to_string(id) + " phase " + std::to_string(barrier.phase) +
                    " has all its " + std::to_string(barrier.count) + " arrivals already and still waits for bytes");
  std::uint64_t phase = barrier.phase;
  ++barrier.arrived;
  barrier.expected += expectBytes;
  barrier.latest = std::max(barrier.latest, now);
  complete(barrier, woken);
  return {true, now, phase};
}

void Barriers::credit(std::uint64_t id, std::uint64_t bytes, Cycles now, std::vector<Wake>& woken) {
  Barrier& barrier = find(id, "credit", true);
  barrier.credited += bytes;
  barrier.latest = std::max(barrier.latest, now);
  complete(barrier, woken);
}

void Barriers::complete(Barrier& barrier, std::vector<Wake>& woken) {
  if (barrier.arrived != barrier.count || barrier.expected != barrier.credited) return;
  Cycles at = barrier.latest + spec_.barrierCycles;
  barrier.completeAt[barrier.phase % kRemembered] = at;
  std::erase_if(barrier.waiters, [&](const Waiter& waiter) {
    if (waiter.phase > barrier.phase) return false;
    woken.push_back({waiter.hart, std::max(at, waiter.since)});
    return true;
  });
  ++barrier.phase;
  barrier.arrived = barrier.expected = barrier.credited = 0;
  barrier.latest = 0;
}

Outcome Barriers::wait(HartId hart, std::uint64_t id, std::uint64_t phase, Cycles now) {
  Barrier& barrier = find(id, "xbar.wait", true);
  if (phase < barrier.phase) {
    bool remembered = barrier.phase - phase <= kRemembered;
    return {true, remembered ? std::max(now, barrier.completeAt[phase % kRemembered]) : now, 0};
  }
  barrier.waiters.push_back({hart, phase, now});
  return {false, now, 0};
}

void Barriers::describe(std::vector<Waiting>& waiting) const {
  for (std::size_t id = 0; id < barriers_.size(); ++id) {
    const Barrier& barrier = barriers_[id];
    for (const Waiter& waiter : barrier.waiters) {
      std::string reason = "barrier " + std::to_string(id) + " phase " + std::to_string(waiter.phase) + " (phase " +
                           std::to_string(barrier.phase) +
                           " is open: " + std::to_string(barrier.count - barrier.arrived) + " of " +
                           std::to_string(barrier.count) + " arrivals";
      if (barrier.expected != barrier.credited)
        reason += ", " + std::to_string(static_cast<std::int64_t>(barrier.expected - barrier.credited)) + " bytes";
      waiting.push_back({waiter.hart, waiter.since, reason + " missing)"});
    }
  }
}

}  // namespace forerun::sim::sync
