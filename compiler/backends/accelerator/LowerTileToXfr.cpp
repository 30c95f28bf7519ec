//===- LowerTileToXfr.cpp - tile kernels to xfr, scf, arith and llvm --------===//
// Lowers every kernel of a module, drops the host's part, records what the program needs.
#include "compiler/backends/accelerator/Backend.h"
#include "compiler/backends/accelerator/HoistDescriptors.h"
#include "compiler/backends/accelerator/lowering/Roles.h"
#include "compiler/backends/lowering/Diagnostics.h"
#include "compiler/backends/lowering/ToLlvm.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

ArrayAttr textsAttribute(Builder& builder, ArrayRef<std::string> texts) {
  SmallVector<Attribute> attributes =
      llvm::map_to_vector(texts, [&](const std::string& text) { return Attribute(builder.getStringAttr(text)); });
  return builder.getArrayAttr(attributes);
}

ArrayAttr needsAttribute(Builder& builder, const EngineNeeds& needs, const targets::TargetSpec& target) {
  SmallVector<std::string> texts;
  if (needs.dma) texts.push_back("xfr.dma");
  if (needs.matrix) {
    texts.push_back("xfr.matrix");
    texts.push_back("matrix.rows=" + std::to_string(target.matrix.rows));
    texts.push_back("matrix.cols=" + std::to_string(target.matrix.cols));
  }
  for (const std::string& type : needs.matrixTypes) texts.push_back("matrix." + type);
  texts.push_back("teams>=" + std::to_string(needs.teams));
  if (needs.scratchBytes != 0) texts.push_back("scratch>=" + std::to_string(needs.scratchBytes));
  if (needs.accBytes != 0) texts.push_back("acc>=" + std::to_string(needs.accBytes));
  return textsAttribute(builder, texts);
}

}  // namespace

llvm::Error lowerTileToXfr(ModuleOp module, const targets::TargetSpec& target) {
  return withDiagnostics(module, "lowering to xfr", [&]() -> LogicalResult {
    const auto kernels = kernelsOf(module);
    if (failed(kernels)) return failure();
    EngineNeeds needs;
    ProgramTexts texts;
    bool good = true;
    for (tile::KernelOp kernel : *kernels) {
      tile::RolesOp roles;
      for (tile::RolesOp found : kernel.getBody().front().getOps<tile::RolesOp>()) {
        if (roles) {
          found.emitError()
              << "the accelerator back end takes one 'tile.roles' a kernel; let the roles of the first go on";
          good = false;
        }
        roles = found;
      }
      if (roles) {
        good &= succeeded(lowerRoles(kernel, roles, target, needs, texts));
      } else if (auto lowered = lowerKernel(kernel, kernel.getSymName(), target, needs, texts)) {
        lowered->guardEntry();
      } else {
        good = false;
      }
    }
    if (!good) return failure();
    Builder builder(module.getContext());
    module->setAttr("xfr.needs", needsAttribute(builder, needs, target));
    module->setAttr("xfr.checks", textsAttribute(builder, texts.checks.all()));
    module->setAttr("xfr.marks", textsAttribute(builder, texts.marks.all()));
    if (const ComputeTeams teams = computeTeams(target); teams.vlenBits == 0 || !teams.zvfbfmin)
      module->setAttr("xfr.expand_bf16", builder.getUnitAttr());
    keepLowered(module);
    hoistDescriptors(module);
    return success();
  });
}

}  // namespace forerun::backends::accelerator
