//===- Stages.h - the named stages of compilation ---------------------------===//
// What the driver can stop after, dump and re-enter at; nothing but their order lives here.
#pragma once

#include "compiler/backends/lowering/Dispatch.h"
#include "compiler/passes/LayoutInference.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/LogicalResult.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
class SourceMgr;
}  // namespace llvm

namespace forerun::pipeline {

/// What an artifact of a stage is: tile, expanded, dispatched, xfr, llvm: MLIR; ll: LLVM IR text; asm, ptx: assembly
/// text; obj: relocatable object; elf: program. In the order of any pipeline; each has some of them.
enum class Stage { Tile, Expanded, Dispatched, Xfr, Llvm, Ll, Asm, Obj, Elf, Ptx };

llvm::StringRef stageName(Stage stage);
std::optional<Stage> parseStage(llvm::StringRef name);
/// "tile, expanded, ..."
std::string stageNames(llvm::ArrayRef<Stage> stages);
bool isMlir(Stage stage);
bool isText(Stage stage);

struct PipelineOptions {
  Stage stopAfter = Stage::Elf;
  std::vector<std::string> params;  ///< "NAME=VALUE" of --tile-bind-params
  unsigned optimizationLevel = 3;
  llvm::raw_ostream* explainLayouts = nullptr;  ///< where to say which layout each buffer gets, and why
  backends::DispatchOptions dispatch;
};

/// Dialects of every stage.
void registerDialects(mlir::DialectRegistry& registry);

/// The module of the main buffer of `sources`, verified; null after diagnostics, those of TextChecks.h included.
mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::SourceMgr& sources, mlir::MLIRContext& context);

/// --tile-bind-params with "NAME=VALUE" pairs; unknown names are errors. Failures have been diagnosed.
llvm::LogicalResult bindParams(mlir::ModuleOp module, llvm::ArrayRef<std::string> values);

/// --tile-expand-semantics.
llvm::LogicalResult expandSemantics(mlir::ModuleOp module);

/// --tile-infer-layouts.
llvm::LogicalResult inferLayouts(mlir::ModuleOp module, passes::Accumulators accumulators, llvm::raw_ostream* explain);

/// The stages that all pipelines begin with, as far as they lie after `from`. Diagnosed failures are errors as well.
llvm::Error runFrontStages(mlir::ModuleOp module, Stage from, passes::Accumulators accumulators,
                           const PipelineOptions& options);

/// Text with locations, so that a stage that is re-entered still leads back to the kernel file.
std::string print(mlir::ModuleOp module);

/// LLVM IR text; `name` is for messages.
llvm::Expected<std::unique_ptr<llvm::Module>> parseIr(llvm::StringRef contents, llvm::StringRef name,
                                                      llvm::LLVMContext& context);
std::string print(const llvm::Module& module);

}  // namespace forerun::pipeline
