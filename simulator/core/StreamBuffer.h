//===- StreamBuffer.h - instruction lines fetched ahead ---------------------===//
// A stream buffer behind a direct-mapped instruction cache (Jouppi, "Improving direct-mapped cache performance by the
// addition of a small fully-associative cache and prefetch buffers", ISCA 1990): a miss asks for its line and for the
// `lines` that follow it. A later miss that finds its line on the way takes it out, with those before it, and asks for
// as many new ones behind. Lines enter the cache when code uses them, so fetching ahead evicts nothing.
//
// Times are cycles of the hart. Requests leave one a cycle; each is answered missCycles after it left.
#pragma once

#include "simulator/kernel/Cycles.h"

#include <cstdint>
#include <deque>

namespace forerun::sim::core {

class StreamBuffer {
 public:
  /// When `line`, missed in cycle `now`, is there: now + missCycles, or earlier (even before now) if it was on the way.
  Cycles take(std::uint64_t line, Cycles now, Cycles missCycles, unsigned lines) {
    Cycles ready = now + missCycles, nextRequest = now + 1;
    if (line >= first_ && line - first_ < arrivals_.size()) {
      const auto position = static_cast<std::ptrdiff_t>(line - first_);
      ready = arrivals_[static_cast<std::size_t>(position)];
      arrivals_.erase(arrivals_.begin(), arrivals_.begin() + position + 1);
      nextRequest = now;  // nothing but what is asked for ahead
    } else {
      arrivals_.clear();
    }
    first_ = line + 1;
    for (; arrivals_.size() < lines; ++nextRequest) arrivals_.push_back(nextRequest + missCycles);
    return ready;
  }

  void clear() { arrivals_.clear(); }

 private:
  std::uint64_t first_ = 0;      ///< line of arrivals_[0]; those behind it follow in memory
  std::deque<Cycles> arrivals_;  ///< when each is there
};

}  // namespace forerun::sim::core
