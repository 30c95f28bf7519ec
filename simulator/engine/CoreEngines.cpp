//===- CoreEngines.cpp - the engines of one core and their tokens --------------===//
// Queues are numbered over the core: DMA first, then matrix, in the order of the target file.
#include "simulator/engine/CoreEngines.h"

#include "simulator/kernel/Error.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace forerun::sim::engine {

namespace {
// Enough to name the first ones; the rest is only counted by the queue's numbers.
constexpr std::size_t kRememberedUnobserved = 4096;
}  // namespace

CoreEngines::CoreEngines(const targets::TargetSpec& target, const EngineMemory& memory, CoreTiming timing,
                         CoreListener& listener, std::vector<std::unique_ptr<RaceTracker>>& races)
    : core_(memory.core()), memory_(memory), listener_(listener), races_(races) {
  const std::string prefix = "core " + std::to_string(core_) + " ";
  auto addKind = [&](targets::EngineKind kind, const char* kindName, std::vector<std::uint32_t>& numbers, auto make) {
    std::uint32_t index = 0;
    for (const targets::EngineSpec& spec : target.engines) {
      if (spec.kind != kind) continue;
      for (std::uint32_t i = 0; i < spec.count; ++i, ++index) {
        const auto first = static_cast<std::uint32_t>(queues_.size());
        engines_.push_back(make(spec, prefix + kindName + " " + std::to_string(index), first));
        for (std::uint32_t q = 0; q < spec.queues; ++q) {
          numbers.push_back(first + q);
          queues_.push_back({engines_.size() - 1, q});
        }
      }
    }
  };
  addKind(targets::EngineKind::Dma, "dma", dmaQueues_,
          [&](const targets::EngineSpec& spec, std::string name, std::uint32_t first) -> std::unique_ptr<Engine> {
            return std::make_unique<dma::DmaEngine>(
                target, spec, std::move(name), *this, first, memory,
                dma::DmaPorts{timing.scratch, timing.accumulator, timing.outside, timing.horizon, timing.burstsAhead});
          });
  addKind(targets::EngineKind::Matrix, "matrix", matrixQueues_,
          [&](const targets::EngineSpec& spec, std::string name, std::uint32_t first) -> std::unique_ptr<Engine> {
            return std::make_unique<matrix::MatrixEngine>(target, spec, std::move(name), *this, first, memory,
                                                          timing.scratch, timing.accumulator, timing.hostWork);
          });
  observed_.resize(queues_.size());
  unobserved_.resize(queues_.size());
}

std::uint32_t CoreEngines::queueOf(const Command& command) const {
  const bool isDma = command.kind == CommandKind::DmaCopy || command.kind == CommandKind::DmaIndex;
  const bool isVector = command.kind == CommandKind::VectorMap || command.kind == CommandKind::VectorReduce;
  const std::vector<std::uint32_t>& numbers = isDma ? dmaQueues_ : matrixQueues_;
  if (isVector || numbers.empty())
    throw Error(ErrorKind::UnsupportedFeature, std::string(mnemonic(command.kind)) + ": this target has no " +
                                                   (isVector ? "vector"
                                                    : isDma  ? "DMA"
                                                             : "matrix") +
                                                   " engine");
  if (command.first.queue >= numbers.size())
    throw Error(ErrorKind::IllegalProgram, std::string(mnemonic(command.kind)) + " names queue " +
                                               std::to_string(command.first.queue) + "; this core has " +
                                               std::to_string(numbers.size()) + " queues of the kind");
  return numbers[command.first.queue];
}

std::uint32_t CoreEngines::hartIssueCycles(const Command& command) const {
  return engines_[queues_[queueOf(command)].engine]->spec().issueCycles;
}

void CoreEngines::requireToken(std::uint64_t token) const {
  if (token == 0) return;
  const std::uint32_t number = tokenQueue(token);
  if (number >= queues_.size() || tokenSequence(token) == 0 || tokenSequence(token) > queue(number).issued)
    throw Error(ErrorKind::IllegalProgram, "0x" + llvm::utohexstr(token, true) + " is not a token that core " +
                                               std::to_string(core_) +
                                               " issued; tokens of other cores and other values cannot be waited for");
}

bool CoreEngines::tokenComplete(std::uint64_t token) const {
  return token == 0 || queue(tokenQueue(token)).retired >= tokenSequence(token);
}

void CoreEngines::observe(std::uint64_t token) {
  if (token == 0) return;
  const std::uint32_t number = tokenQueue(token);
  observed_[number] = std::max(observed_[number], tokenSequence(token));
  std::deque<Unobserved>& list = unobserved_[number];
  while (!list.empty() && list.front().sequence <= observed_[number]) list.pop_front();
}

void CoreEngines::noteIssue(const CommandQueue& queue, const Command& command) {
  if (command.after) observe(command.after);
  std::deque<Unobserved>& list = unobserved_[queue.number];
  if (command.first.credit == 0 && list.size() < kRememberedUnobserved)
    list.push_back({queue.issued, command.pc, command.kind});
}

std::uint64_t CoreEngines::issueNow(const Command& command, HartId hart) {
  const std::uint32_t number = queueOf(command);
  requireToken(command.after);
  CommandQueue& queue = this->queue(number);
  ++queue.issued;
  noteIssue(queue, command);
  const std::uint64_t bytes = engines_[queues_[number].engine]->executeNow(command);
  ++queue.retired;
  credit(command, bytes, 0);
  return makeToken(number, queue.issued);
}

std::vector<std::uint64_t> CoreEngines::orderKnowledge(const CommandQueue& into, const Command& command) const {
  std::vector<std::uint64_t> known(queues_.size(), 0);
  auto join = [&](const std::vector<std::uint64_t>& other) {
    for (std::size_t q = 0; q < other.size(); ++q) known[q] = std::max(known[q], other[q]);
  };
  for (std::uint32_t q = 0; q < queues_.size(); ++q) known[q] = queue(q).retired;
  join(into.lastAfter);
  known[into.number] = into.issued;
  if (command.after) {
    const CommandQueue& awaited = queue(tokenQueue(command.after));
    const std::uint64_t sequence = tokenSequence(command.after);
    known[awaited.number] = std::max(known[awaited.number], sequence);
    if (sequence > awaited.retired)
      join(awaited.entries[static_cast<std::size_t>(sequence - awaited.retired - 1)].party.after);
  }
  return known;
}

std::optional<std::uint64_t> CoreEngines::issue(const Command& command, HartId hart, Cycles now, Cycles arrival) {
  const std::uint32_t number = queueOf(command);
  requireToken(command.after);
  CommandQueue& queue = this->queue(number);
  if (queue.full()) return std::nullopt;
  QueuedCommand entry;
  entry.footprint = footprintOf(command, memory_);
  entry.command = command;
  entry.issuer = hart;
  entry.arrival = arrival;
  entry.order = ++order_;
  const std::vector<std::uint64_t> known = orderKnowledge(queue, command);
  entry.sequence = ++queue.issued;
  noteIssue(queue, command);
  if (!races_.empty()) {
    entry.party.id = (std::uint64_t{core_} << 48) + entry.order;
    entry.party.core = core_;
    entry.party.queue = number;
    entry.party.sequence = entry.sequence;
    entry.party.pc = command.pc;
    entry.party.name = mnemonic(command.kind);
    entry.party.after = known;
  }
  queue.lastAfter = known;
  queue.entries.push_back(std::move(entry));
  const QueuedCommand& stored = queue.entries.back();
  if (!races_.empty()) {
    auto add = [&](const std::vector<StridedBox>& boxes, bool write) {
      for (const StridedBox& box : boxes)
        if (const std::uint32_t owner = memory_.ownerOf(box.first); owner < races_.size())
          races_[owner]->add(stored.party, box, write);
    };
    add(stored.footprint.reads, false);
    add(stored.footprint.writes, true);
  }
  listener_.engineWakes(core_, queues_[number].engine, arrival);
  return makeToken(number, stored.sequence);
}

void CoreEngines::wakes(Engine& engine, Cycles at) {
  for (std::size_t e = 0; e < engines_.size(); ++e)
    if (engines_[e].get() == &engine) listener_.engineWakes(core_, e, at);
}

void CoreEngines::started(CommandQueue& queue, const QueuedCommand& command, Cycles now) {
  listener_.queueHasRoom(core_, queue.number, now);
}

void CoreEngines::retired(CommandQueue& queue, const QueuedCommand& command, Cycles now) {
  if (!races_.empty()) {
    std::uint32_t last = memory_.cores();  // one removal takes all boxes of the command there
    for (const auto* boxes : {&command.footprint.reads, &command.footprint.writes})
      for (const StridedBox& box : *boxes)
        if (const std::uint32_t owner = memory_.ownerOf(box.first); owner < races_.size() && owner != last)
          races_[last = owner]->remove(command.party.id);
  }
  credit(command.command, command.creditBytes, now);
  listener_.tokenRetired(core_, queue.number, queue.retired, now);
  // A head of another engine may wait for this token.
  for (std::size_t e = 0; e < engines_.size(); ++e) {
    if (e == queues_[queue.number].engine) continue;
    for (CommandQueue& other : engines_[e]->queues())
      if (QueuedCommand* head = other.head();
          head && head->command.after && tokenQueue(head->command.after) == queue.number)
        listener_.engineWakes(core_, e, now);
  }
}

void CoreEngines::credit(const Command& command, std::uint64_t bytes, Cycles now) {
  if (command.first.credit == 0) return;
  const std::uint64_t target = command.first.credit - 1;
  listener_.credited(core_, static_cast<std::uint32_t>(target >> 32), target & 0xffff'ffff, bytes, now);
}

bool CoreEngines::idle() const {
  return std::all_of(engines_.begin(), engines_.end(), [](const auto& engine) { return engine->idle(); });
}

std::vector<std::string> CoreEngines::describeWaits() const {
  std::vector<std::string> lines;
  for (const auto& engine : engines_)
    if (std::string line = engine->describeWait(); !line.empty()) lines.push_back(line);
  return lines;
}

std::vector<std::string> CoreEngines::takeUnobserved() {
  std::vector<std::string> lines;
  for (std::uint32_t q = 0; q < queues_.size(); ++q) {
    std::deque<Unobserved>& list = unobserved_[q];
    if (!list.empty())
      lines.push_back("queue " + std::to_string(q) + ": " + std::to_string(list.size()) +
                      (list.size() == kRememberedUnobserved ? " or more" : "") +
                      " commands were never waited for, chained or credited; the first is " +
                      mnemonic(list.front().kind) + " issued at pc 0x" + llvm::utohexstr(list.front().pc, true));
    observed_[q] = queue(q).issued;
    list.clear();
  }
  return lines;
}

}  // namespace forerun::sim::engine
