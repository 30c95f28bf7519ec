//===- Slice.cpp - tags and timing of one L2 slice ---------------------------===//
// Lookup, allocation, fetch of missing sectors and write-back of dirty ones.
#include "simulator/cache/Slice.h"

#include "simulator/cache/SliceMap.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>
#include <vector>

namespace forerun::sim::cache {

Slice::Slice(const SliceShape& shape, dram::Dram& dram, const ClockDomain& clock, const Horizon* horizon)
    : shape_(shape), dram_(dram), clock_(clock), port_(horizon) {
  for (std::uint32_t i = 0; i < shape.mshrs; ++i) registers_.push(0);
  waysOffset_ = (shape.ways * sizeof(std::uint32_t) + 63) / 64 * 64;
  setBytes_ = (waysOffset_ + shape.ways * sizeof(Way) + 63) / 64 * 64;
  state_.reset(static_cast<std::uint8_t*>(std::calloc(shape.sets, setBytes_)));
  if (!state_) throw std::bad_alloc();
}

Slice::Set Slice::setAt(std::uint32_t index) const {
  std::uint8_t* set = state_.get() + index * setBytes_;
  return {reinterpret_cast<std::uint32_t*>(set), reinterpret_cast<Way*>(set + waysOffset_)};
}

std::uint32_t Slice::setOf(std::uint64_t lineInSlice) const {
  return static_cast<std::uint32_t>(foldedModulo(lineInSlice, shape_.sets));
}

std::uint32_t Slice::findWay(const Set& set, std::uint32_t tag) const {
  // No early exit: the compiler compares many ways at once.
  std::uint32_t found = kNone;
  for (std::uint32_t way = 0; way < shape_.ways; ++way) found = set.tags[way] == tag ? way : found;
  return found;
}

// Evicts the least recently used line when the set is full. A read's fetch, or a write, waits until DRAM has accepted
// what was dirty.
std::uint32_t Slice::allocateWay(const Set& set, std::uint32_t tag, Lookup& lookup) {
  lookup.waitsFor = kNone;
  // Empty ways have the use 0, older than any.
  std::uint32_t oldest = 0;
  for (std::uint32_t way = 0; way < shape_.ways; ++way) oldest = std::max(oldest, uses_ - set.ways[way].lastUse);
  std::uint32_t victim = 0;
  while (uses_ - set.ways[victim].lastUse != oldest) ++victim;
  if (set.ways[victim].dirty) {
    ++counters_.writeBacks;
    std::uint32_t undecided = 0;
    const Cycles at = clock_.toReference(lookup.looked);
    if (lookup.write) {
      const std::uint32_t wait = waitOf(lookup);
      const Cycles accepted = writeDirty(set, victim, at, replyTo(Tag::WaitVictim, wait), undecided);
      waits_[wait].left += undecided;
      lookup.done = std::max(lookup.done, clock_.fromReference(accepted));
    } else {
      const Cycles accepted = writeDirty(set, victim, at, replyTo(Tag::FetchVictim, lookup.fetch), undecided);
      fetches_[lookup.fetch].victims += undecided;
      fetches_[lookup.fetch].ready = std::max(fetches_[lookup.fetch].ready, clock_.fromReference(accepted));
    }
    // Others follow, so that DRAM writes whole rows and turns its bus less often.
    const std::uint32_t batch = dram_.writeQueueBytes() / shape_.lineBytes;
    for (std::uint32_t i = 1; i < batch && cleanOldest(at, false); ++i) {
    }
  }
  set.tags[victim] = tag;
  set.ways[victim] = {set.ways[victim].lastUse, static_cast<std::uint32_t>(lookup.looked), 0, 0, 0};
  return victim;
}

// Posts the dirty sectors of a line, run by run; reference cycles. Counts the runs that DRAM has not accepted yet.
Cycles Slice::writeDirty(const Set& set, std::uint32_t way, Cycles at, Reply reply, std::uint32_t& undecided) {
  Cycles accepted = at;
  std::uint64_t offset = std::uint64_t{set.tags[way] - 1} * shape_.lineBytes;
  unsigned dirty = set.ways[way].dirty;
  set.ways[way].dirty = 0;
  --dirtyLines_;
  while (dirty) {
    unsigned first = static_cast<unsigned>(std::countr_zero(dirty)),
             count = static_cast<unsigned>(std::countr_one(dirty >> first));
    const Cycles known = dram_.write(offset + first * shape_.sectorBytes, count * shape_.sectorBytes, at, reply);
    if (known == kNever)
      ++undecided;
    else
      accepted = std::max(accepted, known);
    counters_.writeBackBytes += std::uint64_t{count} * shape_.sectorBytes;
    dirty &= ~(((1u << count) - 1) << first);
  }
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

// Waiting
// ---------------------------------------------------------------------------------------------------------------------------------------

std::uint32_t Slice::waitOf(Lookup& lookup) {
  if (lookup.wait == kNone) lookup.wait = waits_.take({lookup.reply, lookup.at});
  return lookup.wait;
}

void Slice::waitFor(Lookup& lookup, std::uint32_t number) {
  const std::uint32_t wait = waitOf(lookup);
  ++waits_[wait].left;
  Fetch& fetch = fetches_[number];
  fetch.firstWaiter = waiters_.take({wait, fetch.firstWaiter});
}

// The end of a lookup: its time, or kNever when something is still to come.
Cycles Slice::answer(Lookup& lookup) {
  if (lookup.wait != kNone) {
    Wait& wait = waits_[lookup.wait];
    wait.done = std::max(wait.done, lookup.done);
    if (--wait.left != 0) return kNever;
    lookup.done = wait.done;
    waits_.release(lookup.wait);
  }
  return std::max(lookup.at, clock_.toReference(lookup.done));
}

// One of the times that a request waits for is known.
void Slice::settle(std::uint32_t number, Cycles done) {
  Wait& wait = waits_[number];
  wait.done = std::max(wait.done, done);
  if (--wait.left != 0) return;
  const Reply reply = wait.reply;
  const Cycles at = std::max(wait.at, clock_.toReference(wait.done));
  waits_.release(number);
  reply.send(at);
}

void Slice::reply(std::uint32_t tag, Cycles at) {
  const std::uint32_t number = tag >> 2;
  const Cycles time = clock_.fromReference(at);
  switch (static_cast<Tag>(tag & 3)) {
    case Tag::Fill:
      filled(number, time);
      break;
    case Tag::FetchVictim:
      fetches_[number].ready = std::max(fetches_[number].ready, time);
      --fetches_[number].victims;
      break;
    case Tag::WaitVictim:
      settle(number, time);
      break;
  }
  startFetches();
}

// Fetching
// --------------------------------------------------------------------------------------------------------------------------------------

// Makes sure that sectors from `offset` on can join the fetch that is being collected.
void Slice::collect(Lookup& lookup, std::uint64_t offset) {
  if (lookup.fetch != kNone) {
    const Fetch& fetch = fetches_[lookup.fetch];
    if (fetch.offset + fetch.bytes == offset && fetch.lines < std::min(Fetch::kLines, shape_.mshrs)) return;
    launch(lookup);
  }
  Fetch fetch;
  fetch.offset = offset;
  fetch.ready = lookup.looked;
  lookup.fetch = fetches_.take(fetch);
}

void Slice::addMissing(Lookup& lookup, Place place, const Set& set, std::uint64_t lineOffset, std::uint8_t missing) {
  unsigned rest = missing;
  while (rest) {
    unsigned first = static_cast<unsigned>(std::countr_zero(rest)),
             count = static_cast<unsigned>(std::countr_one(rest >> first));
    rest &= ~(((1u << count) - 1) << first);
    collect(lookup, lineOffset + first * shape_.sectorBytes);
    Fetch& fetch = fetches_[lookup.fetch];
    fetch.bytes += count * shape_.sectorBytes;
    fetch.places[fetch.lines++] = place;
    set.ways[place.way].fetch = lookup.fetch + 1;
  }
}

// Sends the collected fetch off. A read waits for its data; a write only until there is a miss register for it.
void Slice::launch(Lookup& lookup) {
  if (lookup.fetch == kNone) return;
  lookup.waitsFor = kNone;
  const std::uint32_t number = std::exchange(lookup.fetch, kNone);
  counters_.fillBytes += fetches_[number].bytes;
  if (lookup.write) {
    const std::uint32_t wait = waitOf(lookup);
    ++waits_[wait].left;
    fetches_[number].startWait = wait;
  } else {
    waitFor(lookup, number);
  }
  queue_.push_back(number);
  startFetches();
}

void Slice::startFetches() {
  while (!queue_.empty()) {
    const std::uint32_t number = queue_.front();
    Fetch& fetch = fetches_[number];
    const std::uint32_t registers = std::min(fetch.lines, shape_.mshrs);
    if (fetch.victims != 0 || registers_.size() < registers) return;
    queue_.pop_front();
    const Cycles ready = fetch.ready;
    Cycles start = ready;
    for (std::uint32_t i = 0; i < registers; ++i, registers_.pop()) start = std::max(start, registers_.top());
    const std::uint32_t startWait = std::exchange(fetch.startWait, kNone);
    const Cycles end = dram_.read(fetch.offset, fetch.bytes, clock_.toReference(start), replyTo(Tag::Fill, number));
    if (startWait != kNone) settle(startWait, start > ready ? start : 0);
    if (end != kNever) filled(number, clock_.fromReference(end));
  }
}

void Slice::filled(std::uint32_t number, Cycles at) {
  const Fetch& fetch = fetches_[number];
  for (std::uint32_t i = 0; i < std::min(fetch.lines, shape_.mshrs); ++i) registers_.push(at);
  for (std::uint32_t i = 0; i < fetch.lines; ++i) {
    const Set set = setAt(fetch.places[i].set);
    const std::uint32_t way = fetch.places[i].way;
    if (set.ways[way].fetch != number + 1) continue;  // evicted, or fetching more
    set.ways[way].fetch = 0;
    set.ways[way].readyAt = static_cast<std::uint32_t>(at);
  }
  std::uint32_t waiter = fetch.firstWaiter;
  fetches_.release(number);
  // Those who are told may make new requests.
  while (waiter != kNone) {
    const Waiter next = waiters_[waiter];
    waiters_.release(waiter);
    waiter = next.next;
    settle(next.wait, at);
  }
}

// Requests
// --------------------------------------------------------------------------------------------------------------------------------------

Cycles Slice::read(std::uint64_t offset, std::uint32_t bytes, std::uint64_t lineInSlice, Cycles at, Reply reply) {
  const Cycles length = (Cycles{bytes} + shape_.bytesPerCycle - 1) / shape_.bytesPerCycle;
  const Cycles start = port_.reserve(clock_.fromReference(at), length);
  Lookup lookup{reply, at,   start + shape_.latencyCycles, start + shape_.latencyCycles + length - 1, kNone, kNone,
                kNone, false};
  counters_.readBytes += bytes;
  std::uint64_t line = offset / shape_.lineBytes;
  std::uint32_t first = static_cast<std::uint32_t>(offset % shape_.lineBytes);
  for (std::uint32_t left = bytes; left != 0; ++line, ++lineInSlice, first = 0) {
    std::uint32_t end = std::min(first + left, shape_.lineBytes);
    left -= end - first;
    const std::uint8_t wanted = sectorsTouched(first, end);
    const std::uint32_t tag = static_cast<std::uint32_t>(line + 1), index = setOf(lineInSlice);
    const Set set = setAt(index);
    std::uint32_t way = findWay(set, tag);
    if (way == kNone) {
      collect(lookup, line * shape_.lineBytes + static_cast<unsigned>(std::countr_zero(wanted)) * shape_.sectorBytes);
      way = allocateWay(set, tag, lookup);
    }
    set.ways[way].lastUse = ++uses_;
    const std::uint8_t missing = wanted & static_cast<std::uint8_t>(~set.ways[way].valid);
    const Cycles pending = pendingUntil(set.ways[way].readyAt, lookup.looked);
    lookup.done = std::max(lookup.done, pending);
    const std::uint32_t fetch = set.ways[way].fetch;
    if (fetch && fetch - 1 != lookup.fetch && fetch - 1 != lookup.waitsFor) {
      waitFor(lookup, fetch - 1);
      lookup.waitsFor = fetch - 1;
    }
    if (missing == 0) {
      ++(pending || fetch ? counters_.merges : counters_.hits);
      continue;
    }
    ++counters_.misses;
    set.ways[way].valid |= missing;
    addMissing(lookup, {index, way}, set, line * shape_.lineBytes, missing);
  }
  launch(lookup);
  return answer(lookup);
}

Cycles Slice::write(std::uint64_t offset, std::uint32_t bytes, std::uint64_t lineInSlice, Cycles at, Reply reply) {
  const Cycles length = (Cycles{bytes} + shape_.bytesPerCycle - 1) / shape_.bytesPerCycle;
  const Cycles start = port_.reserve(clock_.fromReference(at), length);
  Lookup lookup{reply, at, start + shape_.latencyCycles, start + length, kNone, kNone, kNone, true};
  counters_.writtenBytes += bytes;
  const std::uint8_t all = static_cast<std::uint8_t>((1u << (shape_.lineBytes / shape_.sectorBytes)) - 1);
  std::uint64_t line = offset / shape_.lineBytes;
  std::uint32_t first = static_cast<std::uint32_t>(offset % shape_.lineBytes);
  for (std::uint32_t left = bytes; left != 0; ++line, ++lineInSlice, first = 0) {
    std::uint32_t end = std::min(first + left, shape_.lineBytes);
    left -= end - first;
    const std::uint8_t touched = sectorsTouched(first, end), covered = sectorsCovered(first, end);
    const std::uint32_t index = setOf(lineInSlice), tag = static_cast<std::uint32_t>(line + 1);
    const Set set = setAt(index);
    std::uint32_t way = findWay(set, tag);
    if (way == kNone) way = allocateWay(set, tag, lookup);
    set.ways[way].lastUse = ++uses_;
    Way& state = set.ways[way];
    const std::uint8_t missing = touched & static_cast<std::uint8_t>(~covered & ~state.valid);
    if (missing) {
      // Fetched in the background.
      ++counters_.misses;
      addMissing(lookup, {index, way}, set, line * shape_.lineBytes, missing);
    } else {
      ++counters_.hits;
    }
    bool wasFull = state.dirty == all;
    if (state.dirty == 0) ++dirtyLines_;
    state.valid |= touched;
    state.dirty |= touched;
    if (state.dirty == all && !wasFull) dirtyOrder_.push_back({index, way});
  }
  launch(lookup);
  return answer(lookup);
}

// Writes back the line that has been dirty as a whole for longest; false when there is none, or its channel is busy and
// must not be.
bool Slice::cleanOldest(Cycles at, bool onlyIdle) {
  const std::uint8_t all = static_cast<std::uint8_t>((1u << (shape_.lineBytes / shape_.sectorBytes)) - 1);
  while (!dirtyOrder_.empty()) {
    const auto [index, way] = dirtyOrder_.front();
    const Set set = setAt(index);
    const bool stale = set.ways[way].dirty != all;
    if (!stale && onlyIdle && !dram_.idleAt(std::uint64_t{set.tags[way] - 1} * shape_.lineBytes, at)) return false;
    dirtyOrder_.pop_front();
    if (stale) continue;
    std::uint32_t undecided = 0;
    writeDirty(set, way, at, {}, undecided);
    ++counters_.cleaned;
    return true;
  }
  return false;
}

void Slice::cleanEarly(Cycles at) {
  for (unsigned lines = 0; lines < 2 && cleanOldest(at, true); ++lines) {
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
      if (set.ways[way].dirty) lines.push_back({set.tags[way], index, way});
  }
  std::sort(lines.begin(), lines.end(), [](const Dirty& a, const Dirty& b) { return a.tag < b.tag; });
  for (const Dirty& line : lines) {
    time = port_.reserve(time, length) + length;
    ++counters_.writeBacks;
    std::uint32_t undecided = 0;
    last = std::max(last, clock_.toReference(time));
    writeDirty(setAt(line.index), line.way, clock_.toReference(time), {}, undecided);
  }
  dirtyOrder_.clear();
  return last;
}

}  // namespace forerun::sim::cache
