//===- Parties.cpp - who runs side by side -----------------------------------===//
// Turns go round in the order in which the parties were added.
#include "compiler/interpreter/Parties.h"

#include "compiler/interpreter/Execution.h"

#include <boost/context/fixedsize_stack.hpp>

namespace forerun::interpreter {

namespace {
// Handlers nest as deep as regions do, and diagnostics print from within. Untouched pages cost nothing.
constexpr std::size_t kStackBytes = std::size_t{1} << 20;
constexpr unsigned kMostNotes = 4;  ///< of parties that wait, in a message
}  // namespace

void Parties::add(const llvm::Twine& name, std::function<llvm::LogicalResult()> body) {
  parties_.push_back({name.str(), std::move(body), {}, false, llvm::success(), nullptr, {}});
}

void Parties::resume(Party& party) {
  running_ = &party;
  party.fiber = std::move(party.fiber).resume();
  running_ = nullptr;
}

void Parties::reportDeadlock(mlir::Operation* op) const {
  auto error = op->emitError() << "no " << kind_ << " can go on";
  unsigned waiting = 0;
  for (const Party& party : parties_)
    if (!party.done && ++waiting <= kMostNotes)
      error.attachNote(party.waitsAt->getLoc()) << kind_ << " " << party.name << " waits for " << party.waitsFor;
  if (waiting > kMostNotes) error.attachNote(op->getLoc()) << "and " << (waiting - kMostNotes) << " more";
}

llvm::LogicalResult Parties::run(mlir::Operation* op) {
  for (Party& party : parties_)
    party.fiber = boost::context::fiber(std::allocator_arg, boost::context::fixedsize_stack(kStackBytes),
                                        [this, &party](boost::context::fiber&& scheduler) {
                                          scheduler_ = std::move(scheduler);
                                          party.result = party.body();
                                          party.done = true;
                                          return std::move(scheduler_);
                                        });
  bool failed = false, deadlock = false;
  for (;;) {
    bool running = false;
    progress_ = false;
    for (Party& party : parties_) {
      if (party.done) continue;
      resume(party);
      running |= !party.done;
      progress_ |= party.done;
      failed |= llvm::failed(party.result);
      ending_ |= failed;
    }
    if (!running) break;
    if (progress_ || ending_) continue;
    deadlock = ending_ = true;
    reportDeadlock(op);
  }
  return llvm::failure(failed || deadlock);
}

llvm::LogicalResult Parties::await(mlir::Operation* op, llvm::function_ref<bool()> ready,
                                   llvm::function_ref<std::string()> text) {
  Party& self = *running_;
  while (!ending_ && !ready()) {
    self.waitsAt = op;
    self.waitsFor = text();
    scheduler_ = std::move(scheduler_).resume();
    running_ = &self;
  }
  progress_ = true;
  return llvm::failure(ending_);
}

}  // namespace forerun::interpreter
