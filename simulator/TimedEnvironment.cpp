//===- TimedEnvironment.cpp - what harts ask of a chip with time ---------------------===//
// Memory times, commands, and who waits for what.
#include "simulator/TimedChip.h"

#include <algorithm>
#include <bit>

namespace forerun::sim {

namespace {
constexpr std::uint64_t kSemaphoreBytes = 8;  ///< of an add on its way to another core

struct ScratchPlace {
  std::uint32_t core;
  std::uint64_t offset;
};
ScratchPlace remotePlace(std::uint64_t address) {
  const std::uint64_t from = address - kRemoteScratchBase;
  return {static_cast<std::uint32_t>(from / kRemoteScratchStride), from % kRemoteScratchStride};
}
bool isRemote(std::uint64_t address) { return address >= kRemoteScratchBase && address < kGlobalBase; }
}  // namespace

// Memory
// ----------------------------------------------------------------------------------------------------------------------------------------

AccessTime TimedChip::access(HartId hart, std::uint64_t address, std::uint32_t bytes, AccessKind kind, Cycles now) {
  const bool store = kind != AccessKind::Load;
  if (address >= kGlobalBase) {
    if (kind == AccessKind::Store) return {memory_.write(hart.core, address, bytes, now).accepted, StallCause::Memory};
    return {memory_.read(hart.core, address, bytes, now), StallCause::Memory};
  }
  const std::uint64_t canonical = EngineMemory::canonical(hart.core, address);
  std::uint32_t owner = hart.core;
  std::uint64_t offset = address - kAccumulatorBase;
  const bool accumulator = canonical >= kCanonicalAccumulator;
  if (!accumulator) {
    const ScratchPlace place = remotePlace(canonical);
    owner = place.core;
    offset = place.offset;
  }
  if (!races_.empty()) races_[owner]->check(canonical, bytes, store, address);
  Core& core = timedCores_[owner];
  BankedMemoryTiming& memory = accumulator ? *core.accumulator : *core.scratch;
  const BankedMemoryTiming::Access banks = store ? memory.write(offset, bytes, now) : memory.read(offset, bytes, now);
  const Cycles served = kind == AccessKind::Store ? banks.last + 1 : banks.ready;
  if (owner != hart.core) {
    if (kind == AccessKind::Store)
      return {std::max(memory_.remoteWrite(hart.core, owner, bytes, now).accepted, served), StallCause::Memory};
    return {memory_.remoteRead(hart.core, owner, bytes, served), StallCause::Memory};
  }
  return {served, banks.conflict ? StallCause::Bank : StallCause::Memory};
}

Cycles TimedChip::readOutside(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at, Reply reply) {
  if (!isRemote(address)) return answered(memory_.read(core, address, bytes, at, reply));
  const ScratchPlace place = remotePlace(address);
  return memory_.remoteRead(core, place.core, bytes,
                            timedCores_[place.core].scratch->read(place.offset, bytes, at).ready);
}

Cycles TimedChip::writeOutside(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at, Reply reply) {
  if (!isRemote(address)) return answered(memory_.write(core, address, bytes, at, reply));
  const ScratchPlace place = remotePlace(address);
  const WriteTimes times = memory_.remoteWrite(core, place.core, bytes, at);
  return std::max(times.completed,
                  timedCores_[place.core].scratch->write(place.offset, bytes, times.accepted).last + 1);
}

Cycles TimedChip::multicastOutside(std::uint32_t core, std::uint64_t cores, std::uint64_t offset, std::uint32_t bytes,
                                   Cycles at) {
  std::vector<std::uint32_t> targets;
  for (; cores; cores &= cores - 1) targets.push_back(static_cast<std::uint32_t>(std::countr_zero(cores)));
  std::vector<Cycles> arrivals(targets.size());
  Cycles done = memory_.multicast(core, targets, bytes, at, arrivals);
  for (std::size_t i = 0; i < targets.size(); ++i)
    done = std::max(done, timedCores_[targets[i]].scratch->write(offset, bytes, arrivals[i]).last + 1);
  return done;
}

// Waiting
// ---------------------------------------------------------------------------------------------------------------------------------------

Outcome TimedChip::blocked(std::vector<Waiter>& list, const Waiter& waiter, std::string what) {
  list.push_back(waiter);
  slot(waiter.hart).waitsFor = std::move(what);
  return {false, 0, 0};
}

void TimedChip::wakeHart(HartId hart, Cycles at) {
  HartSlot& woken = slot(hart);
  at = std::max(at, woken.hart->now());
  woken.hart->wake(at);
  woken.synchronises = true;  // it tries the same instruction again, at its time
  woken.waitsFor.clear();
  timedCores_[hart.core].harts->wakeAt(at);
}

void TimedChip::wakeHarts() {
  for (const sync::Wake& wake : woken_) wakeHart(wake.hart, wake.at);
  woken_.clear();
}

template <typename Ended>
void TimedChip::wake(std::vector<Waiter>& list, Cycles now, Ended ended) {
  std::erase_if(list, [&](const Waiter& waiter) {
    if (!ended(waiter)) return false;
    wakeHart(waiter.hart, now);
    return true;
  });
}

Cycles TimedChip::teamCycles(HartId hart, std::uint32_t cycles) {
  return target_.toReference(cycles, slot(hart).team->clock);
}

Outcome TimedChip::issue(HartId hart, const Command& command, Cycles now) {
  engine::CoreEngines& engines = *engines_[hart.core];
  const Cycles handedOver = now + teamCycles(hart, engines.hartIssueCycles(command));
  if (const std::optional<std::uint64_t> token = engines.issue(command, hart, now, handedOver))
    return {true, handedOver, *token};
  const std::uint32_t queue = engines.queueOf(command);
  return blocked(timedCores_[hart.core].queueWaiters, {hart, queue, 0}, "room in queue " + std::to_string(queue));
}

void TimedChip::queueHasRoom(std::uint32_t core, std::uint32_t queue, Cycles now) {
  wake(timedCores_[core].queueWaiters, now, [queue](const Waiter& w) { return w.queue == queue; });
}

Outcome TimedChip::waitToken(HartId hart, std::uint64_t token, Cycles now) {
  engine::CoreEngines& engines = *engines_[hart.core];
  engines.requireToken(token);
  engines.observe(token);
  if (engines.tokenComplete(token)) return {true, now + target_.sync.tokenCycles, 0};
  const std::uint32_t queue = engine::tokenQueue(token);
  const std::uint64_t sequence = engine::tokenSequence(token);
  return blocked(timedCores_[hart.core].tokenWaiters, {hart, queue, sequence},
                 "command " + std::to_string(sequence) + " of queue " + std::to_string(queue));
}

Outcome TimedChip::testToken(HartId hart, std::uint64_t token, Cycles now) {
  engine::CoreEngines& engines = *engines_[hart.core];
  engines.requireToken(token);
  engines.observe(token);
  return {true, now + target_.sync.tokenCycles, engines.tokenComplete(token) ? 1u : 0u};
}

void TimedChip::tokenRetired(std::uint32_t core, std::uint32_t queue, std::uint64_t sequence, Cycles now) {
  wake(timedCores_[core].tokenWaiters, now,
       [=](const Waiter& w) { return w.queue == queue && w.sequence <= sequence; });
}

Outcome TimedChip::barrierInit(HartId hart, std::uint64_t id, std::uint64_t arrivals, Cycles now) {
  return sync(hart.core).barriers.init(hart, id, arrivals, now);
}

Outcome TimedChip::barrierArrive(HartId hart, std::uint64_t id, std::uint64_t expectBytes, Cycles now) {
  const Outcome outcome = sync(hart.core).barriers.arrive(hart, id, expectBytes, now, woken_);
  wakeHarts();
  return outcome;
}

Outcome TimedChip::barrierWait(HartId hart, std::uint64_t id, std::uint64_t phase, Cycles now) {
  return sync(hart.core).barriers.wait(hart, id, phase, now);
}

void TimedChip::credited(std::uint32_t core, std::uint32_t target, std::uint64_t barrier, std::uint64_t bytes,
                         Cycles now) {
  sync(target).barriers.credit(barrier, bytes, now, woken_);
  wakeHarts();
}

Outcome TimedChip::semaphoreAdd(HartId hart, std::uint64_t coreAndId, std::uint64_t amount, Cycles now) {
  const auto target = static_cast<std::uint32_t>(coreAndId >> 32);
  const std::uint64_t id = coreAndId & 0xffff'ffff;
  sync(target);  // refuses a core that does not exist before the message leaves
  if (target == hart.core) {
    addSemaphore(target, id, amount, now);
  } else {
    const Cycles arrives = memory_.remoteWrite(hart.core, target, kSemaphoreBytes, now).accepted;
    timedCores_[target].arrivals.push({arrives, arrivalOrder_++, id, amount});
    timedCores_[target].harts->wakeAt(arrives);
  }
  return {true, now + 1, 0};
}

void TimedChip::addSemaphore(std::uint32_t core, std::uint64_t id, std::uint64_t amount, Cycles now) {
  sync(core).semaphores.add(id, amount, now, woken_);
  wakeHarts();
}

Outcome TimedChip::semaphoreWait(HartId hart, std::uint64_t id, std::uint64_t atLeast, Cycles now) {
  return sync(hart.core).semaphores.wait(hart, id, atLeast, now);
}

// Launch
// ----------------------------------------------------------------------------------------------------------------------------------------

Outcome TimedChip::nextWorkItem(HartId hart, Cycles now) { return workItems_->next(hart, now); }

void TimedChip::mark(HartId hart, std::uint64_t id, bool begin, Cycles now) {
  state_->mark(hart, id, begin, now - launchBegin_);
}

}  // namespace forerun::sim
