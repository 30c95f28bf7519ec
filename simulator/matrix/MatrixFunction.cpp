//===- MatrixFunction.cpp - what the matrix unit computes -------------------===//
// Weights become f32 panels once a load; a run converts its rows once and multiplies whole panels.
#include "simulator/matrix/MatrixFunction.h"

#include "simulator/kernel/Error.h"

#include <algorithm>
#include <cstring>
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

std::uint64_t addressOf(const Descriptor& d, std::int64_t column, std::int64_t row) {
  return d.base + static_cast<std::uint64_t>(column * d.stride[0]) + static_cast<std::uint64_t>(row * d.stride[1]);
}

std::uint32_t panelsOf(std::uint32_t columns) { return (columns + kPanel - 1) / kPanel; }

}  // namespace

MatrixFunction::MatrixFunction(const targets::MatrixSpec& spec, const EngineMemory& memory, KernelPath path)
    : spec_(spec), memory_(memory), path_(path), buffers_(std::max<std::uint32_t>(spec.weightBuffers, 1)) {}

void MatrixFunction::requireRate(ElementType type, const char* role) const {
  for (const targets::TypeRate& rate : spec_.typeRate)
    if (rate.type == isa::name(type)) return;
  throw Error(ErrorKind::UnsupportedFeature, std::string(role) + " has element type " + std::string(isa::name(type)) +
                                                 ", for which the matrix unit of this target has no typeRate");
}

MatrixWork MatrixFunction::execute(const Command& command) {
  switch (command.kind) {
    case CommandKind::MatrixLoad:
      return load(command);
    case CommandKind::MatrixRun:
      return run(command);
    case CommandKind::MatrixStore:
      return store(command);
    default:
      throw Error(ErrorKind::ModelBug, "a command that is not the matrix unit's reached it");
  }
}

MatrixWork MatrixFunction::load(const Command& command) {
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
  Weights& w = buffers_[last_];
  w.loaded = true;
  w.type = b.type;
  w.k = static_cast<std::uint32_t>(b.extent[1]);
  w.n = static_cast<std::uint32_t>(b.extent[0]);
  w.kValid = valid[1];
  w.nValid = valid[0];
  if (box.empty()) w.kValid = w.nValid = {0, 0};

  const std::uint32_t panels = panelsOf(w.n);
  const unsigned bytes = isa::storageBytes(b.type);
  if (b.type == ElementType::I8) {
    const std::uint32_t pairs = (w.k + 1) / 2;
    w.pairs.assign(std::size_t{panels} * pairs * 2 * kPanel, 0);
    for (std::int64_t k = w.kValid.begin; k < w.kValid.end; ++k)
      for (std::int64_t n = w.nValid.begin; n < w.nValid.end; ++n)
        w.pairs[(((n / kPanel) * pairs + k / 2) * kPanel + n % kPanel) * 2 + k % 2] =
            static_cast<std::int8_t>(*host.at(addressOf(b, n, k)));
  } else {
    const bool whole =
        w.kValid.size() == w.k && static_cast<std::size_t>(w.nValid.size()) == std::size_t{panels} * kPanel;
    w.floats.resize(std::size_t{panels} * w.k * kPanel);
    if (!whole) std::fill(w.floats.begin(), w.floats.end(), 0.0f);
    // Walk the direction in which elements are neighbours, so that conversion is by rows.
    if (b.stride[0] == bytes || !command.transpose) {
      for (std::int64_t k = w.kValid.begin; k < w.kValid.end; ++k)
        for (std::int64_t n = w.nValid.begin; n < w.nValid.end;) {
          std::int64_t until = std::min<std::int64_t>(w.nValid.end, (n / kPanel + 1) * kPanel);
          isa::convertElements(b.type, host.at(addressOf(b, n, k)), b.stride[0], ElementType::F32,
                               &w.floats[((n / kPanel) * w.k + k) * kPanel + n % kPanel], sizeof(float),
                               static_cast<std::size_t>(until - n));
          n = until;
        }
    } else {
      for (std::int64_t n = w.nValid.begin; n < w.nValid.end; ++n)
        isa::convertElements(b.type, host.at(addressOf(b, n, w.kValid.begin)), b.stride[1], ElementType::F32,
                             &w.floats[((n / kPanel) * w.k + w.kValid.begin) * kPanel + n % kPanel],
                             kPanel * sizeof(float), static_cast<std::size_t>(w.kValid.size()));
    }
  }
  MatrixWork work;
  work.rows = w.k;
  work.columns = w.n;
  work.a = work.b = b.type;
  return work;
}

MatrixWork MatrixFunction::run(const Command& command) {
  const Descriptor& a = command.second;
  const Descriptor& acc = command.first;
  requireMatrix(a, "xmm.run dA");
  requireMatrix(acc, "xmm.run dAcc");
  if (command.swapWeights) active_ = last_;
  const Weights& w = buffers_[active_];
  if (!w.loaded) illegal("xmm.run before any weights are active: xmm.load them and run with swap");
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
  if (!command.accumulate) {
    for (std::int64_t row = accValid[1].begin; row < accValid[1].end; ++row) {
      if (row >= m.begin && row < m.end && n.begin == accValid[0].begin && n.end == accValid[0].end) continue;
      for (std::int64_t column = accValid[0].begin; column < accValid[0].end; ++column)
        std::memset(accHost.at(addressOf(acc, column, row)), 0, 4);
    }
    memory_.markInitialised(accBox, accHost);
  }
  if (m.size() == 0) return work;
  work.macs = static_cast<std::uint64_t>(m.size()) * static_cast<std::uint64_t>(n.size()) *
              static_cast<std::uint64_t>(k.size());

  const std::size_t padded = std::size_t{panelsOf(w.n)} * kPanel;
  const bool dense = acc.stride[0] == 4;
  std::uint8_t* const sums = accHost.at(addressOf(acc, n.begin, m.begin));
  if (dense && static_cast<std::size_t>(n.size()) == padded && acc.stride[1] % 4 == 0 &&
      reinterpret_cast<std::uintptr_t>(sums) % 4 == 0) {
    // Whole panels: sum in accumulator memory itself.
    if (!command.accumulate)
      for (std::int64_t row = 0; row < m.size(); ++row) std::memset(sums + row * acc.stride[1], 0, padded * 4);
    const Sums inPlace{reinterpret_cast<std::uint32_t*>(sums), acc.stride[1] / 4};
    integer ? runInteger(w, a, aHost, k, m, inPlace) : runFloat(w, a, aHost, k, m, inPlace);
    return work;
  }
  c_.resize(static_cast<std::size_t>(m.size()) * padded);
  if (!command.accumulate) std::fill(c_.begin(), c_.end(), 0u);
  auto moveRows = [&](bool toSums) {
    for (std::int64_t row = 0; row < m.size(); ++row) {
      std::uint32_t* local = c_.data() + static_cast<std::size_t>(row) * padded;
      for (std::int64_t column = n.begin; column < n.end; column += dense ? n.size() : 1) {
        std::uint8_t* memory = accHost.at(addressOf(acc, column, m.begin + row));
        const std::size_t bytes = dense ? static_cast<std::size_t>(n.size()) * 4 : 4;
        toSums ? std::memcpy(local + column, memory, bytes) : std::memcpy(memory, local + column, bytes);
      }
    }
  };
  if (command.accumulate) moveRows(true);
  const Sums copied{c_.data(), static_cast<std::int64_t>(padded)};
  integer ? runInteger(w, a, aHost, k, m, copied) : runFloat(w, a, aHost, k, m, copied);
  moveRows(false);
  return work;
}

void MatrixFunction::runFloat(const Weights& w, const Descriptor& a, const HostBox& aHost, IndexRange k, IndexRange m,
                              Sums sums) {
  FloatBlock block;
  block.k = static_cast<std::uint32_t>(k.size());
  block.m = static_cast<std::uint32_t>(m.size());
  block.panels = panelsOf(w.n);
  block.b = w.floats.data() + k.begin * kPanel;
  block.bPanel = std::int64_t{w.k} * kPanel;
  block.cRow = sums.row;
  block.c = reinterpret_cast<float*>(sums.data);
  aRows_.resize(std::size_t{block.m} * block.k);
  block.a = aRows_.data();
  block.aRow = block.k;
  for (std::uint32_t row = 0; row < block.m; ++row)
    isa::convertElements(a.type, aHost.at(addressOf(a, k.begin, m.begin + row)), a.stride[0], ElementType::F32,
                         aRows_.data() + std::size_t{row} * block.k, sizeof(float), block.k);
  multiplyFloat(path_, block);
}

void MatrixFunction::runInteger(const Weights& w, const Descriptor& a, const HostBox& aHost, IndexRange k, IndexRange m,
                                Sums sums) {
  IntegerBlock block;
  block.pairs = (w.k + 1) / 2;
  block.m = static_cast<std::uint32_t>(m.size());
  block.panels = panelsOf(w.n);
  block.b = w.pairs.data();
  block.bPanel = std::int64_t{block.pairs} * 2 * kPanel;
  block.cRow = sums.row;
  block.c = reinterpret_cast<std::int32_t*>(sums.data);
  block.aRow = std::int64_t{block.pairs} * 2;
  aPairs_.assign(static_cast<std::size_t>(block.m) * static_cast<std::size_t>(block.aRow), 0);
  block.a = aPairs_.data();
  for (std::uint32_t row = 0; row < block.m; ++row) {
    std::int16_t* to = aPairs_.data() + row * block.aRow;
    const std::uint8_t* from = aHost.at(addressOf(a, k.begin, m.begin + row));
    for (std::int64_t i = 0; i < k.size(); ++i) to[k.begin + i] = static_cast<std::int8_t>(from[i * a.stride[0]]);
  }
  multiplyInteger(path_, block);
}

MatrixWork MatrixFunction::store(const Command& command) {
  const Descriptor& acc = command.first;
  const Descriptor& dst = command.second;
  requireMatrix(acc, "xmm.store dAcc");
  requireMatrix(dst, "xmm.store dDst");
  if (acc.type != ElementType::F32 && acc.type != ElementType::I32)
    illegal("xmm.store dAcc has element type " + std::string(isa::name(acc.type)) + "; accumulators are f32 or i32");
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

  // scale is in the source's descriptor, as the field says what store multiplies by.
  const float scale = acc.scale;
  const bool scaled = scale != 1.0f;
  const std::size_t columns = static_cast<std::size_t>(dstValid[0].size());
  std::vector<std::uint32_t> line(columns);
  const std::uint32_t fill = static_cast<std::uint32_t>(acc.fill);
  for (std::int64_t row = dstValid[1].begin; row < dstValid[1].end; ++row) {
    const bool present = !accBox.empty() && row >= read[1].begin && row < read[1].end;
    for (std::size_t i = 0; i < columns; ++i) {
      std::int64_t column = dstValid[0].begin + static_cast<std::int64_t>(i);
      if (present && column >= read[0].begin && column < read[0].end) {
        std::memcpy(&line[i], accHost.at(addressOf(acc, column, row)), 4);
      } else {
        line[i] = fill;
      }
    }
    ElementType from = acc.type;
    if (scaled) {
      if (acc.type == ElementType::I32) {
        isa::convertElements(ElementType::I32, line.data(), 4, ElementType::F32, line.data(), 4, columns);
        from = ElementType::F32;
      }
      float* values = reinterpret_cast<float*>(line.data());
      for (std::size_t i = 0; i < columns; ++i) values[i] *= scale;
    }
    isa::convertElements(from, line.data(), 4, dst.type, dstHost.at(addressOf(dst, dstValid[0].begin, row)),
                         dst.stride[0], columns);
  }
  memory_.markInitialised(dstBox, dstHost);
  return work;
}

}  // namespace forerun::sim::matrix
