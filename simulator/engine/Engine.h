//===- Engine.h - what DMA and matrix engines share --------------------------===//
// Queues in front of a unit: in-order start, conflicts, `after` tokens, in-order retirement. No SystemC: the chip calls
// `advance` at the times that it asks for.
#pragma once

#include "simulator/engine/CommandQueue.h"
#include "simulator/engine/StallTimeline.h"
#include "simulator/kernel/ClockDomain.h"
#include "targets/TargetSpec.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace forerun::sim::engine {

class Engine;

/// What an engine needs from its core.
class EngineHost {
 public:
  virtual ~EngineHost() = default;
  virtual bool tokenComplete(std::uint64_t token) const = 0;
  /// Outside of `advance` the engine learned that something happens at `at`: it must be advanced then.
  virtual void wakes(Engine& engine, Cycles at) = 0;
  /// The queue has room again.
  virtual void started(CommandQueue& queue, const QueuedCommand& command, Cycles now) = 0;
  /// Called once a command, in order within a queue; `queue.retired` is up to date.
  virtual void retired(CommandQueue& queue, const QueuedCommand& command, Cycles now) = 0;
};

class Engine {
 public:
  Engine(const targets::TargetSpec& target, const targets::EngineSpec& spec, std::string name, EngineHost& host,
         std::uint32_t firstQueue);
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Executes a command's function at once (functional mode). Returns the bytes that count for credits.
  virtual std::uint64_t executeNow(const Command& command) = 0;

  /// Does everything that happens up to `now`; returns the next time at which something can happen by itself (kNever:
  /// only when a command arrives or another queue retires one). Reference cycles.
  Cycles advance(Cycles now);

  std::vector<CommandQueue>& queues() { return queues_; }
  const std::string& name() const { return name_; }
  const targets::EngineSpec& spec() const { return spec_; }
  StallTimeline& timeline() { return timeline_; }
  bool idle() const;
  /// Commands retired since the last call.
  std::uint64_t takeRetiredCommands() { return std::exchange(retiredCommands_, 0); }
  /// Where the command that is starting was issued; for errors thrown by `advance`.
  std::uint64_t startingPc() const { return startingPc_; }
  /// For messages about deadlocks: "queue 1: xdma.copy (pc 0x...) waits for token ..."; empty when nothing waits.
  std::string describeWait() const;

 protected:
  void wakeAt(Cycles at) { host_.wakes(*this, at); }
  /// Cycle from which the unit could take `command` (resources only), at least `now`; the head waits until then.
  virtual Cycles availableAt(const QueuedCommand& command, Cycles now) = 0;
  /// The command starts at `now`: execute its function, book its time. Sets `finish` now or during later `progress`
  /// calls.
  virtual void start(QueuedCommand& command, Cycles now) = 0;
  /// Work that goes on between starts; returns when it wants to be called again.
  virtual Cycles progress(Cycles now) { return kNever; }
  /// The command is about to retire: what it computes must be in memory.
  virtual void complete(const QueuedCommand& command) {}
  /// An older running command of the same queue need not have retired although footprints conflict.
  virtual bool mayOverlap(const QueuedCommand& older, const QueuedCommand& younger) const { return false; }

  const targets::EngineSpec& spec_;
  ClockDomain clock_;
  StallTimeline timeline_;

 private:
  bool retireDone(Cycles now);
  bool startHeads(Cycles now, Cycles& next);

  std::string name_;
  EngineHost& host_;
  std::vector<CommandQueue> queues_;
  std::size_t turn_ = 0;  ///< queue that is asked first
  std::uint64_t retiredCommands_ = 0;
  std::uint64_t startingPc_ = 0;
};

}  // namespace forerun::sim::engine
