//===- HostCode.cpp - what LLVM is told about this CPU ----------------------===//
// See HostCode.h.
#include "compiler/backends/host/HostCode.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

namespace forerun::backends::host {

llvm::Expected<llvm::orc::JITTargetMachineBuilder> hostMachine(unsigned optimizationLevel) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!machine) return machine.takeError();
  machine->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  machine->setRelocationModel(llvm::Reloc::PIC_);
  machine->setCodeGenOptLevel(
      llvm::CodeGenOpt::getLevel(static_cast<int>(optimizationLevel)).value_or(llvm::CodeGenOptLevel::Default));
  return machine;
}

unsigned vectorBits() {
  const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (features.lookup("avx512f")) return 512;
  return features.lookup("avx") ? 256 : 128;
}

}  // namespace forerun::backends::host
