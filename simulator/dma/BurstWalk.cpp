//===- BurstWalk.cpp - a DMA command as a sequence of bursts -------------------===//
// Four nested loops in normal form.
#include "simulator/dma/BurstWalk.h"

#include "simulator/dma/DmaFunction.h"

#include <algorithm>
#include <cstdlib>

namespace forerun::sim::dma {

BurstWalk::BurstWalk(const Command& command, const WalkSides& sides, std::uint32_t burstBytes,
                     std::vector<std::int64_t> rows)
    : rows_(std::move(rows)),
      mode_(command.indexMode),
      indexedCommand_(command.kind == CommandKind::DmaIndex),
      burstBytes_(std::max<std::uint32_t>(burstBytes, 1)) {
  Descriptor dst = command.first, src = command.second;
  sourceBytes_ = isa::storageBytes(src.type);
  destinationBytes_ = isa::storageBytes(dst.type);
  // Walk the side that the indices belong to; the other side is valid where its own bounds say so.
  const bool walkSource = indexedCommand_ && mode_ != 0;
  std::array<IndexRange, 4> dstRange = validRange(dst), srcRange = validRange(src);
  if (isa::isPacked(src.type) || isa::isPacked(dst.type)) walkPacked(dst, dstRange, src, srcRange);
  const std::array<IndexRange, 4> walked = walkSource ? srcRange : dstRange;
  sourceBase_ = src.base;
  destinationBase_ = dst.base;
  for (unsigned d = 0; d < 4; ++d) {
    Loop& loop = loops_[d];
    const std::int64_t origin = walked[d].begin;
    loop.count = walked[d].size();
    if (loop.count == 0) done_ = true;
    loop.destinationStride = dst.stride[d];
    loop.sourceStride = src.stride[d];
    loop.indexed = indexedCommand_ && d == 1;
    loop.sourceBegin = std::clamp<std::int64_t>(srcRange[d].begin - origin, 0, loop.count);
    loop.sourceEnd = std::clamp<std::int64_t>(srcRange[d].end - origin, 0, loop.count);
    loop.destinationBegin = std::clamp<std::int64_t>(dstRange[d].begin - origin, 0, loop.count);
    loop.destinationEnd = std::clamp<std::int64_t>(dstRange[d].end - origin, 0, loop.count);
    if (loop.indexed) {
      // rows_[i] is looked up when the row is walked; its bounds are those of the indexed side.
      if (walkSource) {
        loop.destinationBegin = 0, loop.destinationEnd = loop.count;
        sourceBase_ += static_cast<std::uint64_t>(origin * src.stride[d]);
      } else {
        loop.sourceBegin = 0, loop.sourceEnd = loop.count;
        destinationBase_ += static_cast<std::uint64_t>(origin * dst.stride[d]);
      }
      rows_.erase(rows_.begin(),
                  rows_.begin() + std::min<std::ptrdiff_t>(origin, static_cast<std::ptrdiff_t>(rows_.size())));
      const IndexRange selected = walkSource ? dstRange[d] : srcRange[d];
      for (std::int64_t& row : rows_)
        if (row < selected.begin || row >= selected.end) row = -1;
    } else {
      sourceBase_ += static_cast<std::uint64_t>(origin * src.stride[d]);
      destinationBase_ += static_cast<std::uint64_t>(origin * dst.stride[d]);
    }
  }
  if (done_) return;

  farIsSource_ = sides.sourceFar;
  const bool bySource = farIsSource_;
  // Few enough for insertion, which keeps the order of equals.
  auto inner = [bySource](const Loop& a, const Loop& b) {
    const bool aOnce = a.count == 1 && !a.indexed, bOnce = b.count == 1 && !b.indexed;
    if (aOnce != bOnce) return bOnce;  // loops of one step outermost
    if (a.indexed != b.indexed) return b.indexed;
    const std::int64_t x = std::abs(bySource ? a.sourceStride : a.destinationStride),
                       y = std::abs(bySource ? b.sourceStride : b.destinationStride);
    return (x == 0 ? INT64_MAX : x) < (y == 0 ? INT64_MAX : y);
  };
  for (std::size_t i = 1; i < loops_.size(); ++i)
    for (std::size_t j = i; j > 0 && inner(loops_[j], loops_[j - 1]); --j) std::swap(loops_[j], loops_[j - 1]);
  // Join loops that continue each other on both sides.
  auto whole = [](const Loop& l) {
    return !l.indexed && l.sourceBegin == 0 && l.sourceEnd == l.count && l.destinationBegin == 0 &&
           l.destinationEnd == l.count;
  };
  for (unsigned inner = 0; inner < 3;) {
    Loop &a = loops_[inner], &b = loops_[inner + 1];
    if (b.count > 1 && whole(a) && whole(b) && b.sourceStride == a.sourceStride * a.count &&
        b.destinationStride == a.destinationStride * a.count) {
      a.count *= b.count;
      a.sourceEnd = a.destinationEnd = a.count;
      for (unsigned d = inner + 1; d < 3; ++d) loops_[d] = loops_[d + 1];
      loops_[3] = Loop();
    } else {
      ++inner;
    }
  }
}

void BurstWalk::walkPacked(Descriptor& dst, std::array<IndexRange, 4>& dstRange, Descriptor& src,
                           std::array<IndexRange, 4>& srcRange) {
  auto adjacent = [](const Descriptor& d) {
    return isa::isPacked(d.type) || d.stride[0] == static_cast<std::int64_t>(isa::storageBytes(d.type));
  };
  // Neighbours of the other side that lie apart are walked one by one, and the byte that holds two is touched twice.
  if (!adjacent(dst) || !adjacent(src)) return;
  auto pair = [](Descriptor& d, IndexRange& range, std::uint32_t& bytes) {
    range = {range.begin / 2, (range.end + 1) / 2};
    if (!isa::isPacked(d.type)) bytes *= 2;
    d.stride[0] = bytes;
  };
  pair(dst, dstRange[0], destinationBytes_);
  pair(src, srcRange[0], sourceBytes_);
}

bool BurstWalk::stepOuter() {
  index_[0] = 0;
  for (unsigned d = 1; d < 4; ++d) {
    if (++index_[d] < loops_[d].count) return true;
    index_[d] = 0;
  }
  done_ = true;
  return false;
}

bool BurstWalk::next(Burst& burst) {
  while (!done_) {
    const Loop& inner = loops_[0];
    std::uint64_t source = sourceBase_, destination = destinationBase_;
    bool reads = true, writes = true;
    for (unsigned d = 0; d < 4; ++d) {
      const Loop& loop = loops_[d];
      std::int64_t at = index_[d], sourceAt = at, destinationAt = at;
      if (loop.indexed) {
        const std::int64_t row =
            at < static_cast<std::int64_t>(rows_.size()) ? rows_[static_cast<std::size_t>(at)] : -1;
        if (mode_ == 0) {
          reads &= row >= 0;
          sourceAt = row;
        } else {
          writes &= row >= 0;
          destinationAt = row;
        }
      }
      if (d > 0) {
        reads &= at >= loop.sourceBegin && at < loop.sourceEnd;
        writes &= at >= loop.destinationBegin && at < loop.destinationEnd;
      }
      source += static_cast<std::uint64_t>(sourceAt * loop.sourceStride);
      destination += static_cast<std::uint64_t>(destinationAt * loop.destinationStride);
    }
    if (!writes) {  // dropped rows are not read either
      stepOuter();
      continue;
    }
    // Longest piece that stays inside one burst of the far side, or of the destination for rows without source.
    const bool bySource = farIsSource_ && reads;
    const std::int64_t stride = bySource ? inner.sourceStride : inner.destinationStride;
    const std::uint32_t bytes = bySource ? sourceBytes_ : destinationBytes_;
    std::int64_t elements = 1;
    if (std::abs(stride) == bytes && !inner.indexed) {
      const std::uint64_t address = bySource ? source : destination;
      const std::uint64_t before =
          stride > 0 ? burstBytes_ - address % burstBytes_ : (address + bytes - 1) % burstBytes_ + 1;
      elements = std::max<std::int64_t>(1, static_cast<std::int64_t>(before / bytes));
    }
    const std::int64_t begin = index_[0], end = std::min(begin + elements, inner.count);
    auto clip = [&](std::int64_t from, std::int64_t to) {
      return std::max<std::int64_t>(0, std::min(end, to) - std::max(begin, from));
    };
    const std::int64_t readElements = inner.indexed ? reads : reads ? clip(inner.sourceBegin, inner.sourceEnd) : 0;
    const std::int64_t writeElements = inner.indexed ? writes : clip(inner.destinationBegin, inner.destinationEnd);
    burst = {};
    burst.writeElements = static_cast<std::uint32_t>(writeElements);
    burst.readElements = static_cast<std::uint32_t>(writeElements ? readElements : 0);
    burst.readAddress =
        source + static_cast<std::uint64_t>(std::max<std::int64_t>(0, inner.sourceBegin - begin) * inner.sourceStride);
    burst.writeAddress =
        destination +
        static_cast<std::uint64_t>(std::max<std::int64_t>(0, inner.destinationBegin - begin) * inner.destinationStride);
    // Addresses name the lowest byte of the piece.
    if (inner.sourceStride < 0 && burst.readElements)
      burst.readAddress += static_cast<std::uint64_t>((burst.readElements - 1) * inner.sourceStride);
    if (inner.destinationStride < 0 && writeElements)
      burst.writeAddress += static_cast<std::uint64_t>((writeElements - 1) * inner.destinationStride);
    index_[0] = end;
    if (index_[0] >= inner.count) stepOuter();
    if (burst.writeElements) return true;
  }
  return false;
}

}  // namespace forerun::sim::dma
