//===- StallTimeline.h - where the cycles of an engine went -----------------===//
// Commands overlap in an engine; this gives every cycle to exactly one cause.
#pragma once

#include "simulator/kernel/Cycles.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace forerun::sim::engine {

/// Dependency: the next command waits for its token or for an older command that it conflicts with. Operand, output:
/// work waits for sources or for room to put results. Fill: start-up, weights. Drain: results on their way after the
/// last work.
enum class EngineCause : std::uint8_t { Busy, Dependency, Operand, Output, Fill, Drain, Idle };
inline constexpr std::size_t kEngineCauses = 7;
std::string_view name(EngineCause cause);

/// Segments are added in any order not before the time accounted so far. A cycle in which any command does work is
/// busy; otherwise the command that was added first owns it; cycles of no segment are idle.
class StallTimeline {
 public:
  /// [begin, end) of the command numbered `order`. What lies before accountedTo() is dropped.
  void add(EngineCause cause, Cycles begin, Cycles end, std::uint64_t order);
  /// As `add` with an end that is not known yet; `close` says it, before time gets there.
  void open(EngineCause cause, Cycles begin, std::uint64_t order) { add(cause, begin, kNever, order); }
  void close(EngineCause cause, Cycles end, std::uint64_t order);
  /// No segment will be added that begins before `time`.
  void accountTo(Cycles time);

  Cycles accountedTo() const { return cursor_; }
  Cycles of(EngineCause cause) const { return cycles_[static_cast<std::size_t>(cause)]; }
  /// Starts a new account at `time` (of a launch).
  void restart(Cycles time);

 private:
  struct Segment {
    EngineCause cause;
    Cycles begin, end;
    std::uint64_t order;
  };
  std::vector<Segment> segments_;
  Cycles cursor_ = 0;
  std::array<Cycles, kEngineCauses> cycles_{};
};

}  // namespace forerun::sim::engine
