//===- Slice.cpp - tags and timing of one L2 slice ---------------------------===//
// Lookup, allocation, fetch of missing sectors and write-back of dirty ones.
#include "simulator/cache/Slice.h"

#include "simulator/cache/SliceMap.h"

#include <algorithm>
#include <bit>
#include <new>

namespace forerun::sim::cache {

template <class T>
Slice::Lazy<T> Slice::allocate(std::size_t count) {
  void* memory = std::calloc(count, sizeof(T));
  if (!memory) throw std::bad_alloc();
  return Lazy<T>(static_cast<T*>(memory));
}

Slice::Slice(const SliceShape& shape, dram::Dram& dram, const ClockDomain& clock, const Horizon* horizon)
    : shape_(shape), dram_(dram), clock_(clock), port_(horizon), missRegisters_(horizon, shape.mshrs) {
  std::size_t lines = std::size_t{shape.sets} * shape.ways;
  tags_ = allocate<std::uint64_t>(lines);
  lastUse_ = allocate<std::uint32_t>(lines);
  readyAt_ = allocate<Cycles>(lines);
  masks_ = allocate<Masks>(lines);
}

std::size_t Slice::setOf(std::uint64_t lineInSlice) const { return foldedModulo(lineInSlice, shape_.sets) * shape_.ways; }

std::size_t Slice::findWay(std::size_t set, std::uint64_t tag) const {
  for (std::size_t way = set; way < set + shape_.ways; ++way)
    if (tags_[way] == tag) return way;
  return kNoWay;
}

// Evicts the least recently used line when the set is full; `accepted` moves to when DRAM took its dirty sectors.
std::size_t Slice::allocateWay(std::size_t set, std::uint64_t tag, Cycles at, Cycles& accepted) {
  std::size_t victim = set;
  std::uint32_t oldest = 0;
  for (std::size_t way = set; way < set + shape_.ways; ++way) {
    if (tags_[way] == 0) {
      victim = way;
      break;
    }
    std::uint32_t age = uses_ - lastUse_[way];
    if (age > oldest) {
      oldest = age;
      victim = way;
    }
  }
  if (masks_[victim].dirty) {
    ++counters_.writeBacks;
    accepted = std::max(accepted, clock_.fromReference(writeDirty(victim, clock_.toReference(at))));
  }
  tags_[victim] = tag;
  masks_[victim] = {0, 0};
  readyAt_[victim] = 0;
  return victim;
}

// Posts the dirty sectors of a line, run by run; reference cycles.
Cycles Slice::writeDirty(std::size_t way, Cycles at) {
  Cycles accepted = at;
  std::uint64_t offset = (tags_[way] - 1) * shape_.lineBytes;
  unsigned dirty = masks_[way].dirty;
  while (dirty) {
    unsigned first = static_cast<unsigned>(std::countr_zero(dirty)), count = static_cast<unsigned>(std::countr_one(dirty >> first));
    accepted = std::max(accepted, dram_.write(offset + first * shape_.sectorBytes, count * shape_.sectorBytes, at));
    counters_.writeBackBytes += std::uint64_t{count} * shape_.sectorBytes;
    dirty &= ~(((1u << count) - 1) << first);
  }
  masks_[way].dirty = 0;
  --dirtyLines_;
  return accepted;
}

// Sectors of a line with any byte, or all bytes, in [first, end).
std::uint8_t Slice::sectorsTouched(std::uint32_t first, std::uint32_t end) const {
  unsigned from = first / shape_.sectorBytes, to = (end + shape_.sectorBytes - 1) / shape_.sectorBytes;
  return static_cast<std::uint8_t>((1u << to) - (1u << from));
}
std::uint8_t Slice::sectorsCovered(std::uint32_t first, std::uint32_t end) const {
  unsigned from = (first + shape_.sectorBytes - 1) / shape_.sectorBytes, to = end / shape_.sectorBytes;
  return to > from ? static_cast<std::uint8_t>((1u << to) - (1u << from)) : 0;
}

// Fetches a run that misses at L2 cycle `ready`; returns the L2 cycle at which it has come.
Cycles Slice::fetch(Run& run, Cycles ready) {
  if (run.lines == 0) return ready;
  std::uint32_t registers = std::min(run.lines, shape_.mshrs);
  Cycles start = missRegisters_.firstFree(ready, registers);
  Cycles end = clock_.fromReference(dram_.read(run.offset, run.bytes, clock_.toReference(start)));
  missRegisters_.occupy(start, end, registers);
  for (std::uint32_t i = 0; i < run.lines; ++i) readyAt_[run.ways[i]] = std::max(readyAt_[run.ways[i]], end);
  counters_.fillBytes += run.bytes;
  run = {};
  return end;
}

// Adds the missing sectors of a line to the run; runs that end are fetched and `done` moves.
void Slice::addMissing(Run& run, std::size_t way, std::uint64_t lineOffset, std::uint8_t missing, Cycles ready, Cycles& done) {
  unsigned rest = missing;
  while (rest) {
    unsigned first = static_cast<unsigned>(std::countr_zero(rest)), count = static_cast<unsigned>(std::countr_one(rest >> first));
    rest &= ~(((1u << count) - 1) << first);
    std::uint64_t offset = lineOffset + first * shape_.sectorBytes;
    if (run.lines != 0 && (run.offset + run.bytes != offset || run.lines == std::min<std::uint32_t>(8, shape_.mshrs))) done = std::max(done, fetch(run, ready));
    if (run.lines == 0) run.offset = offset;
    run.bytes += count * shape_.sectorBytes;
    if (run.lines == 0 || run.ways[run.lines - 1] != way) run.ways[run.lines++] = way;
  }
}

Cycles Slice::read(std::uint64_t offset, std::uint32_t bytes, std::uint64_t lineInSlice, Cycles at) {
  const Cycles length = (Cycles{bytes} + shape_.bytesPerCycle - 1) / shape_.bytesPerCycle;
  const Cycles start = port_.reserve(clock_.fromReference(at), length);
  const Cycles looked = start + shape_.latencyCycles;
  Cycles done = looked + length - 1;
  counters_.readBytes += bytes;
  Run run;
  std::uint64_t line = offset / shape_.lineBytes;
  std::uint32_t first = static_cast<std::uint32_t>(offset % shape_.lineBytes);
  for (std::uint32_t left = bytes; left != 0; ++line, ++lineInSlice, first = 0) {
    std::uint32_t end = std::min(first + left, shape_.lineBytes);
    left -= end - first;
    std::uint8_t wanted = sectorsTouched(first, end);
    std::size_t set = setOf(lineInSlice), way = findWay(set, line + 1);
    Cycles missAt = looked;
    if (way == kNoWay) way = allocateWay(set, line + 1, looked, missAt);
    lastUse_[way] = ++uses_;
    std::uint8_t missing = wanted & static_cast<std::uint8_t>(~masks_[way].valid);
    if (missing == 0) {
      bool pending = readyAt_[way] > looked;
      ++(pending ? counters_.merges : counters_.hits);
      if (pending) done = std::max(done, readyAt_[way]);
      continue;
    }
    ++counters_.misses;
    if (readyAt_[way] > looked) done = std::max(done, readyAt_[way]);
    masks_[way].valid |= missing;
    addMissing(run, way, line * shape_.lineBytes, missing, missAt, done);
    if (missAt != looked) done = std::max(done, fetch(run, missAt));
  }
  done = std::max(done, fetch(run, looked));
  if (!dirtyOrder_.empty()) cleanEarly(at);
  return std::max(at, clock_.toReference(done));
}

Cycles Slice::write(std::uint64_t offset, std::uint32_t bytes, std::uint64_t lineInSlice, Cycles at) {
  const Cycles length = (Cycles{bytes} + shape_.bytesPerCycle - 1) / shape_.bytesPerCycle;
  const Cycles start = port_.reserve(clock_.fromReference(at), length);
  Cycles accepted = start + length;
  const Cycles looked = start + shape_.latencyCycles;
  counters_.writtenBytes += bytes;
  const std::uint8_t all = static_cast<std::uint8_t>((1u << (shape_.lineBytes / shape_.sectorBytes)) - 1);
  std::uint64_t line = offset / shape_.lineBytes;
  std::uint32_t first = static_cast<std::uint32_t>(offset % shape_.lineBytes);
  for (std::uint32_t left = bytes; left != 0; ++line, ++lineInSlice, first = 0) {
    std::uint32_t end = std::min(first + left, shape_.lineBytes);
    left -= end - first;
    std::uint8_t touched = sectorsTouched(first, end), covered = sectorsCovered(first, end);
    std::size_t set = setOf(lineInSlice), way = findWay(set, line + 1);
    bool present = way != kNoWay;
    if (!present) way = allocateWay(set, line + 1, looked, accepted);
    lastUse_[way] = ++uses_;
    Masks& masks = masks_[way];
    std::uint8_t missing = touched & static_cast<std::uint8_t>(~covered & ~masks.valid);
    if (missing) {
      // Fetch in the background; only a full miss register file holds the write up.
      ++counters_.misses;
      Run run;
      Cycles ignored = 0;
      Cycles free = missRegisters_.firstFree(looked);
      if (free > looked) accepted = std::max(accepted, free);
      addMissing(run, way, line * shape_.lineBytes, missing, looked, ignored);
      fetch(run, looked);
    } else {
      ++counters_.hits;
    }
    bool wasFull = masks.dirty == all;
    if (masks.dirty == 0) ++dirtyLines_;
    masks.valid |= touched;
    masks.dirty |= touched;
    if (masks.dirty == all && !wasFull) dirtyOrder_.push_back(way);
  }
  if (!dirtyOrder_.empty()) cleanEarly(at);
  return std::max(at, clock_.toReference(accepted));
}

void Slice::cleanEarly(Cycles at) {
  const std::uint8_t all = static_cast<std::uint8_t>((1u << (shape_.lineBytes / shape_.sectorBytes)) - 1);
  for (unsigned tries = 0; tries < 2 && !dirtyOrder_.empty(); ++tries) {
    std::size_t way = dirtyOrder_.front();
    if (masks_[way].dirty == all) {
      if (!dram_.idleAt((tags_[way] - 1) * shape_.lineBytes, at)) return;
      writeDirty(way, at);
      ++counters_.cleaned;
    }
    dirtyOrder_.pop_front();
  }
}

Cycles Slice::flush(Cycles at) {
  Cycles last = at, time = clock_.fromReference(at);
  const Cycles length = (Cycles{shape_.lineBytes} + shape_.bytesPerCycle - 1) / shape_.bytesPerCycle;
  // Way by way: lines of one way are near each other in memory, so DRAM rows stay open.
  for (std::size_t way = 0; way < shape_.ways && dirtyLines_ != 0; ++way)
    for (std::size_t line = way; line < std::size_t{shape_.sets} * shape_.ways; line += shape_.ways) {
      if (masks_[line].dirty == 0) continue;
      time = port_.reserve(time, length);
      ++counters_.writeBacks;
      Cycles accepted = writeDirty(line, clock_.toReference(time + length));
      last = std::max(last, accepted);
      time = std::max(time, clock_.fromReference(accepted));
    }
  dirtyOrder_.clear();
  return last;
}

}  // namespace forerun::sim::cache
