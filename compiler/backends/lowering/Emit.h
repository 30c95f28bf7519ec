//===- Emit.h - short spellings for the code that lowering writes ----------===//
// Index arithmetic on i64 that folds constants on the way, loops, vectors of scalable length.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>

namespace forerun::backends {

using mlir::Value;
using mlir::ValueRange;

std::optional<std::int64_t> constantOf(Value value);

struct Lanes;

class Emit : public mlir::ImplicitLocOpBuilder {
 public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  Value constant(std::int64_t value);
  Value constant32(std::int32_t value);
  Value constant1(bool value);
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value divUnsigned(Value a, std::int64_t b);
  Value remUnsigned(Value a, std::int64_t b);
  Value min(Value a, Value b);  ///< signed
  Value max(Value a, Value b);
  Value less(Value a, Value b);
  Value equal(Value a, Value b);
  Value conjunction(Value a, Value b);
  Value add(Value a, std::int64_t b) { return add(a, constant(b)); }
  Value mul(Value a, std::int64_t b) { return mul(a, constant(b)); }

  Value pointer(Value address);                ///< i64 -> !llvm.ptr
  Value loadWord(Value pointer, Value index);  ///< i64 at word `index`; words are aligned
  void storeWord(Value word, Value pointer, Value index);

  /// for (i = low; i < high; i += step) body(i, carried); returns the final carried values. A loop that runs exactly
  /// once is emitted inline.
  mlir::SmallVector<Value> loop(Value low, Value high, Value step, ValueRange initial,
                                llvm::function_ref<mlir::SmallVector<Value>(Value, ValueRange)> body);
  void loop(Value low, Value high, Value step, llvm::function_ref<void(Value)> body);
  /// while (i < high) i += body(i, carried): a loop whose step each iteration chooses.
  mlir::SmallVector<Value> loopWhile(Value low, Value high, ValueRange initial,
                                     llvm::function_ref<mlir::SmallVector<Value>(Value, ValueRange, Value& step)> body);
  void when(Value condition, llvm::function_ref<void()> body);
  /// Results of `body` where the condition holds, `otherwise` elsewhere.
  mlir::SmallVector<Value> when(Value condition, ValueRange otherwise,
                                llvm::function_ref<mlir::SmallVector<Value>()> body);

  Value intrinsic(mlir::Type result, llvm::StringRef name, ValueRange arguments);
  /// Elements of the next strip, i32: all lanes while so many remain. `remaining` is positive.
  Value vectorLength(Value remaining, const Lanes& lanes);
  Value alloca64(std::int64_t words);  ///< at the current insertion point, which must be the entry block
};

/// Scalars, or scalable vectors of `lanes` elements for every 64 bits of vector register.
struct Lanes {
  unsigned perGranule = 0;  ///< 0 = scalar code
  bool scalar() const { return perGranule == 0; }
  mlir::Type of(mlir::Type element) const;
  Value count(Emit& emit) const;  ///< i32, number of lanes
  Value splat(Emit& emit, Value scalar) const;
  Value spread(Emit& emit, Value value) const;  ///< a scalar to all lanes; vectors stay
  /// Vectors of `each` lanes a granule to one of these.
  Value concatenate(Emit& emit, ValueRange parts, unsigned each) const;
  Value constant(Emit& emit, mlir::TypedAttr scalar) const;
  Value allTrue(Emit& emit) const;
};

}  // namespace forerun::backends
