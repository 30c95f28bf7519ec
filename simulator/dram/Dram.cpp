//===- Dram.cpp - all DRAM channels of a chip -------------------------------===//
// Burst splitting, the fixed-latency model, and figures for the report.
#include "simulator/dram/Dram.h"

#include "simulator/kernel/Error.h"

#include <algorithm>
#include <string>

namespace forerun::sim::dram {

/// Channel of the `burst` model.
struct Dram::BurstChannel {
  explicit BurstChannel(const Horizon* horizon) : data(horizon) {}
  ReservationCalendar data;
  std::uint64_t readBursts = 0, writeBursts = 0;
};

Dram::Dram(const targets::TargetSpec& target) : map_(target.dram), clock_(ClockDomain::of(target, target.dram.clock)) {
  const targets::DramSpec& dram = target.dram;
  burstBytes_ = map_.burstBytes();
  controllerCycles_ = dram.controllerCycles;
  burstLatency_ = Cycles{dram.timings.tRCD} + dram.timings.tCL;
  if (dram.dataRate == 0 || dram.burstLength % dram.dataRate != 0)
    throw Error(ErrorKind::BadConfig,
                "dram.burstLength must be a multiple of dram.dataRate, so that a burst takes whole clock cycles");
  burstCycles_ = dram.burstLength / dram.dataRate;
  double clockHz = 0, referenceHz = 1;
  for (const targets::Clock& clock : target.clocks) {
    if (clock.name == dram.clock) clockHz = static_cast<double>(clock.hz);
    if (clock.name == target.reference) referenceHz = static_cast<double>(clock.hz);
  }
  peakBytesPerSecond_ = clockHz * dram.dataRate * dram.busBytes * dram.channels;
  secondsPerCycle_ = 1 / referenceHz;
  for (std::uint32_t c = 0; c < dram.channels; ++c)
    if (dram.model == targets::DramSpec::Model::Command)
      channels_.push_back(std::make_unique<Channel>(dram, &horizon_, static_cast<ReplySink&>(*this)));
    else
      bursts_.push_back(std::make_unique<BurstChannel>(&horizon_));
  isActive_.resize(channels_.size());
}

Dram::~Dram() = default;

template <bool kWrite>
Cycles Dram::transfer(std::uint64_t offset, std::uint32_t bytes, Cycles at, Reply reply) {
  if (bytes == 0) return at;
  std::uint64_t first = offset / burstBytes_, last = (offset + bytes - 1) / burstBytes_;
  Cycles start = clock_.fromReference(at) + controllerCycles_, end = start;
  // One piece more than there are, so that answers to the first do not end the request.
  const std::uint32_t request = channels_.empty() ? 0 : requests_.take({reply, 1, start});
  while (first <= last) {
    std::uint64_t address = first * burstBytes_;
    std::uint64_t count = last - first + 1;
    if (!channels_.empty()) {
      count = std::min<std::uint64_t>({count, map_.burstsInRow(address), Channel::kReadBursts});
      Location location = map_.locate(address);
      Channel& channel = *channels_[location.channel];
      ++requests_[request].pieces;
      const auto bursts = static_cast<std::uint32_t>(count);
      const Cycles known =
          kWrite ? channel.write(location, bursts, start, request) : channel.read(location, bursts, start, request);
      if (known != kNever) {
        --requests_[request].pieces;
        end = std::max(end, known);
      }
      if (!isActive_[location.channel]) {
        isActive_[location.channel] = true;
        active_.push_back(location.channel);
      }
    } else {
      // To the end of the channel's piece.
      std::uint64_t piece = map_.interleaveBytes() / burstBytes_;
      count = std::min<std::uint64_t>(count, piece - first % piece);
      BurstChannel& channel = *bursts_[map_.channelOf(address)];
      ReservationCalendar::Span span = channel.data.reserveMany(start, burstCycles_, count);
      (kWrite ? channel.writeBursts : channel.readBursts) += count;
      end = std::max(end, kWrite ? span.start : span.end + burstLatency_);
    }
    first += count;
  }
  if (!channels_.empty()) {
    Request& state = requests_[request];
    end = state.end = std::max(state.end, end);
    if (--state.pieces != 0) return kNever;
    requests_.release(request);
  }
  // A write is taken over at the controller's door; one that had to wait, when its place in the queue is free.
  return std::max(at, clock_.toReference(kWrite ? end - controllerCycles_ : end));
}

void Dram::reply(std::uint32_t tag, Cycles at) {
  Request& state = requests_[tag];
  state.end = std::max(state.end, at);
  if (--state.pieces != 0) return;
  const Reply reply = state.reply;
  const Cycles end = clock_.toReference(state.end);
  requests_.release(tag);
  reply.send(end);
}

Cycles Dram::read(std::uint64_t offset, std::uint32_t bytes, Cycles at) {
  ReplyOnce once;
  const Cycles known = read(offset, bytes, at, {&once, 0});
  if (known != kNever) return known;
  while (once.at == kNever) hurry(at);
  return once.at;
}

Cycles Dram::write(std::uint64_t offset, std::uint32_t bytes, Cycles at) {
  ReplyOnce once;
  const Cycles known = write(offset, bytes, at, {&once, 0});
  if (known != kNever) return known;
  while (once.at == kNever) hurry(at);
  return once.at;
}

// Answers may make requests to any channel.
void Dram::advanceChannels(Cycles to) {
  for (std::size_t i = 0; i < active_.size();) {
    const std::uint32_t number = active_[i];
    channels_[number]->advance(to);
    if (!channels_[number]->empty()) {
      ++i;
      continue;
    }
    isActive_[number] = false;
    active_[i] = active_.back();
    active_.pop_back();
  }
}

void Dram::advanceHorizon(Cycles now) {
  horizon_.now = clock_.fromReference(now);
  decided_ = std::max(decided_, horizon_.now);
  advanceChannels(horizon_.now);
}

void Dram::hurry(Cycles at) {
  decided_ = std::max(decided_, clock_.fromReference(at)) + kHurryCycles;
  advanceChannels(decided_);
}

Cycles Dram::drain(Cycles at) {
  while (!active_.empty()) advanceChannels(kNever);
  Cycles end = clock_.fromReference(at);
  for (auto& channel : channels_) end = std::max(end, channel->lastData());
  for (auto& channel : bursts_)
    if (channel->data.lastEnd() != 0) end = std::max(end, channel->data.lastEnd() + burstLatency_);
  return std::max(at, clock_.toReference(end));
}

bool Dram::idleAt(std::uint64_t offset, Cycles at) {
  Cycles time = clock_.fromReference(at);
  std::uint32_t channel = map_.channelOf(offset);
  return channels_.empty() ? bursts_[channel]->data.lastEnd() <= time : channels_[channel]->idleAt(time);
}

Cycles Dram::readAcceptedAt(std::uint64_t offset, Cycles at) {
  if (channels_.empty()) return at;
  Cycles accepted = channels_[map_.channelOf(offset)]->readAcceptedAt(clock_.fromReference(at) + controllerCycles_);
  Cycles unit = accepted - controllerCycles_;
  return std::max(at, clock_.toReference(unit));
}

DramTotals Dram::totals() const {
  DramTotals totals;
  ChannelCounters& sum = totals.counters;
  for (const auto& channel : channels_) {
    const ChannelCounters& counters = channel->counters();
    sum.readBursts += counters.readBursts;
    sum.writeBursts += counters.writeBursts;
    sum.rowHits += counters.rowHits;
    sum.rowMisses += counters.rowMisses;
    sum.rowConflicts += counters.rowConflicts;
    sum.refreshes += counters.refreshes;
    sum.turnarounds += counters.turnarounds;
    sum.lateBursts += counters.lateBursts;
    sum.busyCycles += counters.busyCycles;
    sum.idleCycles += counters.idleCycles;
    sum.turnaroundCycles += counters.turnaroundCycles;
    sum.refreshCycles += counters.refreshCycles;
    sum.rowCycles += counters.rowCycles;
  }
  for (const auto& channel : bursts_) {
    sum.readBursts += channel->readBursts;
    sum.writeBursts += channel->writeBursts;
    sum.busyCycles += channel->data.busyCycles();
  }
  totals.readBytes = sum.readBursts * burstBytes_;
  totals.writtenBytes = sum.writeBursts * burstBytes_;
  return totals;
}

void Dram::report(StatisticsTree& tree, Cycles cycles) const {
  DramTotals all = totals();
  const ChannelCounters& counters = all.counters;
  double seconds = static_cast<double>(cycles) * secondsPerCycle_;
  double bytes = static_cast<double>(all.readBytes + all.writtenBytes);
  tree.count("readBytes", "bytes", all.readBytes);
  tree.count("writtenBytes", "bytes", all.writtenBytes);
  tree.real("achievedBytesPerSecond", "bytes/s", cycles ? bytes / seconds : 0);
  tree.real("peakBytesPerSecond", "bytes/s", peakBytesPerSecond_);
  tree.count("busyCycles", "DRAM cycles, sum over channels", counters.busyCycles);
  if (channels_.empty()) return;
  std::uint64_t columns = counters.rowHits + counters.rowMisses + counters.rowConflicts;
  tree.count("rowHits", "bursts", counters.rowHits);
  tree.count("rowMisses", "bursts", counters.rowMisses);
  tree.count("rowConflicts", "bursts", counters.rowConflicts);
  tree.real("rowHitRate", "", columns ? static_cast<double>(counters.rowHits) / static_cast<double>(columns) : 0);
  tree.count("refreshes", "commands", counters.refreshes);
  tree.count("turnarounds", "read-write changes", counters.turnarounds);
  tree.count("idleCycles", "DRAM cycles without a request before a burst", counters.idleCycles);
  tree.count("turnaroundCycles", "DRAM cycles between reads and writes", counters.turnaroundCycles);
  tree.count("refreshCycles", "DRAM cycles that bursts waited for refresh", counters.refreshCycles);
  tree.count("rowCycles", "DRAM cycles that bursts waited for rows and bank groups", counters.rowCycles);
  tree.count("lateBursts", "bursts served out of time order", counters.lateBursts);
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    StatisticsTree& child = tree.child("channel" + std::to_string(c));
    const ChannelCounters& own = channels_[c]->counters();
    child.count("readBytes", "bytes", own.readBursts * burstBytes_);
    child.count("writtenBytes", "bytes", own.writeBursts * burstBytes_);
    child.count("busyCycles", "DRAM cycles", own.busyCycles);
    child.count("rowHits", "bursts", own.rowHits);
    child.count("idleCycles", "DRAM cycles without a request before a burst", own.idleCycles);
  }
}

}  // namespace forerun::sim::dram
