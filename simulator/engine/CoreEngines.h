//===- CoreEngines.h - the engines of one core and their tokens --------------===//
// Routes commands to queues, keeps tokens, races and credits; used in both modes. No SystemC.
#pragma once

#include "simulator/dma/DmaEngine.h"
#include "simulator/engine/Engine.h"
#include "simulator/matrix/MatrixEngine.h"
#include "simulator/scratchpad/EngineMemory.h"
#include "simulator/scratchpad/RaceTracker.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace forerun::sim::engine {

/// What the chip does when queues move. Called from `issueNow`, `advance`.
class CoreListener {
 public:
  virtual ~CoreListener() = default;
  /// Queue `queue` of core `core` has room again.
  virtual void queueHasRoom(std::uint32_t core, std::uint32_t queue, Cycles now) = 0;
  /// Commands of `queue` up to `sequence` are complete.
  virtual void tokenRetired(std::uint32_t core, std::uint32_t queue, std::uint64_t sequence, Cycles now) = 0;
  /// `bytes` written count for barrier `barrier` of core `target`.
  virtual void credited(std::uint32_t core, std::uint32_t target, std::uint64_t barrier, std::uint64_t bytes,
                        Cycles now) = 0;
  /// Engine `engine` of `core` (index in CoreEngines::engines) has something new to look at, now or at `at`.
  virtual void engineWakes(std::uint32_t core, std::size_t engine, Cycles at) = 0;
};

/// Timing parts of a core; all null in functional mode.
struct CoreTiming {
  BankedMemoryTiming* scratch = nullptr;
  BankedMemoryTiming* accumulator = nullptr;
  dma::MemoryPort* outside = nullptr;
  const Horizon* horizon = nullptr;
  Cycles burstsAhead = 0;        ///< see dma::DmaPorts
  HostWork* hostWork = nullptr;  ///< see matrix::MatrixEngine; only when races are checked
};

class CoreEngines : public EngineHost {
 public:
  /// `races`: one tracker a core of the chip, empty when races are not checked.
  CoreEngines(const targets::TargetSpec& target, const EngineMemory& memory, CoreTiming timing, CoreListener& listener,
              std::vector<std::unique_ptr<RaceTracker>>& races);

  /// Functional mode: the command is complete on return. Returns its token.
  std::uint64_t issueNow(const Command& command, HartId hart);

  /// Timing mode: hands a command over; it is in its queue from `arrival`. nullopt when the queue is full. Throws for a
  /// queue that the core lacks, a token that was never issued, or a race.
  std::optional<std::uint64_t> issue(const Command& command, HartId hart, Cycles now, Cycles arrival);
  /// Queue that the command would go to.
  std::uint32_t queueOf(const Command& command) const;

  /// Throws IllegalProgram unless the token was issued by this core (0 is fine).
  void requireToken(std::uint64_t token) const;
  bool tokenComplete(std::uint64_t token) const override;
  /// A hart waits for, tests or chains the token.
  void observe(std::uint64_t token);

  Cycles advance(std::size_t engine, Cycles now) { return engines_[engine]->advance(now); }
  std::vector<std::unique_ptr<Engine>>& engines() { return engines_; }
  bool idle() const;
  /// One line for every head that waits, for deadlock messages.
  std::vector<std::string> describeWaits() const;
  /// Commands that no one waited for, chained or credited; and forgets them.
  std::vector<std::string> takeUnobserved();
  std::uint32_t hartIssueCycles(
      const Command& command) const;  ///< of the hart's handing over, engine spec's issueCycles

 private:
  struct QueueRef {
    std::size_t engine = 0, queue = 0;
  };
  struct Unobserved {
    std::uint64_t sequence, pc;
    CommandKind kind;
  };

  void wakes(Engine& engine, Cycles at) override;
  void started(CommandQueue& queue, const QueuedCommand& command, Cycles now) override;
  void retired(CommandQueue& queue, const QueuedCommand& command, Cycles now) override;
  CommandQueue& queue(std::uint32_t number) {
    return engines_[queues_[number].engine]->queues()[queues_[number].queue];
  }
  const CommandQueue& queue(std::uint32_t number) const {
    return engines_[queues_[number].engine]->queues()[queues_[number].queue];
  }
  void credit(const Command& command, std::uint64_t bytes, Cycles now);
  void noteIssue(const CommandQueue& queue, const Command& command);
  std::vector<std::uint64_t> orderKnowledge(const CommandQueue& into, const Command& command) const;

  std::uint32_t core_;
  const EngineMemory& memory_;
  CoreListener& listener_;
  std::vector<std::unique_ptr<RaceTracker>>& races_;
  std::vector<std::unique_ptr<Engine>> engines_;
  std::vector<QueueRef> queues_;
  std::vector<std::uint32_t> dmaQueues_, matrixQueues_;  ///< numbers, by queue of the kind
  std::vector<std::uint64_t> observed_;                  ///< by queue: everything up to this sequence was waited for
  std::vector<std::deque<Unobserved>> unobserved_;
  std::uint64_t order_ = 0;
};

}  // namespace forerun::sim::engine
