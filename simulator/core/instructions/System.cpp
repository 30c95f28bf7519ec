//===- System.cpp - CSRs, fences and host calls -----------------------------===//
// Everything of RV64 that looks outside the registers and memory of the program.
#include "simulator/core/CodeCache.h"
#include "simulator/core/instructions/Execute.h"
#include "simulator/core/instructions/InstructionTable.h"
#include "simulator/kernel/Error.h"

#include "llvm/Support/FormatVariadic.h"

#include <string>

namespace forerun::sim::core {
namespace {

enum Csr : std::uint32_t {
  kFflags = 0x001,
  kFrm = 0x002,
  kFcsr = 0x003,
  kVstart = 0x008,
  kVxsat = 0x009,
  kVxrm = 0x00a,
  kVcsr = 0x00f,
  kCycle = 0xc00,
  kTime = 0xc01,
  kInstret = 0xc02,
  kVl = 0xc20,
  kVtype = 0xc21,
  kVlenb = 0xc22
};

bool isVectorCsr(std::uint32_t csr) {
  return (csr >= kVstart && csr <= kVxrm) || csr == kVcsr || (csr >= kVl && csr <= kVlenb);
}

/// What a handler knows beside the context: cycle and instructions retired before it.
struct Clocks {
  Cycles now;
  std::uint64_t instructions;
};

std::uint64_t readCsr(const HartContext& hart, std::uint32_t csr, Clocks clocks) {
  if (isVectorCsr(csr) && hart.vector.vlenBits == 0)
    throw Error(ErrorKind::UnsupportedFeature,
                llvm::formatv("vector CSR {0:x} on a team without a vector unit (feature v)", csr).str());
  switch (csr) {
    case kFflags:
      return hart.fflags;
    case kFrm:
      return hart.frm;
    case kFcsr:
      return static_cast<std::uint64_t>(hart.frm) << 5 | hart.fflags;
    case kVstart:
      return hart.vector.vstart;
    case kVxsat:
      return hart.vector.vxsat;
    case kVxrm:
      return hart.vector.vxrm;
    case kVcsr:
      return static_cast<std::uint64_t>(hart.vector.vxrm) << 1 | (hart.vector.vxsat ? 1 : 0);
    case kCycle:
      return clocks.now;
    case kTime:
      return hart.clock.toReference(clocks.now);
    case kInstret:
      return clocks.instructions;
    case kVl:
      return hart.vector.vl;
    case kVtype:
      return hart.vector.vtype;
    case kVlenb:
      return hart.vector.vlenBytes();
    default:
      break;
  }
  throw Error(ErrorKind::IllegalProgram, llvm::formatv("CSR {0:x} does not exist on this machine", csr).str());
}

void writeCsr(HartContext& hart, std::uint32_t csr, std::uint64_t value) {
  switch (csr) {
    case kFflags:
      hart.fflags = value & 31;
      return;
    case kFrm:
      hart.frm = value & 7;
      return;
    case kFcsr:
      hart.fflags = value & 31;
      hart.frm = value >> 5 & 7;
      return;
    case kVstart:
      hart.vector.vstart = value & (hart.vector.vlenBits - 1);
      return;
    case kVxsat:
      hart.vector.vxsat = value & 1;
      return;
    case kVxrm:
      hart.vector.vxrm = value & 3;
      return;
    case kVcsr:
      hart.vector.vxsat = value & 1;
      hart.vector.vxrm = value >> 1 & 3;
      return;
    default:
      break;
  }
  throw Error(ErrorKind::IllegalProgram, llvm::formatv("write of the read-only CSR {0:x}", csr).str());
}

enum class CsrAction { Write, Set, Clear };

/// immediate = CSR number; rs2 = register field of the encoding, which decides whether set and clear write at all.
[[gnu::noinline]] void accessCsr(HartContext& hart, const Op* op, CsrAction action, std::uint64_t source, bool writes,
                                 Clocks clocks) {
  const auto csr = static_cast<std::uint32_t>(op->immediate);
  const std::uint64_t old = readCsr(hart, csr, clocks);
  if (writes)
    writeCsr(hart, csr, action == CsrAction::Write ? source : action == CsrAction::Set ? old | source : old & ~source);
  hart.r[op->rd] = old;
}

template <class Mode, CsrAction kAction, bool kImmediate>
void csr(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 1);
  mark<Mode>(hart, op, now, room, busy);
  const Clocks clocks{hart.now, Mode::timed ? hart.instructions : hart.now};
  const std::uint64_t source = kImmediate ? op->rs3 : hart.r[op->rs1];
  const bool writes = kAction == CsrAction::Write || (kImmediate ? op->rs3 : op->rs1) != 0;
  accessCsr(hart, op, kAction, source, writes, clocks);
  unmark<Mode>(hart, op);
  result<Mode>(hart, op, now);
  FORERUN_TAIL_CALL(op + 1);
}

/// Waits until all earlier accesses are complete.
template <class Mode>
void fence(FORERUN_HANDLER_PARAMETERS) {
  if constexpr (Mode::timed)
    if (hart.accessesDone > now) now = hart.stallUntil(hart.accessesDone, StallCause::Memory, now, room);
  FORERUN_ISSUE_SYNCHRONIZED(Mode, 0);
  commit<Mode>(hart, op, room, busy);
  FORERUN_TAIL_CALL(op + 1);
}

/// Drops all decoded code, this block included: goes on from the next address by a fresh look-up.
template <class Mode>
void fenceInstructions(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 0);
  retireBlock<Mode>(hart, op->index + 1u, now);
  hart.pc = op->pc + op->length;
  hart.code->flush();
  std::fill(hart.fetchedLines.begin(), hart.fetchedLines.end(), 0);
  hart.stream.clear();
  hart.resume = nullptr;
  hart.now = now;
  hart.room = room;
  hart.cycles.busy = busy;
  hart.reason = RunReason::Synchronize;
}

[[gnu::noinline]] void writeText(HartContext& hart, std::uint64_t fd, std::uint64_t address, std::uint64_t bytes) {
  if (fd != 1 && fd != 2)
    throw Error(ErrorKind::IllegalProgram,
                "host call write to file descriptor " + std::to_string(fd) + "; only 1 and 2 exist");
  if (bytes == 0) return;
  if (bytes > 0xffff'ffff)
    throw Error(ErrorKind::IllegalProgram,
                "host call write of " + std::to_string(bytes) + " bytes; the limit is 2^32 - 1");
  const std::uint8_t* text = hart.memory.read(address, static_cast<std::uint32_t>(bytes));
  hart.environment->write(hart.id, static_cast<int>(fd),
                          {reinterpret_cast<const char*>(text), static_cast<std::size_t>(bytes)});
}

template <class Mode>
void hostCall(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE_SYNCHRONIZED(Mode, 0);
  mark<Mode>(hart, op, now, room, busy);
  const std::uint64_t number = hart.r[17];
  switch (number) {
    case 64:
      writeText(hart, hart.r[10], hart.r[11], hart.r[12]);
      hart.r[10] = hart.r[12];
      break;
    case 93:
    case 94:
      unmark<Mode>(hart, op);
      commit<Mode>(hart, op, room, busy);
      return finish<Mode>(hart, op, hart.r[10], now, room, busy);
    default:
      throw Error(ErrorKind::IllegalProgram,
                  "host call " + std::to_string(number) + " does not exist; write (64) and exit (93, 94) do");
  }
  unmark<Mode>(hart, op);
  commit<Mode>(hart, op, room, busy);
  FORERUN_TAIL_CALL(op + 1);
}

template <class Mode>
void breakpoint(FORERUN_HANDLER_PARAMETERS) {
  mark<Mode>(hart, op, now, room, busy);
  throw Error(ErrorKind::IllegalProgram, "the program stopped itself (ebreak)");
}

template <CsrAction kAction, bool kImmediate>
InstructionRecipe csrForm() {
  return {.format = kImmediate ? OperandFormat::CsrImmediate : OperandFormat::Csr,
          .latency = LatencyClass::Csr,
          .functional = csr<Functional, kAction, kImmediate>,
          .timed = csr<Timed, kAction, kImmediate>};
}

}  // namespace

void addSystemInstructions(InstructionTable& table) {
  table.add("CSRRW", csrForm<CsrAction::Write, false>());
  table.add("CSRRS", csrForm<CsrAction::Set, false>());
  table.add("CSRRC", csrForm<CsrAction::Clear, false>());
  table.add("CSRRWI", csrForm<CsrAction::Write, true>());
  table.add("CSRRSI", csrForm<CsrAction::Set, true>());
  table.add("CSRRCI", csrForm<CsrAction::Clear, true>());
  const InstructionRecipe fences{.functional = fence<Functional>, .timed = fence<Timed>};
  table.add("FENCE", fences);
  table.add("FENCE_TSO", fences);
  table.add("FENCE_I",
            {.endsBlock = true, .functional = fenceInstructions<Functional>, .timed = fenceInstructions<Timed>});
  table.add("ECALL", {.functional = hostCall<Functional>, .timed = hostCall<Timed>});
  table.add("EBREAK", {.endsBlock = true, .functional = breakpoint<Functional>, .timed = breakpoint<Timed>});
}

}  // namespace forerun::sim::core
