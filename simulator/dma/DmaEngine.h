//===- DmaEngine.h - a DMA engine of a core ------------------------------------===//
// Puts the DMA function behind its queues and gives commands their time, burst by burst.
#pragma once

#include "simulator/dma/BurstWalk.h"
#include "simulator/dma/DmaFunction.h"
#include "simulator/dma/MemoryPort.h"
#include "simulator/engine/Engine.h"
#include "simulator/kernel/Pool.h"
#include "simulator/kernel/Reply.h"
#include "simulator/kernel/ReservationCalendar.h"
#include "simulator/scratchpad/BankedMemoryTiming.h"

#include <optional>
#include <queue>

namespace forerun::sim::dma {

/// Memories of a core and the way out, as its DMA engines see them. All null in functional mode.
struct DmaPorts {
  BankedMemoryTiming* scratch = nullptr;
  BankedMemoryTiming* accumulator = nullptr;
  MemoryPort* outside = nullptr;
  const Horizon* horizon = nullptr;  ///< reference cycles
  /// Bursts may be booked this many cycles before they leave: one call of `advance` for several bursts, at the price of
  /// their order among engines.
  Cycles ahead = 0;
};

/// The front end sends one burst a cycle, as long as fewer than `inFlight` are out; commands follow each other without
/// gap. A burst that reads near memory takes the read port for its bytes / readBytesPerCycle, then the banks; one that
/// writes near memory the write port likewise. Near elements that are not adjacent take one port cycle each, two when
/// their stride is above stridePenaltyBytes.
class DmaEngine : public engine::Engine, private ReplySink {
 public:
  DmaEngine(const targets::TargetSpec& target, const targets::EngineSpec& spec, std::string name,
            engine::EngineHost& host, std::uint32_t firstQueue, const EngineMemory& memory, DmaPorts ports);

  std::uint64_t executeNow(const Command& command) override;

 protected:
  Cycles availableAt(const engine::QueuedCommand& command, Cycles now) override;
  void start(engine::QueuedCommand& command, Cycles now) override;
  Cycles progress(Cycles now) override;

 private:
  struct Side {
    bool near = false;
    BankedMemoryTiming* banks = nullptr;
    std::uint64_t banksBase = 0;  ///< address of the memory's first byte
    std::int64_t stride = 0;
    std::uint32_t elementBytes = 1;
    bool adjacent = true;
  };
  /// A command from its start until its last burst is done.
  struct Transfer {
    engine::QueuedCommand* command;
    Side source, destination;
    std::uint64_t multicast = 0;  ///< cores that receive a copy; 0 = plain
    std::uint32_t bursts = 1;     ///< out and not answered; one more while the front end sends
    Cycles done = 0;
  };
  /// A burst whose read or write has not been answered.
  struct Flight {
    std::uint32_t transfer;
    std::uint32_t writeElements;
    std::uint64_t writeAddress;
    std::uint32_t left = 1;  ///< answers to come of this stage; one more while requests are sent
    bool writing = false;
    Cycles done = 0;  ///< of the stage, as known so far
  };

  Side sideOf(std::uint64_t address, std::int64_t stride, std::uint32_t elementBytes) const;
  Cycles portCycles(const Side& side, std::uint32_t elements, std::uint32_t bytesPerCycle) const;
  void read(std::uint32_t flight, const Side& side, const Burst& burst, Cycles at, Cycles& issued);
  void write(std::uint32_t flight, Cycles at);
  template <typename Request>
  void far(std::uint32_t flight, const Side& side, std::uint64_t address, std::uint32_t elements, Cycles at,
           Request request);
  void advanceFlight(std::uint32_t flight);
  void reply(std::uint32_t flight, Cycles at) override;
  void burstDone(std::uint32_t transfer, Cycles done);

  const EngineMemory& memory_;
  DmaFunction function_;
  DmaPorts ports_;
  std::uint32_t stridePenaltyBytes_;
  Cycles burstInterval_;
  ReservationCalendar readPort_, writePort_;
  Pool<Transfer> transfers_;
  Pool<Flight> flights_;
  std::uint32_t running_ = 0;  ///< transfer of the front end, while there is a walk_
  std::optional<BurstWalk> walk_;
  Burst burst_;           ///< next of walk_
  Cycles frontFree_ = 0;  ///< the next burst may leave
  std::priority_queue<Cycles, std::vector<Cycles>, std::greater<>>
      answered_;          ///< ends of bursts that are out and whose end is known
  bool blocked_ = false;  ///< the front end waits for a burst to end
};

}  // namespace forerun::sim::dma
