//===- DmaEngine.cpp - a DMA engine of a core ----------------------------------===//
// Bursts of the running command leave at their time; each reads, then writes, and the slowest one completes the
// command.
#include "simulator/dma/DmaEngine.h"

#include <algorithm>
#include <cstdlib>

namespace forerun::sim::dma {

using engine::EngineCause;

DmaEngine::DmaEngine(const targets::TargetSpec& target, const targets::EngineSpec& spec, std::string name,
                     engine::EngineHost& host, std::uint32_t firstQueue, const EngineMemory& memory, DmaPorts ports)
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
  return walk_ ? kNever : std::max(now, frontFree_);
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
  frontFree_ = std::max(frontFree_, now);
  if (!walk.next(burst_)) {
    queued.finish = now;
    return;
  }
  Transfer transfer{&queued,
                    sideOf(command.second.base, walk.readStride(), walk.readElementBytes()),
                    sideOf(command.first.base, walk.writeStride(), walk.writeElementBytes()),
                    command.first.multicast,
                    1,
                    now};
  running_ = transfers_.take(transfer);
  walk_.emplace(std::move(walk));
}

Cycles DmaEngine::portCycles(const Side& side, std::uint32_t elements, std::uint32_t bytesPerCycle) const {
  const std::uint64_t bytes = std::uint64_t{elements} * side.elementBytes,
                      width = std::max<std::uint32_t>(bytesPerCycle, 1);
  if (side.adjacent || elements == 1) return clock_.toReference((bytes + width - 1) / width);
  const std::uint64_t each = (side.elementBytes + width - 1) / width;
  const bool penalty = stridePenaltyBytes_ && static_cast<std::uint64_t>(std::abs(side.stride)) > stridePenaltyBytes_;
  return clock_.toReference(elements * each * (penalty ? 2 : 1));
}

// Adjacent elements are one request, others one each.
template <typename Request>
void DmaEngine::far(std::uint32_t number, const Side& side, std::uint64_t address, std::uint32_t elements, Cycles at,
                    Request request) {
  const bool together = side.adjacent || elements == 1;
  const std::uint32_t requests = together ? 1 : elements, bytes = (together ? elements : 1) * side.elementBytes;
  for (std::uint32_t i = 0; i < requests; ++i) {
    ++flights_[number].left;
    const Cycles known = request(address + i * static_cast<std::uint64_t>(std::abs(side.stride)), bytes,
                                 at + i * burstInterval_, Reply{this, number});
    if (known == kNever) continue;
    --flights_[number].left;
    flights_[number].done = std::max(flights_[number].done, known);
  }
}

void DmaEngine::read(std::uint32_t number, const Side& side, const Burst& burst, Cycles at, Cycles& issued) {
  issued = at;
  flights_[number].done = at;
  if (burst.readElements == 0) return;
  if (!side.near) {
    far(number, side, burst.readAddress, burst.readElements, at,
        [this](std::uint64_t address, std::uint32_t bytes, Cycles when, Reply reply) {
          return ports_.outside->readOutside(memory_.core(), address, bytes, when, reply);
        });
    return;
  }
  const Cycles port = portCycles(side, burst.readElements, spec_.readBytesPerCycle);
  issued = readPort_.reserve(at, port);
  const BankedMemoryTiming::Access access =
      side.banks->read(burst.readAddress - side.banksBase, burst.readElements * side.elementBytes, issued);
  flights_[number].done = std::max(access.ready, issued + port);
}

void DmaEngine::write(std::uint32_t number, Cycles at) {
  const Flight flight = flights_[number];
  const Transfer& t = transfers_[flight.transfer];
  const Side& side = t.destination;
  const std::uint32_t bytes = flight.writeElements * side.elementBytes;
  const std::uint64_t self = std::uint64_t{1} << memory_.core();
  if (const std::uint64_t others = t.multicast & ~self)
    flights_[number].done = ports_.outside->multicastOutside(
        memory_.core(), others,
        memory_.canonical(flight.writeAddress) - (kRemoteScratchBase + memory_.core() * kRemoteScratchStride), bytes,
        at);
  if (t.multicast != 0 && !(t.multicast & self)) return;
  if (!side.near) {
    far(number, side, flight.writeAddress, flight.writeElements, at,
        [this](std::uint64_t address, std::uint32_t size, Cycles when, Reply reply) {
          return ports_.outside->writeOutside(memory_.core(), address, size, when, reply);
        });
    return;
  }
  const Cycles port = portCycles(side, flight.writeElements, spec_.writeBytesPerCycle);
  const Cycles begin = writePort_.reserve(at, port);
  const BankedMemoryTiming::Access access = side.banks->write(flight.writeAddress - side.banksBase, bytes, begin);
  flights_[number].done = std::max({flights_[number].done, access.last + 1, begin + port});
}

// Goes on with a burst as far as answers are known: from its read to its write, from its write to its end.
void DmaEngine::advanceFlight(std::uint32_t number) {
  while (--flights_[number].left == 0) {
    Flight& flight = flights_[number];
    const Cycles done = flight.done;
    if (flight.writing) {
      const std::uint32_t transfer = flight.transfer;
      flights_.release(number);
      answered_.push(done);
      burstDone(transfer, done);
      return;
    }
    flight.writing = true;
    flight.left = 1;
    write(number, done);
  }
}

void DmaEngine::reply(std::uint32_t number, Cycles at) {
  flights_[number].done = std::max(flights_[number].done, at);
  advanceFlight(number);
  if (blocked_ && !answered_.empty()) wakeAt(answered_.top());
}

void DmaEngine::burstDone(std::uint32_t number, Cycles done) {
  Transfer& t = transfers_[number];
  t.done = std::max(t.done, done);
  if (--t.bursts != 0) return;
  t.command->finish = t.done;
  timeline_.close(EngineCause::Drain, t.done, t.command->order);
  wakeAt(t.done);
  transfers_.release(number);
}

Cycles DmaEngine::progress(Cycles now) {
  if (!walk_) return kNever;
  BurstWalk& walk = *walk_;
  const std::size_t limit = std::max<std::uint32_t>(spec_.inFlight, 1);
  const std::uint64_t order = transfers_[running_].command->order;
  const EngineCause wait = transfers_[running_].destination.near ? EngineCause::Operand : EngineCause::Output;
  do {
    if (frontFree_ > now + ports_.ahead) return frontFree_;
    const Cycles at = std::max(now, frontFree_);
    while (!answered_.empty() && answered_.top() <= at) answered_.pop();
    if (answered_.size() + flights_.used() >= limit) {
      if (!blocked_) timeline_.open(wait, frontFree_, order);
      blocked_ = true;
      return answered_.empty() ? kNever : answered_.top();
    }
    const std::uint32_t flight = flights_.take({running_, burst_.writeElements, burst_.writeAddress});
    ++transfers_[running_].bursts;
    Cycles issued;
    read(flight, transfers_[running_].source, burst_, at, issued);
    advanceFlight(flight);
    if (blocked_)
      timeline_.close(wait, issued, order);
    else
      timeline_.add(wait, frontFree_, issued, order);
    blocked_ = false;
    timeline_.add(EngineCause::Busy, issued, issued + burstInterval_, order);
    frontFree_ = issued + burstInterval_;
  } while (walk.next(burst_));
  walk_.reset();
  timeline_.open(EngineCause::Drain, frontFree_, order);
  burstDone(running_, frontFree_);
  return frontFree_;
}

}  // namespace forerun::sim::dma
