//===- VectorTestHart.cpp - vector state with an assembler, for tests -------===//
// See VectorTestHart.h.
#include "tests/simulator/core/VectorTestHart.h"

#include "simulator/core/instructions/VectorOperation.h"

#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#include <stdexcept>

namespace forerun::sim::core {

struct VectorTarget::Impl {
  llvm::Triple triple{"riscv64-unknown-elf"};
  const llvm::Target* target = nullptr;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> asmInfo;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCCodeEmitter> emitter;
  std::unique_ptr<llvm::MCInstPrinter> printer;
  llvm::MCTargetOptions options;
};

VectorTarget::VectorTarget() : impl_(std::make_unique<Impl>()) {
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmParser();
  LLVMInitializeRISCVDisassembler();
  Impl& i = *impl_;
  std::string error;
  i.target = llvm::TargetRegistry::lookupTarget(i.triple, error);
  if (!i.target) throw std::runtime_error(error);
  i.registers.reset(i.target->createMCRegInfo(i.triple));
  i.asmInfo.reset(i.target->createMCAsmInfo(*i.registers, i.triple, i.options));
  i.subtarget.reset(
      i.target->createMCSubtargetInfo(i.triple, "", "+m,+a,+f,+d,+c,+v,+zfh,+zvfh,+zfbfmin,+zvfbfmin,+zvfbfwma"));
  i.instructions.reset(i.target->createMCInstrInfo());
  i.context = std::make_unique<llvm::MCContext>(i.triple, i.asmInfo.get(), i.registers.get(), i.subtarget.get());
  i.disassembler.reset(i.target->createMCDisassembler(*i.subtarget, *i.context));
  i.emitter.reset(i.target->createMCCodeEmitter(*i.instructions, *i.context));
  i.printer.reset(i.target->createMCInstPrinter(i.triple, 0, *i.asmInfo, *i.instructions, *i.registers));
}
VectorTarget::~VectorTarget() = default;

const llvm::MCInstrInfo& VectorTarget::instructions() const { return *impl_->instructions; }
const llvm::MCRegisterInfo& VectorTarget::registers() const { return *impl_->registers; }

std::optional<llvm::MCInst> VectorTarget::disassemble(std::uint32_t word) const {
  const std::uint8_t bytes[4] = {static_cast<std::uint8_t>(word), static_cast<std::uint8_t>(word >> 8),
                                 static_cast<std::uint8_t>(word >> 16), static_cast<std::uint8_t>(word >> 24)};
  llvm::MCInst inst;
  std::uint64_t size = 0;
  if (impl_->disassembler->getInstruction(inst, size, bytes, 0, llvm::nulls()) != llvm::MCDisassembler::Success)
    return std::nullopt;
  return inst;
}

std::uint32_t VectorTarget::encode(const llvm::MCInst& inst) const {
  llvm::SmallVector<char, 8> bytes;
  llvm::SmallVector<llvm::MCFixup, 1> fixups;
  impl_->emitter->encodeInstruction(inst, bytes, fixups, *impl_->subtarget);
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 4; ++i)
    word |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(bytes[i])) << 8 * i;
  return word;
}

std::string VectorTarget::print(const llvm::MCInst& inst) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  impl_->printer->printInst(&inst, 0, "", *impl_->subtarget, stream);
  return text;
}

namespace {

/// Keeps the last instruction that the parser emits.
class InstructionKeeper : public llvm::MCStreamer {
 public:
  explicit InstructionKeeper(llvm::MCContext& context) : MCStreamer(context) {}
  bool emitSymbolAttribute(llvm::MCSymbol*, llvm::MCSymbolAttr) override { return true; }
  void emitCommonSymbol(llvm::MCSymbol*, std::uint64_t, llvm::Align) override {}
  void emitInstruction(const llvm::MCInst& inst, const llvm::MCSubtargetInfo&) override { kept = inst; }
  std::optional<llvm::MCInst> kept;
};

}  // namespace

std::uint32_t VectorTarget::assemble(const std::string& line) const {
  Impl& i = *impl_;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(line + "\n"), llvm::SMLoc());
  llvm::MCContext context(i.triple, i.asmInfo.get(), i.registers.get(), i.subtarget.get(), &sources);
  const std::unique_ptr<llvm::MCObjectFileInfo> objectInfo(i.target->createMCObjectFileInfo(context, false));
  context.setObjectFileInfo(objectInfo.get());
  InstructionKeeper keeper(context);
  i.target->createNullTargetStreamer(keeper);
  std::unique_ptr<llvm::MCAsmParser> parser(llvm::createMCAsmParser(sources, context, keeper, *i.asmInfo));
  std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
      i.target->createMCAsmParser(*i.subtarget, *parser, *i.instructions, i.options));
  parser->setTargetParser(*targetParser);
  if (parser->Run(false) || !keeper.kept) throw std::runtime_error("cannot assemble: " + line);
  return encode(*keeper.kept);
}

const VectorTarget& vectorTarget() {
  static const VectorTarget target;
  return target;
}

namespace {
MemorySizes testMemory() {
  MemorySizes sizes;
  sizes.privateBytesPerTeam = {4096};
  sizes.scratchBytes = 4096;
  sizes.globalBytes = VectorTestHart::kMemoryBytes;
  return sizes;
}
}  // namespace

VectorTestHart::VectorTestHart(std::uint32_t vlenBits, bool simd)
    : space_(testMemory()), mapping_(space_.find(0, 0, kMemory)), memory_(space_, 0, 0), simd_(simd) {
  v.vlenBits = vlenBits;
  v.registers.assign(std::size_t{4} * vlenBits + 64, 0);
}

void VectorTestHart::run(std::uint32_t word) {
  const std::optional<llvm::MCInst> inst = vectorTarget().disassemble(word);
  DecodedVector decoded;
  static const VectorOperations baseline(false), best(hostHasSimd());
  if (!inst || !decodeVectorWith(simd_ ? best : baseline, vectorTarget().instructions().getName(inst->getOpcode()),
                                 *inst, vectorTarget().registers(), decoded))
    throw std::runtime_error("not a vector instruction: " + std::to_string(word));
  VectorContext context{v, x, f, memory_, frm, fflags, &runs};
  execute(context, decoded);
}

}  // namespace forerun::sim::core
