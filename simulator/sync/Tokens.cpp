//===- Tokens.cpp - which commands of a core have retired --------------------===//
// A retired count and the times of the last retirements a queue.
#include "simulator/sync/Tokens.h"

#include "simulator/kernel/Error.h"

#include <algorithm>

namespace forerun::sim::sync {

Tokens::Tokens(const targets::SyncSpec& spec, std::vector<std::string> queueNames)
    : spec_(spec), queues_(queueNames.size()) {
  if (queueNames.size() > 256)
    throw Error(ErrorKind::BadConfig, "a core has more than 256 queues; a token has 8 bits for the queue");
  for (std::size_t i = 0; i < queueNames.size(); ++i) queues_[i].name = std::move(queueNames[i]);
}

Tokens::Queue& Tokens::find(std::uint64_t token) {
  std::uint32_t queue = queueOf(token);
  if (queue >= queues_.size() || sequenceOf(token) == 0 || sequenceOf(token) > queues_[queue].issued)
    throw Error(ErrorKind::IllegalProgram, "token " + std::to_string(token) + " (queue " + std::to_string(queue) +
                                               ", command " + std::to_string(sequenceOf(token)) +
                                               ") was never given out by this core");
  return queues_[queue];
}

Cycles Tokens::time(const Queue& queue, std::uint64_t sequence) {
  if (sequence > queue.retired) return kNever;
  std::uint64_t behind = queue.retired - sequence;
  return behind < queue.times.size() ? queue.times[queue.times.size() - 1 - behind] : 0;
}

void Tokens::note(std::uint64_t token) {
  if (token == 0) return;
  Queue& queue = find(token);
  queue.waited = std::max(queue.waited, sequenceOf(token));
}

std::uint64_t Tokens::issue(std::uint32_t queue) { return std::uint64_t{queue} << 56 | ++queues_[queue].issued; }

void Tokens::retire(std::uint32_t index, Cycles now, std::vector<Wake>& woken) {
  Queue& queue = queues_[index];
  if (queue.retired == queue.issued)
    throw Error(ErrorKind::ModelBug, "queue " + queue.name + " retires a command that it never had");
  ++queue.retired;
  if (!queue.times.empty()) now = std::max(now, queue.times.back());
  queue.times.push_back(now);
  if (queue.times.size() > kRemembered) queue.times.pop_front();
  Cycles seen = now + spec_.tokenCycles;
  std::erase_if(queue.waiters, [&](const Waiter& waiter) {
    if (waiter.sequence > queue.retired) return false;
    woken.push_back({waiter.hart, std::max(seen, waiter.since)});
    return true;
  });
}

Outcome Tokens::wait(HartId hart, std::uint64_t token, Cycles now) {
  if (token == 0) return {true, now, 0};
  Queue& queue = find(token);
  note(token);
  Cycles at = time(queue, sequenceOf(token));
  if (at != kNever) return {true, std::max(now, at + spec_.tokenCycles), 0};
  queue.waiters.push_back({hart, sequenceOf(token), now});
  return {false, now, 0};
}

Outcome Tokens::test(std::uint64_t token, Cycles now) {
  if (token == 0) return {true, now, 1};
  Cycles at = time(find(token), sequenceOf(token));
  bool complete = at != kNever && at + spec_.tokenCycles <= now;
  if (complete) note(token);
  return {true, now, complete};
}

Cycles Tokens::retiredAt(std::uint64_t token) {
  if (token == 0) return 0;
  note(token);
  return time(find(token), sequenceOf(token));
}

void Tokens::describe(std::vector<Waiting>& waiting) const {
  for (const Queue& queue : queues_)
    for (const Waiter& waiter : queue.waiters)
      waiting.push_back({waiter.hart, waiter.since,
                         "command " + std::to_string(waiter.sequence) + " of queue " + queue.name + " (" +
                             std::to_string(queue.retired) + " of " + std::to_string(queue.issued) + " retired)"});
}

}  // namespace forerun::sim::sync
