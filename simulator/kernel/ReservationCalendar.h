//===- ReservationCalendar.h - when a shared resource is taken --------------===//
// Books cycles of a bank, link, slice or port for requests that arrive out of time order, because harts run ahead by a
// quantum.
#pragma once

#include "simulator/kernel/Cycles.h"

#include <array>
#include <cstdint>
#include <vector>

namespace forerun::sim {

/// The earliest cycle at which any component can still ask for something. The owner of the chip moves it forward (never
/// back); calendars forget what lies before it. One clock domain a horizon: calendars count in the cycles of their
/// unit.
struct Horizon {
  Cycles now = 0;
};

/// Booked cycles of one resource that serves one request at a time.
///
/// A request takes the first free slot at or after its own time, even before slots that were booked earlier
/// (backfilling). The calendar is a bitmap ring over cycles: bit set = taken. It grows as far as bookings reach and
/// forgets what lies before the horizon. Requests before the horizon count as made at the horizon. Cost: a few bit
/// operations a request; a remembered stretch a duration without fitting gap keeps searches in a backlog constant.
class alignas(64) ReservationCalendar {
 public:
  /// First start and last end of a bulk booking.
  struct Span {
    Cycles start = 0, end = 0;
  };

  /// `horizon` may be null (nothing is ever forgotten) and must otherwise outlive the calendar.
  explicit ReservationCalendar(const Horizon* horizon = nullptr);

  /// Books `duration` cycles in a row; returns the start. A duration of 0 books nothing and returns the request's time.
  Cycles reserve(Cycles at, Cycles duration) {
    at = clamped(at);
    // Most often the resource is free when asked for.
    if (duration != 0 && duration <= 64 && at % 64 + duration <= 64 && at < limit_) {
      std::uint64_t& word = words_[at / 64 & mask()];
      std::uint64_t bits = (~std::uint64_t{0} >> (64 - duration)) << (at % 64);
      if ((word & bits) == 0) {
        word |= bits;
        count(at + duration, duration);
        return at;
      }
    }
    return reserveSlow(at, duration);
  }
  /// Books `count` pieces of `duration` cycles each, every one in its first free slot at or after `at`.
  Span reserveMany(Cycles at, Cycles duration, std::uint64_t count);
  /// Books [start, end), which the caller knows to be free: what its own rules decided.
  void block(Cycles start, Cycles end);
  /// The start that `reserve` would return; books nothing.
  Cycles probe(Cycles at, Cycles duration) const;

  /// Cycles booked so far.
  Cycles busyCycles() const { return busyCycles_; }
  /// End of the latest booking so far.
  Cycles lastEnd() const { return lastEnd_; }

 private:
  /// No free run of `duration` cycles starts in [from, to).
  struct Exhausted {
    Cycles duration = 0, from = 0, to = 0;
  };
  static constexpr unsigned kHints = 4;

  std::uint64_t mask() const { return words_.size() - 1; }
  std::uint64_t word(std::uint64_t index) const { return words_[index & mask()]; }
  Cycles find(Cycles at, Cycles duration) const;
  Cycles findLong(Cycles at, Cycles duration) const;
  /// Free cycles in a row from `start`, at most `atMost`.
  Cycles freeCycles(Cycles start, Cycles atMost) const;
  void mark(Cycles start, Cycles duration);
  void makeRoom(Cycles end);
  Cycles search(Cycles at, Cycles duration) const;
  void book(Cycles at, Cycles start, Cycles duration, std::uint64_t pieces);
  Cycles reserveSlow(Cycles at, Cycles duration);
  Cycles clamped(Cycles at) const { return horizon_ && at < horizon_->now ? horizon_->now : at; }
  void count(Cycles end, Cycles cycles) {
    busyCycles_ += cycles;
    lastEnd_ = end > lastEnd_ ? end : lastEnd_;
  }

  // All that most requests touch fits one line of the host's cache: a chip has thousands of calendars.
  const Horizon* horizon_;
  Cycles busyCycles_ = 0, lastEnd_ = 0;
  Cycles base_ = 0;                   ///< first cycle of the window, multiple of 64; words outside the window are 0
  Cycles limit_ = 0;                  ///< end of the window
  std::vector<std::uint64_t> words_;  ///< ring, a power of two; word of cycle c is words_[(c / 64) & mask()]
  std::array<Exhausted, kHints> hints_;
};

}  // namespace forerun::sim
