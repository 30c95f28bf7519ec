//===- Roles.h - a kernel with roles as one kernel a role ------------------===//
// Every role runs through the work items on its own, at its own pace; what the roles share is placed once for all.
#pragma once

#include "compiler/backends/accelerator/lowering/KernelLowering.h"

namespace forerun::backends::accelerator {

/// Lowers a kernel that holds `roles`: a function for each role, and the entry `name` that sets the pipelines up and
/// sends every team to its role. Failures have been reported at their operation.
mlir::LogicalResult lowerRoles(tile::KernelOp kernel, tile::RolesOp roles, const targets::TargetSpec& target,
                               EngineNeeds& needs, ProgramTexts& texts);

/// Lowers one kernel, or one role of it, to the function `name`; twice where commands outlive their work item. Returns
/// null after a failure.
std::unique_ptr<KernelLowering> lowerKernel(tile::KernelOp kernel, llvm::StringRef name,
                                            const targets::TargetSpec& target, EngineNeeds& needs, ProgramTexts& texts,
                                            const RolePart* part = nullptr);

}  // namespace forerun::backends::accelerator
