//===- Expansions.h - what each operation of a body means ------------------===//
// The language's meaning of scalar operations as straight-line code over the surviving operations (Passes.td lists
// them).
#pragma once

#include "compiler/dialect/TileOps.h"
#include "compiler/passes/semantics/ScalarBuilder.h"

namespace forerun::passes::semantics {

// Division and remainder as RISC-V defines them: x / 0 is all ones, x % 0 is x, MIN / -1 is MIN, MIN % -1 is 0.
// Floor and ceiling division by 0 give all ones too. A divisor that is a constant needs no guard.
enum class Rounding { TowardZero, Floor, Ceiling };
mlir::Value expandDivideSigned(ScalarBuilder& b, mlir::Value x, mlir::Value y, Rounding rounding);
mlir::Value expandDivideUnsigned(ScalarBuilder& b, mlir::Value x, mlir::Value y, Rounding rounding);
mlir::Value expandRemainderSigned(ScalarBuilder& b, mlir::Value x, mlir::Value y);
mlir::Value expandRemainderUnsigned(ScalarBuilder& b, mlir::Value x, mlir::Value y);

/// The two results of arith.mulsi_extended, mului_extended and addui_extended.
struct LowHigh {
  mlir::Value low, high;
};
LowHigh expandMultiplyExtended(ScalarBuilder& b, mlir::Value x, mlir::Value y, bool isSigned);
LowHigh expandAddExtended(ScalarBuilder& b, mlir::Value x, mlir::Value y);

/// The amount is unsigned; at or past the width: 0, or the sign for arithmetic right shifts.
enum class Shift { Left, RightSigned, RightUnsigned };
mlir::Value expandShift(ScalarBuilder& b, mlir::Value x, mlir::Value amount, Shift shift);

// Conversions round once, to nearest even; float to integer truncates, saturates, NaN gives 0.
mlir::Value expandFloatToSigned(ScalarBuilder& b, mlir::Value x, mlir::Type type);
mlir::Value expandFloatToUnsigned(ScalarBuilder& b, mlir::Value x, mlir::Type type);
// `saturates`: numbers beyond the greatest of an 8-bit float give the greatest, not infinity or NaN.
mlir::Value expandIntToFloat(ScalarBuilder& b, mlir::Value x, mlir::Type type, bool isSigned, bool saturates = true);
/// Float to float, any of a byte or more.
mlir::Value convertFloat(ScalarBuilder& b, mlir::Value x, mlir::Type type, bool saturates = true);
/// tile.cast of one element; null when the pair is not among the language's types.
mlir::Value convertElement(ScalarBuilder& b, mlir::Value x, mlir::Type type, bool saturates = true);

/// Word `position mod 4` of the Philox block `position / 4`; both operands are i64, the result i32.
mlir::Value expandRandom(ScalarBuilder& b, mlir::Value seed, mlir::Value position);

/// Replaces whole-tile operations that are short for others (tile.iota, tile.broadcast...), before their scalars are
/// expanded.
void expandPrimitives(mlir::Operation* root);

/// Scaled operands of matrix products: bf16 copies that maps multiply by their scales.
void expandScales(tile::MatmulOp op);
void expandScales(tile::MatmulAsyncOp op);

/// C's fmod: exact, the sign of x.
mlir::Value expandRemainder(ScalarBuilder& b, mlir::Value x, mlir::Value y);
/// Half away from zero.
mlir::Value expandRound(ScalarBuilder& b, mlir::Value x);

/// A function of floats in f32.
using FloatFunction = mlir::Value (*)(ScalarBuilder& b, mlir::ValueRange operands);
/// The expansion of a math operation by its name ("math.exp"), or null.
FloatFunction lookupFloatFunction(llvm::StringRef name);
/// Names of all math operations that have an expansion, for messages and tests.
llvm::SmallVector<llvm::StringRef> floatFunctionNames();

mlir::Value expandExp(ScalarBuilder& b, mlir::Value x);
mlir::Value expandExp2(ScalarBuilder& b, mlir::Value x);
mlir::Value expandExpMinusOne(ScalarBuilder& b, mlir::Value x);
mlir::Value expandLog(ScalarBuilder& b, mlir::Value x);
mlir::Value expandLog2(ScalarBuilder& b, mlir::Value x);
mlir::Value expandLog10(ScalarBuilder& b, mlir::Value x);
mlir::Value expandLogOnePlus(ScalarBuilder& b, mlir::Value x);
mlir::Value expandTanh(ScalarBuilder& b, mlir::Value x);
mlir::Value expandErf(ScalarBuilder& b, mlir::Value x);
mlir::Value expandReciprocalSquareRoot(ScalarBuilder& b, mlir::Value x);
mlir::Value expandSin(ScalarBuilder& b, mlir::Value x);
mlir::Value expandCos(ScalarBuilder& b, mlir::Value x);
mlir::Value expandPower(ScalarBuilder& b, mlir::Value x, mlir::Value y);

}  // namespace forerun::passes::semantics
