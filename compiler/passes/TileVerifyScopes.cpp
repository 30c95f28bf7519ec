//===- TileVerifyScopes.cpp - --tile-verify-scopes -------------------------===//
// Who waits for all must be joined by all: what control around collectives depends on.
#include "compiler/dialect/TileOps.h"
#include "compiler/passes/Passes.h"
#include "compiler/passes/Uniformity.h"

#define DEBUG_TYPE "tile-verify-scopes"

namespace forerun::passes {
#define GEN_PASS_DEF_TILEVERIFYSCOPES
#include "compiler/passes/Passes.h.inc"

using namespace mlir;
using namespace forerun::tile;

namespace {

void noteReason(InFlightDiagnostic& diagnostic, const Verdict& verdict) {
  if (llvm::isa<KernelOp>(verdict.because))
    diagnostic.attachNote(verdict.because->getLoc()) << "grid ids differ from core to core";
  else
    diagnostic.attachNote(verdict.because->getLoc())
        << (verdict.uniformity == Uniformity::Divergent ? "it differs because of this"
                                                        : "nothing shows that this is equal for all");
}

LogicalResult checkSync(SyncOp sync) {
  auto exec = sync->getParentOfType<ExecOp>();
  if (!exec || exec.getScope() != Scope::Team || sync.getAssumeUniform()) return success();
  const Verdict verdict = controlOf(exec.getBody(), sync);
  if (verdict.uniformity == Uniformity::Uniform) return success();
  InFlightDiagnostic diagnostic = sync.emitOpError();
  if (verdict.uniformity == Uniformity::Divergent)
    diagnostic << "some teams may not come here, and the others would wait for ever: the control around it differs "
                  "between teams; move it out";
  else
    diagnostic << "nothing shows that all teams come here, and some would wait for ever; move it out, or promise it "
                  "with 'tile.sync {assume_uniform}'";
  noteReason(diagnostic, verdict);
  return failure();
}

LogicalResult checkCores(ExecOp exec) {
  auto outer = exec->getParentOfType<ExecOp>();
  if (exec.getScope() != Scope::Core || !outer || outer.getScope() <= Scope::Core) return success();
  for (Value bound : exec.getRange()) {
    const Verdict verdict = uniformityIn(outer->getParentOfType<KernelOp>().getBody(), bound);
    if (verdict.uniformity == Uniformity::Uniform) continue;
    InFlightDiagnostic diagnostic =
        exec.emitOpError() << "expected a range that is equal on all cores, which decide alone whether they are in it";
    noteReason(diagnostic, verdict);
    return failure();
  }
  return success();
}

struct TileVerifyScopes : impl::TileVerifyScopesBase<TileVerifyScopes> {
  void runOnOperation() override {
    bool failed = false;
    getOperation()->walk([&](Operation* op) {
      if (auto sync = llvm::dyn_cast<SyncOp>(op)) failed |= mlir::failed(checkSync(sync));
      if (auto exec = llvm::dyn_cast<ExecOp>(op)) failed |= mlir::failed(checkCores(exec));
    });
    if (failed) signalPassFailure();
    markAllAnalysesPreserved();
  }
};

}  // namespace
}  // namespace forerun::passes
