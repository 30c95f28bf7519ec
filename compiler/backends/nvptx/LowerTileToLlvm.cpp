//===- LowerTileToLlvm.cpp - tile kernels to the LLVM and NVVM dialects -----===//
// Lowers every kernel of a module and drops the host's part.
#include "compiler/backends/lowering/Diagnostics.h"
#include "compiler/backends/lowering/ToLlvm.h"
#include "compiler/backends/nvptx/Backend.h"
#include "compiler/backends/nvptx/KernelLowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

using namespace mlir;

namespace forerun::backends::nvptx {

void registerDialects(DialectRegistry& registry) {
  registry.insert<NVVM::NVVMDialect>();
  registerNVVMDialectTranslation(registry);
}

llvm::Error lowerTileToLlvm(ModuleOp module, const targets::GpuSpec& target) {
  return withDiagnostics(module, "lowering to the LLVM dialect", [&]() -> LogicalResult {
    const auto kernels = kernelsOf(module);
    if (failed(kernels) || failed(refusePins(module, "the nvptx back end"))) return failure();
    OpBuilder builder(module.getBodyRegion());
    builder.setInsertionPointToStart(module.getBody());
    // Of no size: the launch says how many bytes there are, which may be more than a static array may have.
    auto shared = LLVM::GlobalOp::create(builder, module.getLoc(), LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
                                         /*isConstant=*/false, LLVM::Linkage::External, "scratch", Attribute(),
                                         /*alignment=*/64, /*addrSpace=*/3);
    bool good = true;
    for (tile::KernelOp kernel : *kernels)  // its function takes the name
      good &= succeeded(KernelLowering(kernel, target).run(kernel.getSymName(), shared));
    if (!good) return failure();
    keepLowered(module);
    ToLlvmOptions options;
    options.backend = "the nvptx back end";
    const StringRef kept = NVVM::NVVMDialect::getDialectNamespace();
    options.dialects = kept;
    return lowerToLlvmDialect(module, options);
  });
}

}  // namespace forerun::backends::nvptx
