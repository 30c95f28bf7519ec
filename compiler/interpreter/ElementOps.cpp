//===- ElementOps.cpp - the table of element-wise operations ----------------===//
// The explicit list of groups.
#include "compiler/interpreter/ElementOps.h"

#include <cassert>

namespace forerun::interpreter {

void addElementOp(ElementOpTable& table, llvm::StringRef name, ElementOp op) {
  const bool inserted = table.try_emplace(name, op).second;
  assert(inserted && "an operation is listed twice");
  (void)inserted;
}

const ElementOpTable& elementOps() {
  static const ElementOpTable table = [] {
    ElementOpTable result;
    addFloatOps(result);
    addFloatCompareOps(result);
    addIntegerOps(result);
    addConversionOps(result);
    return result;
  }();
  return table;
}

}  // namespace forerun::interpreter
