//===- Chip.h - composition of a chip, without time ------------------------------===//
// Cores with harts, engines, tokens, races and synchronisation; what the functional and the timed chip have in common.
#pragma once

#include "simulator/LaunchState.h"
#include "simulator/Report.h"
#include "simulator/core/Hart.h"
#include "simulator/core/Program.h"
#include "simulator/engine/CoreEngines.h"
#include "simulator/sync/Barriers.h"
#include "simulator/sync/Semaphores.h"
#include "simulator/sync/WorkItems.h"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace forerun::sim {

struct ChipOptions {
  Cycles maxCycles = 0;  ///< 0 = no limit
  Cycles quantum = 1;    ///< timed chip
  bool checks = true;
  std::function<void(std::string_view)> output;
};

class Chip : public Environment, public engine::CoreListener {
 public:
  ~Chip() override;

  /// Replaces the harts' code.
  virtual void setProgram(const core::Program& program);
  /// Runs one launch to its end. Throws sim::Error; the chip must not be used after that.
  virtual LaunchReport launch(const LaunchRequest& request) = 0;

  // Environment, independent of time.
  std::uint64_t identity(HartId hart, std::uint32_t which) const override;
  void write(HartId hart, int fd, std::string_view text) override;
  void exited(HartId hart, std::uint64_t code, Cycles now) override;

 protected:
  /// `target` and `space` outlive the chip.
  Chip(const targets::TargetSpec& target, AddressSpace& space, ChipOptions options, core::HartMode mode);

  struct CoreSync {
    sync::Barriers barriers;
    sync::Semaphores semaphores;
  };
  struct HartSlot {
    HartId id;
    const targets::TeamSpec* team;
    core::CodeCache* code;
    std::unique_ptr<core::Hart> hart;
    std::string waitsFor;       ///< of a hart that waits for a queue or token, for deadlock messages
    bool synchronises = false;  ///< timed chip: the next instruction must run exactly at its time
  };

  HartSlot& slot(HartId id) { return harts_[std::size_t{id.core} * teamsPerCore_ + id.team]; }
  void makeEngines(const std::vector<engine::CoreTiming>& timing);
  /// Puts every hart that takes part at the entry; they may issue from `at`.
  void startHarts(Cycles at);
  void beginLaunch(const LaunchRequest& request);
  /// Exit code, output, marks, warnings, matrix totals.
  LaunchReport endLaunch(Cycles cycles);
  [[noreturn]] void failDeadlock(Cycles now);
  /// Fills component, cycle, pc and instruction of an error that an engine threw.
  void locate(Error& error, const std::string& component, std::uint64_t pc, Cycles now);
  CoreSync& sync(std::uint32_t core);  ///< throws IllegalProgram when the chip has no such core
  /// Lets the harts of `woken_` go on and empties it.
  virtual void wakeHarts() = 0;

  const targets::TargetSpec& target_;
  AddressSpace& space_;
  ChipOptions options_;
  core::HartMode mode_;
  std::uint32_t cores_, teamsPerCore_;
  std::vector<std::unique_ptr<core::CodeCache>> codes_;  ///< one a team spec
  std::vector<HartSlot> harts_;                          ///< by core, then team
  std::vector<std::unique_ptr<EngineMemory>> memories_;
  std::vector<std::unique_ptr<RaceTracker>> races_;
  std::vector<std::unique_ptr<engine::CoreEngines>> engines_;
  std::vector<CoreSync> syncs_;
  std::vector<sync::Wake> woken_;
  std::unique_ptr<sync::WorkItems> workItems_;
  std::unique_ptr<LaunchState> state_;
};

std::unique_ptr<Chip> makeFunctionalChip(const targets::TargetSpec& target, AddressSpace& space, ChipOptions options);
std::unique_ptr<Chip> makeTimedChip(const targets::TargetSpec& target, AddressSpace& space, ChipOptions options);

}  // namespace forerun::sim
