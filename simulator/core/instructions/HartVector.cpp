//===- HartVector.cpp - vector instructions in the hart ---------------------===//
// What a vector instruction does is in Vector.h; here is when it may start and when its results are there.
#include "simulator/core/instructions/HartVector.h"

#include "simulator/core/CodeCache.h"
#include "simulator/core/instructions/Execute.h"
#include "simulator/core/instructions/Vector.h"
#include "simulator/kernel/Error.h"

namespace forerun::sim::core {
namespace {

using timing::VectorReady;

bool isMemory(const DecodedVector& d) { return d.kind == VectorKind::Load || d.kind == VectorKind::Store; }
/// Operations that need whole sources before they yield anything.
bool chains(VectorKind kind) {
  return kind != VectorKind::Permute && kind != VectorKind::Reduce && kind != VectorKind::ReduceOrdered;
}

std::uint32_t latencyOf(VectorKind kind, const targets::HartLatencies& l) {
  switch (kind) {
    case VectorKind::Config:
      return l.vectorSet;
    case VectorKind::IntMul:
    case VectorKind::FpEstimate:
      return l.vectorMul;
    case VectorKind::IntDiv:
    case VectorKind::FpDiv:
      return l.vectorDivPerElement;
    case VectorKind::FpAdd:
    case VectorKind::FpMul:
    case VectorKind::FpFma:
    case VectorKind::Convert:
      return l.vectorFma;
    case VectorKind::Reduce:
    case VectorKind::ReduceOrdered:
      return l.vectorReduce;
    case VectorKind::Permute:
      return l.vectorPermute;
    default:
      return l.vectorAlu;
  }
}

struct Span {
  unsigned first = 0, count = 0;
};
Span spanOf(const VectorGroup& group, std::uint64_t vtype) {
  return {group.first, group.used() ? group.registerCount(vtype) : 0};
}

/// The vector registers an instruction reads.
struct Sources {
  Span spans[4];
};
Sources sourcesOf(const DecodedVector& d, std::uint64_t vtype) {
  Sources s;
  s.spans[0] = spanOf(d.vs1, vtype);
  s.spans[1] = spanOf(d.vs2, vtype);
  if (d.readsDestination || !d.writesVector) s.spans[2] = spanOf(d.vd, vtype);
  if (d.readsV0) s.spans[3] = {0, 1};
  return s;
}

template <class Visit>
void forEachRegister(const Sources& sources, Visit visit) {
  for (const Span& span : sources.spans)
    for (unsigned i = 0; i < span.count; ++i) visit((span.first + i) % 32);
}

/// Waits for the vector sources, then for the unit; in the order of the stall priorities.
Cycles stallOnVector(HartContext& hart, const DecodedVector& d, const Sources& sources, Cycles now,
                     std::uint64_t& room) {
  const bool chained = chains(d.kind);
  now = hart.stallUntil(hart.vectorConfigReady, StallCause::RawVector, now, room);
  for (const StallCause cause : {StallCause::RawVector, StallCause::Structural, StallCause::Bank, StallCause::Memory}) {
    if (cause == StallCause::Structural) {
      const Cycles unit = d.kind == VectorKind::Load    ? hart.vectorLoadFree
                          : d.kind == VectorKind::Store ? hart.vectorStoreFree
                                                        : hart.vectorUnitFree;
      now = hart.stallUntil(unit, cause, now, room);
      continue;
    }
    forEachRegister(sources, [&](unsigned reg) {
      if (hart.vectorCause[reg] != cause) return;
      const VectorReady ready = hart.vectorReady[reg];
      now = hart.stallUntil(chained ? timing::chainStart(ready) : ready.last, cause, now, room);
    });
  }
  if (d.kind == VectorKind::Store) now = hart.stallUntil(hart.storeAccepted, hart.storeCause, now, room);
  return now;
}

std::uint64_t elementsOf(const HartContext& hart, const VectorGroup& group, std::uint64_t vl, std::uint64_t vtype) {
  if (!group.used()) return 0;
  if (group.width == VectorWidth::Scalar) return 1;
  if (group.width != VectorWidth::Whole) return vl;
  return static_cast<std::uint64_t>(group.registers) * hart.vector.vlenBits / std::max(1u, group.elementBits(vtype));
}

void publish(HartContext& hart, const DecodedVector& d, const Op* op, Span destination, VectorReady ready,
             StallCause cause) {
  for (unsigned i = 0; i < destination.count; ++i) {
    hart.vectorReady[(destination.first + i) % 32] = ready;
    hart.vectorCause[(destination.first + i) % 32] = cause;
  }
  if (op->rd != kSink) hart.ready[op->rd] = ready.last << 4 | static_cast<std::uint64_t>(cause);
}

void arithmeticTime(HartContext& hart, const DecodedVector& d, const Op* op, const Sources& sources, std::uint64_t vl,
                    std::uint64_t vtype, Cycles now) {
  const std::uint32_t datapath = hart.team.datapathBits;
  const targets::HartLatencies& l = hart.team.latencies;
  unsigned widest = 1;
  for (const VectorGroup* group : {&d.vd, &d.vs1, &d.vs2})
    if (group->used()) widest = std::max(widest, group->elementBits(vtype));
  const std::uint64_t elements = std::max(
      {elementsOf(hart, d.vd, vl, vtype), elementsOf(hart, d.vs1, vl, vtype), elementsOf(hart, d.vs2, vl, vtype)});
  Cycles latency = latencyOf(d.kind, l);
  Cycles occupancy = timing::vectorOccupancy(elements, widest, datapath);
  switch (d.kind) {
    case VectorKind::IntDiv:
    case VectorKind::FpDiv:
      occupancy = timing::vectorDivideOccupancy(elements, widest, datapath, l.vectorDivPerElement);
      break;
    case VectorKind::ReduceOrdered:
      occupancy = std::max<Cycles>(1, elements * l.fpAdd);
      break;
    case VectorKind::Reduce:
    case VectorKind::Permute:
      latency += timing::crossLaneLatency(widest, datapath, hart.team.crossLaneCycles);
      break;
    default:
      break;
  }
  Cycles last = 0;
  forEachRegister(sources, [&](unsigned reg) { last = std::max(last, hart.vectorReady[reg].last); });
  VectorReady ready = timing::vectorResult(now, latency, occupancy, last);
  if (!chains(d.kind) && d.kind != VectorKind::Permute)
    ready.first = ready.last;  // a reduction has one result, at the end
  hart.vectorUnitFree = now + occupancy;
  publish(hart, d, op, d.writesVector ? spanOf(d.vd, vtype) : Span{}, ready, StallCause::RawVector);
}

void memoryTime(HartContext& hart, const DecodedVector& d, const Op* op, const Sources& sources, Span destination,
                Cycles now) {
  const bool contiguous = d.access != VectorAccess::Strided && d.access != VectorAccess::Indexed;
  const bool load = d.kind == VectorKind::Load;
  Cycles sourcesLast = 0;
  if (!load)
    forEachRegister(sources, [&](unsigned reg) { sourcesLast = std::max(sourcesLast, hart.vectorReady[reg].last); });
  VectorReady ready{now + 1, now + 1};
  StallCause cause = StallCause::Memory;
  Cycles slot = now;  // cycle in which the next piece goes out
  bool first = true;
  for (const MemoryRun& run : hart.runs) {
    const bool coupled = hart.memory.find(run.address, 1).tightlyCoupled;
    // A strided or indexed access goes out an element a cycle even where elements happen to touch.
    const std::uint64_t elements =
        std::max<std::uint64_t>(1, run.bytes / std::max(1u, d.vd.elementBits(hart.vector.vtype) / 8));
    const Cycles occupancy = timing::vectorMemoryOccupancy(elements, run.bytes, contiguous, hart.team.datapathBits);
    Cycles done = slot + hart.team.privateCycles;
    if (!coupled) {
      const AccessTime time = hart.environment->access(
          hart.id, run.address, run.bytes, load ? AccessKind::Load : AccessKind::Store, hart.clock.toReference(slot));
      done = std::max(hart.clock.toHart(time.ready), slot + 1);
      if (done >= ready.last) cause = time.cause;
    }
    if (coupled) done += occupancy - 1;
    if (first) ready.first = timing::firstGroup(slot, done, contiguous ? occupancy : 1);
    ready.last = std::max(ready.last, done);
    slot += occupancy;
    first = false;
  }
  hart.accessesDone = std::max(hart.accessesDone, ready.last);
  if (load) {
    hart.vectorLoadFree = std::max(slot, now + 1);
    publish(hart, d, op, destination, ready, cause);
    return;
  }
  hart.vectorStoreFree = std::max({slot, now + 1, sourcesLast});
  bool outside = false;
  for (const MemoryRun& run : hart.runs) outside |= !hart.memory.find(run.address, 1).tightlyCoupled;
  if (outside) {
    hart.storeAccepted = ready.last;
    hart.storeCause = cause;
  }
}

[[gnu::noinline]] void run(HartContext& hart, const Op* op, bool timed, Cycles now) {
  const auto& d = *static_cast<const DecodedVector*>(op->detail);
  hart.runs.clear();
  // vl and vtype as the instruction sees them, before a fault-only-first load or vsetvl changes them.
  const std::uint64_t vl = hart.vector.vl, vtype = hart.vector.vtype;
  if (op->rounding && sewBits(vtype) == op->rounding && !(vtype & kVtypeIllegal))
    throw Error(ErrorKind::UnsupportedFeature,
                "f16 vector instruction on team '" + hart.team.name + "', which lacks feature zvfh");
  VectorContext context{
      hart.vector, hart.x(), hart.f(), hart.memory, hart.frm, hart.fflags, timed && isMemory(d) ? &hart.runs : nullptr};
  execute(context, d);
  if (!timed) return;
  if (d.kind == VectorKind::Config) {
    hart.ready[op->rd] = (now << 4) + op->latency;
    hart.vectorConfigReady = now + (op->latency >> 4);
    return;
  }
  const Sources sources = sourcesOf(d, vtype);
  if (isMemory(d))
    memoryTime(hart, d, op, sources, d.writesVector ? spanOf(d.vd, vtype) : Span{}, now);
  else
    arithmeticTime(hart, d, op, sources, vl, vtype, now);
}

template <class Mode>
void vectorOp(FORERUN_HANDLER_PARAMETERS) {
  if constexpr (Mode::timed) {
    const auto& d = *static_cast<const DecodedVector*>(op->detail);
    now = hart.stallOnSources(op, now, room);
    if (d.kind != VectorKind::Config && !(d.needsVtype && (hart.vector.vtype & kVtypeIllegal)))
      now = stallOnVector(hart, d, sourcesOf(d, hart.vector.vtype), now, room);
  }
  FORERUN_ISSUE(Mode, 3);
  mark<Mode>(hart, op, now, room, busy);
  run(hart, op, Mode::timed, now);
  unmark<Mode>(hart, op);
  FORERUN_TAIL_CALL(op + 1);
}

}  // namespace

void fillVectorOp(const DecodedVector& decoded, const targets::TeamSpec& team, HartMode mode, Op& op) {
  op.handler = mode == HartMode::Timed ? vectorOp<Timed> : vectorOp<Functional>;
  op.detail = &decoded;
  op.rs1 = decoded.xRead1 > 0 ? static_cast<std::uint8_t>(decoded.xRead1) : 0;
  op.rs2 = decoded.xRead2 > 0 ? static_cast<std::uint8_t>(decoded.xRead2) : 0;
  op.rs3 = decoded.fRead >= 0 ? static_cast<std::uint8_t>(kFloatBase + decoded.fRead) : 0;
  op.rd = decoded.xWritten > 0    ? static_cast<std::uint8_t>(decoded.xWritten)
          : decoded.fWritten >= 0 ? static_cast<std::uint8_t>(kFloatBase + decoded.fWritten)
                                  : kSink;
  op.slots = timing::slotsOf(decoded.kind == VectorKind::Load     ? timing::Slot::Load
                             : decoded.kind == VectorKind::Store  ? timing::Slot::Store
                             : decoded.kind == VectorKind::Config ? timing::Slot::Scalar
                                                                  : timing::Slot::Vector);
  op.latency = latencyOf(decoded.kind, team.latencies) << 4 | static_cast<std::uint32_t>(StallCause::RawScalar);
}

}  // namespace forerun::sim::core
