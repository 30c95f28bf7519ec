//===- Scan.cpp - running combinations of the reference ---------------------===//
// Line by line; what an element's radius is, follows the reduction of the elements before it.
#include "compiler/interpreter/Scan.h"

#include "compiler/interpreter/ReduceKinds.h"
#include "compiler/interpreter/Rows.h"

namespace forerun::interpreter {

namespace {

template <ReduceKind kind, typename T>
class ScanLine {
 public:
  ScanLine(const Scan& scan, const View& in, const View& out, bool uncertain)
      : scan_(scan), from_(*in.storage), to_(*out.storage), uncertain_(uncertain) {}

  /// `count` elements; positions are linear storage indices of the first that joins, strides lead to the next.
  llvm::Error run(std::int64_t source, std::int64_t sourceStride, std::int64_t target, std::int64_t targetStride,
                  std::int64_t count) {
    T state = reduceIdentity<kind, T>();
    CombinedRadius<kind> radius;
    for (std::int64_t k = 0; k < count; ++k, source += sourceStride, target += targetStride) {
      if (from_.firstUnwritten(source, 1) >= 0) return unwrittenError("the input", from_);
      const double r = from_.radiusAt(source);
      const T element = load(source);
      if (scan_.exclusive) store(target, state, radius, k);
      state = combineElements<kind, T>(to_.type, state, element);
      if (uncertain_) radius.add(columnAsDouble(to_.type, &element, 0), r);
      if (!scan_.exclusive) store(target, state, radius, k + 1);
    }
    return llvm::Error::success();
  }

 private:
  T load(std::int64_t at) const {
    std::uint8_t element[8];
    isa::convertElement(from_.type, from_.element(at), to_.type, element);
    T value;
    loadColumn(to_.type, element, &value, 1);
    return value;
  }

  void store(std::int64_t at, T value, const CombinedRadius<kind>& radius, std::int64_t terms) {
    storeColumn(to_.type, &value, to_.element(at), 1);
    to_.noteWritten(at, uncertain_ ? static_cast<float>(radius.result(to_.type, terms, /*fixedOrder=*/false)) : 0);
  }

  const Scan& scan_;
  const Storage& from_;
  Storage& to_;
  bool uncertain_;
};

}  // namespace

llvm::Error runScan(const Scan& scan, const View& in, const View& out, llvm::ArrayRef<Range> box, bool uncertain) {
  const Range line = box[scan.dim];
  if (line.size() == 0) return llvm::Error::success();
  llvm::SmallVector<Range, 4> starts(box);
  const std::int64_t first = scan.reverse ? line.high - 1 : line.low, sign = scan.reverse ? -1 : 1;
  starts[scan.dim] = {first, first + 1};
  return dispatchCombination(scan.kind, out.storage->type, [&]<ReduceKind kind, typename T>() {
    ScanLine<kind, T> walk(scan, in, out, uncertain);
    return forEachRow(starts, [&](llvm::ArrayRef<std::int64_t> index, std::int64_t count) -> llvm::Error {
      std::int64_t source = in.base(), target = out.base();
      for (unsigned d = 0; d < in.rank(); ++d) source += index[d] * in.stride(d), target += index[d] * out.stride(d);
      for (std::int64_t k = 0; k < count; ++k, source += in.stride(in.rank() - 1), target += out.stride(in.rank() - 1))
        if (llvm::Error error =
                walk.run(source, sign * in.stride(scan.dim), target, sign * out.stride(scan.dim), line.size()))
          return error;
      return llvm::Error::success();
    });
  });
}

}  // namespace forerun::interpreter
