//===- XfrOps.cpp - Xfr instructions in the hart ----------------------------===//
// Descriptors, commands, tokens, barriers, semaphores and launch.
#include "simulator/core/instructions/XfrOps.h"

#include "isa/Isa.h"
#include "simulator/core/CodeCache.h"
#include "simulator/core/instructions/Execute.h"
#include "simulator/kernel/Error.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace forerun::sim::core {
namespace {

using isa::Opcode;

/// The decoded fields are recomputed from the encoding: commands are rare beside other instructions.
isa::DecodedXfr fieldsOf(const Op* op) {
  const auto fields = isa::decode(static_cast<std::uint32_t>(op->immediate));
  assert(fields && "was decoded before");
  return *fields;
}

[[noreturn]] void illegal(const std::string& message) { throw Error(ErrorKind::IllegalProgram, message); }

void setField(Descriptor& d, isa::DescriptorField field, std::uint64_t value) {
  const auto number = static_cast<unsigned>(field);
  const auto within = [&](isa::DescriptorField first) { return number - static_cast<unsigned>(first) < 4; };
  const auto dimension = [&](isa::DescriptorField first) { return number - static_cast<unsigned>(first); };
  const auto signedValue = static_cast<std::int64_t>(value);
  using F = isa::DescriptorField;
  if (within(F::Extent0)) {
    d.extent[dimension(F::Extent0)] = signedValue;
    return;
  }
  if (within(F::Stride0)) {
    d.stride[dimension(F::Stride0)] = signedValue;
    return;
  }
  if (within(F::High0)) {
    d.high[dimension(F::High0)] = signedValue;
    return;
  }
  if (within(F::Low0)) {
    d.low[dimension(F::Low0)] = signedValue;
    return;
  }
  switch (field) {
    case F::Base:
      d.base = value;
      return;
    case F::Type:
      d.type = static_cast<isa::ElementType>(std::min<std::uint64_t>(value, 255));
      return;  // checked when a command uses it
    case F::Fill:
      d.fill = value;
      return;
    case F::Queue:
      d.queue = static_cast<std::uint32_t>(std::min<std::uint64_t>(value, ~std::uint32_t{0}));
      return;
    case F::Multicast:
      d.multicast = value;
      return;
    case F::Credit:
      d.credit = value;
      return;
    case F::Scale:
      d.scale = std::bit_cast<float>(static_cast<std::uint32_t>(value));
      return;
    case F::Reset:
      d = Descriptor{};
      return;
    default:
      break;
  }
  illegal("reserved descriptor field " + std::to_string(number));
}

const Descriptor& usable(const HartContext& hart, unsigned number) {
  const Descriptor& d = hart.descriptors[number];
  if (!isa::elementTypeFromCode(static_cast<std::uint64_t>(d.type)))
    illegal("descriptor d" + std::to_string(number) + " holds the reserved element type code " +
            std::to_string(static_cast<unsigned>(d.type)));
  for (unsigned i = 0; i < 4; ++i)
    if (d.extent[i] < 0)
      illegal(llvm::formatv("descriptor d{0} holds the negative extent{1} = {2}", number, i, d.extent[i]).str());
  return d;
}

Command commandOf(const HartContext& hart, const Op* op, const isa::DecodedXfr& f) {
  Command c{};
  c.pc = op->pc;
  c.first = usable(hart, f.rs2);
  switch (f.opcode) {
    case Opcode::XdmaCopy:
      c.kind = CommandKind::DmaCopy;
      c.second = usable(hart, f.rs3);
      c.after = hart.r[f.rs1];
      break;
    case Opcode::XdmaIndex:
      c.kind = CommandKind::DmaIndex;
      c.second = usable(hart, f.rs3);
      c.third = usable(hart, f.rs1);
      c.indexMode = f.funct2;
      break;
    case Opcode::XmmLoad:
      c.kind = CommandKind::MatrixLoad;
      c.after = hart.r[f.rs1];
      c.transpose = f.funct2 & 1;
      break;
    case Opcode::XmmRun:
      c.kind = CommandKind::MatrixRun;
      c.second = usable(hart, f.rs3);
      c.after = hart.r[f.rs1];
      c.swapWeights = f.funct2 & 1;
      c.accumulate = f.funct2 & 2;
      break;
    case Opcode::XmmStore:
      c.kind = CommandKind::MatrixStore;
      c.second = usable(hart, f.rs3);
      c.after = hart.r[f.rs1];
      break;
    default:  // xve.*
      c.kind = f.opcode == Opcode::XveMap ? CommandKind::VectorMap : CommandKind::VectorReduce;
      c.second = usable(hart, f.rs3);
      c.third = usable(hart, f.rs1);
      c.indexMode = f.funct2;
      break;
  }
  return c;
}

/// How the hart takes an answer.
struct Step {
  Outcome outcome;
  StallCause cause = StallCause::Token;  ///< of blocking, or of waiting for the answer
  bool holds = false;                    ///< the hart issues nothing before outcome.at
  bool usesPort = false;                 ///< the engine port is busy until outcome.at
};

Step perform(HartContext& hart, const Op* op, Cycles now) {
  const isa::DecodedXfr f = fieldsOf(op);
  Environment& e = *hart.environment;
  const HartId id = hart.id;
  const std::uint64_t a = hart.r[op->rs1], b = hart.r[op->rs2];
  switch (f.opcode) {
    case Opcode::XtokWait:
      return {e.waitToken(id, a, now), StallCause::Token, true};
    case Opcode::XtokTest:
      return {e.testToken(id, a, now), StallCause::Token};
    case Opcode::XbarInit:
      return {e.barrierInit(id, a, b, now), StallCause::Barrier};
    case Opcode::XbarArrive:
      return {e.barrierArrive(id, a, b, now), StallCause::Barrier};
    case Opcode::XbarWait:
      return {e.barrierWait(id, a, b, now), StallCause::Barrier, true};
    case Opcode::XsemAdd:
      return {e.semaphoreAdd(id, a, b, now), StallCause::Barrier};
    case Opcode::XsemWaitge:
      return {e.semaphoreWait(id, a, b, now), StallCause::Barrier, true};
    case Opcode::Xnext:
      return {e.nextWorkItem(id, now), StallCause::Launch};
    default:
      return {e.issue(id, commandOf(hart, op, f), now), StallCause::QueueFull, false, true};
  }
}

/// Commands, and all that other harts may see or wait for.
template <class Mode>
void synchronized(FORERUN_HANDLER_PARAMETERS) {
  if constexpr (Mode::timed) {
    if (op->takenPenalty) {  // releases
      now = hart.stallOnSources(op, now, room);
      if (op->slots == timing::slotsOf(timing::Slot::Engine))
        now = hart.stallUntil(hart.enginePortFree, StallCause::Structural, now, room);
      now = hart.stallUntil(hart.accessesDone, StallCause::Memory, now, room);
    }
  }
  FORERUN_ISSUE_SYNCHRONIZED(Mode, 2);
  mark<Mode>(hart, op, now, room, busy);
  const Step step = perform(hart, op, Mode::timed ? hart.clock.toReference(now) : hart.now);
  if (!step.outcome.done) {
    hart.status = HartStatus::Blocked;
    hart.blockedOn = step.cause;
    hart.reason = RunReason::Blocked;
    return;  // marked before this op
  }
  unmark<Mode>(hart, op);
  commit<Mode>(hart, op, room, busy);
  hart.r[op->rd] = step.outcome.value;
  if constexpr (Mode::timed) {
    const Cycles known = std::max(hart.clock.toHart(step.outcome.at), now + 1);
    const StallCause cause = step.cause == StallCause::QueueFull ? StallCause::Token : step.cause;
    hart.ready[op->rd] = known << 4 | static_cast<std::uint64_t>(cause);
    if (step.usesPort) hart.enginePortFree = known;
    if (step.holds) now = hart.stallUntil(known, step.cause, now, room);
  }
  FORERUN_TAIL_CALL(op + 1);
}

template <class Mode>
void setDescriptor(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 1);
  mark<Mode>(hart, op, now, room, busy);
  const isa::DecodedXfr f = fieldsOf(op);
  setField(hart.descriptors[f.rd], static_cast<isa::DescriptorField>(f.rs2), hart.r[op->rs1]);
  unmark<Mode>(hart, op);
  FORERUN_TAIL_CALL(op + 1);
}

template <class Mode>
void identity(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 0);
  mark<Mode>(hart, op, now, room, busy);
  hart.r[op->rd] = hart.environment->identity(hart.id, fieldsOf(op).rs2);
  unmark<Mode>(hart, op);
  result<Mode>(hart, op, now);
  FORERUN_TAIL_CALL(op + 1);
}

template <class Mode>
void profileMark(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 1);
  mark<Mode>(hart, op, now, room, busy);
  hart.environment->mark(hart.id, hart.r[op->rs1], fieldsOf(op).rs2 == 0,
                         Mode::timed ? hart.clock.toReference(now) : hart.now);
  unmark<Mode>(hart, op);
  FORERUN_TAIL_CALL(op + 1);
}

template <class Mode>
void exitHart(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE_SYNCHRONIZED(Mode, 1);
  commit<Mode>(hart, op, room, busy);
  finish<Mode>(hart, op, hart.r[op->rs1], now, room, busy);
}

template <class Mode>
void trap(FORERUN_HANDLER_PARAMETERS) {
  FORERUN_ISSUE(Mode, 2);
  mark<Mode>(hart, op, now, room, busy);
  const FailedCheck check{hart.r[op->rs1], static_cast<std::int64_t>(hart.r[op->rs2])};
  Error error(ErrorKind::IllegalProgram,
              "the program stopped itself: check " + std::to_string(check.number) + " failed (xtrap)");
  error.failedCheck = check;
  throw error;
}

struct Handlers {
  Handler functional, timed;
};
Handlers handlersOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::XdSet:
      return {setDescriptor<Functional>, setDescriptor<Timed>};
    case Opcode::Xid:
      return {identity<Functional>, identity<Timed>};
    case Opcode::Xmark:
      return {profileMark<Functional>, profileMark<Timed>};
    case Opcode::Xexit:
      return {exitHart<Functional>, exitHart<Timed>};
    case Opcode::Xtrap:
      return {trap<Functional>, trap<Timed>};
    default:
      return {synchronized<Functional>, synchronized<Timed>};
  }
}

}  // namespace

bool fillXfrOp(std::uint32_t encoding, const targets::TeamSpec& team, HartMode mode, Op& op, bool& endsBlock) {
  const auto decoded = isa::decode(encoding);
  if (!decoded) return false;
  const isa::InstructionInfo& info = isa::info(decoded->opcode);
  op.immediate = encoding;
  op.rd = kSink;
  for (const isa::OperandInfo& operand : info.operands) {
    const auto number = static_cast<std::uint8_t>(encoding >> operand.lowBit & 31);
    if (operand.kind == isa::OperandKind::Destination && number != 0) op.rd = number;
    // Sources stand in rs1, then in rs2 (isa/Isa.td has no third).
    if (operand.kind == isa::OperandKind::Source) (operand.lowBit == 15 ? op.rs1 : op.rs2) = number;
  }
  const bool engine = info.unit == isa::Unit::Dma || info.unit == isa::Unit::Matrix || info.unit == isa::Unit::Vector;
  op.slots = timing::slotsOf(engine ? timing::Slot::Engine : timing::Slot::Scalar);
  op.latency = team.latencies.alu << 4 | static_cast<std::uint32_t>(StallCause::RawScalar);
  // Not a branch: the field says whether the instruction waits for the hart's earlier accesses.
  op.takenPenalty = engine || decoded->opcode == Opcode::XbarArrive || decoded->opcode == Opcode::XsemAdd;
  const Handlers handlers = handlersOf(decoded->opcode);
  op.handler = mode == HartMode::Timed ? handlers.timed : handlers.functional;
  endsBlock = info.noReturn;
  return true;
}

}  // namespace forerun::sim::core
