//===- FunctionalChip.cpp - right results, no time -------------------------------===//
// Harts take turns; commands are complete when they are issued.
#include "simulator/Chip.h"

namespace forerun::sim {

namespace {

/// Instructions a hart may retire before the next one has its turn: long enough to cost nothing, short enough for harts
/// that poll.
constexpr Cycles kTurn = 100'000;

class FunctionalChip final : public Chip {
 public:
  FunctionalChip(const targets::TargetSpec& target, AddressSpace& space, ChipOptions options)
      : Chip(target, space, std::move(options), core::HartMode::Functional) {
    makeEngines(std::vector<engine::CoreTiming>(cores_));
  }

  LaunchReport launch(const LaunchRequest& request) override;

  AccessTime access(HartId, std::uint64_t, std::uint32_t, AccessKind, Cycles now) override {
    return {now, StallCause::Memory};
  }
  Outcome issue(HartId hart, const Command& command, Cycles now) override {
    return {true, now, engines_[hart.core]->issueNow(command, hart)};
  }
  Outcome waitToken(HartId hart, std::uint64_t token, Cycles now) override;
  Outcome testToken(HartId hart, std::uint64_t token, Cycles now) override;
  Outcome barrierInit(HartId hart, std::uint64_t id, std::uint64_t arrivals, Cycles now) override;
  Outcome barrierArrive(HartId hart, std::uint64_t id, std::uint64_t expectBytes, Cycles now) override;
  Outcome barrierWait(HartId hart, std::uint64_t id, std::uint64_t phase, Cycles now) override;
  Outcome semaphoreAdd(HartId hart, std::uint64_t coreAndId, std::uint64_t amount, Cycles now) override;
  Outcome semaphoreWait(HartId hart, std::uint64_t id, std::uint64_t atLeast, Cycles now) override;
  Outcome nextWorkItem(HartId hart, Cycles now) override { return {true, now, workItems_->next(hart, 0).value}; }
  void mark(HartId hart, std::uint64_t id, bool begin, Cycles) override { state_->mark(hart, id, begin, 0); }

  void queueHasRoom(std::uint32_t, std::uint32_t, Cycles) override {}
  void tokenRetired(std::uint32_t, std::uint32_t, std::uint64_t, Cycles) override {}
  void credited(std::uint32_t, std::uint32_t target, std::uint64_t barrier, std::uint64_t bytes, Cycles) override {
    sync(target).barriers.credit(barrier, bytes, 0, woken_);
    wakeHarts();
  }
  void engineWakes(std::uint32_t, std::size_t, Cycles) override {}

 private:
  void wakeHarts() override {
    for (const sync::Wake& wake : woken_) slot(wake.hart).hart->wake(slot(wake.hart).hart->now());
    woken_.clear();
  }
  /// Time stands still: what is done is done at once.
  static Outcome at(Cycles now, Outcome outcome) {
    outcome.at = now;
    return outcome;
  }
};

Outcome FunctionalChip::waitToken(HartId hart, std::uint64_t token, Cycles now) {
  engines_[hart.core]->requireToken(token);
  engines_[hart.core]->observe(token);
  return {true, now, 0};
}

Outcome FunctionalChip::testToken(HartId hart, std::uint64_t token, Cycles now) {
  waitToken(hart, token, now);
  return {true, now, 1};
}

Outcome FunctionalChip::barrierInit(HartId hart, std::uint64_t id, std::uint64_t arrivals, Cycles now) {
  return at(now, sync(hart.core).barriers.init(hart, id, arrivals, 0));
}

Outcome FunctionalChip::barrierArrive(HartId hart, std::uint64_t id, std::uint64_t expectBytes, Cycles now) {
  const Outcome outcome = at(now, sync(hart.core).barriers.arrive(hart, id, expectBytes, 0, woken_));
  wakeHarts();
  return outcome;
}

Outcome FunctionalChip::barrierWait(HartId hart, std::uint64_t id, std::uint64_t phase, Cycles now) {
  return at(now, sync(hart.core).barriers.wait(hart, id, phase, 0));
}

Outcome FunctionalChip::semaphoreAdd(HartId hart, std::uint64_t coreAndId, std::uint64_t amount, Cycles now) {
  sync(static_cast<std::uint32_t>(coreAndId >> 32)).semaphores.add(coreAndId & 0xffff'ffff, amount, 0, woken_);
  wakeHarts();
  return {true, now, 0};
}

Outcome FunctionalChip::semaphoreWait(HartId hart, std::uint64_t id, std::uint64_t atLeast, Cycles now) {
  return at(now, sync(hart.core).semaphores.wait(hart, id, atLeast, 0));
}

LaunchReport FunctionalChip::launch(const LaunchRequest& request) {
  beginLaunch(request);
  startHarts(0);
  while (state_->running() > 0) {
    bool progress = false;
    for (HartSlot& slot : harts_) {
      core::Hart& hart = *slot.hart;
      if (!state_->takesPart(slot.id) || hart.status() != core::HartStatus::Running) continue;
      const Cycles before = hart.now(), limit = before + kTurn;
      while (hart.now() < limit && hart.status() == core::HartStatus::Running) {
        const core::RunResult result = hart.runUntil(limit);
        if (result.reason == core::RunReason::Quantum) break;
      }
      progress |= hart.now() != before || hart.status() == core::HartStatus::Exited;
      if (options_.maxCycles && hart.now() > options_.maxCycles) {
        Error error(ErrorKind::CycleLimit,
                    "the program ran for more than " + std::to_string(options_.maxCycles) + " instructions");
        locate(error, "core " + std::to_string(slot.id.core) + " team " + std::to_string(slot.id.team), hart.pc(),
               hart.now());
        throw error;
      }
    }
    if (!progress) failDeadlock(0);
  }
  LaunchReport report = endLaunch(0);
  for (const HartSlot& slot : harts_) {
    UnitReport unit;
    unit.name = "core " + std::to_string(slot.id.core) + " team " + std::to_string(slot.id.team);
    unit.core = slot.id.core;
    unit.index = slot.id.team;
    unit.instructions = state_->takesPart(slot.id) ? slot.hart->instructions() : 0;
    report.units.push_back(std::move(unit));
  }
  return report;
}

}  // namespace

std::unique_ptr<Chip> makeFunctionalChip(const targets::TargetSpec& target, AddressSpace& space, ChipOptions options) {
  return std::make_unique<FunctionalChip>(target, space, std::move(options));
}

}  // namespace forerun::sim
