//===- GpuCode.cpp - what LLVM is told about a GPU --------------------------===//
// See GpuCode.h.
#include "compiler/backends/nvptx/GpuCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

namespace forerun::backends::nvptx {

namespace {

/// Architectures with mma.sync.m16n8k16 and cp.async, and the PTX version that each appeared in (PTX ISA, "Release
/// Notes"): major * 10 + minor.
struct Architecture {
  const char* name;
  unsigned leastPtxVersion;
};
constexpr Architecture kArchitectures[] = {{"sm_80", 70}, {"sm_86", 71}, {"sm_87", 74}, {"sm_89", 78}, {"sm_90", 78}};

}  // namespace

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createGpuMachine(const targets::GpuSpec& target,
                                                                      unsigned optimizationLevel) {
  const auto* known = llvm::find_if(kArchitectures, [&](const Architecture& a) { return a.name == target.arch; });
  if (known == std::end(kArchitectures)) {
    std::string names;
    for (const Architecture& a : kArchitectures) names += (names.empty() ? "" : ", ") + std::string(a.name);
    return llvm::createStringError("%s: arch: the nvptx back end does not know '%s'; write one of %s",
                                   target.path.c_str(), target.arch.c_str(), names.c_str());
  }
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  const llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const llvm::Target* llvmTarget = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!llvmTarget) return llvm::createStringError("LLVM has no NVPTX code generator: %s", message.c_str());
  const std::string feature = "ptx" + std::to_string(target.ptxVersion);
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(llvmTarget->createMCSubtargetInfo(triple, "", ""));
  const bool knownPtx = llvm::any_of(subtarget->getAllProcessorFeatures(),
                                     [&](const llvm::SubtargetFeatureKV& kv) { return feature == kv.Key; });
  if (!knownPtx || target.ptxVersion < known->leastPtxVersion)
    return llvm::createStringError("%s: ptxVersion: %u is not a version that LLVM writes for %s; write at least %u",
                                   target.path.c_str(), target.ptxVersion, known->name, known->leastPtxVersion);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // the language contracts only where it is written
  const auto level =
      llvm::CodeGenOpt::getLevel(static_cast<int>(optimizationLevel)).value_or(llvm::CodeGenOptLevel::Default);
  std::unique_ptr<llvm::TargetMachine> machine(llvmTarget->createTargetMachine(
      triple, target.arch, "+" + feature, options, llvm::Reloc::PIC_, std::nullopt, level));
  if (!machine) return llvm::createStringError("LLVM made no target machine for %s", target.arch.c_str());
  return machine;
}

}  // namespace forerun::backends::nvptx
