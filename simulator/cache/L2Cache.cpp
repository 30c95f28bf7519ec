//===- L2Cache.cpp - all L2 slices of a chip ---------------------------------===//
// Geometry from the target, and figures for the report.
#include "simulator/cache/L2Cache.h"

#include "simulator/kernel/Error.h"

#include <algorithm>
#include <bit>
#include <string>

namespace forerun::sim::cache {

namespace {

SliceShape shapeOf(const targets::TargetSpec& target, std::uint32_t burstBytes) {
  const targets::L2Spec& l2 = target.l2;
  auto fail = [](const std::string& what) { throw Error(ErrorKind::BadConfig, "l2: " + what); };
  if (l2.slices == 0 || l2.ways == 0 || l2.mshrs == 0 || l2.bytesPerCycle == 0)
    fail("slices, ways, mshrs and bytesPerCycle must not be 0");
  if (!std::has_single_bit(l2.line) || l2.line < 32)
    fail("line is " + std::to_string(l2.line) + "; it must be a power of two of at least 32");
  if (l2.line < burstBytes) fail("line is smaller than a DRAM burst");
  if (l2.managedBytes > l2.bytes) fail("managedBytes exceeds bytes");
  if (target.dram.bytes / l2.line >= ~std::uint32_t{0})
    fail("dram.bytes has more than 2^32 lines; choose a longer line");
  std::uint64_t sets = (l2.bytes - l2.managedBytes) / l2.slices / l2.line / l2.ways;
  if (sets == 0 || sets > ~std::uint32_t{0})
    fail("bytes less managedBytes give " + std::to_string(sets) + " sets a slice");
  SliceShape shape;
  shape.sets = static_cast<std::uint32_t>(sets);
  shape.ways = l2.ways;
  shape.lineBytes = l2.line;
  shape.sectorBytes = std::max({std::uint32_t{32}, l2.line / 8, burstBytes});
  shape.mshrs = l2.mshrs;
  shape.bytesPerCycle = l2.bytesPerCycle;
  shape.latencyCycles = l2.latencyCycles;
  return shape;
}

}  // namespace

L2Cache::L2Cache(const targets::TargetSpec& target, dram::Dram& dram)
    : shape_(shapeOf(target, dram.addressMap().burstBytes())),
      clock_(ClockDomain::of(target, target.l2.clock)),
      map_(target, dram.addressMap()) {
  for (std::uint32_t i = 0; i < target.l2.slices; ++i)
    slices_.push_back(std::make_unique<Slice>(shape_, dram, clock_, &horizon_));
  double clockHz = 0, referenceHz = 1;
  for (const targets::Clock& clock : target.clocks) {
    if (clock.name == target.l2.clock) clockHz = static_cast<double>(clock.hz);
    if (clock.name == target.reference) referenceHz = static_cast<double>(clock.hz);
  }
  peakBytesPerSecond_ = clockHz * target.l2.bytesPerCycle * target.l2.slices;
  secondsPerCycle_ = 1 / referenceHz;
}

Cycles L2Cache::flush(Cycles at) {
  Cycles last = at;
  for (auto& slice : slices_) last = std::max(last, slice->flush(at));
  return last;
}

void L2Cache::cleanEarly(Cycles now) {
  for (auto& slice : slices_)
    if (slice->cleanable()) slice->cleanEarly(now);
}

bool L2Cache::cleanable() const {
  return std::any_of(slices_.begin(), slices_.end(), [](const auto& slice) { return slice->cleanable(); });
}

SliceCounters L2Cache::totals() const {
  SliceCounters sum;
  for (const auto& slice : slices_) {
    const SliceCounters& own = slice->counters();
    sum.readBytes += own.readBytes;
    sum.writtenBytes += own.writtenBytes;
    sum.hits += own.hits;
    sum.misses += own.misses;
    sum.merges += own.merges;
    sum.writeBacks += own.writeBacks;
    sum.cleaned += own.cleaned;
    sum.fillBytes += own.fillBytes;
    sum.writeBackBytes += own.writeBackBytes;
  }
  return sum;
}

void L2Cache::report(StatisticsTree& tree, Cycles cycles) const {
  SliceCounters all = totals();
  std::uint64_t lines = all.hits + all.misses + all.merges;
  Cycles busy = 0, busiest = 0;
  for (const auto& slice : slices_) {
    busy += slice->busyCycles();
    busiest = std::max(busiest, slice->busyCycles());
  }
  double seconds = static_cast<double>(cycles) * secondsPerCycle_;
  Cycles own = clock_.fromReference(cycles);
  tree.count("readBytes", "bytes", all.readBytes);
  tree.count("writtenBytes", "bytes", all.writtenBytes);
  tree.real("achievedBytesPerSecond", "bytes/s",
            cycles ? static_cast<double>(all.readBytes + all.writtenBytes) / seconds : 0);
  tree.real("peakBytesPerSecond", "bytes/s", peakBytesPerSecond_);
  tree.count("hits", "lines", all.hits);
  tree.count("misses", "lines", all.misses);
  tree.count("merges", "lines", all.merges);
  tree.real("hitRate", "", lines ? static_cast<double>(all.hits) / static_cast<double>(lines) : 0);
  tree.count("fillBytes", "bytes", all.fillBytes);
  tree.count("writeBackBytes", "bytes", all.writeBackBytes);
  tree.count("writeBacks", "lines", all.writeBacks);
  tree.count("cleaned", "lines written back early", all.cleaned);
  tree.count("busyCycles", "L2 cycles, sum over slices", busy);
  tree.real("busiestSlice", "share of cycles", own ? static_cast<double>(busiest) / static_cast<double>(own) : 0);
}

}  // namespace forerun::sim::cache
