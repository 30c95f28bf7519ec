//===- Engine.cpp - what DMA and matrix engines share -------------------------===//
// One loop: retire what is done, start what may start, until nothing changes at this time.
#include "simulator/engine/Engine.h"

#include "simulator/kernel/Error.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace forerun::sim::engine {

Engine::Engine(const targets::TargetSpec& target, const targets::EngineSpec& spec, std::string name, EngineHost& host,
               std::uint32_t firstQueue)
    : spec_(spec),
      clock_(ClockDomain::of(target, spec.clock)),
      name_(std::move(name)),
      host_(host),
      queues_(spec.queues) {
  for (std::uint32_t q = 0; q < spec.queues; ++q) {
    queues_[q].number = firstQueue + q;
    queues_[q].depth = std::max<std::uint32_t>(spec.queueDepth, 1);
  }
}

bool Engine::idle() const {
  return std::all_of(queues_.begin(), queues_.end(), [](const CommandQueue& queue) { return queue.entries.empty(); });
}

bool Engine::retireDone(Cycles now) {
  bool any = false;
  for (CommandQueue& queue : queues_)
    while (queue.started > 0 && queue.entries.front().finish <= now) {
      QueuedCommand command = std::move(queue.entries.front());
      complete(command);
      queue.entries.pop_front();
      --queue.started;
      ++queue.retired;
      ++retiredCommands_;
      host_.retired(queue, command, now);
      any = true;
    }
  return any;
}

bool Engine::startHeads(Cycles now, Cycles& next) {
  bool any = false;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const std::size_t index = (turn_ + i) % queues_.size();
    CommandQueue& queue = queues_[index];
    QueuedCommand* head = queue.head();
    if (!head) continue;
    if (head->ready == 0)
      head->ready = std::max(head->arrival, queue.headSince) + clock_.toReference(spec_.startupCycles);
    if (head->ready > now) {
      next = std::min(next, head->ready);
      continue;
    }
    if (head->command.after && !host_.tokenComplete(head->command.after)) continue;
    const Cycles available = availableAt(*head, now);
    if (available == kNever) continue;  // the unit comes back when it is free
    bool blocked = false;
    for (std::size_t older = 0; older < queue.started && !blocked; ++older) {
      const QueuedCommand& running = queue.entries[older];
      blocked = !mayOverlap(running, *head) && conflicts(running.footprint, head->footprint);
    }
    if (blocked) continue;  // the older command's retirement comes through here again
    if (available > now) {
      next = std::min(next, available);
      continue;
    }
    // Before the unit accounts for the command's work: what it waited for since it became the head of its queue.
    const Cycles begin = std::max(head->arrival, queue.headSince);
    timeline_.add(EngineCause::Fill, begin, head->ready, head->order);
    timeline_.add(EngineCause::Dependency, head->ready, now, head->order);
    head->start = now;
    ++queue.started;
    queue.headSince = now;
    startingPc_ = head->command.pc;
    start(*head, now);
    startingPc_ = 0;
    turn_ = (index + 1) % queues_.size();
    host_.started(queue, *head, now);
    any = true;
  }
  return any;
}

Cycles Engine::advance(Cycles now) {
  // Segments still to come begin no earlier than the waits of the heads.
  Cycles settled = now;
  for (CommandQueue& queue : queues_)
    if (const QueuedCommand* head = queue.head()) settled = std::min(settled, std::max(head->arrival, queue.headSince));
  timeline_.accountTo(std::max(settled, timeline_.accountedTo()));

  Cycles next;
  bool changed;
  do {
    next = progress(now);
    changed = retireDone(now);
    changed |= startHeads(now, next);
  } while (changed);
  for (const CommandQueue& queue : queues_)
    if (queue.started > 0) next = std::min(next, queue.entries.front().finish);
  return next;
}

std::string Engine::describeWait() const {
  for (const CommandQueue& queue : queues_) {
    if (queue.started >= queue.entries.size()) continue;
    const QueuedCommand& head = queue.entries[queue.started];
    std::string text = name_ + " queue " + std::to_string(queue.number) + ": " + mnemonic(head.command.kind) +
                       " issued at pc 0x" + llvm::utohexstr(head.command.pc, true);
    if (head.command.after && !host_.tokenComplete(head.command.after))
      return text + " waits for command " + std::to_string(tokenSequence(head.command.after)) + " of queue " +
             std::to_string(tokenQueue(head.command.after));
    return text + " has not started";
  }
  return "";
}

}  // namespace forerun::sim::engine
