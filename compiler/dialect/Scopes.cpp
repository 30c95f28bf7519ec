//===- Scopes.cpp - who executes an operation --------------------------------===//
// Scopes nest from coarse to fine, so that the innermost region is the finest.
#include "compiler/dialect/Scopes.h"

using namespace mlir;

namespace forerun::tile {

Scope scopeOf(Operation* op) {
  auto exec = op->getParentOfType<ExecOp>();
  return exec ? std::min(exec.getScope(), Scope::Core) : Scope::Core;
}

bool waitsForOthers(Region& region) {
  return region
      .walk([](Operation* op) {
        return llvm::isa<SyncOp, BarrierWaitOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

}  // namespace forerun::tile
