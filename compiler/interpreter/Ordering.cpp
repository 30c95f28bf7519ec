//===- Ordering.cpp - sorts, top-k and histograms of the reference ----------===//
// Keys are signed integers of the element's width whose order is that of the elements.
#include "compiler/interpreter/Ordering.h"

#include "compiler/interpreter/Rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace forerun::interpreter {

namespace {

/// Whether element x comes before element y, both of one type, in ascending order.
bool comesBefore(ElementType type, const std::uint8_t* x, const std::uint8_t* y) {
  if (isa::isInteger(type)) return isa::loadAsInt(type, x) < isa::loadAsInt(type, y);
  const double a = isa::loadAsDouble(type, x), b = isa::loadAsDouble(type, y);
  if (std::isnan(a) || std::isnan(b)) return !std::isnan(a);
  return a == b ? std::signbit(a) && !std::signbit(b) : a < b;
}

/// One line: where its elements lie, sorted.
class Line {
 public:
  Line(Storage& from, bool descending) : from_(from), descending_(descending) {}

  llvm::Error read(std::int64_t first, std::int64_t stride, std::int64_t count) {
    first_ = first, stride_ = stride, radius_ = 0;
    order_.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      order_[static_cast<std::size_t>(i)] = i;
      if (from_.firstUnwritten(at(i), 1) >= 0) return unwrittenError("the input", from_);
      if (from_.isUncertain()) radius_ = std::max(radius_, from_.radius[static_cast<std::size_t>(at(i))]);
    }
    std::sort(order_.begin(), order_.end(), [&](std::int64_t a, std::int64_t b) {
      if (comesBefore(from_.type, element(a), element(b))) return !descending_;
      if (comesBefore(from_.type, element(b), element(a))) return descending_;
      return a < b;
    });
    return llvm::Error::success();
  }
  std::int64_t position(std::int64_t rank) const { return order_[static_cast<std::size_t>(rank)]; }
  const std::uint8_t* elementOfRank(std::int64_t rank) const { return element(position(rank)); }
  /// What every value of the line may be off by: an element of a given rank moves no more than any element.
  float radius() const { return radius_; }
  /// Of the position of a rank: that of a neighbour within reach may be there instead.
  float positionRadius(std::int64_t rank) const {
    if (radius_ == 0) return 0;
    const auto size = static_cast<std::int64_t>(order_.size());
    for (std::int64_t other : {rank - 1, rank + 1})
      if (other >= 0 && other < size &&
          !(std::fabs(isa::loadAsDouble(from_.type, elementOfRank(other)) -
                      isa::loadAsDouble(from_.type, elementOfRank(rank))) > 2 * static_cast<double>(radius_)))
        return static_cast<float>(size);
    return 0;
  }

 private:
  std::int64_t at(std::int64_t i) const { return first_ + i * stride_; }
  const std::uint8_t* element(std::int64_t i) const { return from_.element(at(i)); }

  Storage& from_;
  bool descending_;
  std::int64_t first_ = 0, stride_ = 0;
  float radius_ = 0;
  std::vector<std::int64_t> order_;
};

}  // namespace

llvm::Error runOrdering(const View& in, const View& values, const View* positions, unsigned dim, bool descending,
                        llvm::ArrayRef<Range> box, std::int64_t keep) {
  const Range range = box[dim];
  if (range.size() == 0) return llvm::Error::success();
  llvm::SmallVector<Range, 4> starts(box);
  starts[dim] = {range.low, range.low + 1};
  Line line(*in.storage, descending);
  std::vector<std::uint8_t> sorted;
  return forEachRow(starts, [&](llvm::ArrayRef<std::int64_t> first, std::int64_t count) -> llvm::Error {
    Index index(first);
    for (std::int64_t k = 0; k < count; ++k, ++index.back()) {
      auto baseOf = [&](const View& view) {
        std::int64_t at = view.base();
        for (unsigned d = 0; d < view.rank(); ++d) at += index[d] * view.stride(d);
        return at;
      };
      if (llvm::Error error = line.read(baseOf(in), in.stride(dim), range.size())) return error;
      const std::int64_t kept = std::min(keep, range.size());
      // The values may overwrite the line.
      Storage& to = *values.storage;
      sorted.resize(static_cast<std::size_t>(kept) * to.elementBytes());
      for (std::int64_t rank = 0; rank < kept; ++rank)
        std::memcpy(sorted.data() + static_cast<std::size_t>(rank) * to.elementBytes(), line.elementOfRank(rank),
                    to.elementBytes());
      for (std::int64_t rank = 0; positions && rank < kept; ++rank) {
        const std::int64_t at = baseOf(*positions) + rank * positions->stride(dim);
        isa::storeFromInt(positions->storage->type, positions->storage->element(at), range.low + line.position(rank));
        positions->storage->noteWritten(at, line.positionRadius(rank));
      }
      for (std::int64_t rank = 0; rank < kept; ++rank) {
        const std::int64_t at = baseOf(values) + rank * values.stride(dim);
        std::memcpy(to.element(at), sorted.data() + static_cast<std::size_t>(rank) * to.elementBytes(),
                    to.elementBytes());
        to.noteWritten(at, line.radius());
      }
    }
    return llvm::Error::success();
  });
}

llvm::Error runHistogram(const View& in, const View& out, llvm::ArrayRef<Range> box) {
  Storage &from = *in.storage, &to = *out.storage;
  const auto bins = out.boundRanges().front();
  float open = 0;
  llvm::Error error = forEachRow(box, [&](llvm::ArrayRef<std::int64_t> index, std::int64_t count) -> llvm::Error {
    std::int64_t at = in.base();
    for (unsigned d = 0; d < in.rank(); ++d) at += index[d] * in.stride(d);
    if (from.firstUnwritten(at, count) >= 0) return unwrittenError("the input", from);
    for (std::int64_t k = 0; k < count; ++k, ++at) {
      if (from.isUncertain() && from.radius[static_cast<std::size_t>(at)] > 0) ++open;
      std::uint64_t value = 0;
      std::memcpy(&value, from.element(at), from.elementBytes());
      if (value >= static_cast<std::uint64_t>(bins.high) || value < static_cast<std::uint64_t>(bins.low)) continue;
      const std::int64_t bin = out.base() + static_cast<std::int64_t>(value) * out.stride(0);
      if (to.firstUnwritten(bin, 1) >= 0) return unwrittenError("the output", to);
      isa::storeFromInt(to.type, to.element(bin), isa::loadAsInt(to.type, to.element(bin)) + 1);
      to.resetMagnitude(bin, 1);
    }
    return llvm::Error::success();
  });
  if (error || open == 0) return error;
  to.makeUncertain();
  for (std::int64_t bin = bins.low; bin < bins.high; ++bin)
    to.radius[static_cast<std::size_t>(out.base() + bin * out.stride(0))] += open;
  return llvm::Error::success();
}

}  // namespace forerun::interpreter
