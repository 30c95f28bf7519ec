//===- ArgReduce.h - argmin and argmax --------------------------------------===//
// The reductions whose result is a position.
#pragma once

#include "compiler/interpreter/Reduce.h"

namespace forerun::interpreter {

/// The first NaN wins, then the least / greatest (-0 < +0), then the lowest index along the one reduced dimension.
llvm::Error runArgReduce(const Reduction& reduction, const View& in, const View& out, bool uncertain);

}  // namespace forerun::interpreter
