//===- StallTimeline.cpp - where the cycles of an engine went ---------------===//
// A sweep over the few segments that are open at a time.
#include "simulator/engine/StallTimeline.h"

#include <algorithm>

namespace forerun::sim::engine {

std::string_view name(EngineCause cause) {
  switch (cause) {
    case EngineCause::Busy:
      return "busy";
    case EngineCause::Dependency:
      return "dependency";
    case EngineCause::Operand:
      return "operand";
    case EngineCause::Output:
      return "output";
    case EngineCause::Fill:
      return "fill";
    case EngineCause::Drain:
      return "drain";
    case EngineCause::Idle:
      return "idle";
  }
  return "";
}

void StallTimeline::add(EngineCause cause, Cycles begin, Cycles end, std::uint64_t order) {
  begin = std::max(begin, cursor_);
  if (begin >= end) return;
  if (!segments_.empty()) {
    Segment& last = segments_.back();
    if (last.cause == cause && last.order == order && last.end == begin) {
      last.end = end;
      return;
    }
  }
  segments_.push_back({cause, begin, end, order});
}

void StallTimeline::close(EngineCause cause, Cycles end, std::uint64_t order) {
  for (Segment& s : segments_)
    if (s.end == kNever && s.cause == cause && s.order == order) s.end = std::max(end, s.begin);
}

void StallTimeline::accountTo(Cycles time) {
  if (time <= cursor_) return;
  while (cursor_ < time) {
    Cycles next = time;
    const Segment* owner = nullptr;
    for (const Segment& s : segments_) {
      if (s.begin > cursor_) {
        next = std::min(next, s.begin);
        continue;
      }
      if (s.end <= cursor_) continue;
      next = std::min(next, s.end);
      const bool busy = s.cause == EngineCause::Busy, ownerBusy = owner && owner->cause == EngineCause::Busy;
      if (!owner || busy > ownerBusy || (busy == ownerBusy && s.order < owner->order)) owner = &s;
    }
    cycles_[static_cast<std::size_t>(owner ? owner->cause : EngineCause::Idle)] += next - cursor_;
    cursor_ = next;
  }
  std::erase_if(segments_, [this](const Segment& s) { return s.end <= cursor_; });
}

void StallTimeline::restart(Cycles time) {
  segments_.clear();
  cursor_ = time;
  cycles_ = {};
}

}  // namespace forerun::sim::engine
