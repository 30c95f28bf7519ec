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

  std::size_t targets() const { return targets_.size(); }

  /// Whether it is a kernel file without fault, as far as the parser knows.
  bool parses(llvm::StringRef text);

  /// Compiles `text` for a target, to LLVM IR or all the way. Returns what is wrong with how that ended, or nothing. A
  /// fault of the compiler may end the process as well.
  std::string run(llvm::StringRef text, std::size_t target, bool allTheWay);

  std::uint64_t compiled = 0;  ///< texts so far of which code was made

 private:
  Trial();
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text);

  std::unique_ptr<mlir::MLIRContext> context_;
  std::vector<targets::AnyTarget> targets_;
};

}  // namespace forerun::fuzz
