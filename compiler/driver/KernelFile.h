//===- KernelFile.h - a kernel file in memory -------------------------------===//
// Parses a .mlir file and takes it through the front stages, with diagnostics that show the source line.
#pragma once

#include "compiler/driver/CommandError.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <string>

namespace mlir {
class SourceMgrDiagnosticHandler;
}

namespace forerun::driver {

class KernelFile {
 public:
  /// Parses and verifies. Missing files are BadInput, malformed ones CompileError.
  static llvm::Expected<std::unique_ptr<KernelFile>> load(llvm::StringRef path);
  ~KernelFile();

  /// --tile-bind-params with "NAME=VALUE" pairs.
  llvm::Error bindParams(llvm::ArrayRef<std::string> values);
  /// --tile-expand-semantics.
  llvm::Error expandSemantics();
  /// The host function of that name, or an error that lists those that exist.
  llvm::Expected<mlir::func::FuncOp> entry(llvm::StringRef name) const;

  mlir::ModuleOp module() const { return *module_; }
  mlir::MLIRContext& context() { return *context_; }
  const std::string& path() const { return path_; }

 private:
  KernelFile() = default;

  std::string path_;
  std::unique_ptr<mlir::MLIRContext> context_;
  llvm::SourceMgr sources_;
  std::unique_ptr<mlir::SourceMgrDiagnosticHandler> diagnostics_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

}  // namespace forerun::driver
