//===- Move.h - copies, casts, fills, transposes ----------------------------===//
// Data movement between windows. Boxes are worked out by the caller; valid extents are the caller's too.
#pragma once

#include "compiler/interpreter/MapProgram.h"
#include "compiler/interpreter/View.h"

#include "llvm/Support/Error.h"

namespace forerun::interpreter {

/// dst[i...] = convert(src[j...]) with j[permutation[d]] = i[d] for all i of `box` (indices of dst's window). Elements
/// of src below its valid low edge are zeros. An identity permutation is a plain copy. Fails on elements that were
/// never written.
llvm::Error runCopy(const View& src, const View& dst, llvm::ArrayRef<std::int64_t> permutation,
                    llvm::ArrayRef<Range> box, isa::Overflow overflow = isa::Overflow::Saturate);

/// dst[i...] = value for all i of `box`.
void runFill(const View& dst, const Scalar& value, llvm::ArrayRef<Range> box);

}  // namespace forerun::interpreter
