//===- ReservationCalendar.cpp - when a shared resource is taken ------------===//
// First fit over a ring of bits, one a cycle.
#include "simulator/kernel/ReservationCalendar.h"

#include "simulator/kernel/Error.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace forerun::sim {

namespace {

using Wide = unsigned __int128;

constexpr std::uint64_t kInitialWords = 32;  // 2048 cycles, more than two quanta of the targets; grows on demand
constexpr std::uint64_t kMaximumWords = 1ull << 24;  // 2^30 cycles of backlog: no queue of the machine is that deep

/// Bits at which `length` (1..64) set bits start.
inline Wide runStarts(Wide bits, unsigned length) {
  for (unsigned have = 1; have < length;) {
    unsigned step = std::min(have, length - have);
    bits &= bits >> step;
    have += step;
  }
  return bits;
}

}  // namespace

ReservationCalendar::ReservationCalendar(const Horizon* horizon)
    : horizon_(horizon), limit_(kInitialWords * 64), words_(kInitialWords, 0) {}

// Words at and past the window's end alias words at its start, so nothing at or past the limit may be looked up: the
// search treats it as free.
Cycles ReservationCalendar::find(Cycles at, Cycles duration) const {
  if (at >= limit_) return at;
  if (duration > 64) return findLong(at, duration);
  std::uint64_t index = at / 64, end = limit_ / 64;
  std::uint64_t low = ~word(index) & (~std::uint64_t{0} << (at % 64));
  const unsigned length = static_cast<unsigned>(duration);
  while (true) {
    std::uint64_t high = index + 1 < end ? ~word(index + 1) : ~std::uint64_t{0};
    if (low) {
      std::uint64_t starts = length == 1 ? low : static_cast<std::uint64_t>(runStarts(Wide{high} << 64 | low, length));
      if (starts) return index * 64 + static_cast<unsigned>(std::countr_zero(starts));
    }
    if (++index == end) return index * 64;
    low = high;
  }
}

Cycles ReservationCalendar::findLong(Cycles at, Cycles duration) const {
  const std::uint64_t end = limit_ / 64;
  Cycles start = at;  // everything in [start, cursor) is free
  std::uint64_t index = at / 64;
  std::uint64_t taken = word(index) & (~std::uint64_t{0} << (at % 64));
  while (true) {
    if (taken == 0) {
      ++index;
      if (index == end || index * 64 >= start + duration) return start;
      taken = word(index);
      continue;
    }
    Cycles firstTaken = index * 64 + static_cast<unsigned>(std::countr_zero(taken));
    if (firstTaken >= start + duration) return start;
    // Restart after the last taken bit of this word: gaps inside a word are shorter than 64.
    unsigned last = 63 - static_cast<unsigned>(std::countl_zero(taken));
    start = index * 64 + last + 1;
    if (++index == end) return start;
    taken = word(index);
  }
}

Cycles ReservationCalendar::freeCycles(Cycles start, Cycles atMost) const {
  const std::uint64_t end = limit_ / 64;
  std::uint64_t index = start / 64;
  if (index >= end) return atMost;
  std::uint64_t taken = word(index) & (~std::uint64_t{0} << (start % 64));
  while (taken == 0) {
    ++index;
    if (index == end || index * 64 >= start + atMost) return atMost;
    taken = word(index);
  }
  return std::min(atMost, index * 64 + static_cast<unsigned>(std::countr_zero(taken)) - start);
}

void ReservationCalendar::mark(Cycles start, Cycles duration) {
  std::uint64_t index = start / 64;
  unsigned offset = start % 64;
  while (duration > 0) {
    unsigned take = static_cast<unsigned>(std::min<Cycles>(duration, 64 - offset));
    std::uint64_t bits = (take == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << take) - 1) << offset;
    assert((words_[index & mask()] & bits) == 0);
    words_[index & mask()] |= bits;
    duration -= take;
    offset = 0;
    ++index;
  }
}

void ReservationCalendar::makeRoom(Cycles end) {
  // Forget what lies before the horizon.
  if (horizon_) {
    Cycles base = horizon_->now / 64 * 64;
    if (base > base_) {
      std::uint64_t drop = std::min((base - base_) / 64, words_.size());
      for (std::uint64_t i = 0; i < drop; ++i) words_[(base_ / 64 + i) & mask()] = 0;
      base_ = base;
      limit_ = base + words_.size() * 64;
    }
  }
  if (end <= limit_) return;
  std::uint64_t words = words_.size();
  while (base_ + words * 64 < end) words *= 2;
  if (words > kMaximumWords) throw Error(ErrorKind::ModelBug, "a resource is booked more than 2^30 cycles ahead");
  std::vector<std::uint64_t> grown(words, 0);
  for (std::uint64_t i = 0; i < words_.size(); ++i) grown[(base_ / 64 + i) & (words - 1)] = word(base_ / 64 + i);
  words_ = std::move(grown);
  limit_ = base_ + words * 64;
}

Cycles ReservationCalendar::search(Cycles at, Cycles duration) const {
  const Exhausted& hint = hints_[duration % kHints];
  Cycles from = hint.duration == duration && at >= hint.from && at < hint.to ? hint.to : at;
  return find(std::max(from, base_), duration);
}

void ReservationCalendar::book(Cycles at, Cycles start, Cycles duration, std::uint64_t pieces) {
  Cycles end = start + duration * pieces;
  if (end > limit_) makeRoom(end);
  mark(start, duration * pieces);
  Exhausted& hint = hints_[duration % kHints];
  if (hint.duration == duration && at <= hint.to && end >= hint.from) {
    hint.from = std::min(hint.from, at);
    hint.to = std::max(hint.to, end);
  } else {
    hint = {duration, at, end};
  }
  count(end, duration * pieces);
}

Cycles ReservationCalendar::probe(Cycles at, Cycles duration) const {
  at = clamped(at);
  if (duration == 0) return at;
  return search(at, duration);
}

Cycles ReservationCalendar::reserveSlow(Cycles at, Cycles duration) {
  if (duration == 0) return at;
  const Cycles start = search(at, duration);
  book(at, start, duration, 1);
  return start;
}

void ReservationCalendar::block(Cycles start, Cycles end) {
  start = clamped(start);
  if (end <= start) return;
  if (end > limit_) makeRoom(end);
  mark(start, end - start);
  count(end, end - start);
}

ReservationCalendar::Span ReservationCalendar::reserveMany(Cycles at, Cycles duration, std::uint64_t count) {
  at = clamped(at);
  if (duration == 0 || count == 0) return {at, at};
  Span span{kNever, 0};
  while (count > 0) {
    // Pieces that fit into the same gap follow each other, so the gap is booked in one go.
    const Cycles start = search(at, duration), pieces = freeCycles(start, duration * count) / duration;
    book(at, start, duration, pieces);
    span.start = std::min(span.start, start);
    span.end = std::max(span.end, start + duration * pieces);
    count -= pieces;
  }
  return span;
}

}  // namespace forerun::sim
