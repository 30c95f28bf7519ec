//===- MatrixFunction.cpp - what the matrix unit computes -------------------===//
// What a command may do, and the piece of arithmetic that does it.
#include "simulator/matrix/MatrixFunction.h"

#include "simulator/kernel/Error.h"

#include <algorithm>
#include <string>

namespace forerun::sim::matrix {

namespace {

using isa::ElementType;

[[noreturn]] void illegal(const std::string& message) { throw Error(ErrorKind::IllegalProgram, message); }

void requireMatrix(const Descriptor& d, const char* role) {
  checkShape(d, role);
  if (d.extent[2] != 1 || d.extent[3] != 1)
    illegal(std::string(role) + " must be a matrix: extent2 and extent3 must be 1");
}

bool isMatrixFloat(ElementType type) {
  return type == ElementType::F16 || type == ElementType::BF16 || type == ElementType::F32 ||
         type == ElementType::F8E4M3FN || type == ElementType::F8E5M2;
}

IndexRange clamp(IndexRange r, IndexRange to) { return {std::max(r.begin, to.begin), std::min(r.end, to.end)}; }

}  // namespace

MatrixFunction::MatrixFunction(const targets::MatrixSpec& spec, const EngineMemory& memory, KernelPath path)
    : spec_(spec),
      memory_(memory),
      buffers_(std::max<std::uint32_t>(spec.weightBuffers, 1)),
      arithmetic_(static_cast<std::uint32_t>(buffers_.size()), path) {}

void MatrixFunction::requireRate(ElementType type, const char* role) const {
  for (const targets::TypeRate& rate : spec_.typeRate)
    if (rate.type == isa::name(type)) return;
  throw Error(ErrorKind::UnsupportedFeature, std::string(role) + " has element type " + std::string(isa::name(type)) +
                                                 ", for which the matrix unit of this target has no typeRate");
}

MatrixWork MatrixFunction::begin(const Command& command, HostWork::Work& arithmetic) {
  switch (command.kind) {
    case CommandKind::MatrixLoad:
      return load(command, arithmetic);
    case CommandKind::MatrixRun:
      return run(command, arithmetic);
    case CommandKind::MatrixStore:
      return store(command, arithmetic);
    default:
      throw Error(ErrorKind::ModelBug, "a command that is not the matrix unit's reached it");
  }
}

MatrixWork MatrixFunction::execute(const Command& command) {
  HostWork::Work arithmetic;
  const MatrixWork work = begin(command, arithmetic);
  if (arithmetic) arithmetic();
  return work;
}

MatrixWork MatrixFunction::load(const Command& command, HostWork::Work& arithmetic) {
  // B as stored: K x N, or N x K with `transpose`. From here on `b` is seen as K x N.
  Descriptor b = command.first;
  requireMatrix(b, "xmm.load dB");
  if (command.transpose) {
    std::swap(b.extent[0], b.extent[1]);
    std::swap(b.stride[0], b.stride[1]);
    std::swap(b.low[0], b.low[1]);
    std::swap(b.high[0], b.high[1]);
  }
  if (b.extent[1] > spec_.rows || b.extent[0] > spec_.cols)
    illegal("xmm.load dB is " + std::to_string(b.extent[1]) + " x " + std::to_string(b.extent[0]) +
            "; the array holds " + std::to_string(spec_.rows) + " x " + std::to_string(spec_.cols));
  if (!isMatrixFloat(b.type) && b.type != ElementType::I8)
    illegal("xmm.load dB has element type " + std::string(isa::name(b.type)) + ", which matrix units do not multiply");
  requireRate(b.type, "xmm.load dB");

  std::array<IndexRange, 4> valid = validRange(b);
  StridedBox box = boxOf(b, valid, "xmm.load dB");
  HostBox host = memory_.resolve(box, Region::Scratch, "xmm.load dB");
  memory_.requireInitialised(box, host, "xmm.load dB");

  last_ = static_cast<std::uint32_t>((active_ + 1) % buffers_.size());
  WeightShape& w = buffers_[last_].emplace(b.type, static_cast<std::uint32_t>(b.extent[1]),
                                           static_cast<std::uint32_t>(b.extent[0]), valid[1], valid[0]);
  if (box.empty()) w.kValid = w.nValid = {0, 0};
  const bool byColumns = command.transpose && b.stride[0] != static_cast<std::int64_t>(isa::storageBytes(b.type));
  arithmetic = [this, work = LoadArithmetic{last_, w, {b, host}, byColumns}] { arithmetic_.load(work); };

  MatrixWork work;
  work.rows = w.k;
  work.columns = w.n;
  work.a = work.b = b.type;
  return work;
}

MatrixWork MatrixFunction::run(const Command& command, HostWork::Work& arithmetic) {
  const Descriptor& a = command.second;
  const Descriptor& acc = command.first;
  requireMatrix(a, "xmm.run dA");
  requireMatrix(acc, "xmm.run dAcc");
  if (command.swapWeights) active_ = last_;
  const std::optional<WeightShape>& weights = buffers_[active_];
  if (!weights) illegal("xmm.run before any weights are active: xmm.load them and run with swap");
  const WeightShape& w = *weights;
  const bool integer = w.type == ElementType::I8;
  if (integer ? a.type != ElementType::I8 : !isMatrixFloat(a.type))
    illegal("xmm.run dA has element type " + std::string(isa::name(a.type)) + ", the loaded weights are " +
            std::string(isa::name(w.type)));
  requireRate(a.type, "xmm.run dA");
  const ElementType accType = integer ? ElementType::I32 : ElementType::F32;
  if (acc.type != accType)
    illegal("xmm.run dAcc has element type " + std::string(isa::name(acc.type)) + "; these operands accumulate in " +
            std::string(isa::name(accType)));
  if (a.extent[0] != w.k)
    illegal("xmm.run dA has K = " + std::to_string(a.extent[0]) +
            ", the loaded weights have K = " + std::to_string(w.k));
  if (acc.extent[0] != w.n)
    illegal("xmm.run dAcc has N = " + std::to_string(acc.extent[0]) +
            ", the loaded weights have N = " + std::to_string(w.n));
  if (acc.extent[1] != a.extent[1])
    illegal("xmm.run dAcc has M = " + std::to_string(acc.extent[1]) + ", dA has M = " + std::to_string(a.extent[1]));

  const std::array<IndexRange, 4> aValid = validRange(a), accValid = validRange(acc);
  const StridedBox aBox = boxOf(a, aValid, "xmm.run dA"), accBox = boxOf(acc, accValid, "xmm.run dAcc");
  const HostBox aHost = memory_.resolve(aBox, Region::Scratch, "xmm.run dA"),
                accHost = memory_.resolve(accBox, Region::Accumulator, "xmm.run dAcc");
  memory_.requireInitialised(aBox, aHost, "xmm.run dA");
  if (command.accumulate) memory_.requireInitialised(accBox, accHost, "xmm.run dAcc with accumulate");

  MatrixWork work;
  work.rows = static_cast<std::uint32_t>(a.extent[1]);
  work.columns = w.n;
  work.depth = w.k;
  work.a = a.type;
  work.b = w.type;
  if (accBox.empty()) return work;

  // Products exist where both operands do; everything else of acc keeps its start value.
  IndexRange k = clamp(aValid[0], w.kValid), n = clamp(accValid[0], w.nValid), m = clamp(accValid[1], aValid[1]);
  if (aBox.empty() || k.size() == 0 || n.size() == 0) m = {m.begin, m.begin};
  if (!command.accumulate) memory_.markInitialised(accBox, accHost);
  work.macs = static_cast<std::uint64_t>(m.size()) * static_cast<std::uint64_t>(n.size()) *
              static_cast<std::uint64_t>(k.size());
  arithmetic = [this,
                product = RunArithmetic{
                    active_, w, {a, aHost}, {acc, accHost}, accValid[0], accValid[1], m, n, k, command.accumulate}] {
    arithmetic_.run(product);
  };
  return work;
}

MatrixWork MatrixFunction::store(const Command& command, HostWork::Work& arithmetic) {
  const Descriptor& acc = command.first;
  const Descriptor& dst = command.second;
  requireMatrix(acc, "xmm.store dAcc");
  requireMatrix(dst, "xmm.store dDst");
  if (acc.type != ElementType::F32 && acc.type != ElementType::I32)
    illegal("xmm.store dAcc has element type " + std::string(isa::name(acc.type)) + "; accumulators are f32 or i32");
  if (isa::isPacked(dst.type))
    illegal("xmm.store dDst has element type " + std::string(isa::name(dst.type)) +
            "; matrix units write whole bytes, xdma.copy converts to it");
  if (acc.extent != dst.extent)
    illegal("xmm.store dAcc is " + std::to_string(acc.extent[1]) + " x " + std::to_string(acc.extent[0]) +
            ", dDst is " + std::to_string(dst.extent[1]) + " x " + std::to_string(dst.extent[0]));
  const std::array<IndexRange, 4> accValid = validRange(acc), dstValid = validRange(dst);
  std::array<IndexRange, 4> read = accValid;
  for (unsigned d = 0; d < 2; ++d) read[d] = clamp(accValid[d], dstValid[d]);
  const StridedBox accBox = boxOf(acc, read, "xmm.store dAcc"), dstBox = boxOf(dst, dstValid, "xmm.store dDst");
  const HostBox accHost = memory_.resolve(accBox, Region::Accumulator, "xmm.store dAcc"),
                dstHost = memory_.resolve(dstBox, Region::Scratch, "xmm.store dDst");
  memory_.requireInitialised(accBox, accHost, "xmm.store dAcc");

  MatrixWork work;
  work.rows = static_cast<std::uint32_t>(dst.extent[1]);
  work.columns = static_cast<std::uint32_t>(dst.extent[0]);
  work.a = acc.type;
  work.b = dst.type;
  if (dstBox.empty()) return work;
  work.writtenBytes = static_cast<std::uint64_t>(dstValid[0].size()) * static_cast<std::uint64_t>(dstValid[1].size()) *
                      isa::storageBytes(dst.type);

  if (accBox.empty()) read[1] = {0, 0};
  arithmetic = [drain = StoreArithmetic{{acc, accHost}, {dst, dstHost}, read[0], read[1], dstValid[0], dstValid[1]}] {
    MatrixArithmetic::store(drain);
  };
  memory_.markInitialised(dstBox, dstHost);
  return work;
}

}  // namespace forerun::sim::matrix
