//===- FloatFunctions.cpp - the list of expanded math operations -----------===//
// Explicit table from operation name to expansion; all are written for f32 operands.
#include "compiler/passes/semantics/Expansions.h"

#include <limits>

using namespace mlir;

namespace forerun::passes::semantics {
namespace {

template <Value (*function)(ScalarBuilder&, Value)>
Value unary(ScalarBuilder& b, ValueRange operands) {
  return function(b, operands[0]);
}
template <Value (*function)(ScalarBuilder&, Value, Value)>
Value binary(ScalarBuilder& b, ValueRange operands) {
  return function(b, operands[0], operands[1]);
}
Value fusedMultiplyAdd(ScalarBuilder& b, ValueRange operands) { return b.fma(operands[0], operands[1], operands[2]); }

struct Entry {
  llvm::StringLiteral name;
  FloatFunction function;
};

constexpr Entry kFunctions[] = {
    {"math.cos", unary<expandCos>},           {"math.erf", unary<expandErf>},
    {"math.exp", unary<expandExp>},           {"math.exp2", unary<expandExp2>},
    {"math.expm1", unary<expandExpMinusOne>}, {"math.fma", fusedMultiplyAdd},
    {"math.log", unary<expandLog>},           {"math.log10", unary<expandLog10>},
    {"math.log1p", unary<expandLogOnePlus>},  {"math.log2", unary<expandLog2>},
    {"math.powf", binary<expandPower>},       {"math.rsqrt", unary<expandReciprocalSquareRoot>},
    {"math.sin", unary<expandSin>},           {"math.tanh", unary<expandTanh>},
};

}  // namespace

FloatFunction lookupFloatFunction(llvm::StringRef name) {
  for (const Entry& entry : kFunctions)
    if (entry.name == name) return entry.function;
  return nullptr;
}

llvm::SmallVector<llvm::StringRef> floatFunctionNames() {
  llvm::SmallVector<llvm::StringRef> names;
  for (const Entry& entry : kFunctions) names.push_back(entry.name);
  return names;
}

}  // namespace forerun::passes::semantics
