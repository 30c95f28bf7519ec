//===- Backend.h - the accelerator back end: tile module in, ELF out -------===//
// One function a named stage, so that the driver can stop after, dump and re-enter at each: tile -> dispatched -> xfr
// -> llvm -> ll -> obj -> elf.
#pragma once

#include "compiler/backends/lowering/Dispatch.h"
#include "targets/TargetSpec.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace mlir {
class DialectRegistry;
class ModuleOp;
}  // namespace mlir

namespace forerun::backends::accelerator {

struct CompileOptions {
  unsigned optimizationLevel = 3;  ///< of LLVM's pipeline, 0..3
  bool debugLines = true;          ///< DWARF line tables that lead back to the .mlir lines
  DispatchOptions dispatch;        ///< of compileModule
};

/// One ELF for all kernels of a module.
struct CompiledProgram {
  std::vector<char> elf;
  std::vector<std::string> kernels;  ///< entry symbols, in module order
  std::vector<std::string> needs;    ///< as in the ELF note ("v", "vlen>=512", "scratch>=393216"...), sorted
};

/// Dialects and translations that the stages below need on the context of their module.
void registerDialects(mlir::DialectRegistry& registry);

/// Gives every primitive the cheapest of its variants that applies, and checks those that kernels name. Parameters must
/// be bound and semantics expanded. Emits located diagnostics and returns an error when none applies.
llvm::Error selectVariants(mlir::ModuleOp module, const targets::TargetSpec& target,
                           const DispatchOptions& options = {});

/// tile -> xfr + scf + arith + llvm. Variants must be selected. Kernels become `llvm.func`
/// entries, host functions are dropped. Emits located diagnostics and returns an error when something cannot be lowered
/// for this target.
llvm::Error lowerTileToXfr(mlir::ModuleOp module, const targets::TargetSpec& target);

/// xfr + scf + arith + llvm -> LLVM dialect only.
llvm::Error lowerXfrToLlvm(mlir::ModuleOp module, const CompileOptions& options = {});

/// LLVM dialect -> optimised LLVM IR for the harts of `target`, the ELF note included. `context` must outlive the
/// result.
llvm::Expected<std::unique_ptr<llvm::Module>> emitLlvmIr(mlir::ModuleOp module, const targets::TargetSpec& target,
                                                         llvm::LLVMContext& context,
                                                         const CompileOptions& options = {});

/// LLVM IR of `emitLlvmIr` -> RISC-V assembly, or relocatable object. The module is consumed by code generation.
llvm::Expected<std::string> emitAssembly(llvm::Module& module, const targets::TargetSpec& target,
                                         const CompileOptions& options = {});
llvm::Expected<std::vector<char>> emitObject(llvm::Module& module, const targets::TargetSpec& target,
                                             const CompileOptions& options = {});

/// Relocatable object -> static ELF at the program region. An undefined symbol (a library call that the back end left)
/// is an error that names it. `entry` becomes the ELF entry; empty = 0.
llvm::Expected<std::vector<char>> linkElf(llvm::ArrayRef<char> object, llvm::StringRef entry);

/// All stages after selectVariants' input: bound and expanded tile module -> program. The module is consumed.
llvm::Expected<CompiledProgram> compileModule(mlir::ModuleOp module, const targets::TargetSpec& target,
                                              const CompileOptions& options = {});

}  // namespace forerun::backends::accelerator
