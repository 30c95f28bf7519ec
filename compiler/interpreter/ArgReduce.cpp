//===- ArgReduce.cpp - argmin and argmax ------------------------------------===//
// Per output, one walk along the reduced dimension. i64 elements are compared as integers, all others exactly as f64.
#include "compiler/interpreter/ArgReduce.h"

#include "compiler/interpreter/Rows.h"

#include <algorithm>
#include <cmath>

namespace forerun::interpreter {

namespace {

/// Whether candidate `b` replaces `a`, which came earlier.
bool replaces(const Storage& storage, bool greatest, std::int64_t a, std::int64_t b) {
  const std::uint8_t *x = storage.bytes.data() + a * static_cast<std::int64_t>(storage.elementBytes()),
                     *y = storage.bytes.data() + b * static_cast<std::int64_t>(storage.elementBytes());
  if (isa::isInteger(storage.type)) {
    const std::int64_t p = isa::loadAsInt(storage.type, x), q = isa::loadAsInt(storage.type, y);
    return greatest ? q > p : q < p;
  }
  const double p = isa::loadAsDouble(storage.type, x), q = isa::loadAsDouble(storage.type, y);
  if (std::isnan(p)) return false;
  if (std::isnan(q)) return true;
  if (p == q) return std::signbit(p) != std::signbit(q) && std::signbit(q) != greatest;
  return greatest ? q > p : q < p;
}

}  // namespace

llvm::Error runArgReduce(const Reduction& reduction, const View& in, const View& out, bool uncertain) {
  const auto valid = in.validRanges();
  const Storage& from = *in.storage;
  Storage& to = *out.storage;
  const bool greatest = reduction.kind == ReduceKind::ArgMax;
  unsigned axis = 0;
  llvm::SmallVector<Range, 4> box;
  const auto bounds = out.boundRanges();
  for (unsigned d = 0; d < in.rank(); ++d) {
    if (reduction.reduced[d]) axis = d;
    box.push_back(reduction.reduced[d] ? bounds[d] : Range{bounds[d].low, std::min(bounds[d].high, valid[d].high)});
  }
  return forEachRow(box, [&](llvm::ArrayRef<std::int64_t> first, std::int64_t count) -> llvm::Error {
    Index index(first);
    for (std::int64_t k = 0; k < count; ++k, ++index.back()) {
      std::int64_t source = in.base(), target = out.base();
      bool below = false;
      for (unsigned d = 0; d < in.rank(); ++d) {
        target += index[d] * out.stride(d);
        if (d != axis) source += index[d] * in.stride(d), below |= index[d] < valid[d].low;
      }
      std::int64_t best = -1;
      auto elementAt = [&](std::int64_t i) { return source + i * in.stride(axis); };
      for (std::int64_t i = valid[axis].low; !below && i < valid[axis].high; ++i) {
        if (from.firstUnwritten(elementAt(i), 1) >= 0) return unwrittenError("the input", from);
        if (best < 0 || replaces(from, greatest, elementAt(best), elementAt(i))) best = i;
      }
      isa::storeFromInt(to.type, to.bytes.data() + target * static_cast<std::int64_t>(to.elementBytes()),
                        std::max<std::int64_t>(best, 0));
      if (!to.written.empty()) to.written[static_cast<std::size_t>(target)] = 1;
      if (!uncertain || (!from.isUncertain() && !to.isUncertain())) continue;
      // Another candidate within reach of the best makes the position open.
      bool open = false;
      auto valueAt = [&](std::int64_t i) {
        return isa::loadAsDouble(from.type,
                                 from.bytes.data() + elementAt(i) * static_cast<std::int64_t>(from.elementBytes()));
      };
      for (std::int64_t i = valid[axis].low; best >= 0 && from.isUncertain() && i < valid[axis].high; ++i) {
        const double reach = static_cast<double>(from.radius[static_cast<std::size_t>(elementAt(i))]) +
                             from.radius[static_cast<std::size_t>(elementAt(best))];
        open |= i != best && reach > 0 && std::fabs(valueAt(i) - valueAt(best)) <= reach;
      }
      to.makeUncertain();
      to.radius[static_cast<std::size_t>(target)] = open ? static_cast<float>(valid[axis].high) : 0.0f;
    }
    return llvm::Error::success();
  });
}

}  // namespace forerun::interpreter
