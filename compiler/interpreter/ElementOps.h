//===- ElementOps.h - what one element-wise operation computes --------------===//
// Scalar and map-body operations are rows of one table, keyed by operation name; each is a small pure function over
// columns.
#pragma once

#include "compiler/interpreter/Columns.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace forerun::interpreter {

/// Columns of one operation. `in` and `out` do not overlap, except that they may be equal.
struct ElementCall {
  const void* in[3] = {};
  void* out = nullptr;
  std::size_t count = 0;

  template <typename T>
  const T* input(unsigned i) const {
    return static_cast<const T*>(in[i]);
  }
  template <typename T>
  T* output() const {
    return static_cast<T*>(out);
  }
};
using ElementFunction = void (*)(const ElementCall&);

/// What a selector may look at.
struct ElementQuery {
  ElementType operand;  ///< of the last operand (the condition of a select is the first)
  ElementType result;
  std::int64_t predicate = 0;  ///< of arith.cmpi and arith.cmpf
};

struct ElementOp {
  /// The function for these types, or null when the operation is not defined on them.
  ElementFunction (*select)(const ElementQuery&) = nullptr;
  /// f16 and bf16 results must be rounded after the f32 function.
  bool rounds = false;
  /// Appears as arithmetic in counts of work (constants and re-interpretations do not).
  bool counts = true;
};

using ElementOpTable = llvm::StringMap<ElementOp>;

/// Each group adds its rows; a name that is there already is an error (asserted).
void addFloatOps(ElementOpTable& table);
void addFloatCompareOps(ElementOpTable& table);
void addIntegerOps(ElementOpTable& table);
void addConversionOps(ElementOpTable& table);

/// All groups.
const ElementOpTable& elementOps();

/// Inserts a row; see above.
void addElementOp(ElementOpTable& table, llvm::StringRef name, ElementOp op);

}  // namespace forerun::interpreter
