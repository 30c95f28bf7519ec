//===- Channel.cpp - one DRAM channel and its controller --------------------===//
// First-ready first-come-first-served over two small queues.
#include "simulator/dram/Channel.h"

#include "simulator/kernel/Error.h"

#include <algorithm>

namespace forerun::sim::dram {

Channel::Channel(const targets::DramSpec& dram, const Horizon* horizon, ReplySink& sink)
    : horizon_(horizon),
      sink_(sink),
      timings_(dram.timings),
      groups_(dram.bankGroups),
      banks_(dram.banksPerGroup),
      slots_(horizon) {
  if (dram.dataRate == 0 || dram.burstLength % dram.dataRate != 0)
    throw Error(ErrorKind::BadConfig,
                "dram.burstLength must be a multiple of dram.dataRate, so that a burst takes whole clock cycles");
  burstCycles_ = dram.burstLength / dram.dataRate;
  timings_.tCCD_S = std::max<std::uint32_t>(timings_.tCCD_S, static_cast<std::uint32_t>(burstCycles_));
  timings_.tCCD_L = std::max(timings_.tCCD_L, timings_.tCCD_S);
  timings_.tRRD_L = std::max(timings_.tRRD_L, timings_.tRRD_S);
  if (timings_.tREFI != 0 && timings_.tREFI <= timings_.tRFC + timings_.tRP)
    throw Error(ErrorKind::BadConfig,
                "dram.timings.tREFI must exceed tRFC + tRP; else the DRAM does nothing but refresh");
  bankState_.resize(std::size_t{dram.ranks} * groups_ * banks_);
  rankState_.resize(dram.ranks);
  groupColumn_.assign(std::size_t{dram.ranks} * groups_, 0);
  groupActivate_.assign(std::size_t{dram.ranks} * groups_, 0);
  // Ranks refresh one after the other.
  for (std::uint32_t rank = 0; rank < dram.ranks; ++rank)
    rankState_[rank].nextRefresh = timings_.tREFI == 0 ? kNever : timings_.tREFI * (rank + 1) / dram.ranks;
}

Channel::Entry Channel::makeEntry(const Location& location, std::uint32_t bursts, Cycles at, std::uint32_t tag) const {
  std::uint32_t group = location.rank * groups_ + location.group;
  return {at,
          at,
          location.row,
          static_cast<std::uint16_t>(group * banks_ + location.bank),
          static_cast<std::uint16_t>(group),
          static_cast<std::uint16_t>(location.rank),
          static_cast<std::uint16_t>(bursts),
          false,
          tag};
}

Cycles Channel::activateTime(const Entry& entry) const {
  const Bank& bank = bankState_[entry.bank];
  const Rank& rank = rankState_[entry.rank];
  Cycles at = std::max(entry.visible, bank.row == kClosed ? bank.activateReady : bank.prechargeReady);
  if (bank.row != kClosed) at += timings_.tRP;
  at = std::max({at, rank.lastActivate ? rank.lastActivate - 1 + timings_.tRRD_S : 0, groupActivate_[entry.group]});
  Cycles fourth = rank.activates[rank.next];
  return std::max(at, fourth ? fourth - 1 + timings_.tFAW : 0);
}

Cycles Channel::earliestColumn(bool write) const {
  if (!any_) return 0;
  Cycles at = lastColumn_ + timings_.tCCD_S;
  if (write && !lastWasWrite_) at = std::max(at, lastColumn_ + timings_.tRTW);
  if (!write && lastWasWrite_) at = std::max(at, lastWriteData_ + timings_.tWTR);
  return at;
}

Channel::Choice Channel::choose(const Queue& queue, bool write) const {
  Choice best;
  const Cycles earliest = earliestColumn(write);
  for (std::size_t i = 0; i < queue.inWindow; ++i) {
    const Entry& entry = queue.entries[i];
    if (entry.arrival >= best.column) break;  // nor can those behind it be earlier
    const Bank& bank = bankState_[entry.bank];
    Cycles ready =
        bank.row == entry.row ? std::max(bank.columnReady, entry.visible) : activateTime(entry) + timings_.tRCD;
    Cycles column = std::max({ready, earliest, groupColumn_[entry.group]});
    if (column < best.column) {
      best = {i, column};
      if (column == earliest) break;  // nothing can be earlier, and entries are in order of age
    }
  }
  return best;
}

// Entries that the queue has room for become visible; writes are accepted by that. A write's place is free when its
// data are on the pins.
void Channel::fillWindow(Queue& queue) {
  const Cycles room = &queue == &writes_ ? lastWriteData_ : lastColumn_;
  while (queue.inWindow < queue.entries.size() && queue.windowBursts < queue.limit) {
    Entry& entry = queue.entries[queue.inWindow++];
    entry.visible = std::max(entry.visible, room);
    queue.windowBursts += entry.bursts;
    if (&queue == &writes_ && !entry.accepted) {
      entry.accepted = true;
      answers_.push_back({entry.tag, entry.visible});
    }
  }
}

// By arrival, behind its equals; returns whether the queue had room.
bool Channel::insert(Queue& queue, const Entry& entry) {
  std::size_t place = queue.entries.size();
  while (place > 0 && queue.entries[place - 1].arrival > entry.arrival) --place;
  queue.entries.insert(queue.entries.begin() + static_cast<std::ptrdiff_t>(place), entry);
  queue.bursts += entry.bursts;
  quietTo_ = 0;
  // There was room when it came, or others that came later must not keep it out.
  if (place > queue.inWindow || (place == queue.inWindow && queue.windowBursts >= queue.limit)) return false;
  ++queue.inWindow;
  queue.windowBursts += entry.bursts;
  queue.entries[place].accepted = true;
  return true;
}

// Bursts of writes that have come by now, counted up to `atMost`.
std::uint32_t Channel::arrivedWrites(std::uint32_t atMost) const {
  if (writes_.bursts < atMost) atMost = writes_.bursts;
  std::uint32_t bursts = 0;
  for (std::size_t i = 0; i < writes_.entries.size() && bursts < atMost && writes_.entries[i].arrival <= lastColumn_;
       ++i)
    bursts += writes_.entries[i].bursts;
  return bursts;
}

bool Channel::writesNext() {
  if (draining_ && arrivedWrites(kDrainLow + 1) <= kDrainLow) draining_ = false;
  if (!draining_ && writes_.bursts >= kDrainHigh && arrivedWrites(kDrainHigh) >= kDrainHigh) draining_ = true;
  return draining_;
}

// All rows of the rank close for tRFC. After a long idle time only the last refresh matters.
void Channel::refresh(std::uint32_t rank, Cycles column) {
  Rank& state = rankState_[rank];
  std::uint64_t passed = (column - state.nextRefresh) / timings_.tREFI;
  state.nextRefresh += passed * timings_.tREFI;
  counters_.refreshes += passed + 1;
  Bank* first = &bankState_[std::size_t{rank} * groups_ * banks_];
  Cycles start = state.nextRefresh;
  for (Bank* bank = first; bank != first + groups_ * banks_; ++bank)
    if (bank->row != kClosed) start = std::max(start, bank->prechargeReady + timings_.tRP);
  Cycles end = start + timings_.tRFC;
  for (Bank* bank = first; bank != first + groups_ * banks_; ++bank) {
    bank->row = bank->lateRow = kClosed;
    bank->activateReady = end;
  }
  state.refreshEnd = end;
  state.nextRefresh += timings_.tREFI;
}

// Names the cause of the cycles between the last burst and this one.
void Channel::account(const Entry& entry, bool write, Cycles column) {
  Cycles from = any_ ? lastColumn_ + burstCycles_ : 0;
  auto until = [&](Cycles end, Cycles& counter) {
    end = std::min(end, column);
    if (end <= from) return;
    counter += end - from;
    from = end;
  };
  until(entry.visible, counters_.idleCycles);
  if (write != lastWasWrite_) until(earliestColumn(write), counters_.turnaroundCycles);
  until(rankState_[entry.rank].refreshEnd, counters_.refreshCycles);
  const Bank& bank = bankState_[entry.bank];
  Cycles ready = bank.row == entry.row ? bank.columnReady : activateTime(entry) + timings_.tRCD;
  until(std::max(ready, groupColumn_[entry.group]), counters_.rowCycles);
  until(column, counters_.idleCycles);  // a write that waited for reads
}

void Channel::issue(bool write, Choice choice) {
  Queue& queue = write ? writes_ : reads_;
  Entry& entry = queue.entries[choice.index];
  Bank& bank = bankState_[entry.bank];
  account(entry, write, choice.column);
  if (bank.row != entry.row) {
    Rank& rank = rankState_[entry.rank];
    ++(bank.row == kClosed ? counters_.rowMisses : counters_.rowConflicts);
    Cycles activate = activateTime(entry);
    bank.row = entry.row;
    bank.columnReady = activate + timings_.tRCD;
    bank.prechargeReady = activate + timings_.tRAS;
    rank.lastActivate = activate + 1;
    rank.activates[rank.next] = activate + 1;
    rank.next = (rank.next + 1) % 4;
    groupActivate_[entry.group] = activate + timings_.tRRD_L;
  } else {
    ++counters_.rowHits;
  }
  const Cycles column = choice.column;
  const Cycles dataEnd = column + (write ? timings_.tCWL : timings_.tCL) + burstCycles_;
  bank.prechargeReady = std::max(bank.prechargeReady, write ? dataEnd + timings_.tWR : column + burstCycles_);
  groupColumn_[entry.group] = column + timings_.tCCD_L;

  // Cycles since the last column command were unusable if this burst waited for them; otherwise they were idle and
  // latecomers may have them.
  Cycles free = any_ ? lastColumn_ + burstCycles_ : 0;
  bool waited = any_ && entry.visible < free;
  take(waited ? free : column, column + burstCycles_);
  if (any_ && write != lastWasWrite_) ++counters_.turnarounds;
  any_ = true;
  lastWasWrite_ = write;
  lastColumn_ = column;
  lastData_ = std::max(lastData_, dataEnd);
  if (write) lastWriteData_ = dataEnd;
  ++(write ? counters_.writeBursts : counters_.readBursts);
  counters_.busyCycles += burstCycles_;
  --queue.bursts;
  --queue.windowBursts;
  if (--entry.bursts == 0) {
    if (!write) answers_.push_back({entry.tag, dataEnd});
    --queue.inWindow;
    queue.entries.erase(queue.entries.begin() + static_cast<std::ptrdiff_t>(choice.index));
  }
  fillWindow(queue);
}

// Issues the next burst if its column command comes before `before`.
bool Channel::issueOne(Cycles before) {
  while (true) {
    if (reads_.entries.empty() && writes_.entries.empty()) return false;
    bool write = writesNext();
    Choice choice = choose(write ? writes_ : reads_, write);
    if (!write && !writes_.entries.empty() && choice.column > lastColumn_ + kIdleCycles) {
      // No read for a while: writes may go if they are done before the next one.
      Choice idle = choose(writes_, true);
      if (!lastWasWrite_) idle.column = std::max(idle.column, lastColumn_ + kIdleCycles);
      if (reads_.entries.empty() || idle.column + kIdleCycles <= choice.column) {
        choice = idle;
        write = true;
      }
    }
    if (choice.column >= before && before != kNever) {
      quietTo_ = choice.column;
      return false;
    }
    std::uint32_t rank = (write ? writes_ : reads_).entries[choice.index].rank;
    if (choice.column >= rankState_[rank].nextRefresh) {
      refresh(rank, choice.column);
      continue;
    }
    issue(write, choice);
    return true;
  }
}

// Callers may ask for more while they are told.
void Channel::answer() {
  if (answering_) return;
  answering_ = true;
  for (std::size_t i = 0; i < answers_.size(); ++i) {
    const Answer answer = answers_[i];
    sink_.reply(answer.tag, answer.at);
  }
  answers_.clear();
  answering_ = false;
}

void Channel::advance(Cycles to) {
  if (to <= quietTo_ || (any_ && lastColumn_ >= to)) return;
  while (issueOne(to)) answer();
}

// Under load slots go one after the other: the calendar hears of a stretch when it ends.
void Channel::take(Cycles from, Cycles to) {
  if (from != goneTo_) {
    slots_.block(goneFrom_, goneTo_);
    goneFrom_ = from;
  }
  goneTo_ = to;
}

Cycles Channel::serveLate(const Entry& entry, Cycles at) {
  Bank& bank = bankState_[entry.bank];
  bool hit = bank.row == entry.row || bank.lateRow == entry.row;
  Cycles ready = at + (hit ? 0 : timings_.tRP + timings_.tRCD), length = entry.bursts * burstCycles_;
  if (ready + length > lastColumn_) return kNever;
  if (goneTo_ > goneFrom_) slots_.block(goneFrom_, goneTo_);
  goneFrom_ = goneTo_;
  Cycles column = slots_.probe(ready, length);
  if (column + length > lastColumn_) return kNever;
  slots_.block(column, column + length);
  (hit ? counters_.rowHits : counters_.rowMisses) += 1;
  counters_.rowHits += entry.bursts - 1u;
  bank.lateRow = entry.row;
  counters_.lateBursts += entry.bursts;
  counters_.busyCycles += length;
  counters_.idleCycles -= std::min(counters_.idleCycles, length);  // counted when the burst behind them went
  return column + length;
}

Cycles Channel::read(const Location& location, std::uint32_t bursts, Cycles at, std::uint32_t tag) {
  Entry entry = makeEntry(location, bursts, at, tag);
  if (any_ && at < lastColumn_) {
    Cycles end = serveLate(entry, at);
    if (end != kNever) {
      counters_.readBursts += bursts;
      return end + timings_.tCL;
    }
  }
  advance(settled(at));
  while (reads_.bursts >= kUndecided && issueOne(kNever)) answer();
  insert(reads_, entry);
  return kNever;
}

Cycles Channel::write(const Location& location, std::uint32_t bursts, Cycles at, std::uint32_t tag) {
  Entry entry = makeEntry(location, bursts, at, tag);
  if (any_ && at < lastColumn_) {
    Cycles end = serveLate(entry, at);
    if (end != kNever) {
      counters_.writeBursts += bursts;
      return at;
    }
  }
  advance(settled(at));
  while (writes_.bursts >= kUndecided && issueOne(kNever)) answer();
  return insert(writes_, entry) ? at : kNever;
}

Cycles Channel::readAcceptedAt(Cycles at) {
  advance(settled(at));
  Cycles accepted = at;
  while (reads_.bursts >= kReadBursts && issueOne(kNever)) {
    accepted = std::max(accepted, lastColumn_);
    answer();
  }
  return accepted;
}

bool Channel::idleAt(Cycles at) {
  advance(settled(at));
  return reads_.entries.empty() && writes_.bursts < kDrainHigh && (!any_ || lastColumn_ + kIdleCycles <= at);
}

}  // namespace forerun::sim::dram
