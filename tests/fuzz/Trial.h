//===- Trial.h - one text through the compiler -------------------------------===//
// What a user has a right to: code, or a located message that says why not.
#pragma once

#include "targets/Load.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace forerun::fuzz {

class Trial {
 public:
  /// Loads the targets that are compiled for.
  static llvm::Expected<Trial> create();

  /// What is done with a text, from 0: compiled for a target, or interpreted.
  std::size_t ways() const { return targets_.size() + 1; }

  /// Whether it is a kernel file without fault, as far as the parser knows.
  bool parses(llvm::StringRef text);

  /// Takes `text` that way; compiles to LLVM IR or, `allTheWay`, to the end. Returns what is wrong with how that ended,
  /// or nothing. A fault of the compiler may end the process as well.
  std::string run(llvm::StringRef text, std::size_t way, bool allTheWay);

  std::uint64_t finished = 0;  ///< texts so far of which code was made or that ran to the end

 private:
  Trial();
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text);
  llvm::Error compile(mlir::ModuleOp module, const targets::AnyTarget& target, bool allTheWay);
  llvm::Error interpret(mlir::ModuleOp module);

  std::unique_ptr<mlir::MLIRContext> context_;
  std::vector<targets::AnyTarget> targets_;
};

}  // namespace forerun::fuzz
