//===- Reply.h - times that are known later ---------------------------------===//
// A request whose time depends on what others do is answered when that is decided: by a return value now, or by a call
// later.
#pragma once

#include "simulator/kernel/Cycles.h"

#include <cstdint>

namespace forerun::sim {

/// Is told the times of requests that could not be answered at once.
class ReplySink {
 public:
  /// `tag` as the request gave it; `at` in the unit in which it was made. May make new requests.
  virtual void reply(std::uint32_t tag, Cycles at) = 0;

 protected:
  ~ReplySink() = default;
};

/// Where the answer to a request goes; without a sink nobody wants to know.
struct Reply {
  ReplySink* sink = nullptr;
  std::uint32_t tag = 0;

  void send(Cycles at) const {
    if (sink) sink->reply(tag, at);
  }
};

/// For callers that wait: keeps the one time it is told.
class ReplyOnce final : public ReplySink {
 public:
  void reply(std::uint32_t, Cycles at) override { this->at = at; }
  Cycles at = kNever;
};

}  // namespace forerun::sim
