//===- DmaEngine.cpp - a DMA engine of a core ----------------------------------===//
// Bursts of the running command leave until the engine's look-ahead; completion follows from the slowest burst.
#include "simulator/dma/DmaEngine.h"

#include <algorithm>
#include <cstdlib>

namespace forerun::sim::dma {

using engine::EngineCause;

DmaEngine::DmaEngine(const targets::TargetSpec& target, const targets::EngineSpec& spec, std::string name, engine::EngineHost& host, std::uint32_t firstQueue,
                     const EngineMemory& memory, DmaPorts ports)
    : Engine(target, spec, std::move(name), host, firstQueue),
      memory_(memory),
      function_(memory),
      ports_(ports),
      stridePenaltyBytes_(target.scratch.stridePenaltyBytes),
      burstInterval_(clock_.toReference(1)),
      readPort_(ports.horizon),
      writePort_(ports.horizon) {}

std::uint64_t DmaEngine::executeNow(const Command& command) { return function_.execute(command).writtenBytes; }

Cycles DmaEngine::availableAt(const engine::QueuedCommand& command, Cycles now) {
  // One command sends bursts at a time; `progress` says when the running one is through.
  return transfer_ ? kNever : std::max(now, frontFree_);
}

DmaEngine::Side DmaEngine::sideOf(std::uint64_t address, std::int64_t stride, std::uint32_t elementBytes) const {
  Side side;
  side.stride = stride;
  side.elementBytes = elementBytes;
  side.adjacent = std::abs(stride) == elementBytes;
  const std::uint64_t canonical = memory_.canonical(address);
  const std::uint64_t scratch = kRemoteScratchBase + memory_.core() * kRemoteScratchStride;
  if (canonical >= scratch && canonical < scratch + kRemoteScratchStride) {
    side.near = true;
    side.banks = ports_.scratch;
    side.banksBase = address - (canonical - scratch);
  } else if (canonical >= kCanonicalAccumulator) {
    side.near = true;
    side.banks = ports_.accumulator;
    side.banksBase = kAccumulatorBase;
  }
  return side;
}

void DmaEngine::start(engine::QueuedCommand& queued, Cycles now) {
  const Command& command = queued.command;
  const DmaWork work = function_.execute(command);
  queued.creditBytes = work.writtenBytes;
  if (work.writtenBytes == 0) {
    queued.finish = now;
    return;
  }
  const Side source = sideOf(command.second.base, 0, 1), destination = sideOf(command.first.base, 0, 1);
  BurstWalk walk(command, {!source.near && work.readBytes > 0, !destination.near}, spec_.burstBytes, work.rows);
  Transfer transfer{&queued, std::move(walk), {}, {}, 0, now};
  transfer.source = sideOf(command.second.base, transfer.walk.readStride(), transfer.walk.readElementBytes());
  transfer.destination = sideOf(command.first.base, transfer.walk.writeStride(), transfer.walk.writeElementBytes());
  transfer.multicast = command.first.multicast;
  frontFree_ = std::max(frontFree_, now);
  if (!transfer.walk.next(burst_)) {
    queued.finish = now;
    return;
  }
  transfer_.emplace(std::move(transfer));
}

Cycles DmaEngine::portCycles(const Side& side, std::uint32_t elements, std::uint32_t bytesPerCycle) const {
  const std::uint64_t bytes = std::uint64_t{elements} * side.elementBytes, width = std::max<std::uint32_t>(bytesPerCycle, 1);
  if (side.adjacent || elements == 1) return clock_.toReference((bytes + width - 1) / width);
  const std::uint64_t each = (side.elementBytes + width - 1) / width;
  const bool penalty = stridePenaltyBytes_ && static_cast<std::uint64_t>(std::abs(side.stride)) > stridePenaltyBytes_;
  return clock_.toReference(elements * each * (penalty ? 2 : 1));
}

Cycles DmaEngine::read(const Side& side, std::uint64_t address, std::uint32_t elements, Cycles at, Cycles& issued) {
  const std::uint32_t bytes = elements * side.elementBytes;
  issued = at;
  if (side.near) {
    const Cycles port = portCycles(side, elements, spec_.readBytesPerCycle);
    issued = readPort_.reserve(at, port);
    const BankedMemoryTiming::Access access = side.banks->access(address - side.banksBase, bytes, issued);
    return std::max(access.ready, issued + port);
  }
  if (side.adjacent || elements == 1) return ports_.outside->readOutside(memory_.core(), address, bytes, at);
  Cycles done = at;
  for (std::uint32_t i = 0; i < elements; ++i)
    done = std::max(done, ports_.outside->readOutside(memory_.core(), address + i * static_cast<std::uint64_t>(std::abs(side.stride)), side.elementBytes, at + i * burstInterval_));
  return done;
}

Cycles DmaEngine::write(const Side& side, std::uint64_t address, std::uint32_t elements, Cycles at) {
  const std::uint32_t bytes = elements * side.elementBytes;
  if (side.near) {
    const Cycles port = portCycles(side, elements, spec_.writeBytesPerCycle);
    const Cycles begin = writePort_.reserve(at, port);
    const BankedMemoryTiming::Access access = side.banks->access(address - side.banksBase, bytes, begin);
    return std::max(access.last + 1, begin + port);
  }
  if (side.adjacent || elements == 1) return ports_.outside->writeOutside(memory_.core(), address, bytes, at);
  Cycles done = at;
  for (std::uint32_t i = 0; i < elements; ++i)
    done = std::max(done, ports_.outside->writeOutside(memory_.core(), address + i * static_cast<std::uint64_t>(std::abs(side.stride)), side.elementBytes, at + i * burstInterval_));
  return done;
}

Cycles DmaEngine::progress(Cycles now) {
  if (!transfer_) return kNever;
  Transfer& t = *transfer_;
  const std::size_t limit = std::max<std::uint32_t>(spec_.inFlight, 1);
  while (true) {
    Cycles at = frontFree_;
    while (!inFlight_.empty() && inFlight_.top() <= at) inFlight_.pop();
    const EngineCause wait = t.destination.near ? EngineCause::Operand : EngineCause::Output;
    if (inFlight_.size() >= limit) at = std::max(at, inFlight_.top());
    if (at > now + kAhead) return at - kAhead / 2;
    if (inFlight_.size() >= limit) inFlight_.pop();
    Cycles issued = at, data = at;
    if (burst_.readElements) data = read(t.source, burst_.readAddress, burst_.readElements, at, issued);
    Cycles done = data;
    const std::uint64_t self = std::uint64_t{1} << memory_.core();
    if (t.multicast == 0 || (t.multicast & self)) done = write(t.destination, burst_.writeAddress, burst_.writeElements, data);
    if (const std::uint64_t others = t.multicast & ~self)
      done = std::max(done, ports_.outside->multicastOutside(memory_.core(), others, memory_.canonical(burst_.writeAddress) - (kRemoteScratchBase + memory_.core() * kRemoteScratchStride),
                                                      burst_.writeElements * t.destination.elementBytes, data));
    inFlight_.push(done);
    t.done = std::max(t.done, done);
    timeline_.add(wait, frontFree_, issued, t.command->order);
    timeline_.add(EngineCause::Busy, issued, issued + burstInterval_, t.command->order);
    frontFree_ = issued + burstInterval_;
    if (!t.walk.next(burst_)) break;
  }
  timeline_.add(EngineCause::Drain, frontFree_, t.done, t.command->order);
  t.command->finish = t.done;
  const Cycles free = frontFree_;
  transfer_.reset();
  return free;
}

}  // namespace forerun::sim::dma
