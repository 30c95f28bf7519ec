//===- ScalarProgram.h - runs expanded scalar code on the host -------------===//
// Evaluates straight-line arith and math, so that tests can sweep an expansion over millions of operands.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class MLIRContext;
class Operation;
}  // namespace mlir

namespace forerun::passes::test {

/// One function of scalars after --tile-expand-semantics. Values are raw bits, zero-extended to 64.
class ScalarProgram {
 public:
  /// `source` is a module with one func.func; it is parsed, verified and expanded. Throws std::runtime_error with the
  /// diagnostics.
  explicit ScalarProgram(llvm::StringRef source);
  /// "func.func @f(%a: T, %b: T, ...) -> R { %r = NAME %a, %b ... : T return %r }" with `arguments` arguments.
  static ScalarProgram unaryLike(llvm::StringRef operation, llvm::StringRef type, unsigned arguments = 1);
  static ScalarProgram cast(llvm::StringRef operation, llvm::StringRef from, llvm::StringRef to,
                            llvm::StringRef modifiers = "");

  std::uint64_t run(llvm::ArrayRef<std::uint64_t> arguments);
  /// Operations executed, constants excluded.
  unsigned operationCount() const { return operations; }

  enum class Type : std::uint8_t { I1, I8, I16, I32, I64, F16, BF16, F32, F64 };

 private:
  struct Instruction {
    unsigned opcode;  ///< index into the handler table
    Type type;        ///< of the result or, for comparisons, of the operands
    Type from;        ///< of operand 0
    std::uint8_t predicate = 0;
    unsigned a = 0, b = 0, c = 0, out = 0;
  };
  void compile(mlir::Operation* function);
  std::uint64_t evaluate(const Instruction& instruction) const;

  std::vector<Instruction> instructions;
  std::vector<std::uint64_t> slots;
  unsigned result = 0;
  unsigned operations = 0;
};

}  // namespace forerun::passes::test
