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

}  // namespace forerun::tile
