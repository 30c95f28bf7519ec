//===- Semaphores.cpp - the semaphores of one core ---------------------------===//
// Additions ordered by the time at which they count.
#include "simulator/sync/Semaphores.h"

#include "simulator/kernel/Error.h"

#include <algorithm>
#include <string>

namespace forerun::sim::sync {

Semaphores::Semaphore& Semaphores::find(std::uint64_t id, const char* instruction) {
  if (id >= semaphores_.size())
    throw Error(ErrorKind::IllegalProgram, std::string(instruction) + ": semaphore " + std::to_string(id) +
                                               " does not exist; a core has " + std::to_string(semaphores_.size()));
  return semaphores_[id];
}

Cycles Semaphores::reachedAt(const Semaphore& semaphore, std::uint64_t atLeast) {
  if (semaphore.total < atLeast) return kNever;
  if (semaphore.folded.amount >= atLeast) return semaphore.folded.at;
  std::uint64_t sum = semaphore.folded.amount;
  for (const Addition& addition : semaphore.recent) {
    sum += addition.amount;
    if (sum >= atLeast) return std::max(semaphore.folded.at, addition.at);
  }
  return kNever;
}

void Semaphores::add(std::uint64_t id, std::uint64_t amount, Cycles now, std::vector<Wake>& woken) {
  Semaphore& semaphore = find(id, "xsem.add");
  Addition addition{now + spec_.semaphoreCycles, amount};
  auto place = std::upper_bound(semaphore.recent.begin(), semaphore.recent.end(), addition,
                                [](const Addition& a, const Addition& b) { return a.at < b.at; });
  semaphore.recent.insert(place, addition);
  semaphore.total += amount;
  std::erase_if(semaphore.waiters, [&](const Waiter& waiter) {
    Cycles at = reachedAt(semaphore, waiter.atLeast);
    if (at == kNever) return false;
    woken.push_back({waiter.hart, std::max(at, waiter.since)});
    return true;
  });
  if (semaphore.recent.size() > kRemembered) {
    auto end = semaphore.recent.begin() + kRemembered / 2;
    for (auto it = semaphore.recent.begin(); it != end; ++it) {
      semaphore.folded.amount += it->amount;
      semaphore.folded.at = std::max(semaphore.folded.at, it->at);
    }
    semaphore.recent.erase(semaphore.recent.begin(), end);
  }
}

Outcome Semaphores::wait(HartId hart, std::uint64_t id, std::uint64_t atLeast, Cycles now) {
  Semaphore& semaphore = find(id, "xsem.waitge");
  Cycles at = atLeast == 0 ? now : reachedAt(semaphore, atLeast);
  if (at != kNever) return {true, std::max(now, at), semaphore.total};
  semaphore.waiters.push_back({hart, atLeast, now});
  return {false, now, 0};
}

void Semaphores::describe(std::vector<Waiting>& waiting) const {
  for (std::size_t id = 0; id < semaphores_.size(); ++id)
    for (const Waiter& waiter : semaphores_[id].waiters)
      waiting.push_back({waiter.hart, waiter.since,
                         "semaphore " + std::to_string(id) + " to reach " + std::to_string(waiter.atLeast) +
                             " (it is " + std::to_string(semaphores_[id].total) + ")"});
}

}  // namespace forerun::sim::sync
