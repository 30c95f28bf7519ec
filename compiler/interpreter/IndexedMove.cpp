//===- IndexedMove.cpp - gathers and scatters of the reference --------------===//
// Element by element, in row-major order.
#include "compiler/interpreter/IndexedMove.h"

#include "compiler/interpreter/ReduceKinds.h"
#include "compiler/interpreter/Rows.h"

#include <cstring>

namespace forerun::interpreter {

namespace {

/// An index with a radius may be another one: what it selects is open.
constexpr float kOpen = std::numeric_limits<float>::infinity();

struct Target {
  std::int64_t at = -1;  ///< linear storage index in the indexed view, or -1: not a valid element
  bool open = false;
};

/// Calls visit(linear storage index in `moved`, target in `indexed`) for every element of `box`.
template <typename Visit>
llvm::Error forEachIndexed(const View& moved, const View& indices, const View& indexed, unsigned dim,
                           llvm::ArrayRef<Range> box, Visit visit) {
  const Storage& table = *indices.storage;
  const auto valid = indexed.validRanges();
  return forEachRow(box, [&](llvm::ArrayRef<std::int64_t> first, std::int64_t count) -> llvm::Error {
    Index index(first);
    for (std::int64_t k = 0; k < count; ++k, ++index.back()) {
      std::int64_t from = indices.base(), at = moved.base(), to = indexed.base();
      bool inside = true;
      for (unsigned d = 0; d < moved.rank(); ++d) {
        at += index[d] * moved.stride(d);
        if (indices.extentOf(d) != 1) from += index[d] * indices.stride(d);
        if (d == dim) continue;
        to += index[d] * indexed.stride(d);
        inside &= index[d] >= valid[d].low && index[d] < valid[d].high;
      }
      if (table.firstUnwritten(from, 1) >= 0) return unwrittenError("the indices", table);
      const std::int64_t position =
          isa::loadAsInt(table.type, table.bytes.data() + from * static_cast<std::int64_t>(table.elementBytes()));
      inside &= position >= valid[dim].low && position < valid[dim].high;
      Target target;
      if (inside) target.at = to + position * indexed.stride(dim);
      target.open = table.isUncertain() && table.radius[static_cast<std::size_t>(from)] > 0;
      if (llvm::Error error = visit(at, target)) return error;
    }
    return llvm::Error::success();
  });
}

/// Radius of a combination in this order of two elements.
template <ReduceKind kind>
float combinedRadius(ElementType type, double a, double ra, double b, double rb, double result) {
  if (ra == 0 && rb == 0) return 0;
  if constexpr (kind != ReduceKind::Add && kind != ReduceKind::Mul) return static_cast<float>(std::max(ra, rb));
  a = std::fabs(a), b = std::fabs(b);
  const double radius = kind == ReduceKind::Add ? ra + rb : a * rb + b * ra + ra * rb;
  return static_cast<float>(radius + (isa::isFloat(type) ? unitInLastPlace(type, std::fabs(result) + radius) : 0));
}

}  // namespace

llvm::Error runGather(const View& src, const View& indices, const View& out, unsigned dim, llvm::ArrayRef<Range> box) {
  Storage &from = *src.storage, &to = *out.storage;
  return forEachIndexed(out, indices, src, dim, box, [&](std::int64_t at, Target target) -> llvm::Error {
    float radius = 0;
    if (target.at < 0) {
      std::memset(to.element(at), 0, to.elementBytes());
    } else {
      if (from.firstUnwritten(target.at, 1) >= 0) return unwrittenError("the source", from);
      std::memcpy(to.element(at), from.element(target.at), to.elementBytes());
      radius = from.radiusAt(target.at);
    }
    to.noteWritten(at, target.open ? kOpen : radius);
    return llvm::Error::success();
  });
}

llvm::Error runScatter(const View& src, const View& indices, const View& dst, unsigned dim,
                       std::optional<ReduceKind> kind, llvm::ArrayRef<Range> box) {
  Storage &from = *src.storage, &to = *dst.storage;
  auto unwritten = [&](std::int64_t at) -> llvm::Error {
    if (from.firstUnwritten(at, 1) >= 0) return unwrittenError("the source", from);
    return llvm::Error::success();
  };
  if (!kind)
    return forEachIndexed(src, indices, dst, dim, box, [&](std::int64_t at, Target target) -> llvm::Error {
      if (llvm::Error error = unwritten(at)) return error;
      if (target.at < 0) return llvm::Error::success();
      std::memcpy(to.element(target.at), from.element(at), to.elementBytes());
      to.noteWritten(target.at, target.open ? kOpen : from.radiusAt(at));
      return llvm::Error::success();
    });
  return dispatchCombination(*kind, to.type, [&]<ReduceKind which, typename T>() {
    return forEachIndexed(src, indices, dst, dim, box, [&](std::int64_t at, Target target) -> llvm::Error {
      if (llvm::Error error = unwritten(at)) return error;
      if (target.at < 0) return llvm::Error::success();
      if (to.firstUnwritten(target.at, 1) >= 0) return unwrittenError("the destination", to);
      T old, value;
      loadColumn(to.type, to.element(target.at), &old, 1);
      loadColumn(from.type, from.element(at), &value, 1);
      const T result = combineElements<which, T>(to.type, old, value);
      storeColumn(to.type, &result, to.element(target.at), 1);
      const float radius =
          combinedRadius<which>(to.type, static_cast<double>(old), to.radiusAt(target.at), static_cast<double>(value),
                                from.radiusAt(at), static_cast<double>(result));
      to.noteWritten(target.at, target.open ? kOpen : radius);
      return llvm::Error::success();
    });
  });
}

}  // namespace forerun::interpreter
