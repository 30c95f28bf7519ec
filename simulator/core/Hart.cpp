//===- Hart.cpp - one hardware thread ---------------------------------------===//
// Entry and exit of the dispatch loop; everything in between is in instructions/.
#include "simulator/core/Hart.h"

#include "simulator/kernel/Error.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <numeric>

namespace forerun::sim::core {

Hart::Hart(HartId id, const targets::TeamSpec& team, ClockRatio clock, AddressSpace& space, Environment& environment,
           CodeCache& code)
    : context_(std::make_unique<HartContext>(space, id)) {
  HartContext& c = *context_;
  c.environment = &environment;
  c.code = &code;
  c.clock = clock;
  c.team = team;
  c.fullRoom = timing::freeSlots(team.issue);
}
Hart::~Hart() = default;

void Hart::start(const Start& start, Cycles at) {
  HartContext& c = *context_;
  static_cast<HartState&>(c) = HartState{};
  c.r[10] = start.a0;
  c.r[11] = start.a1;
  c.r[2] = start.sp;
  c.pc = start.pc;
  c.vector.vlenBits = c.team.vlenBits;
  c.vector.registers.assign(c.team.vlenBits == 0 ? 0 : 32 * c.vector.vlenBytes() + 64, 0);
  if (c.team.icacheLine) c.fetchedLines.assign(std::max(1u, c.team.icacheBytes / c.team.icacheLine), 0);
  c.room = c.fullRoom;
  c.status = HartStatus::Running;
  c.resume = nullptr;
  if (c.code->mode() == HartMode::Timed) {
    c.now = c.clock.toHart(at);
    c.stall(StallCause::Launch, c.now);
  }
}

RunResult Hart::runUntil(Cycles limit) {
  HartContext& c = *context_;
  if (c.status == HartStatus::Exited) return {RunReason::Exited};
  if (c.status == HartStatus::Blocked) return {RunReason::Blocked, c.blockedOn};
  const bool timed = c.code->mode() == HartMode::Timed;
  if (timed) limit = c.clock.toHart(limit);
  c.entryNow = c.now;
  c.entryInstructions = timed ? c.instructions : c.now;
  try {
    if (!c.resume || c.resumeGeneration != c.code->generation()) c.resume = c.code->find(c.pc);
    const Op* op = c.resume;
    Cycles now = c.now;
    if (timed)
      c.instructions -= op->index;
    else
      now -= op->index;
    op->handler(c, op, now, c.room, c.cycles.busy, limit);
  } catch (Error& error) {
    if (error.component.empty()) error.component = llvm::formatv("core {0} team {1}", c.id.core, c.id.team).str();
    if (error.cycle == 0) error.cycle = timed ? c.clock.toReference(c.now) : c.now;
    if (error.pc == 0) {
      error.pc = c.pc;
      error.instruction = c.code->disassemble(c.pc);
    }
    throw;
  }
  c.resumeGeneration = c.code->generation();
  if (c.status == HartStatus::Exited) c.environment->exited(c.id, c.exitCode, now());
  return {c.reason, c.blockedOn};
}

void Hart::wake(Cycles at) {
  HartContext& c = *context_;
  if (c.status != HartStatus::Blocked) throw Error(ErrorKind::ModelBug, "wake of a hart that is not blocked");
  c.status = HartStatus::Running;
  if (c.code->mode() == HartMode::Timed) c.now = c.stallUntil(c.clock.toHart(at), c.blockedOn, c.now, c.room);
}

Cycles Hart::now() const {
  const HartContext& c = *context_;
  if (c.code->mode() == HartMode::Functional) return c.now;
  return c.clock.toReference(c.now + (c.status == HartStatus::Exited && c.room != c.fullRoom));
}
HartStatus Hart::status() const { return context_->status; }
std::uint64_t Hart::exitCode() const { return context_->exitCode; }
std::uint64_t Hart::pc() const { return context_->pc; }
std::uint64_t Hart::instructions() const {
  return context_->code->mode() == HartMode::Timed ? context_->instructions : context_->now;
}
Cycles Hart::hartCycles(Cycles reference) const { return context_->clock.toHart(reference); }

HartCycles Hart::cycles(Cycles elapsed) const {
  const HartContext& c = *context_;
  HartCycles result = c.cycles;
  if (c.code->mode() == HartMode::Functional) return result;
  const Cycles counted = c.now + (c.room != c.fullRoom);  // `now` itself is busy once something issued in it
  const Cycles total = std::max(hartCycles(elapsed), counted);
  if (c.status == HartStatus::Blocked)
    result.stalls[static_cast<std::size_t>(c.blockedOn)] += total - counted;
  else
    result.idle += total - counted;
  const std::uint64_t sum = std::accumulate(result.stalls.begin(), result.stalls.end(), result.busy + result.idle);
  if (sum != total)
    throw Error(
        ErrorKind::ModelBug,
        llvm::formatv("core {0} team {1} accounts for {2} of {3} cycles", c.id.core, c.id.team, sum, total).str());
  return result;
}

void Hart::checkInitialised(bool on) { context_->memory.checkInitialised(on); }
const HartState& Hart::state() const { return *context_; }
void Hart::restore(const HartState& state) {
  static_cast<HartState&>(*context_) = state;
  context_->resume = nullptr;
}

// Slow paths of the timing model
// ---------------------------------------------------------------------------------------------------------------

Cycles HartContext::stallUntil(Cycles target, StallCause cause, Cycles at, std::uint64_t& slotRoom) {
  if (target <= at) return at;
  stall(cause, target - at - (slotRoom != fullRoom));
  slotRoom = fullRoom;
  return target;
}

Cycles HartContext::stallOnSources(const Op* op, Cycles at, std::uint64_t& slotRoom) {
  // In the order of priority: while a cause is present it owns the cycle.
  for (const StallCause cause : {StallCause::RawScalar, StallCause::RawVector, StallCause::Bank, StallCause::Memory,
                                 StallCause::Token, StallCause::Barrier, StallCause::Launch}) {
    for (const std::uint8_t source : {op->rs1, op->rs2, op->rs3}) {
      const std::uint64_t entry = ready[source];
      if ((entry & 15) == static_cast<std::uint64_t>(cause)) at = stallUntil(entry >> 4, cause, at, slotRoom);
    }
  }
  return at;
}

std::uint64_t HartContext::loadReady(std::uint64_t address, std::uint32_t bytes, AccessKind kind, Cycles at) {
  const AccessTime time = environment->access(id, address, bytes, kind, clock.toReference(at));
  const Cycles done = std::max(clock.toHart(time.ready), at + 1);
  accessesDone = std::max(accessesDone, done);
  return done << 4 | static_cast<std::uint64_t>(time.cause);
}

void HartContext::storeTime(std::uint64_t address, std::uint32_t bytes, Cycles at) {
  const AccessTime time = environment->access(id, address, bytes, AccessKind::Store, clock.toReference(at));
  storeAccepted = clock.toHart(time.ready);
  storeCause = time.cause;
  accessesDone = std::max(accessesDone, storeAccepted);
}

}  // namespace forerun::sim::core
