//===- SelectVariants.cpp - a variant for every primitive of a module -------===//
// Which teams execute an operation decides what it costs: those of a role or group, one inside `tile.exec team`, else
// all.
#include "compiler/backends/accelerator/Backend.h"
#include "compiler/backends/accelerator/dispatch/Variants.h"
#include "compiler/backends/accelerator/lowering/Accesses.h"
#include "compiler/backends/lowering/Diagnostics.h"

using namespace mlir;

namespace forerun::backends::accelerator {

llvm::Error selectVariants(ModuleOp module, const targets::TargetSpec& target, const DispatchOptions& options) {
  return withDiagnostics(module, "choosing variants", [&]() -> LogicalResult {
    if (failed(kernelsOf(module))) return failure();
    return dispatch(
        module,
        [&](Operation* op) {
          ComputeTeams teams = computeTeams(target);
          if (auto roles = op->getParentOfType<tile::RolesOp>())
            if (const auto role = roles.roleOf(op)) {
              const auto [low, high] = roles.getTeams(*role);
              teams = teamsOf(target, static_cast<unsigned>(low), static_cast<unsigned>(high));
            }
          return candidatesOf(op, target, teams, teamsTogether(op, teams.count, target.computingTeamsPerGroup()));
        },
        options);
  });
}

}  // namespace forerun::backends::accelerator
