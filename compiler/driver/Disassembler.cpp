//===- Disassembler.cpp - one instruction at a time -------------------------------===//
// Owns the MC objects that LLVM's disassembler needs.
#include "compiler/driver/Disassembler.h"

#include "isa/Isa.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#include <algorithm>
#include <cstring>

extern "C" {
void LLVMInitializeRISCVTargetInfo();
void LLVMInitializeRISCVTargetMC();
void LLVMInitializeRISCVDisassembler();
}

namespace forerun::driver {

struct Disassembler::Impl {
  llvm::Triple triple{"riscv64-unknown-elf"};
  llvm::MCTargetOptions options;
  std::unique_ptr<const llvm::MCRegisterInfo> registers;
  std::unique_ptr<const llvm::MCAsmInfo> assembly;
  std::unique_ptr<const llvm::MCSubtargetInfo> features;
  std::unique_ptr<const llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<const llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
};

Disassembler::Disassembler(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Disassembler::~Disassembler() = default;

llvm::Expected<std::unique_ptr<Disassembler>> Disassembler::create() {
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVDisassembler();
  auto impl = std::make_unique<Impl>();
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(impl->triple, error);
  if (!target) return llvm::createStringError(error);
  impl->registers.reset(target->createMCRegInfo(impl->triple));
  impl->assembly.reset(target->createMCAsmInfo(*impl->registers, impl->triple, impl->options));
  impl->features.reset(target->createMCSubtargetInfo(impl->triple, "generic-rv64",
                                                     "+m,+a,+f,+d,+c,+v,+zfh,+zvfh,+zfbfmin,+zvfbfmin,+zvfbfwma"));
  impl->instructions.reset(target->createMCInstrInfo());
  impl->context = std::make_unique<llvm::MCContext>(impl->triple, impl->assembly.get(), impl->registers.get(),
                                                    impl->features.get());
  impl->disassembler.reset(target->createMCDisassembler(*impl->features, *impl->context));
  impl->printer.reset(
      target->createMCInstPrinter(impl->triple, 0, *impl->assembly, *impl->instructions, *impl->registers));
  if (!impl->disassembler || !impl->printer)
    return llvm::createStringError("LLVM was built without the RISC-V disassembler");
  return std::unique_ptr<Disassembler>(new Disassembler(std::move(impl)));
}

DisassembledInstruction Disassembler::at(llvm::StringRef code, std::uint64_t address) const {
  DisassembledInstruction result;
  std::memcpy(&result.word, code.data(), std::min<std::size_t>(code.size(), 4));
  result.bytes = (result.word & 3) == 3 && code.size() >= 4 ? 4 : 2;
  if (result.bytes == 4 && isa::isXfrSpace(result.word)) {
    result.text = isa::disassemble(result.word);
    return result;
  }
  llvm::MCInst instruction;
  std::uint64_t size = 0;
  const llvm::ArrayRef<std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(code.data()), code.size());
  llvm::raw_string_ostream os(result.text);
  if (impl_->disassembler->getInstruction(instruction, size, bytes, address, llvm::nulls()) ==
      llvm::MCDisassembler::Success) {
    result.bytes = static_cast<unsigned>(size);
    impl_->printer->printInst(&instruction, address, "", *impl_->features, os);
    result.text = llvm::StringRef(result.text).ltrim().str();
    std::replace(result.text.begin(), result.text.end(), '\t', ' ');
    return result;
  }
  os << (result.bytes == 4 ? llvm::format(".4byte 0x%08x", result.word)
                           : llvm::format(".2byte 0x%04x", result.word & 0xffff));
  return result;
}

}  // namespace forerun::driver
