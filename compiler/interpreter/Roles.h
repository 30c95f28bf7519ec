//===- Roles.h - regions that run side by side ------------------------------===//
// The roles of a tile.roles take turns on stacks of their own: each runs until it needs what another has not done yet.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/LogicalResult.h"
#include "mlir/IR/Operation.h"

#include <boost/context/fiber.hpp>

#include <functional>
#include <string>
#include <vector>

namespace forerun::interpreter {

class Roles {
 public:
  void add(llvm::StringRef name, std::function<llvm::LogicalResult()> body);
  /// Runs all to their end, in an order that depends on nothing but the program. The first failure ends the others;
  /// when all wait, an error at `op` says for what.
  llvm::LogicalResult run(mlir::Operation* op);

  /// Called from within a role: returns when `ready`, or fails, silently, because the run ends. `text`: what `op` waits
  /// for, for messages.
  llvm::LogicalResult await(mlir::Operation* op, llvm::function_ref<bool()> ready, const llvm::Twine& text);

 private:
  struct Role {
    std::string name;
    std::function<llvm::LogicalResult()> body;
    boost::context::fiber fiber;  ///< of the role while it is suspended
    bool done = false;
    llvm::LogicalResult result = llvm::success();
    mlir::Operation* waitsAt = nullptr;
    std::string waitsFor;
  };

  void resume(Role& role);

  std::vector<Role> roles_;
  Role* running_ = nullptr;
  boost::context::fiber scheduler_;  ///< who resumed the running role
  bool ending_ = false, progress_ = false;
};

}  // namespace forerun::interpreter
