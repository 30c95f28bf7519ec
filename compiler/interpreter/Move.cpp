//===- Move.cpp - copies, casts, fills, transposes --------------------------===//
// Row by row along the destination's last dimension.
#include "compiler/interpreter/Move.h"

#include "compiler/interpreter/Rows.h"
#include "compiler/interpreter/Uncertainty.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace forerun::interpreter {

llvm::Error runCopy(const View& src, const View& dst, llvm::ArrayRef<std::int64_t> permutation,
                    llvm::ArrayRef<Range> box, isa::Overflow overflow) {
  Storage &from = *src.storage, &to = *dst.storage;
  const auto valid = src.validRanges();
  const unsigned last = dst.rank() - 1;
  const std::size_t fromBytes = from.elementBytes(), toBytes = to.elementBytes();
  const bool sameType = from.type == to.type;
  const std::int64_t srcStep = src.stride(static_cast<unsigned>(permutation[last]));
  if (from.isUncertain()) to.makeUncertain();

  return forEachRow(box, [&](llvm::ArrayRef<std::int64_t> index, std::int64_t count) -> llvm::Error {
    std::int64_t srcAt = src.base(), dstAt = dst.base(), missing = 0;
    for (unsigned d = 0; d <= last; ++d) {
      const auto s = static_cast<unsigned>(permutation[d]);
      srcAt += index[d] * src.stride(s);
      dstAt += index[d] * dst.stride(d);
      if (d != last && index[d] < valid[s].low) missing = count;
      if (d == last) missing = std::max(missing, std::clamp<std::int64_t>(valid[s].low - index[d], 0, count));
    }
    std::uint8_t* out = to.bytes.data() + dstAt * static_cast<std::int64_t>(toBytes);
    std::memset(out, 0, static_cast<std::size_t>(missing) * toBytes);
    const std::int64_t present = count - missing;
    srcAt += missing * srcStep;
    const std::uint8_t* in = from.bytes.data() + srcAt * static_cast<std::int64_t>(fromBytes);
    out += missing * static_cast<std::int64_t>(toBytes);
    if (srcStep == 1) {
      if (from.firstUnwritten(srcAt, present) >= 0) return unwrittenError("the source", from);
      if (sameType) {
        std::memmove(out, in, static_cast<std::size_t>(present) * toBytes);
      } else {
        for (std::int64_t k = 0; k < present; ++k)
          isa::convertElement(from.type, in + k * fromBytes, to.type, out + k * toBytes, overflow);
      }
    } else {
      for (std::int64_t k = 0; k < present; ++k) {
        if (from.firstUnwritten(srcAt + k * srcStep, 1) >= 0) return unwrittenError("the source", from);
        isa::convertElement(from.type, in + k * srcStep * static_cast<std::int64_t>(fromBytes), to.type,
                            out + k * toBytes, overflow);
      }
    }
    if (!to.written.empty()) std::memset(to.written.data() + dstAt, 1, static_cast<std::size_t>(count));
    to.resetMagnitude(dstAt, count);
    if (to.isUncertain()) {
      float* radius = to.radius.data() + dstAt;
      for (std::int64_t k = 0; k < count; ++k) {
        float r = k < missing || !from.isUncertain()
                      ? 0.0f
                      : from.radius[static_cast<std::size_t>(srcAt + (k - missing) * srcStep)];
        if (r > 0 && !sameType) {
          const double value = std::fabs(isa::loadAsDouble(to.type, to.bytes.data() + (dstAt + k) * toBytes));
          if (std::isfinite(value)) r += static_cast<float>(unitInLastPlace(to.type, value + r));
        }
        radius[k] = r;
      }
    }
    return llvm::Error::success();
  });
}

void runFill(const View& dst, const Scalar& value, llvm::ArrayRef<Range> box) {
  Storage& to = *dst.storage;
  const std::size_t bytes = to.elementBytes();
  if (value.radius != 0) to.makeUncertain();
  std::uint8_t pattern[8];
  storeColumn(to.type, value.bytes, pattern, 1);
  llvm::cantFail(forEachRow(box, [&](llvm::ArrayRef<std::int64_t> index, std::int64_t count) -> llvm::Error {
    std::int64_t at = dst.base();
    for (unsigned d = 0; d < dst.rank(); ++d) at += index[d] * dst.stride(d);
    for (std::int64_t k = 0; k < count; ++k) std::memcpy(to.bytes.data() + (at + k) * bytes, pattern, bytes);
    if (!to.written.empty()) std::memset(to.written.data() + at, 1, static_cast<std::size_t>(count));
    if (to.isUncertain()) std::fill_n(to.radius.data() + at, count, value.radius);
    to.resetMagnitude(at, count);
    return llvm::Error::success();
  }));
}

}  // namespace forerun::interpreter
