//===- OrderOps.cpp - checks of waits --------------------------------------===//
// Linearity of tokens is a pass of its own (--tile-verify-tokens); here only what one operation shows.
#include "compiler/dialect/Verification.h"

using namespace mlir;

namespace forerun::tile {

bool takesTokens(Operation* op) { return llvm::isa<WaitOp, ProducerCommitOp, ConsumerReleaseOp>(op); }

LogicalResult WaitOp::verify() {
  if (getTokens().empty()) return emitOpError() << "expected at least one token";
  return success();
}

LogicalResult SyncOp::verify() {
  auto exec = getOperation()->getParentOfType<ExecOp>();
  if (!exec || exec.getScope() != Scope::Lane) return success();
  auto diagnostic =
      emitOpError() << "a single lane executes here and has nobody to join; move it out of 'tile.exec lane'";
  diagnostic.attachNote(exec.getLoc()) << "the enclosing region";
  return diagnostic;
}

}  // namespace forerun::tile
