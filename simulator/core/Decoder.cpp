//===- Decoder.cpp - from bytes to named instructions -----------------------===//
// Owns LLVM's MC objects for RISC-V.
#include "simulator/core/Decoder.h"

#include "isa/Isa.h"
#include "simulator/core/Compressed.h"
#include "simulator/kernel/Error.h"

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
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include <array>

extern "C" {
void LLVMInitializeRISCVTargetInfo();
void LLVMInitializeRISCVTargetMC();
void LLVMInitializeRISCVDisassembler();
}

namespace forerun::sim::core {
namespace {

constexpr const char* kFeatures = "+m,+a,+f,+d,+c,+v,+zicsr,+zifencei,+zfh,+zvfh,+zfbfmin,+zvfbfmin,+zvfbfwma";

std::array<std::uint8_t, 4> littleEndian(std::uint32_t value) {
  return {static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8),
          static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 24)};
}

}  // namespace

struct Decoder::Impl {
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembly;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
  llvm::MCInst current;
};

Decoder::Decoder() : impl_(std::make_unique<Impl>()) {
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVDisassembler();
  const llvm::Triple triple("riscv64");
  std::string message;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target) throw Error(ErrorKind::BadConfig, "LLVM lacks its RISC-V target: " + message);
  Impl& i = *impl_;
  i.registers.reset(target->createMCRegInfo(triple));
  i.assembly.reset(target->createMCAsmInfo(*i.registers, triple, i.options));
  i.subtarget.reset(target->createMCSubtargetInfo(triple, "generic-rv64", kFeatures));
  i.instructions.reset(target->createMCInstrInfo());
  i.context = std::make_unique<llvm::MCContext>(triple, i.assembly.get(), i.registers.get(), i.subtarget.get());
  i.disassembler.reset(target->createMCDisassembler(*i.subtarget, *i.context));
  i.printer.reset(target->createMCInstPrinter(triple, 0, *i.assembly, *i.instructions, *i.registers));
  i.printer->setPrintImmHex(false);
}

Decoder::~Decoder() = default;

const llvm::MCRegisterInfo& Decoder::registers() const { return *impl_->registers; }

bool Decoder::decode(std::span<const std::uint8_t> bytes, MachineInstruction& instruction) {
  instruction = {};
  if (bytes.size() < 2) return false;
  if ((bytes[0] & 3) == 3) {
    if (bytes.size() < 4) return false;
    instruction.length = 4;
    instruction.encoding = static_cast<std::uint32_t>(bytes[0] | bytes[1] << 8 | bytes[2] << 16) |
                           static_cast<std::uint32_t>(bytes[3]) << 24;
  } else {
    const auto expanded = expandCompressed(static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8));
    if (!expanded) return false;
    instruction.length = 2;
    instruction.encoding = *expanded;
  }
  if (isa::isXfrSpace(instruction.encoding)) {
    instruction.xfr = true;
    return true;
  }
  const auto wide = littleEndian(instruction.encoding);
  std::uint64_t size = 0;
  impl_->current.clear();
  if (impl_->disassembler->getInstruction(impl_->current, size, wide, 0, llvm::nulls()) !=
      llvm::MCDisassembler::Success)
    return false;
  instruction.name = impl_->instructions->getName(impl_->current.getOpcode());
  instruction.mc = &impl_->current;
  return true;
}

std::string Decoder::disassemble(std::uint64_t pc, std::span<const std::uint8_t> bytes) {
  MachineInstruction instruction;
  if (!decode(bytes, instruction)) {
    if (bytes.size() < 2) return "(no instruction)";
    const std::size_t length = (bytes[0] & 3) == 3 ? std::min<std::size_t>(4, bytes.size()) : 2;
    std::string text = ".insn 0x";
    for (std::size_t i = length; i-- > 0;) text += llvm::formatv("{0:x-2}", bytes[i]).str();
    return text;
  }
  if (instruction.xfr) return isa::disassemble(instruction.encoding);
  std::string text;
  llvm::raw_string_ostream stream(text);
  impl_->printer->printInst(instruction.mc, pc, "", *impl_->subtarget, stream);
  for (char& c : text)
    if (c == '\t') c = ' ';
  const std::size_t start = text.find_first_not_of(' ');
  return start == std::string::npos ? text : text.substr(start);
}

}  // namespace forerun::sim::core
