//===- MatrixEngine.cpp - the matrix engine of a core -------------------------===//
// Every command books its rows when it starts; later commands start when loader, array or drain are free again.
#include "simulator/matrix/MatrixEngine.h"

#include "simulator/kernel/Error.h"

#include <algorithm>

namespace forerun::sim::matrix {

using engine::EngineCause;

MatrixEngine::MatrixEngine(const targets::TargetSpec& target, const targets::EngineSpec& spec, std::string name,
                           engine::EngineHost& host, std::uint32_t firstQueue, const EngineMemory& memory,
                           BankedMemoryTiming* scratch, BankedMemoryTiming* accumulator, HostWork* hostWork)
    : Engine(target, spec, std::move(name), host, firstQueue),
      matrix_(target.matrix),
      scratchSpec_(target.scratch),
      accumulatorSpec_(target.acc),
      memory_(memory),
      function_(target.matrix, memory),
      scratch_(scratch),
      accumulator_(accumulator),
      hostWork_(hostWork) {}

void MatrixEngine::count(const Command& command, const MatrixWork& work) {
  if (command.kind == CommandKind::MatrixRun && work.macs) {
    const Rate rate = rateOf(matrix_, work.a, work.b);
    totals_.macs += work.macs;
    totals_.peakMacCycles += static_cast<double>(work.macs) * rate.denominator /
                             (static_cast<double>(matrix_.rows) * matrix_.cols * rate.numerator);
  }
}

std::uint64_t MatrixEngine::executeNow(const Command& command) {
  const MatrixWork work = function_.execute(command);
  count(command, work);
  return work.writtenBytes;
}

void MatrixEngine::complete(const engine::QueuedCommand& command) {
  if (hostWork_) hostWork_->wait(command.arithmetic);
}

Cycles MatrixEngine::availableAt(const engine::QueuedCommand& queued, Cycles now) {
  switch (queued.command.kind) {
    case CommandKind::MatrixLoad:
      return std::max({now, loaderFree_, matrix_.weightBuffers > 1 ? bufferFree_ : arrayFree_});
    case CommandKind::MatrixRun:
      return std::max({now, arrayFree_, queued.command.swapWeights ? loadedAt_ : 0});
    default:
      return std::max(now, storeFree_);
  }
}

bool MatrixEngine::mayOverlap(const engine::QueuedCommand& older, const engine::QueuedCommand& younger) const {
  // Runs pass through the array in order: row i of the younger reaches an accumulator after row i of the older if they
  // write the same rows.
  if (older.command.kind != CommandKind::MatrixRun || younger.command.kind != CommandKind::MatrixRun) return false;
  const Descriptor &a = older.command.first, &b = younger.command.first;
  return a.base == b.base && a.extent == b.extent && a.stride == b.stride;
}

std::uint64_t MatrixEngine::scratchOffset(std::uint64_t address) const {
  return memory_.canonical(address) - (kRemoteScratchBase + memory_.core() * kRemoteScratchStride);
}

void MatrixEngine::start(engine::QueuedCommand& queued, Cycles now) {
  const Command& command = queued.command;
  HostWork::Work arithmetic;
  const MatrixWork work = function_.begin(command, arithmetic);
  if (arithmetic && hostWork_)
    queued.arithmetic = hostWork_->add(std::move(arithmetic));
  else if (arithmetic)
    arithmetic();
  count(command, work);
  switch (command.kind) {
    case CommandKind::MatrixLoad:
      queued.finish = startLoad(command, work, queued.order, now);
      break;
    case CommandKind::MatrixRun:
      queued.finish = startRun(command, work, queued.order, now);
      break;
    default:
      queued.finish = startStore(command, work, queued.order, now);
      break;
  }
  queued.creditBytes = work.writtenBytes;
}

namespace {

/// Walks rows that want to go at a steady pace and slip when a bank or port is late.
struct RowStream {
  BankedMemoryTiming& memory;
  bool writes;
  std::uint64_t rowBytes;
  Cycles slip = 0, last = 0;

  /// Books row at `offset` for cycle `want` plus what was lost so far.
  Cycles row(std::uint64_t offset, Cycles want) {
    const Cycles at = want + slip;
    const BankedMemoryTiming::Access access =
        writes ? memory.write(offset, rowBytes, at) : memory.read(offset, rowBytes, at);
    if (access.first > at) slip += access.first - at;
    last = std::max(last, access.last);
    return access.first;
  }
};

/// floor(i * numerator / denominator) for i = 0, 1, 2...
class EvenSteps {
 public:
  EvenSteps(std::uint64_t numerator, std::uint64_t denominator)
      : whole_(numerator / denominator), rest_(numerator % denominator), denominator_(denominator) {}
  std::uint64_t operator*() const { return value_; }
  void operator++() {
    value_ += whole_;
    carry_ += rest_;
    if (carry_ < denominator_) return;
    carry_ -= denominator_;
    ++value_;
  }

 private:
  std::uint64_t whole_, rest_, denominator_, value_ = 0, carry_ = 0;
};

/// Bytes that a row of `columns` elements occupies in banks: strided elements take a bank word each.
std::uint64_t rowFootprint(const Descriptor& d, std::uint32_t columns, const targets::BankedMemorySpec& spec) {
  const std::uint64_t bytes = isa::storageBytes(d.type);
  if (d.stride[0] == static_cast<std::int64_t>(bytes)) return columns * bytes;
  return columns * std::max<std::uint64_t>(bytes, spec.bankWidthBytes);
}

/// Strides above the penalty halve the bandwidth of a port.
std::uint64_t portBytes(const Descriptor& d, std::uint32_t columns, const targets::BankedMemorySpec& spec) {
  const std::uint64_t stride = static_cast<std::uint64_t>(d.stride[0] < 0 ? -d.stride[0] : d.stride[0]);
  const std::uint64_t bytes = std::uint64_t{columns} * isa::storageBytes(d.type);
  return spec.stridePenaltyBytes && stride > spec.stridePenaltyBytes && columns > 1 ? bytes * 2 : bytes;
}

}  // namespace

Cycles MatrixEngine::startLoad(const Command& command, const MatrixWork& work, std::uint64_t order, Cycles now) {
  const Descriptor& b = command.first;
  // Rows as stored; the loader takes loadRowsPerCycle rows of the array a cycle.
  const std::uint32_t storedRows = command.transpose ? work.columns : work.rows,
                      storedColumns = command.transpose ? work.rows : work.columns;
  const Cycles loadEngineCycles = loadCycles(matrix_, work.rows);
  RowStream stream{*scratch_, false, rowFootprint(b, storedColumns, scratchSpec_), 0, now};
  const std::uint64_t port = portBytes(b, storedColumns, scratchSpec_);
  const std::uint32_t readBytes = std::max<std::uint32_t>(spec_.readBytesPerCycle, 1);
  const std::uint64_t base = scratchOffset(b.base);
  EvenSteps byLoader(loadEngineCycles, std::max<std::uint32_t>(storedRows, 1)), byPort(port, readBytes);
  for (std::uint32_t row = 0; row < storedRows; ++row, ++byLoader, ++byPort)
    stream.row(base + static_cast<std::uint64_t>(row * b.stride[1]),
               now + clock_.toReference(std::max(*byLoader, *byPort)));
  const Cycles nominal = now + clock_.toReference(std::max(loadEngineCycles, ceilDivide(storedRows * port, readBytes)));
  loaderFree_ = std::max(nominal + stream.slip, storedRows ? stream.last + 1 : now);
  loadedAt_ = loaderFree_;
  timeline_.add(EngineCause::Fill, now, loaderFree_, order);
  return loaderFree_;
}

Cycles MatrixEngine::startRun(const Command& command, const MatrixWork& work, std::uint64_t order, Cycles now) {
  const Descriptor &a = command.second, &acc = command.first;
  const Rate rate = rateOf(matrix_, work.a, work.b);
  const RunCycles cycles = runCycles(matrix_, rate, work.rows, work.depth);
  const Cycles busy = clock_.toReference(cycles.busy), occupancy = clock_.toReference(cycles.occupancy),
               drain = clock_.toReference(cycles.drain);
  if (command.swapWeights) bufferFree_ = now;

  const std::uint64_t port = portBytes(a, work.depth, scratchSpec_);
  const std::uint32_t readBytes = std::max<std::uint32_t>(spec_.readBytesPerCycle, 1);
  RowStream in{*scratch_, false, rowFootprint(a, work.depth, scratchSpec_), 0, now};
  RowStream out{*accumulator_, true, rowFootprint(acc, work.columns, accumulatorSpec_), 0, now};
  const std::uint64_t aBase = scratchOffset(a.base), accBase = acc.base - kAccumulatorBase;
  EvenSteps byArray(cycles.occupancy, std::max<std::uint32_t>(std::max(work.rows, matrix_.minRows), 1)),
      byPort(port, readBytes);
  for (std::uint32_t row = 0; row < work.rows; ++row, ++byArray, ++byPort) {
    const Cycles want = now + clock_.toReference(std::max(*byArray, *byPort));
    const Cycles taken = in.row(aBase + static_cast<std::uint64_t>(row * a.stride[1]), want + out.slip);
    out.row(accBase + static_cast<std::uint64_t>(row * acc.stride[1]), taken - out.slip + drain);
  }
  const Cycles byPortAll = clock_.toReference(ceilDivide(work.rows * port, readBytes));
  const Cycles portSlip = byPortAll > occupancy ? byPortAll - occupancy : 0;
  arrayFree_ = now + occupancy + portSlip + in.slip + out.slip;
  Cycles at = now;
  auto segment = [&](EngineCause cause, Cycles length) {
    timeline_.add(cause, at, at + length, order);
    at += length;
  };
  segment(EngineCause::Busy, busy);
  segment(EngineCause::Operand, in.slip + portSlip);
  segment(EngineCause::Output, out.slip);
  segment(EngineCause::Fill, occupancy - busy);
  segment(EngineCause::Drain, drain);
  return std::max(arrayFree_ + drain, work.rows ? out.last + 1 : now);
}

Cycles MatrixEngine::startStore(const Command& command, const MatrixWork& work, std::uint64_t order, Cycles now) {
  const Descriptor &acc = command.first, &dst = command.second;
  RowStream in{*accumulator_, false, rowFootprint(acc, work.columns, accumulatorSpec_), 0, now};
  RowStream out{*scratch_, true, rowFootprint(dst, work.columns, scratchSpec_), 0, now};
  const std::uint64_t port = portBytes(dst, work.columns, scratchSpec_);
  const std::uint32_t writeBytes = std::max<std::uint32_t>(spec_.writeBytesPerCycle, 1);
  const std::uint64_t dstBase = scratchOffset(dst.base), accBase = acc.base - kAccumulatorBase;
  EvenSteps byPort(port, writeBytes);
  for (std::uint32_t row = 0; row < work.rows; ++row, ++byPort) {
    const Cycles want = now + clock_.toReference(std::max<Cycles>(row, *byPort));
    const Cycles taken = in.row(accBase + static_cast<std::uint64_t>(row * acc.stride[1]), want + out.slip);
    out.row(dstBase + static_cast<std::uint64_t>(row * dst.stride[1]),
            taken - out.slip + accumulator_->latencyCycles());
  }
  const Cycles nominal =
      now + clock_.toReference(std::max<Cycles>(work.rows, ceilDivide(work.rows * port, writeBytes)));
  storeFree_ = nominal + in.slip + out.slip;
  const Cycles finish = std::max(storeFree_, work.rows ? out.last + 1 : now);
  timeline_.add(EngineCause::Drain, now, finish, order);
  return finish;
}

}  // namespace forerun::sim::matrix
