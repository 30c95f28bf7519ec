//===- Rows.h - walking the rows of a box -----------------------------------===//
// Whole-tile operations visit a box of indices row by row; this is the one loop for it.
#pragma once

#include "compiler/interpreter/View.h"

#include "llvm/Support/Error.h"

namespace forerun::interpreter {

/// Calls `visit(index of the row's first element, elements)` for every row (along the last dimension) of the box, in
/// row-major order; stops at the first error. An empty box has no rows.
template <typename Visit>
llvm::Error forEachRow(llvm::ArrayRef<Range> box, Visit visit) {
  Index index;
  for (const Range& range : box) {
    if (range.size() == 0) return llvm::Error::success();
    index.push_back(range.low);
  }
  const std::size_t last = box.size() - 1;
  while (true) {
    if (llvm::Error error = visit(llvm::ArrayRef<std::int64_t>(index), box[last].size())) return error;
    std::size_t d = last;
    while (d > 0 && ++index[d - 1] == box[d - 1].high) {
      index[d - 1] = box[d - 1].low;
      --d;
    }
    if (d == 0) return llvm::Error::success();
  }
}

inline llvm::Error unwrittenError(const llvm::Twine& what, const Storage& storage) {
  return llvm::createStringError("reads elements of " + what +
                                 (storage.name.empty() ? "" : " ('" + storage.name + "')") +
                                 " that were never written; write them first (tile.fill, tile.copy, ...)");
}

}  // namespace forerun::interpreter
