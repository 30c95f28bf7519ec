//===- TileVerifyTokens.cpp - --tile-verify-tokens -------------------------===//
// Tokens are linear: waited for exactly once on every path, by the scope that issued or an ancestor, crossing only
// scf.for and scf.if.
#include "compiler/dialect/TileOps.h"
#include "compiler/passes/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#define DEBUG_TYPE "tile-verify-tokens"

namespace forerun::passes {
#define GEN_PASS_DEF_TILEVERIFYTOKENS
#include "compiler/passes/Passes.h.inc"

using namespace mlir;
using namespace forerun::tile;

namespace {

/// Checks one token value, from the block that defines it inwards.
class TokenChecker {
 public:
  TokenChecker(Value token, Location loc) : token(token), loc(loc) {
    for (Operation* user : token.getUsers())
      for (Operation* op = user; op && op->getBlock(); op = op->getParentOp()) mayConsume.insert(op);
  }

  LogicalResult check() {
    FailureOr<Operation*> consumer = consumerIn(*token.getParentBlock());
    if (failed(consumer)) return failure();
    if (*consumer) return success();
    return emitError(loc) << "token is never waited for; expected one tile.wait of it on every path";
  }

 private:
  /// The operation of `block` that consumes the token, null if none; emits an error when several do.
  FailureOr<Operation*> consumerIn(Block& block) {
    Operation* consumer = nullptr;
    for (Operation& op : block) {
      if (!mayConsume.contains(&op)) continue;
      FailureOr<bool> consumes = consumedBy(op);
      if (failed(consumes)) return failure();
      if (!*consumes) continue;
      if (consumer) {
        InFlightDiagnostic diagnostic =
            op.emitOpError()
            << "consumes a token for the second time; a token is waited for exactly once on every path";
        diagnostic.attachNote(consumer->getLoc()) << "consumed here before";
        diagnostic.attachNote(loc) << "the token is made here";
        return failure();
      }
      consumer = &op;
    }
    return consumer;
  }

  FailureOr<bool> consumedBy(Operation& op) {
    auto uses = llvm::count(op.getOperands(), token);
    if (uses > 1) {
      InFlightDiagnostic diagnostic = op.emitOpError()
                                      << "uses a token " << uses << " times; a token is waited for exactly once";
      diagnostic.attachNote(loc) << "the token is made here";
      return failure();
    }
    if (uses == 1) {
      if (llvm::isa<WaitOp, ProducerCommitOp, ConsumerReleaseOp, scf::ForOp>(op)) return true;
      if (llvm::isa<scf::YieldOp>(op) && llvm::isa<scf::ForOp, scf::IfOp>(op.getParentOp())) return true;
      return reject(op, "takes a token; tokens may cross only scf.for and scf.if, and end in tile.wait");
    }
    if (auto branch = llvm::dyn_cast<scf::IfOp>(op)) return consumedByBranches(branch);
    if (llvm::isa<LoopLikeOpInterface, scf::WhileOp>(op))
      return reject(
          op, "would wait for a token once an iteration; pass the token through the loop's iter_args, or wait outside");
    if (auto exec = llvm::dyn_cast<ExecOp>(op); exec && exec.getScope() != Scope::Core)
      return reject(
          op,
          "waits inside for a token that an outer scope issued; wait in the issuing scope and tell teams by a barrier");
    if (llvm::isa<RolesOp>(op))
      return reject(op, "waits in a role for a token that the kernel issued; wait for it before 'tile.roles'");
    for (Region& region : op.getRegions())
      for (Block& block : region) {
        FailureOr<Operation*> consumer = consumerIn(block);
        if (failed(consumer)) return failure();
        if (*consumer) return true;
      }
    return false;
  }

  FailureOr<bool> consumedByBranches(scf::IfOp branch) {
    FailureOr<Operation*> inThen = consumerIn(*branch.thenBlock());
    FailureOr<Operation*> inElse =
        branch.elseBlock() ? consumerIn(*branch.elseBlock()) : FailureOr<Operation*>(nullptr);
    if (failed(inThen) || failed(inElse)) return failure();
    if ((*inThen != nullptr) == (*inElse != nullptr)) return *inThen != nullptr;
    Operation* found = *inThen ? *inThen : *inElse;
    InFlightDiagnostic diagnostic =
        branch.emitOpError() << "waits for a token on one path only; wait in the other branch too, or after the scf.if";
    diagnostic.attachNote(found->getLoc()) << "consumed here";
    diagnostic.attachNote(loc) << "the token is made here";
    return failure();
  }

  FailureOr<bool> reject(Operation& op, llvm::StringRef why) {
    InFlightDiagnostic diagnostic = op.emitOpError() << why;
    diagnostic.attachNote(loc) << "the token is made here";
    return failure();
  }

  Value token;
  Location loc;
  llvm::SmallPtrSet<Operation*, 8> mayConsume;
};

struct TileVerifyTokens : impl::TileVerifyTokensBase<TileVerifyTokens> {
  void runOnOperation() override {
    bool failed = false;
    auto check = [&](Value value) {
      if (llvm::isa<TokenType>(value.getType()) && mlir::failed(TokenChecker(value, value.getLoc()).check()))
        failed = true;
    };
    getOperation()->walk([&](Operation* op) {
      llvm::for_each(op->getResults(), check);
      for (Region& region : op->getRegions())
        for (Block& block : region) llvm::for_each(block.getArguments(), check);
    });
    if (failed) signalPassFailure();
    markAllAnalysesPreserved();
  }
};

}  // namespace
}  // namespace forerun::passes
