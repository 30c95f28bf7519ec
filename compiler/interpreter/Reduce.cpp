//===- Reduce.cpp - reductions of the reference -----------------------------===//
// Accumulators for all outputs are kept at once and input rows are visited in order, so any set of dimensions reduces
// in one pass.
#include "compiler/interpreter/Reduce.h"

#include "compiler/interpreter/ArgReduce.h"
#include "compiler/interpreter/Columns.h"
#include "compiler/interpreter/ReduceKinds.h"
#include "compiler/interpreter/Rows.h"
#include "compiler/interpreter/Uncertainty.h"

#include <algorithm>
#include <cstring>

namespace forerun::interpreter {

namespace {

constexpr std::int64_t kChains = 256;  // docs/language.md, order = tree

template <ReduceKind kind, typename T>
class ReduceRun {
 public:
  ReduceRun(const Reduction& reduction, const View& in, const View& out, bool uncertain)
      : reduction_(reduction),
        in_(in),
        out_(out),
        uncertain_(uncertain),
        type_(out.storage->type),
        valid_(in.validRanges()) {
    std::int64_t count = 1, terms = 1;
    for (unsigned d = in.rank(); d-- > 0;) {
      accStride_.insert(accStride_.begin(), reduction.reduced[d] ? 0 : count);
      termStride_.insert(termStride_.begin(), reduction.reduced[d] ? terms : 0);
      if (reduction.reduced[d])
        terms *= valid_[d].size();
      else
        count *= valid_[d].high;
    }
    outputs_ = count;
    terms_ = terms;
    chains_ = reduction.tree ? kChains : 1;
    acc_.assign(static_cast<std::size_t>(outputs_ * chains_), reduceIdentity<kind, T>());
    if (uncertain_) radii_.resize(static_cast<std::size_t>(outputs_));
  }

  llvm::Error run() {
    const unsigned last = in_.rank() - 1;
    const bool lastReduced = reduction_.reduced[last];
    llvm::Error error = forEachRow(valid_, [&](llvm::ArrayRef<std::int64_t> index, std::int64_t count) -> llvm::Error {
      std::int64_t at = in_.base(), output = 0, term = 0;
      for (unsigned d = 0; d <= last; ++d) {
        at += index[d] * in_.stride(d);
        output += index[d] * accStride_[d];
        term += (index[d] - valid_[d].low) * termStride_[d];
      }
      const Storage& storage = *in_.storage;
      if (storage.firstUnwritten(at, count) >= 0) return unwrittenError("the input", storage);
      for (std::int64_t done = 0; done < count; done += kColumnElements) {
        const std::int64_t n = std::min<std::int64_t>(kColumnElements, count - done);
        load(at + done, n);
        if (lastReduced)
          foldRow(output, term + done, n);
        else
          joinRow(output + done, term, n);
        if (uncertain_) trackRadii(at + done, lastReduced ? output : output + done, lastReduced ? 0 : 1, n);
      }
      return llvm::Error::success();
    });
    if (error) return error;
    if (reduction_.tree) foldChains();
    return store();
  }

 private:
  /// Elements of the input in out's type; exact, as out's type is at least as wide.
  void load(std::int64_t at, std::int64_t n) {
    const Storage& storage = *in_.storage;
    const std::uint8_t* memory = storage.bytes.data() + at * static_cast<std::int64_t>(storage.elementBytes());
    if (laneOf(storage.type) == laneOf(type_) && isa::isFloat(storage.type) == isa::isFloat(type_) &&
        storage.type != ElementType::I1) {
      loadColumn(storage.type, memory, row_, static_cast<std::size_t>(n));
      return;
    }
    for (std::int64_t k = 0; k < n; ++k) {
      std::uint8_t element[8];
      isa::convertElement(storage.type, memory + k * static_cast<std::int64_t>(storage.elementBytes()), type_, element);
      loadColumn(type_, element, row_ + k, 1);
    }
  }

  T combine(T a, T b) const { return combineElements<kind, T>(type_, a, b); }

  void foldRow(std::int64_t output, std::int64_t term, std::int64_t n) {
    T* acc = acc_.data() + output * chains_;
    if (chains_ == 1) {
      T value = acc[0];
      for (std::int64_t k = 0; k < n; ++k) value = combine(value, row_[k]);
      acc[0] = value;
    } else {
      for (std::int64_t k = 0; k < n; ++k) acc[(term + k) % kChains] = combine(acc[(term + k) % kChains], row_[k]);
    }
  }

  void joinRow(std::int64_t output, std::int64_t term, std::int64_t n) {
    const std::int64_t chain = chains_ == 1 ? 0 : term % kChains;
    for (std::int64_t k = 0; k < n; ++k) {
      T& acc = acc_[static_cast<std::size_t>((output + k) * chains_ + chain)];
      acc = combine(acc, row_[k]);
    }
  }

  void foldChains() {
    for (std::int64_t o = 0; o < outputs_; ++o) {
      T* acc = acc_.data() + o * kChains;
      for (std::int64_t half = kChains / 2; half >= 1; half /= 2)
        for (std::int64_t c = 0; c < half; ++c) acc[c] = combine(acc[c], acc[c + half]);
      acc_[static_cast<std::size_t>(o)] = acc[0];
    }
  }

  void trackRadii(std::int64_t at, std::int64_t output, std::int64_t step, std::int64_t n) {
    const Storage& storage = *in_.storage;
    for (std::int64_t k = 0; k < n; ++k) {
      const double r = storage.isUncertain() ? storage.radius[static_cast<std::size_t>(at + k)] : 0;
      radii_[static_cast<std::size_t>(output + k * step)].add(columnAsDouble(type_, row_, static_cast<std::size_t>(k)),
                                                              r);
    }
  }

  llvm::Error store() {
    Storage& storage = *out_.storage;
    llvm::SmallVector<Range, 4> box;
    const auto bounds = out_.boundRanges();
    for (unsigned d = 0; d < out_.rank(); ++d)
      box.push_back(reduction_.reduced[d] ? bounds[d] : Range{bounds[d].low, std::min(bounds[d].high, valid_[d].high)});
    return forEachRow(box, [&](llvm::ArrayRef<std::int64_t> index, std::int64_t count) -> llvm::Error {
      std::int64_t at = out_.base(), output = 0;
      for (unsigned d = 0; d < out_.rank(); ++d) {
        at += index[d] * out_.stride(d);
        output += index[d] * accStride_[d];
      }
      const std::int64_t step = accStride_.back();
      if (reduction_.accumulate && storage.firstUnwritten(at, count) >= 0) return unwrittenError("the output", storage);
      for (std::int64_t k = 0; k < count; ++k) {
        T value = acc_[static_cast<std::size_t>(output + k * step)];
        std::uint8_t* memory = storage.bytes.data() + (at + k) * static_cast<std::int64_t>(storage.elementBytes());
        double old = 0;
        if (reduction_.accumulate) {
          T previous;
          loadColumn(type_, memory, &previous, 1);
          old = std::fabs(columnAsDouble(type_, &previous, 0));
          value = combine(value, previous);
        }
        storeColumn(type_, &value, memory, 1);
        if (uncertain_)
          storeRadius(storage, at + k,
                      radii_[static_cast<std::size_t>(output + k * step)].result(type_, terms_, reduction_.tree), old);
      }
      if (!storage.written.empty()) std::memset(storage.written.data() + at, 1, static_cast<std::size_t>(count));
      storage.resetMagnitude(at, count);
      return llvm::Error::success();
    });
  }

  void storeRadius(Storage& storage, std::int64_t at, double radius, double old) {
    const double before = storage.isUncertain() ? storage.radius[static_cast<std::size_t>(at)] : 0;
    if (reduction_.accumulate) {
      if constexpr (kind == ReduceKind::Min || kind == ReduceKind::Max || kind == ReduceKind::MinNum ||
                    kind == ReduceKind::MaxNum)
        radius = std::max(radius, before);
      else
        radius += before + (radius + before > 0 && isa::isFloat(type_) ? unitInLastPlace(type_, old) : 0);
    }
    if (radius == 0 && before == 0) return;
    storage.makeUncertain();
    storage.radius[static_cast<std::size_t>(at)] = static_cast<float>(radius);
  }

  const Reduction& reduction_;
  const View &in_, &out_;
  bool uncertain_;
  ElementType type_;
  llvm::SmallVector<Range, 4> valid_;
  llvm::SmallVector<std::int64_t, 4> accStride_, termStride_;
  std::int64_t outputs_ = 0, terms_ = 0, chains_ = 1;
  std::vector<T> acc_;
  std::vector<CombinedRadius<kind>> radii_;  ///< one an output
  T row_[kColumnElements];
};

}  // namespace

llvm::Error runReduce(const Reduction& reduction, const View& in, const View& out, bool uncertain) {
  if (reduction.kind == ReduceKind::ArgMin || reduction.kind == ReduceKind::ArgMax)
    return runArgReduce(reduction, in, out, uncertain);
  return dispatchCombination(reduction.kind, out.storage->type, [&]<ReduceKind kind, typename T>() {
    return ReduceRun<kind, T>(reduction, in, out, uncertain).run();
  });
}

}  // namespace forerun::interpreter
