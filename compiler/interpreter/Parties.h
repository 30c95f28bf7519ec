//===- Parties.h - who runs side by side -------------------------------------===//
// Roles, the teams of a region that joins them, or the work items of a launch take turns on stacks of their own: each
// runs until it needs what another has not done yet.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/LogicalResult.h"
#include "mlir/IR/Operation.h"

#include <boost/context/fiber.hpp>

#include <functional>
#include <string>
#include <vector>

namespace forerun::interpreter {

class Parties {
 public:
  /// `kind`: what each is, for messages: "role".
  explicit Parties(llvm::StringRef kind) : kind_(kind.str()) {}

  void add(const llvm::Twine& name, std::function<llvm::LogicalResult()> body);
  /// Runs all to their end, in an order that depends on nothing but the program. The first failure ends the others;
  /// when all wait, an error at `op` says for what.
  llvm::LogicalResult run(mlir::Operation* op);

  /// Called from within a party: returns when `ready`, or fails, silently, because the run ends. `text`: what `op`
  /// waits for, for messages.
  llvm::LogicalResult await(mlir::Operation* op, llvm::function_ref<bool()> ready,
                            llvm::function_ref<std::string()> text);

 private:
  struct Party {
    std::string name;
    std::function<llvm::LogicalResult()> body;
    boost::context::fiber fiber;  ///< of the party while it is suspended
    bool done = false;
    llvm::LogicalResult result = llvm::success();
    mlir::Operation* waitsAt = nullptr;
    std::string waitsFor;
  };

  void resume(Party& party);
  void reportDeadlock(mlir::Operation* op) const;

  std::string kind_;
  std::vector<Party> parties_;
  Party* running_ = nullptr;
  boost::context::fiber scheduler_;  ///< who resumed the running party
  bool ending_ = false, progress_ = false;
};

}  // namespace forerun::interpreter
