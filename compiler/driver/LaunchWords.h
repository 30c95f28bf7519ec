//===- LaunchWords.h - arguments of a launch as words -----------------------===//
// Compiled kernels take what they are given as words of 64 bits, on the chip (docs/machine-contract.md, "Launch") and
// on the host.
#pragma once

#include "compiler/interpreter/Interpreter.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace forerun::driver {

using AddressOf =
    llvm::function_ref<llvm::Expected<std::uint64_t>(const std::shared_ptr<interpreter::Storage>& storage)>;

/// A word a scalar; of a buffer its address, then its extents and its strides (in elements), outermost first.
llvm::Expected<std::vector<std::uint64_t>> launchWords(const interpreter::Launch& launch, AddressOf addressOf);

}  // namespace forerun::driver
