//===- Dispatch.h - which variant carries out a primitive -------------------===//
// A back end judges its variants of an operation; here the cheapest that applies is taken, pins are held to, and the
// choice is explained. Nothing falls back silently.
#pragma once

#include "compiler/dialect/Primitive.h"
#include "mlir/IR/Operation.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace forerun::backends {

/// An integer that a kernel may set for a variant.
struct OptionSchema {
  llvm::StringRef key, meaning;
  std::int64_t low = 0, high = 0;  ///< both allowed
};

/// One way to carry out an operation, judged for that operation.
struct Candidate {
  llvm::StringRef name;    ///< as in `variant = "..."`
  llvm::StringRef emits;   ///< the instructions that do the work
  double cycles = 0;       ///< of one execution with full extents, of the target's reference clock
  std::string refusal;     ///< why it does not apply; empty = it does
  bool mendable = false;   ///< the refusal: the kernel can be written so that it applies
  bool plainLoop = false;  ///< what is left when nothing suits
  llvm::SmallVector<OptionSchema, 1> options;
};
using Candidates = llvm::SmallVector<Candidate, 4>;

/// "reduce=across": where an operation of that name names no variant and this one applies, it is taken.
struct Preference {
  std::string operation, variant;
};

struct DispatchOptions {
  llvm::raw_ostream* explain = nullptr;  ///< where to say what was chosen and why, an entry an operation
  /// A plain loop is an error where a cheaper variant was refused for a reason that the author can mend.
  bool strict = false;
  std::vector<Preference> preferences;  ///< one that no operation has as a variant is an error
};

/// Sets `variant` of every primitive under `root` that names none, and checks those that do. Emits located diagnostics.
mlir::LogicalResult dispatch(mlir::Operation* root, llvm::function_ref<Candidates(mlir::Operation*)> candidatesOf,
                             const DispatchOptions& options);

}  // namespace forerun::backends
