//===- EmitObject.cpp - LLVM IR to RISC-V assembly and objects -------------===//
// Runs LLVM's RISC-V code generator with the features that the functions carry.
#include "compiler/backends/accelerator/Backend.h"
#include "compiler/backends/accelerator/HartCode.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace forerun::backends::accelerator {

namespace {

/// Collects what the code generator and its assembler complain about, instead of letting LLVM print and exit.
class CollectErrors final : public llvm::DiagnosticHandler {
 public:
  explicit CollectErrors(std::string& errors) : errors_(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(errors_);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
      stream << '\n';
    }
    return true;
  }

 private:
  std::string& errors_;
};

std::string functionFeatures(const llvm::Module& module, const targets::TargetSpec& target) {
  for (const llvm::Function& function : module)
    if (function.hasFnAttribute("target-features"))
      return function.getFnAttribute("target-features").getValueAsString().str();
  return hartFeatures(computeTeams(target), {});
}

llvm::Error generate(llvm::Module& module, const targets::TargetSpec& target, const CompileOptions& options,
                     llvm::CodeGenFileType kind, llvm::raw_pwrite_stream& out) {
  auto machine = createHartMachine(functionFeatures(module, target), options.optimizationLevel);
  if (!machine) return machine.takeError();
  module.setTargetTriple((*machine)->getTargetTriple());
  module.setDataLayout((*machine)->createDataLayout());
  std::string errors;
  llvm::LLVMContext& context = module.getContext();
  std::unique_ptr<llvm::DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<CollectErrors>(errors));
  llvm::legacy::PassManager passes;
  const bool refused = (*machine)->addPassesToEmitFile(passes, out, nullptr, kind);
  if (!refused) passes.run(module);
  context.setDiagnosticHandler(std::move(previous));
  if (refused) return llvm::createStringError("LLVM's RISC-V back end cannot write this kind of file");
  if (!errors.empty()) return llvm::createStringError("code generation failed: %s", errors.c_str());
  return llvm::Error::success();
}

}  // namespace

llvm::Expected<std::string> emitAssembly(llvm::Module& module, const targets::TargetSpec& target,
                                         const CompileOptions& options) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  if (llvm::Error error = generate(module, target, options, llvm::CodeGenFileType::AssemblyFile, stream)) return error;
  return std::string(bytes.begin(), bytes.end());
}

llvm::Expected<std::vector<char>> emitObject(llvm::Module& module, const targets::TargetSpec& target,
                                             const CompileOptions& options) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  if (llvm::Error error = generate(module, target, options, llvm::CodeGenFileType::ObjectFile, stream)) return error;
  return std::vector<char>(bytes.begin(), bytes.end());
}

}  // namespace forerun::backends::accelerator
