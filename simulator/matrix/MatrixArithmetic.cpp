//===- MatrixArithmetic.cpp - the numbers of the matrix unit ----------------===//
// Weights become f32 panels once a load; a run converts its rows once and multiplies whole panels.
#include "simulator/matrix/MatrixArithmetic.h"

#include <algorithm>
#include <cstring>

namespace forerun::sim::matrix {

namespace {

using isa::ElementType;

std::uint32_t panelsOf(std::uint32_t columns) { return (columns + kPanel - 1) / kPanel; }

}  // namespace

void MatrixArithmetic::load(const LoadArithmetic& work) {
  const WeightShape& w = work.weights;
  const Descriptor& b = work.b.d;
  Panels& into = panels_[work.buffer];
  const std::uint32_t panels = panelsOf(w.n);
  if (w.type == ElementType::I8) {
    const std::uint32_t pairs = (w.k + 1) / 2;
    into.pairs.assign(std::size_t{panels} * pairs * 2 * kPanel, 0);
    for (std::int64_t k = w.kValid.begin; k < w.kValid.end; ++k)
      for (std::int64_t n = w.nValid.begin; n < w.nValid.end; ++n)
        into.pairs[(((n / kPanel) * pairs + k / 2) * kPanel + n % kPanel) * 2 + k % 2] =
            static_cast<std::int8_t>(*work.b.at(n, k));
    return;
  }
  const bool whole =
      w.kValid.size() == w.k && static_cast<std::size_t>(w.nValid.size()) == std::size_t{panels} * kPanel;
  into.floats.resize(std::size_t{panels} * w.k * kPanel);
  if (!whole) std::fill(into.floats.begin(), into.floats.end(), 0.0f);
  // Walk the direction in which elements are neighbours, so that conversion is by rows.
  if (!work.byColumns) {
    for (std::int64_t k = w.kValid.begin; k < w.kValid.end; ++k)
      for (std::int64_t n = w.nValid.begin; n < w.nValid.end;) {
        const std::int64_t until = std::min<std::int64_t>(w.nValid.end, (n / kPanel + 1) * kPanel);
        isa::convertElements(b.type, work.b.at(n, k), b.stride[0], ElementType::F32,
                             &into.floats[((n / kPanel) * w.k + k) * kPanel + n % kPanel], sizeof(float),
                             static_cast<std::size_t>(until - n));
        n = until;
      }
  } else {
    for (std::int64_t n = w.nValid.begin; n < w.nValid.end; ++n)
      isa::convertElements(b.type, work.b.at(n, w.kValid.begin), b.stride[1], ElementType::F32,
                           &into.floats[((n / kPanel) * w.k + w.kValid.begin) * kPanel + n % kPanel],
                           kPanel * sizeof(float), static_cast<std::size_t>(w.kValid.size()));
  }
}

void MatrixArithmetic::run(const RunArithmetic& work) {
  const IndexRange &m = work.m, &n = work.n;
  if (!work.accumulate)
    for (std::int64_t row = work.accRows.begin; row < work.accRows.end; ++row) {
      if (row >= m.begin && row < m.end && n.begin == work.accColumns.begin && n.end == work.accColumns.end) continue;
      for (std::int64_t column = work.accColumns.begin; column < work.accColumns.end; ++column)
        std::memset(work.acc.at(column, row), 0, 4);
    }
  if (m.size() == 0) return;
  const Descriptor& acc = work.acc.d;
  const std::size_t padded = std::size_t{panelsOf(work.weights.n)} * kPanel;
  const bool dense = acc.stride[0] == 4;
  std::uint8_t* const sums = work.acc.at(n.begin, m.begin);
  if (dense && static_cast<std::size_t>(n.size()) == padded && acc.stride[1] % 4 == 0 &&
      reinterpret_cast<std::uintptr_t>(sums) % 4 == 0) {
    // Whole panels: sum in accumulator memory itself.
    if (!work.accumulate)
      for (std::int64_t row = 0; row < m.size(); ++row) std::memset(sums + row * acc.stride[1], 0, padded * 4);
    multiply(work, {reinterpret_cast<std::uint32_t*>(sums), acc.stride[1] / 4});
    return;
  }
  c_.resize(static_cast<std::size_t>(m.size()) * padded);
  if (!work.accumulate) std::fill(c_.begin(), c_.end(), 0u);
  auto moveRows = [&](bool toSums) {
    for (std::int64_t row = 0; row < m.size(); ++row) {
      std::uint32_t* local = c_.data() + static_cast<std::size_t>(row) * padded;
      for (std::int64_t column = n.begin; column < n.end; column += dense ? n.size() : 1) {
        std::uint8_t* memory = work.acc.at(column, m.begin + row);
        const std::size_t bytes = dense ? static_cast<std::size_t>(n.size()) * 4 : 4;
        toSums ? std::memcpy(local + column, memory, bytes) : std::memcpy(memory, local + column, bytes);
      }
    }
  };
  if (work.accumulate) moveRows(true);
  multiply(work, {c_.data(), static_cast<std::int64_t>(padded)});
  moveRows(false);
}

void MatrixArithmetic::multiply(const RunArithmetic& work, Sums sums) {
  work.weights.type == ElementType::I8 ? runInteger(work, sums) : runFloat(work, sums);
}

void MatrixArithmetic::runFloat(const RunArithmetic& work, Sums sums) {
  const WeightShape& w = work.weights;
  FloatBlock block;
  block.k = static_cast<std::uint32_t>(work.k.size());
  block.m = static_cast<std::uint32_t>(work.m.size());
  block.panels = panelsOf(w.n);
  block.b = panels_[work.buffer].floats.data() + work.k.begin * kPanel;
  block.bPanel = std::int64_t{w.k} * kPanel;
  block.cRow = sums.row;
  block.c = reinterpret_cast<float*>(sums.data);
  aRows_.resize(std::size_t{block.m} * block.k);
  block.a = aRows_.data();
  block.aRow = block.k;
  for (std::uint32_t row = 0; row < block.m; ++row)
    isa::convertElements(work.a.d.type, work.a.at(work.k.begin, work.m.begin + row), work.a.d.stride[0],
                         ElementType::F32, aRows_.data() + std::size_t{row} * block.k, sizeof(float), block.k);
  multiplyFloat(path_, block);
}

void MatrixArithmetic::runInteger(const RunArithmetic& work, Sums sums) {
  const WeightShape& w = work.weights;
  IntegerBlock block;
  block.pairs = (w.k + 1) / 2;
  block.m = static_cast<std::uint32_t>(work.m.size());
  block.panels = panelsOf(w.n);
  block.b = panels_[work.buffer].pairs.data();
  block.bPanel = std::int64_t{block.pairs} * 2 * kPanel;
  block.cRow = sums.row;
  block.c = reinterpret_cast<std::int32_t*>(sums.data);
  block.aRow = std::int64_t{block.pairs} * 2;
  aPairs_.assign(static_cast<std::size_t>(block.m) * static_cast<std::size_t>(block.aRow), 0);
  block.a = aPairs_.data();
  for (std::uint32_t row = 0; row < block.m; ++row) {
    std::int16_t* to = aPairs_.data() + row * block.aRow;
    const std::uint8_t* from = work.a.at(work.k.begin, work.m.begin + row);
    for (std::int64_t i = 0; i < work.k.size(); ++i)
      to[work.k.begin + i] = static_cast<std::int8_t>(from[i * work.a.d.stride[0]]);
  }
  multiplyInteger(path_, block);
}

void MatrixArithmetic::store(const StoreArithmetic& work) {
  const Descriptor &acc = work.acc.d, &to = work.destination.d;
  // scale is in the source's descriptor, as the field says what store multiplies by.
  const bool scaled = acc.scale != 1.0f;
  const auto columns = static_cast<std::size_t>(work.destinationColumns.size());
  std::vector<std::uint32_t> line(columns);
  const auto fill = static_cast<std::uint32_t>(acc.fill);
  for (std::int64_t row = work.destinationRows.begin; row < work.destinationRows.end; ++row) {
    const bool present = row >= work.rows.begin && row < work.rows.end;
    for (std::size_t i = 0; i < columns; ++i) {
      const std::int64_t column = work.destinationColumns.begin + static_cast<std::int64_t>(i);
      if (present && column >= work.columns.begin && column < work.columns.end)
        std::memcpy(&line[i], work.acc.at(column, row), 4);
      else
        line[i] = fill;
    }
    ElementType from = acc.type;
    if (scaled) {
      if (acc.type == ElementType::I32) {
        isa::convertElements(ElementType::I32, line.data(), 4, ElementType::F32, line.data(), 4, columns);
        from = ElementType::F32;
      }
      float* values = reinterpret_cast<float*>(line.data());
      for (std::size_t i = 0; i < columns; ++i) values[i] *= acc.scale;
    }
    isa::convertElements(from, line.data(), 4, to.type, work.destination.at(work.destinationColumns.begin, row),
                         to.stride[0], columns);
  }
}

}  // namespace forerun::sim::matrix
