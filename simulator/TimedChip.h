//===- TimedChip.h - composition of a chip with time --------------------------------===//
// SystemC processes around harts and engines: one a core for its harts, one an engine.
#pragma once

#include "simulator/Chip.h"
#include "simulator/SystemcContext.h"
#include "simulator/dma/MemoryPort.h"
#include "simulator/memory/MemorySystem.h"
#include "simulator/scratchpad/BankedMemoryTiming.h"

#include <exception>
#include <memory>
#include <queue>
#include <vector>

namespace forerun::sim {

/// Harts of a core run ahead of SystemC time by at most a quantum; commands, waits, atomics and fences run exactly at
/// their time, because a hart stops before them and is called again then. Everything else of the chip happens at
/// SystemC time. The memory system decides in a process of its own that runs while engines wait for it or lines can be
/// written back.
class TimedChip final : public Chip, private dma::MemoryPort {
 public:
  TimedChip(const targets::TargetSpec& target, AddressSpace& space, ChipOptions options);
  ~TimedChip() override;

  LaunchReport launch(const LaunchRequest& request) override;

  // Environment.
  AccessTime access(HartId hart, std::uint64_t address, std::uint32_t bytes, AccessKind kind, Cycles now) override;
  Outcome issue(HartId hart, const Command& command, Cycles now) override;
  Outcome waitToken(HartId hart, std::uint64_t token, Cycles now) override;
  Outcome testToken(HartId hart, std::uint64_t token, Cycles now) override;
  Outcome barrierInit(HartId hart, std::uint64_t id, std::uint64_t arrivals, Cycles now) override;
  Outcome barrierArrive(HartId hart, std::uint64_t id, std::uint64_t expectBytes, Cycles now) override;
  Outcome barrierWait(HartId hart, std::uint64_t id, std::uint64_t phase, Cycles now) override;
  Outcome semaphoreAdd(HartId hart, std::uint64_t coreAndId, std::uint64_t amount, Cycles now) override;
  Outcome semaphoreWait(HartId hart, std::uint64_t id, std::uint64_t atLeast, Cycles now) override;
  Outcome nextWorkItem(HartId hart, Cycles now) override;
  void mark(HartId hart, std::uint64_t id, bool begin, Cycles now) override;

  // CoreListener.
  void queueHasRoom(std::uint32_t core, std::uint32_t queue, Cycles now) override;
  void tokenRetired(std::uint32_t core, std::uint32_t queue, std::uint64_t sequence, Cycles now) override;
  void credited(std::uint32_t core, std::uint32_t target, std::uint64_t barrier, std::uint64_t bytes,
                Cycles now) override;
  void engineWakes(std::uint32_t core, std::size_t engine, Cycles at) override;

 private:
  /// A blocked hart and what ends its wait.
  struct Waiter {
    HartId hart;
    std::uint64_t queue = 0;     ///< of the token, or with room wanted
    std::uint64_t sequence = 0;  ///< of the token
  };
  /// An add to a semaphore that is on its way from another core.
  struct Arrival {
    Cycles at;
    std::uint64_t order, semaphore, amount;
    bool operator>(const Arrival& o) const { return at != o.at ? at > o.at : order > o.order; }
  };
  struct Core {
    std::unique_ptr<BankedMemoryTiming> scratch, accumulator;
    SystemcUnit* harts = nullptr;
    std::vector<SystemcUnit*> engines;
    std::vector<Waiter> tokenWaiters, queueWaiters;
    std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals;
  };
  struct Counters {
    MemoryTraffic memory;
    dram::ChannelCounters dram;
    std::uint64_t scratchReadBytes = 0, scratchWrittenBytes = 0;
  };

  // dma::MemoryPort.
  Cycles readOutside(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at, Reply reply) override;
  Cycles writeOutside(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at, Reply reply) override;
  Cycles multicastOutside(std::uint32_t core, std::uint64_t cores, std::uint64_t offset, std::uint32_t bytes,
                          Cycles at) override;

  void runHarts(std::uint32_t core, Cycles now);
  void runEngine(std::uint32_t core, std::size_t engine, Cycles now);
  void runMemory(Cycles now);
  Cycles answered(Cycles known);
  /// Runs `body`; what it throws stops the simulation.
  template <typename Body>
  void guarded(Cycles now, Body body);
  void advanceTime(Cycles now);
  void checkLimit(Cycles now);
  Outcome blocked(std::vector<Waiter>& list, const Waiter& waiter, std::string what);
  template <typename Ended>
  void wake(std::vector<Waiter>& list, Cycles now, Ended ended);
  void wakeHart(HartId hart, Cycles at);
  void wakeHarts() override;
  void addSemaphore(std::uint32_t core, std::uint64_t id, std::uint64_t amount, Cycles now);
  Cycles teamCycles(HartId hart, std::uint32_t cycles);
  Counters counters() const;
  void reportUnits(LaunchReport& report, Cycles begin, Cycles end);
  void reportTraffic(LaunchReport& report, const Counters& before) const;
  void reportDramBus(LaunchReport& report, const dram::ChannelCounters& before,
                     const dram::ChannelCounters& after) const;

  SystemcContext context_;
  MemorySystem memory_;
  Horizon horizon_;  ///< of scratchpads, accumulators and ports
  std::vector<Core> timedCores_;
  HostWork hostWork_;
  std::vector<std::unique_ptr<SystemcUnit>> units_;
  SystemcUnit* memoryUnit_ = nullptr;
  bool memoryRuns_ = false;
  Cycles launchBegin_ = 0, launchEnd_ = 0, memoryHorizon_ = 0;
  std::uint64_t arrivalOrder_ = 0;
  std::exception_ptr error_;
};

}  // namespace forerun::sim
