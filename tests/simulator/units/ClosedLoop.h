//===- ClosedLoop.h - requesters that keep requests going --------------------===//
// For tests of DRAM, caches and memory systems: a new request leaves as soon as an old one is answered, in order of
// time.
#pragma once

#include "simulator/kernel/Reply.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace forerun::sim::test {

class ClosedLoop final : public ReplySink {
 public:
  /// `advance(now)`: no request will come for a time before `now`.
  ClosedLoop(std::uint32_t requesters, unsigned outstanding, std::function<void(Cycles)> advance,
             Cycles stepCycles = 16)
      : advance_(std::move(advance)), stepCycles_(stepCycles) {
    for (std::uint32_t requester = 0; requester < requesters; ++requester)
      for (unsigned i = 0; i < outstanding; ++i) free_.push({0, requester});
  }

  /// Sends a request for the requester that is free first: `post(requester, at, reply)` returns when it is done, or
  /// kNever.
  template <typename Post>
  void send(Post post) {
    while (free_.empty() || free_.top().first > now_) step();
    const std::uint32_t requester = free_.top().second;
    free_.pop();
    const Cycles known = post(requester, now_, Reply{this, requester});
    if (known == kNever)
      ++waiting_;
    else
      ended(requester, known);
  }
  /// Waits for all; returns when the last one was done.
  Cycles finish() {
    while (waiting_ != 0) step();
    return last_;
  }
  /// How far the time of an answer lay in the past when it came, at most.
  Cycles latest() const { return latest_; }
  void reply(std::uint32_t requester, Cycles at) override {
    --waiting_;
    latest_ = std::max(latest_, now_ - std::min(now_, at));
    ended(requester, at);
  }

 private:
  void step() {
    const Cycles before = now_;
    now_ += stepCycles_;
    if (!free_.empty() && free_.top().first > before) now_ = std::min(now_, free_.top().first);
    advance_(now_);
  }
  void ended(std::uint32_t requester, Cycles at) {
    free_.push({std::max(at, now_ + 1), requester});
    last_ = std::max(last_, at);
  }

  using Slot = std::pair<Cycles, std::uint32_t>;
  std::function<void(Cycles)> advance_;
  Cycles stepCycles_;
  std::priority_queue<Slot, std::vector<Slot>, std::greater<>> free_;
  Cycles now_ = 0, last_ = 0, latest_ = 0;
  unsigned waiting_ = 0;
};

}  // namespace forerun::sim::test
