//===- AcceleratorPipeline.h - kernel file to ELF, stage by stage -----------===//
// Enter at any named stage, stop after any later one, get its text or bytes.
#pragma once

#include "targets/TargetSpec.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace forerun::pipeline {

/// In order. What an artifact of a stage is: tile, expanded, xfr, llvm: MLIR; ll: LLVM IR text; asm: RISC-V assembly;
/// obj: relocatable object; elf: program. `asm` ends a compilation (obj does not come from its text).
enum class Stage { Tile, Expanded, Xfr, Llvm, Ll, Asm, Obj, Elf };

llvm::ArrayRef<llvm::StringRef> stageNames();
std::optional<Stage> parseStage(llvm::StringRef name);
bool isMlir(Stage stage);

struct PipelineOptions {
  Stage stopAfter = Stage::Elf;
  std::vector<std::string> params;  ///< "NAME=VALUE" of --tile-bind-params
  unsigned optimizationLevel = 3;
};

/// From an MLIR module at stage `from` (which is changed) to the artifact of `options.stopAfter`. Failures have been
/// diagnosed where the error is about the kernel; the error's text says which stage failed.
llvm::Expected<std::string> runFromModule(mlir::ModuleOp module, Stage from, const targets::TargetSpec& target,
                                          const PipelineOptions& options);

/// From LLVM IR text or an object's bytes (`from` is Ll or Obj). `name` is for messages.
llvm::Expected<std::string> runFromBytes(llvm::StringRef contents, llvm::StringRef name, Stage from,
                                         const targets::TargetSpec& target, const PipelineOptions& options);

}  // namespace forerun::pipeline
