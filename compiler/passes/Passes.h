//===- Passes.h - passes over the tile dialect -----------------------------===//
// Creation functions and registration, generated from Passes.td.
#pragma once

#include <memory>

#include "mlir/Pass/Pass.h"

namespace forerun::passes {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/passes/Passes.h.inc"
}  // namespace forerun::passes
