//===- Slice.cpp - tags and timing of one L2 slice ---------------------------===//
// Lookup, allocation, fetch of missing sectors and write-back of dirty ones.
#include "simulator/cache/Slice.h"

#include "simulator/cache/SliceMap.h"

#include <algorithm>
#include <bit>
#include <new>
#include <vector>

namespace forerun::sim::cache {

Slice::Slice(const SliceShape& shape, dram::Dram& dram, const ClockDomain& clock, const Horizon* horizon)
    : shape_(shape), dram_(dram), clock_(clock), port_(horizon), missRegisters_(horizon, shape.mshrs) {
  std::size_t way = 3 * sizeof(std::uint32_t) + sizeof(Masks);
  setBytes_ = (way * shape.ways + 63) / 64 * 64;
  state_.reset(static_cast<std::uint8_t*>(std::calloc(shape.sets, setBytes_)));
  if (!state_) throw std::bad_alloc();
}

Slice::Set Slice::setAt(std::uint32_t index) const {
  std::uint32_t* words = reinterpret_cast<std::uint32_t*>(state_.get() + index * setBytes_);
  return {words, words + shape_.ways, words + 2 * shape_.ways, reinterpret_cast<Masks*>(words + 3 * shape_.ways)};
}

std::uint32_t Slice::setOf(std::uint64_t lineInSlice) const { return static_cast<std::uint32_t>(foldedModulo(lineInSlice, shape_.sets)); }

std::uint32_t Slice::findWay(const Set& set, std::uint32_t tag) const {
  // No early exit: the compiler compares many ways at once.
  std::uint32_t found = kNoWay;
  for (std::uint32_t way = 0; way < shape_.ways; ++way) found = set.tags[way] == tag ? way : found;
  return found;
}

// Evicts the least recently used line when the set is full; `accepted` moves to when DRAM took its dirty sectors.
std::uint32_t Slice::allocateWay(const Set& set, std::uint32_t tag, Cycles at, Cycles& accepted) {
  // Empty ways have the use 0, older than any.
  std::uint32_t oldest = 0;
  for (std::uint32_t way = 0; way < shape_.ways; ++way) oldest = std::max(oldest, uses_ - set.lastUse[way]);
  std::uint32_t victim = 0;
  while (uses_ - set.lastUse[victim] != oldest) ++victim;
  if (set.masks[victim].dirty) {
    ++counters_.writeBacks;
    accepted = std::max(accepted, clock_.fromReference(writeDirty(set, victim, clock_.toReference(at))));
  }
  set.tags[victim] = tag;
  set.masks[victim] = {0, 0};
  set.readyAt[victim] = static_cast<std::uint32_t>(at);
  return victim;
}

// Posts the dirty sectors of a line, run by run; reference cycles.
Cycles Slice::writeDirty(const Set& set, std::uint32_t way, Cycles at) {
  Cycles accepted = at;
  std::uint64_t offset = std::uint64_t{set.tags[way] - 1} * shape_.lineBytes;
  unsigned dirty = set.masks[way].dirty;
  while (dirty) {
    unsigned first = static_cast<unsigned>(std::countr_zero(dirty)), count = static_cast<unsigned>(std::countr_one(dirty >> first));
    accepted = std::max(accepted, dram_.write(offset + first * shape_.sectorBytes, count * shape_.sectorBytes, at));
    counters_.writeBackBytes += std::uint64_t{count} * shape_.sectorBytes;
    dirty &= ~(((1u << count) - 1) << first);
  }
  set.masks[way].dirty = 0;
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
  // A fill that is under way already counts when it is the later one.
  for (std::uint32_t i = 0; i < run.lines; ++i)
    if (pendingUntil(*run.readyAt[i], end) == 0) *run.readyAt[i] = static_cast<std::uint32_t>(end);
  counters_.fillBytes += run.bytes;
  run.lines = run.bytes = 0;
  return end;
}

// Adds the missing sectors of a line to the run; runs that end are fetched and `done` moves.
void Slice::addMissing(Run& run, std::uint32_t* readyAt, std::uint64_t lineOffset, std::uint8_t missing, Cycles ready, Cycles& done) {
  unsigned rest = missing;
  while (rest) {
    unsigned first = static_cast<unsigned>(std::countr_zero(rest)), count = static_cast<unsigned>(std::countr_one(rest >> first));
    rest &= ~(((1u << count) - 1) << first);
    std::uint64_t offset = lineOffset + first * shape_.sectorBytes;
    if (run.lines != 0 && (run.offset + run.bytes != offset || run.lines == std::min(Run::kLines, shape_.mshrs))) done = std::max(done, fetch(run, ready));
    if (run.lines == 0) run.offset = offset;
    run.bytes += count * shape_.sectorBytes;
    if (run.lines == 0 || run.readyAt[run.lines - 1] != readyAt) run.readyAt[run.lines++] = readyAt;
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
    std::uint32_t tag = static_cast<std::uint32_t>(line + 1);
    Set set = setAt(setOf(lineInSlice));
    std::uint32_t way = findWay(set, tag);
    Cycles missAt = looked;
    if (way == kNoWay) way = allocateWay(set, tag, looked, missAt);
    set.lastUse[way] = ++uses_;
    std::uint8_t missing = wanted & static_cast<std::uint8_t>(~set.masks[way].valid);
    Cycles pending = pendingUntil(set.readyAt[way], looked);
    done = std::max(done, pending);
    if (missing == 0) {
      ++(pending ? counters_.merges : counters_.hits);
      continue;
    }
    ++counters_.misses;
    set.masks[way].valid |= missing;
    addMissing(run, &set.readyAt[way], line * shape_.lineBytes, missing, missAt, done);
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
    std::uint32_t index = setOf(lineInSlice), tag = static_cast<std::uint32_t>(line + 1);
    Set set = setAt(index);
    std::uint32_t way = findWay(set, tag);
    if (way == kNoWay) way = allocateWay(set, tag, looked, accepted);
    set.lastUse[way] = ++uses_;
    Masks& masks = set.masks[way];
    std::uint8_t missing = touched & static_cast<std::uint8_t>(~covered & ~masks.valid);
    if (missing) {
      // Fetch in the background; only a full miss register file holds the write up.
      ++counters_.misses;
      Run run;
      Cycles ignored = 0;
      Cycles free = missRegisters_.firstFree(looked);
      if (free > looked) accepted = std::max(accepted, free);
      addMissing(run, &set.readyAt[way], line * shape_.lineBytes, missing, looked, ignored);
      fetch(run, looked);
    } else {
      ++counters_.hits;
    }
    bool wasFull = masks.dirty == all;
    if (masks.dirty == 0) ++dirtyLines_;
    masks.valid |= touched;
    masks.dirty |= touched;
    if (masks.dirty == all && !wasFull) dirtyOrder_.push_back({index, way});
  }
  if (!dirtyOrder_.empty()) cleanEarly(at);
  return std::max(at, clock_.toReference(accepted));
}

void Slice::cleanEarly(Cycles at) {
  const std::uint8_t all = static_cast<std::uint8_t>((1u << (shape_.lineBytes / shape_.sectorBytes)) - 1);
  for (unsigned tries = 0; tries < 2 && !dirtyOrder_.empty(); ++tries) {
    auto [index, way] = dirtyOrder_.front();
    Set set = setAt(index);
    if (set.masks[way].dirty == all) {
      if (!dram_.idleAt(std::uint64_t{set.tags[way] - 1} * shape_.lineBytes, at)) return;
      writeDirty(set, way, at);
      ++counters_.cleaned;
    }
    dirtyOrder_.pop_front();
  }
}

Cycles Slice::flush(Cycles at) {
  Cycles last = at, time = clock_.fromReference(at);
  const Cycles length = (Cycles{shape_.lineBytes} + shape_.bytesPerCycle - 1) / shape_.bytesPerCycle;
  // In order of address, so that DRAM rows stay open.
  struct Dirty {
    std::uint32_t tag, index, way;
  };
  std::vector<Dirty> lines;
  lines.reserve(dirtyLines_);
  for (std::uint32_t index = 0; index < shape_.sets && lines.size() < dirtyLines_; ++index) {
    Set set = setAt(index);
    for (std::uint32_t way = 0; way < shape_.ways; ++way)
      if (set.masks[way].dirty) lines.push_back({set.tags[way], index, way});
  }
  std::sort(lines.begin(), lines.end(), [](const Dirty& a, const Dirty& b) { return a.tag < b.tag; });
  for (const Dirty& line : lines) {
    time = port_.reserve(time, length);
    ++counters_.writeBacks;
    Cycles accepted = writeDirty(setAt(line.index), line.way, clock_.toReference(time + length));
    last = std::max(last, accepted);
    time = std::max(time, clock_.fromReference(accepted));
  }
  dirtyOrder_.clear();
  return last;
}

}  // namespace forerun::sim::cache
