//===- KernelFile.cpp - a kernel file in memory -----------------------------===//
// One MLIR context a file.
#include "compiler/driver/KernelFile.h"

#include "compiler/dialect/TileDialect.h"
#include "compiler/pipeline/Stages.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "mlir/IR/Diagnostics.h"

namespace forerun::driver {

KernelFile::~KernelFile() = default;

llvm::Expected<std::unique_ptr<KernelFile>> KernelFile::load(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer) return commandError(ExitCode::BadInput, path + ": cannot be read: " + buffer.getError().message());
  std::unique_ptr<KernelFile> file(new KernelFile());
  file->path_ = path.str();
  mlir::DialectRegistry registry;
  pipeline::registerDialects(registry);
  file->context_ = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  // The source line is shown; a printed operation may be a whole kernel.
  file->context_->printOpOnDiagnostic(false);
  // Later stages make operations of dialects that the file does not mention.
  file->context_->loadAllAvailableDialects();
  file->sources_.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  file->diagnostics_ = std::make_unique<mlir::SourceMgrDiagnosticHandler>(file->sources_, file->context_.get());
  file->module_ = pipeline::parse(file->sources_, *file->context_);
  if (!file->module_) return commandError(ExitCode::CompileError, "");
  return file;
}

llvm::Error KernelFile::bindParams(llvm::ArrayRef<std::string> values) {
  if (llvm::failed(pipeline::bindParams(*module_, values))) return commandError(ExitCode::CompileError, "");
  return llvm::Error::success();
}

llvm::Error KernelFile::expandSemantics() {
  if (llvm::failed(pipeline::expandSemantics(*module_))) return commandError(ExitCode::CompileError, "");
  return llvm::Error::success();
}

llvm::Expected<mlir::func::FuncOp> KernelFile::entry(llvm::StringRef name) const {
  llvm::SmallVector<llvm::StringRef> known;
  for (auto function : module_.get().getOps<mlir::func::FuncOp>()) {
    if (function.getName() == name && !function.isExternal()) return function;
    known.push_back(function.getName());
  }
  return commandError(ExitCode::Usage, path_ + ": has no host function '" + name + "'; " +
                                           (known.empty() ? std::string("add func.func @main that launches the kernels")
                                                          : "known: " + llvm::join(known, ", ") + " (--entry=NAME)"));
}

}  // namespace forerun::driver
