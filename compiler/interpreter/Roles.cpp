//===- Roles.cpp - regions that run side by side ----------------------------===//
// Turns go round in the order in which the roles are written.
#include "compiler/interpreter/Roles.h"

#include "compiler/interpreter/Execution.h"

#include <boost/context/fixedsize_stack.hpp>

namespace forerun::interpreter {

// Handlers nest as deep as regions do, and diagnostics print from within.
static constexpr std::size_t kStackBytes = std::size_t{1} << 20;

void Roles::add(llvm::StringRef name, std::function<llvm::LogicalResult()> body) {
  roles_.push_back({name.str(), std::move(body), {}, false, llvm::success(), nullptr, {}});
}

void Roles::resume(Role& role) {
  running_ = &role;
  role.fiber = std::move(role.fiber).resume();
  running_ = nullptr;
}

llvm::LogicalResult Roles::run(mlir::Operation* op) {
  for (Role& role : roles_)
    role.fiber = boost::context::fiber(std::allocator_arg, boost::context::fixedsize_stack(kStackBytes),
                                       [this, &role](boost::context::fiber&& scheduler) {
                                         scheduler_ = std::move(scheduler);
                                         role.result = role.body();
                                         role.done = true;
                                         return std::move(scheduler_);
                                       });
  bool failed = false, deadlock = false;
  for (;;) {
    bool running = false;
    progress_ = false;
    for (Role& role : roles_) {
      if (role.done) continue;
      resume(role);
      running |= !role.done;
      progress_ |= role.done;
      failed |= llvm::failed(role.result);
      ending_ |= failed;
    }
    if (!running) break;
    if (progress_ || ending_) continue;
    deadlock = ending_ = true;
    auto error = op->emitError() << "no role can go on";
    for (const Role& role : roles_)
      if (!role.done)
        error.attachNote(role.waitsAt->getLoc()) << "role '" << role.name << "' waits for " << role.waitsFor;
  }
  return llvm::failure(failed || deadlock);
}

llvm::LogicalResult Roles::await(mlir::Operation* op, llvm::function_ref<bool()> ready, const llvm::Twine& text) {
  Role& self = *running_;
  while (!ending_ && !ready()) {
    self.waitsAt = op;
    self.waitsFor = text.str();
    scheduler_ = std::move(scheduler_).resume();
    running_ = &self;
  }
  progress_ = true;
  return llvm::failure(ending_);
}

}  // namespace forerun::interpreter
