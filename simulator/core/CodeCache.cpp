//===- CodeCache.cpp - decoded basic blocks ---------------------------------===//
// Field extraction and block building.
#include "simulator/core/CodeCache.h"

#include "simulator/core/Environment.h"
#include "simulator/core/Timing.h"
#include "simulator/core/instructions/BlockOps.h"
#include "simulator/core/instructions/HartVector.h"
#include "simulator/core/instructions/Vector.h"
#include "simulator/core/instructions/XfrOps.h"
#include "simulator/kernel/Error.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace forerun::sim::core {
namespace {

constexpr unsigned kBlockInstructions = 64;

std::int64_t bits(std::uint32_t encoding, unsigned low, unsigned width) {
  return encoding >> low & ((1u << width) - 1);
}
std::int64_t signedTop(std::uint32_t encoding, unsigned width) {
  return static_cast<std::int32_t>(encoding) >> (32 - width);
}

std::uint8_t destination(std::uint32_t encoding, bool isFloat) {
  const auto rd = static_cast<std::uint8_t>(bits(encoding, 7, 5));
  if (isFloat) return kFloatBase + rd;
  return rd == 0 ? kSink : rd;
}
std::uint8_t source(std::uint32_t encoding, unsigned low, bool isFloat) {
  const auto number = static_cast<std::uint8_t>(bits(encoding, low, 5));
  return isFloat ? kFloatBase + number : number;
}

std::int64_t branchOffset(std::uint32_t e) {
  return (signedTop(e, 1) << 12) | bits(e, 7, 1) << 11 | bits(e, 25, 6) << 5 | bits(e, 8, 4) << 1;
}
std::int64_t jumpOffset(std::uint32_t e) {
  return (signedTop(e, 1) << 20) | bits(e, 12, 8) << 12 | bits(e, 20, 1) << 11 | bits(e, 21, 10) << 1;
}

/// The SEW at which a vector instruction has f16 operands (feature zvfh); 0 = never.
unsigned sewThatNeedsHalf(llvm::StringRef name) {
  const bool isFloat = (name.starts_with("VF") && !name.starts_with("VFIRST")) || name.starts_with("VMF");
  if (!isFloat || name.contains("BF16")) return 0;
  // Conversions between integers of 8 bits and floats of 16.
  if (name.starts_with("VFWCVT_F_X") ||
      (name.starts_with("VFNCVT_") && !name.contains("_F_X") && !name.contains("_F_F_")))
    return 8;
  return 16;
}

}  // namespace

CodeCache::CodeCache(AddressSpace& space, const targets::TeamSpec& team, HartMode mode, bool allowXfr)
    : space_(space), team_(team), mode_(mode), allowXfr_(allowXfr), fullRoom_(timing::freeSlots(team.issue)) {}
CodeCache::~CodeCache() = default;

void CodeCache::flush() {
  blocks_.clear();
  vectors_.clear();
  recent_.fill({});
  ++generation_;
}

std::span<const std::uint8_t> CodeCache::bytesAt(std::uint64_t pc) const {
  const Mapping program = space_.find(0, 0, pc);
  if (program.region != Region::Program || program.bytes - (pc - program.base) < 2) return {};
  const std::uint64_t offset = pc - program.base;
  return {program.data + offset, static_cast<std::size_t>(std::min<std::uint64_t>(4, program.bytes - offset))};
}

std::string CodeCache::disassemble(std::uint64_t pc) { return decoder_.disassemble(pc, bytesAt(pc)); }

const Op* CodeCache::find(std::uint64_t pc) {
  const auto found = blocks_.find(pc);
  const Op* ops = found != blocks_.end() ? found->second.ops.get() : build(pc);
  recent_[pc / 2 % recent_.size()] = {pc, ops};
  return ops;
}

std::uint32_t CodeCache::latencyOf(LatencyClass latency) const {
  const targets::HartLatencies& l = team_.latencies;
  switch (latency) {
    case LatencyClass::Alu:
      return l.alu;
    case LatencyClass::Mul:
      return l.mul;
    case LatencyClass::Div:
      return l.div;
    case LatencyClass::FpAdd:
      return l.fpAdd;
    case LatencyClass::FpMul:
      return l.fpMul;
    case LatencyClass::FpFma:
      return l.fpFma;
    case LatencyClass::FpDiv:
      return l.fpDiv;
    case LatencyClass::FpConvert:
      return l.fpConvert;
    case LatencyClass::Csr:
      return l.csr;
    case LatencyClass::Memory:
      return team_.privateCycles;
  }
  return 1;
}

void CodeCache::decodeScalar(const InstructionRecipe& recipe, std::uint32_t encoding, std::uint64_t pc, Op& op) const {
  const std::uint8_t floats = recipe.floatOperands;
  const auto rs1 = [&] { op.rs1 = source(encoding, 15, floats & kFloatRs1); };
  const auto rs2 = [&] { op.rs2 = source(encoding, 20, floats & kFloatRs2); };
  op.rd = destination(encoding, floats & kFloatRd);
  switch (recipe.format) {
    case OperandFormat::R4:
      op.rs3 = source(encoding, 27, floats & kFloatRs3);
      [[fallthrough]];
    case OperandFormat::R:
      rs1();
      rs2();
      break;
    case OperandFormat::Unary:
      rs1();
      break;
    case OperandFormat::I:
      rs1();
      op.immediate = signedTop(encoding, 12);
      break;
    case OperandFormat::Shift:
      rs1();
      op.immediate = bits(encoding, 20, 6);
      break;
    case OperandFormat::S:
      rs1();
      rs2();
      op.immediate = signedTop(encoding, 7) << 5 | bits(encoding, 7, 5);
      op.rd = kSink;
      break;
    case OperandFormat::B:
      rs1();
      rs2();
      op.immediate = static_cast<std::int64_t>(pc) + branchOffset(encoding);
      op.rd = kSink;
      break;
    case OperandFormat::U:
      op.immediate = static_cast<std::int64_t>(static_cast<std::int32_t>(encoding & 0xffff'f000)) +
                     (recipe.readsPc ? static_cast<std::int64_t>(pc) : 0);
      break;
    case OperandFormat::J:
      op.immediate = static_cast<std::int64_t>(pc) + jumpOffset(encoding);
      break;
    case OperandFormat::Csr:
      rs1();
      op.immediate = bits(encoding, 20, 12);
      break;
    case OperandFormat::CsrImmediate:
      op.rs3 = static_cast<std::uint8_t>(bits(encoding, 15, 5));
      op.immediate = bits(encoding, 20, 12);
      break;
    case OperandFormat::None:
      op.rd = kSink;
      break;
  }
  if (recipe.readsRounding) op.rounding = static_cast<std::uint8_t>(bits(encoding, 12, 3));
  op.handler = mode_ == HartMode::Timed ? recipe.timed : recipe.functional;
  op.slots = timing::slotsOf(recipe.slot);
  const auto cause = recipe.latency == LatencyClass::Memory ? StallCause::Memory : StallCause::RawScalar;
  op.latency = latencyOf(recipe.latency) << 4 | static_cast<std::uint32_t>(cause);
  const targets::HartLatencies& l = team_.latencies;
  if (recipe.format == OperandFormat::B) {
    const bool backward = op.immediate < static_cast<std::int64_t>(pc);
    op.takenPenalty = static_cast<std::uint16_t>(timing::branchPenalty(backward, true, l));
    op.followingPenalty = static_cast<std::uint16_t>(timing::branchPenalty(backward, false, l));
  } else if (recipe.format == OperandFormat::J) {
    op.takenPenalty = static_cast<std::uint16_t>(l.branchTaken);
  } else if (recipe.endsBlock && recipe.format == OperandFormat::I) {
    op.takenPenalty =
        static_cast<std::uint16_t>(timing::indirectPenalty(static_cast<unsigned>(bits(encoding, 7, 5)), op.rs1, l));
  }
}

bool CodeCache::decodeVectorOp(const MachineInstruction& instruction, Op& op) {
  auto decoded = std::make_unique<DecodedVector>();
  if (!decodeVector(instruction.name, *instruction.mc, decoder_.registers(), *decoded)) return false;
  if (team_.vlenBits == 0)
    throw Error(ErrorKind::UnsupportedFeature,
                "vector instruction on team '" + team_.name + "', which has no vector unit (feature v)");
  if (instruction.name.contains("BF16") && !team_.zvfbfmin)
    throw Error(ErrorKind::UnsupportedFeature,
                "bf16 vector instruction on team '" + team_.name + "', which lacks feature zvfbfmin");
  fillVectorOp(*decoded, team_, mode_, op);
  if (!team_.zvfh) op.rounding = static_cast<std::uint8_t>(sewThatNeedsHalf(instruction.name));
  vectors_.push_back(std::move(decoded));
  return true;
}

bool CodeCache::decodeXfr(std::uint32_t encoding, Op& op, bool& endsBlock) {
  if (!allowXfr_)
    throw Error(ErrorKind::IllegalProgram,
                "Xfr instruction in a program without the ELF note .note.forerun; link it with the note that states "
                "ISA version and needs");
  return fillXfrOp(encoding, team_, mode_, op, endsBlock);
}

void CodeCache::decodeInstruction(std::uint64_t pc, Op& op, bool& endsBlock) {
  const std::span<const std::uint8_t> bytes = bytesAt(pc);
  if (bytes.empty())
    throw Error(ErrorKind::IllegalProgram,
                llvm::formatv("instruction fetch at {0:x}, outside program memory", pc).str());
  MachineInstruction instruction;
  if (!decoder_.decode(bytes, instruction)) throw Error(ErrorKind::IllegalProgram, "illegal instruction");
  op.pc = pc;
  op.length = instruction.length;
  if (instruction.xfr) {
    if (!decodeXfr(instruction.encoding, op, endsBlock))
      throw Error(ErrorKind::IllegalProgram, "illegal instruction: reserved Xfr encoding");
  } else if (const InstructionRecipe* recipe = table_.find(instruction.name)) {
    const unsigned rounding = static_cast<unsigned>(bits(instruction.encoding, 12, 3));
    if (recipe->readsRounding && (rounding == 5 || rounding == 6))
      throw Error(ErrorKind::IllegalProgram, "illegal instruction: reserved rounding mode");
    decodeScalar(*recipe, instruction.encoding, pc, op);
    endsBlock = recipe->endsBlock;
  } else if (!decodeVectorOp(instruction, op)) {
    if (isUnsupportedVector(instruction.name))
      throw Error(ErrorKind::UnsupportedFeature, "vector instruction " + instruction.name.str() + " is not modelled");
    throw Error(ErrorKind::IllegalProgram, "illegal instruction");
  }
  if (mode_ == HartMode::Timed && !timing::slotsFit(fullRoom_, op.slots))
    throw Error(ErrorKind::BadConfig,
                "team '" + team_.name + "' has no issue slot for this class of instruction (keys issue.*)");
}

void CodeCache::addFetches(std::uint64_t pc, unsigned length, std::uint64_t& lastLine, unsigned index,
                           std::vector<Op>& ops) const {
  if (mode_ != HartMode::Timed || team_.icacheBytes == 0 || team_.icacheLine == 0) return;
  const std::uint32_t lines = std::max(1u, team_.icacheBytes / team_.icacheLine);
  for (const std::uint64_t address : {pc, pc + length - 1}) {
    const std::uint64_t line = timing::cacheLine(address, team_.icacheLine);
    if (line == lastLine) continue;
    lastLine = line;
    Op fetch;
    fetch.handler = fetchLineHandler();
    fetch.pc = pc;
    fetch.immediate = static_cast<std::int64_t>(line);
    fetch.latency = static_cast<std::uint32_t>(timing::cacheSlot(line, lines));
    fetch.index = static_cast<std::uint16_t>(index);
    ops.push_back(fetch);
  }
}

const Op* CodeCache::build(std::uint64_t start) {
  std::vector<Op> ops;
  const bool timed = mode_ == HartMode::Timed;
  std::uint64_t pc = start, lastLine = ~std::uint64_t{0};
  bool endsBlock = false;
  if (start == 0) {
    ops.emplace_back().handler = exitAtZeroHandler(timed);
    endsBlock = true;
  }
  for (unsigned index = 0; !endsBlock && index < kBlockInstructions; ++index) {
    Op op;
    try {
      decodeInstruction(pc, op, endsBlock);
    } catch (Error& error) {
      if (index > 0) break;  // reported when execution gets there
      error.pc = pc;
      error.instruction = disassemble(pc);
      throw;
    }
    op.index = static_cast<std::uint16_t>(index);
    addFetches(pc, op.length, lastLine, index, ops);
    ops.push_back(op);
    pc += op.length;
  }
  if (!endsBlock) {
    Op& end = ops.emplace_back();
    end.handler = continueBlockHandler(timed);
    end.pc = pc;
    end.index = static_cast<std::uint16_t>(ops[ops.size() - 2].index + 1);
  }
  Block& block = blocks_[start];
  block.ops = std::make_unique<Op[]>(ops.size());
  std::copy(ops.begin(), ops.end(), block.ops.get());
  return block.ops.get();
}

}  // namespace forerun::sim::core
