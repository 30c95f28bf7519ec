//===- TimedChip.cpp - composition of a chip with time ------------------------------===//
// Scheduling of harts and engines on SystemC; launches and their reports. Waiting is in TimedEnvironment.cpp.
#include "simulator/TimedChip.h"

#include <algorithm>

namespace forerun::sim {

namespace {
/// Cycles for which a DMA engine books bursts in one go: 64 engines that send a burst a cycle are called 8 times less.
constexpr Cycles kBurstsAhead = 7;
/// Each of 64 cores adds a product every hundred cycles or so; a few of them make a wake-up worth its cost.
constexpr std::uint32_t kCoresPerWake = 8;
}  // namespace

TimedChip::TimedChip(const targets::TargetSpec& target, AddressSpace& space, ChipOptions options)
    : Chip(target, space, std::move(options), core::HartMode::Timed),
      memory_(target),
      timedCores_(cores_),
      hostWork_(std::max(cores_ / kCoresPerWake, 1u)) {
  // Engines as harts run exactly in order when the quantum is 1.
  const Cycles burstsAhead = std::min<Cycles>(kBurstsAhead, std::max<Cycles>(options_.quantum, 1) - 1);
  std::vector<engine::CoreTiming> timing;
  for (Core& core : timedCores_) {
    core.scratch = std::make_unique<BankedMemoryTiming>(target.scratch, &horizon_);
    core.accumulator = std::make_unique<BankedMemoryTiming>(target.acc, &horizon_);
    timing.push_back({core.scratch.get(), core.accumulator.get(), this, &horizon_, burstsAhead,
                      options_.checks ? &hostWork_ : nullptr});
  }
  makeEngines(timing);
  context_.with([this] {
    for (std::uint32_t core = 0; core < cores_; ++core) {
      const std::string name = "core" + std::to_string(core);
      units_.push_back(
          std::make_unique<SystemcUnit>((name + "_harts").c_str(), [this, core](Cycles now) { runHarts(core, now); }));
      timedCores_[core].harts = units_.back().get();
      for (std::size_t e = 0; e < engines_[core]->engines().size(); ++e) {
        units_.push_back(std::make_unique<SystemcUnit>((name + "_engine" + std::to_string(e)).c_str(),
                                                       [this, core, e](Cycles now) { runEngine(core, e, now); }));
        timedCores_[core].engines.push_back(units_.back().get());
      }
    }
    units_.push_back(std::make_unique<SystemcUnit>("memory", [this](Cycles now) { runMemory(now); }));
    memoryUnit_ = units_.back().get();
  });
}

TimedChip::~TimedChip() {
  context_.with([this] { units_.clear(); });
}

template <typename Body>
void TimedChip::guarded(Cycles now, Body body) {
  if (error_) return;
  try {
    advanceTime(now);
    checkLimit(now);
    body();
  } catch (...) {
    error_ = std::current_exception();
    SystemcContext::pause();
  }
}

void TimedChip::advanceTime(Cycles now) {
  horizon_.now = now;
  if (now < memoryHorizon_ + MemorySystem::kStep) return;
  memoryHorizon_ = now;
  memory_.advanceHorizon(now);
}

void TimedChip::checkLimit(Cycles now) {
  if (!options_.maxCycles || now - launchBegin_ <= options_.maxCycles) return;
  Error error(ErrorKind::CycleLimit, "the launch took more than " + std::to_string(options_.maxCycles) + " cycles");
  for (const HartSlot& slot : harts_)
    if (state_->takesPart(slot.id) && slot.hart->status() != core::HartStatus::Exited) {
      locate(error, "core " + std::to_string(slot.id.core) + " team " + std::to_string(slot.id.team), slot.hart->pc(),
             now - launchBegin_);
      break;
    }
  throw error;
}

void TimedChip::runHarts(std::uint32_t core, Cycles now) {
  guarded(now, [&] {
    Core& timed = timedCores_[core];
    while (!timed.arrivals.empty() && timed.arrivals.top().at <= now) {
      const Arrival arrival = timed.arrivals.top();
      timed.arrivals.pop();
      addSemaphore(core, arrival.semaphore, arrival.amount, now);
    }
    HartSlot* const first = &harts_[std::size_t{core} * teamsPerCore_];
    const Cycles limit = now + options_.quantum;
    Cycles next = timed.arrivals.empty() ? kNever : timed.arrivals.top().at;
    while (true) {
      // The least (cycle, hart) runs next; those that must synchronise wait until their own time.
      HartSlot* least = nullptr;
      Cycles leastNow = kNever;
      Cycles wakeAt = next;
      for (std::uint32_t team = 0; team < teamsPerCore_; ++team) {
        HartSlot& slot = first[team];
        if (slot.hart->status() != core::HartStatus::Running || !state_->takesPart(slot.id)) continue;
        const Cycles at = slot.hart->now();
        if (slot.synchronises ? at > now : at >= limit) {
          wakeAt = std::min(wakeAt, at);
        } else if (at < leastNow) {
          least = &slot;
          leastNow = at;
        }
      }
      if (!least) {
        if (wakeAt != kNever) timed.harts->wakeAt(wakeAt);
        return;
      }
      const core::RunResult result = least->hart->runUntil(std::max(limit, leastNow + 1));
      least->synchronises = result.reason == core::RunReason::Synchronize;
    }
  });
}

void TimedChip::runEngine(std::uint32_t core, std::size_t engine, Cycles now) {
  guarded(now, [&] {
    engine::Engine& unit = *engines_[core]->engines()[engine];
    try {
      const Cycles next = engines_[core]->advance(engine, now);
      if (next != kNever) timedCores_[core].engines[engine]->wakeAt(next);
    } catch (Error& error) {
      locate(error, unit.name(), unit.startingPc(), now - launchBegin_);
      throw;
    }
  });
}

void TimedChip::runMemory(Cycles now) {
  guarded(now, [&] {
    memoryRuns_ = memory_.waiting() || (state_->running() != 0 && memory_.cleanable());
    if (memoryRuns_) memoryUnit_->wakeAt(memoryHorizon_ + MemorySystem::kStep);
  });
}

// Times that are not known yet come from the memory's process, as write-backs do.
Cycles TimedChip::answered(Cycles known) {
  if (!memoryRuns_) {
    memoryRuns_ = true;
    memoryUnit_->wakeAt(SystemcContext::now() + MemorySystem::kStep);
  }
  return known;
}

void TimedChip::engineWakes(std::uint32_t core, std::size_t engine, Cycles at) {
  timedCores_[core].engines[engine]->wakeAt(at);
}

TimedChip::Counters TimedChip::counters() const {
  Counters counters{memory_.traffic(), memory_.dram().totals().counters};
  for (const Core& core : timedCores_) {
    counters.scratchReadBytes += core.scratch->bytesRead();
    counters.scratchWrittenBytes += core.scratch->bytesWritten();
  }
  return counters;
}

LaunchReport TimedChip::launch(const LaunchRequest& request) {
  beginLaunch(request);
  error_ = nullptr;
  Cycles last = 0;
  context_.with([&] {
    launchBegin_ = std::max(SystemcContext::now(), launchEnd_);
    for (Core& core : timedCores_) {
      core.tokenWaiters.clear();
      core.queueWaiters.clear();
      core.arrivals = {};
    }
    memoryRuns_ = false;
    for (HartSlot& slot : harts_) slot.synchronises = false;
    for (const auto& engines : engines_)
      for (const auto& engine : engines->engines()) engine->timeline().restart(launchBegin_);
    const Cycles begin = launchBegin_ + target_.launch.latencyCycles;
    startHarts(begin);
    for (std::uint32_t core = 0; core < cores_; ++core)
      if (state_->takesPart({core, 0})) timedCores_[core].harts->wakeAt(begin);
  });
  const Counters before = counters();
  context_.run();
  context_.with([&] { last = SystemcContext::now(); });
  if (error_) std::rethrow_exception(error_);
  bool drained = state_->running() == 0;
  for (const auto& engines : engines_) drained &= engines->idle();
  if (!drained) failDeadlock(last - launchBegin_);
  for (const HartSlot& slot : harts_)
    if (state_->takesPart(slot.id)) last = std::max(last, slot.hart->now());
  launchEnd_ = memory_.flush(last);
  LaunchReport report = endLaunch(launchEnd_ - launchBegin_);
  reportUnits(report, launchBegin_, launchEnd_);
  reportTraffic(report, before);
  return report;
}

void TimedChip::reportUnits(LaunchReport& report, Cycles begin, Cycles end) {
  const Cycles total = end - begin;
  static constexpr const char* kCauses[kStallCauseCount] = {"fetch",      "branch",  "rawScalar", "rawVector",
                                                            "structural", "bank",    "memory",    "queueFull",
                                                            "token",      "barrier", "launch"};
  for (const HartSlot& slot : harts_) {
    UnitReport unit;
    unit.name = "core " + std::to_string(slot.id.core) + " team " + std::to_string(slot.id.team);
    unit.core = slot.id.core;
    unit.index = slot.id.team;
    unit.idle = total;
    core::HartCycles cycles;
    if (state_->takesPart(slot.id)) {
      unit.instructions = slot.hart->instructions();
      cycles = slot.hart->cycles(end);
      // Times of a hart count from the start of the chip; before this launch it waited for it.
      cycles.stalls[static_cast<std::size_t>(StallCause::Launch)] -= slot.hart->hartCycles(begin);
    }
    // Hart cycles as reference cycles, rounded down; idle takes what rounding leaves.
    const unsigned __int128 hz = target_.hz(slot.team->clock), reference = target_.referenceHz();
    auto scaled = [&](std::uint64_t count) {
      const auto value = std::min<Cycles>(unit.idle, static_cast<Cycles>(count * reference / hz));
      unit.idle -= value;
      return value;
    };
    unit.busy = scaled(cycles.busy);
    for (std::size_t cause = 0; cause < kStallCauseCount; ++cause)
      unit.stalls.push_back({kCauses[cause], scaled(cycles.stalls[cause])});
    report.units.push_back(std::move(unit));
  }
  using engine::EngineCause;
  for (std::uint32_t core = 0; core < cores_; ++core) {
    std::uint32_t dmas = 0, matrices = 0;
    for (const auto& engine : engines_[core]->engines()) {
      engine->timeline().accountTo(end);
      const bool isDma = engine->spec().kind == targets::EngineKind::Dma;
      UnitReport unit;
      unit.name = engine->name();
      unit.kind = isDma ? UnitKind::Dma : UnitKind::Matrix;
      unit.core = core;
      unit.index = isDma ? dmas++ : matrices++;
      unit.instructions = engine->takeRetiredCommands();
      unit.busy = engine->timeline().of(EngineCause::Busy);
      unit.idle = engine->timeline().of(EngineCause::Idle);
      for (EngineCause cause :
           {EngineCause::Dependency, EngineCause::Operand, EngineCause::Output, EngineCause::Fill, EngineCause::Drain})
        unit.stalls.push_back({std::string(engine::name(cause)), engine->timeline().of(cause)});
      report.units.push_back(std::move(unit));
    }
  }
}

void TimedChip::reportTraffic(LaunchReport& report, const Counters& before) const {
  const Counters after = counters();
  auto rate = [&](TrafficReport& traffic, double peak) {
    traffic.peakBytesPerSecond = peak;
    if (report.seconds > 0)
      traffic.achievedBytesPerSecond = static_cast<double>(traffic.readBytes + traffic.writtenBytes) / report.seconds;
  };
  report.dram.readBytes = after.memory.dramReadBytes - before.memory.dramReadBytes;
  report.dram.writtenBytes = after.memory.dramWrittenBytes - before.memory.dramWrittenBytes;
  rate(report.dram, memory_.dram().peakBytesPerSecond());
  report.l2.readBytes = after.memory.l2ReadBytes - before.memory.l2ReadBytes;
  report.l2.writtenBytes = after.memory.l2WrittenBytes - before.memory.l2WrittenBytes;
  rate(report.l2, memory_.l2() ? memory_.l2()->peakBytesPerSecond() : 0);
  report.noc.readBytes = after.memory.nocReadBytes - before.memory.nocReadBytes;
  report.noc.writtenBytes = after.memory.nocWrittenBytes - before.memory.nocWrittenBytes;
  rate(report.noc, memory_.network().peakBytesPerSecond());
  report.scratch.readBytes = after.scratchReadBytes - before.scratchReadBytes;
  report.scratch.writtenBytes = after.scratchWrittenBytes - before.scratchWrittenBytes;
  rate(report.scratch, static_cast<double>(cores_) * target_.scratch.banks * target_.scratch.bankWidthBytes *
                           target_.scratch.ports * static_cast<double>(target_.referenceHz()));
  reportDramBus(report, before.dram, after.dram);
}

void TimedChip::reportDramBus(LaunchReport& report, const dram::ChannelCounters& before,
                              const dram::ChannelCounters& after) const {
  DramBusReport& bus = report.dramBus;
  bus.cycles = memory_.dram().busCycles(report.cycles);
  // A wait that began before the launch may reach into it; idle takes what is left.
  bus.idle = bus.cycles;
  auto take = [&bus](Cycles cycles) {
    cycles = std::min(cycles, bus.idle);
    bus.idle -= cycles;
    return cycles;
  };
  bus.busy = take(after.busyCycles - before.busyCycles);
  bus.turnaround = take(after.turnaroundCycles - before.turnaroundCycles);
  bus.refresh = take(after.refreshCycles - before.refreshCycles);
  bus.row = take(after.rowCycles - before.rowCycles);
  bus.rowHits = after.rowHits - before.rowHits;
  bus.rowMisses = after.rowMisses - before.rowMisses;
  bus.rowConflicts = after.rowConflicts - before.rowConflicts;
}

std::unique_ptr<Chip> makeTimedChip(const targets::TargetSpec& target, AddressSpace& space, ChipOptions options) {
  return std::make_unique<TimedChip>(target, space, std::move(options));
}

}  // namespace forerun::sim
