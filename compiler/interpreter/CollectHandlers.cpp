//===- CollectHandlers.cpp - scans, moves by index, orderings ---------------===//
// Works out what is valid; the work is in Scan, IndexedMove and Ordering.
#include "compiler/interpreter/Handlers.h"
#include "compiler/interpreter/IndexedMove.h"
#include "compiler/interpreter/Ordering.h"
#include "compiler/interpreter/Scan.h"

namespace forerun::interpreter {

namespace {

using Box = llvm::SmallVector<Range, 4>;

/// Keeps of dimension d what `limit` has.
void intersect(Box& box, unsigned d, Range limit) {
  box[d].low = std::max(box[d].low, limit.low);
  box[d].high = std::max(box[d].low, std::min(box[d].high, limit.high));
}

void intersect(Box& box, llvm::ArrayRef<Range> limits, std::optional<unsigned> except = std::nullopt) {
  for (unsigned d = 0; d < box.size(); ++d)
    if (d != except) intersect(box, d, limits[d]);
}

/// As an input of tile.map limits it: dimensions that broadcast do not.
void intersectBroadcast(Box& box, const View& input, const View& shape) {
  const auto valid = input.validRanges();
  for (unsigned d = 0; d < box.size(); ++d)
    if (input.extentOf(d) == shape.extentOf(d) || valid[d].high == 0) intersect(box, d, valid[d]);
}

/// What of an input that broadcasts is read for `box`.
Box readOf(const View& input, const Box& box) {
  Box read;
  for (unsigned d = 0; d < box.size(); ++d)
    read.push_back(input.extentOf(d) == 1 ? Range{0, std::min<std::int64_t>(box[d].high, 1)} : box[d]);
  return read;
}

Index highsOf(llvm::ArrayRef<Range> box) {
  Index extents;
  for (const Range& range : box) extents.push_back(range.high);
  return extents;
}

bool tracksRadii(const Execution& execution) { return execution.options.radii != Radii::None; }

llvm::LogicalResult runScanOp(Execution& execution, tile::ScanOp op) {
  const View &in = execution.view(op.getInput()), &out = execution.view(op.getOutput());
  Box box = out.boundRanges();
  intersect(box, in.validRanges());
  if (llvm::failed(execution.reads(op, in, box)) || llvm::failed(execution.writes(op, out, box)))
    return llvm::failure();
  if (execution.options.observer) execution.options.observer->reduce(out.storage->type, elementsOf(box));
  const Scan scan{kindOf(op.getKind()), static_cast<unsigned>(op.getDim()), op.getExclusive(), op.getReverse()};
  if (execution.options.data && llvm::failed(execution.check(op, runScan(scan, in, out, box, tracksRadii(execution)))))
    return llvm::failure();
  out.setValid(highsOf(box));
  return llvm::success();
}

/// Of a buffer that indices point into, what is touched depends on data: it counts as no access, and all of it may not
/// be in flight.
llvm::LogicalResult touchesSome(Execution& execution, mlir::Operation* op, const View& view, bool write) {
  const Box none(view.rank());
  return write ? execution.writes(op, view, none) : execution.reads(op, view, none);
}

llvm::LogicalResult runGatherOp(Execution& execution, tile::GatherOp op) {
  const View &src = execution.view(op.getSrc()), &indices = execution.view(op.getIndices()),
             &out = execution.view(op.getOutput());
  const auto dim = static_cast<unsigned>(op.getDim());
  Box box = out.boundRanges();
  intersectBroadcast(box, indices, out);
  const auto valid = src.validRanges();
  for (unsigned d = 0; d < box.size(); ++d)
    if (d != dim) intersect(box, d, {0, valid[d].high});  // below a low edge there are zeros
  if (llvm::failed(touchesSome(execution, op, src, false)) ||
      llvm::failed(execution.reads(op, indices, readOf(indices, box))) || llvm::failed(execution.writes(op, out, box)))
    return llvm::failure();
  if (execution.options.observer) execution.options.observer->move(out, elementsOf(box));
  if (execution.options.data && llvm::failed(execution.check(op, runGather(src, indices, out, dim, box))))
    return llvm::failure();
  out.setValid(highsOf(box));
  return llvm::success();
}

llvm::LogicalResult runScatterOp(Execution& execution, tile::ScatterOp op) {
  const View &src = execution.view(op.getSrc()), &indices = execution.view(op.getIndices()),
             &dst = execution.view(op.getDst());
  const auto dim = static_cast<unsigned>(op.getDim());
  Box box = src.validRanges();
  intersectBroadcast(box, indices, src);
  intersect(box, dst.validRanges(), dim);
  if (llvm::failed(execution.reads(op, src, box)) || llvm::failed(execution.reads(op, indices, readOf(indices, box))) ||
      llvm::failed(touchesSome(execution, op, dst, true)))
    return llvm::failure();
  if (execution.options.observer) execution.options.observer->move(dst, elementsOf(box));
  std::optional<ReduceKind> kind;
  if (op.getKind()) kind = kindOf(*op.getKind());
  if (!execution.options.data) return llvm::success();
  return execution.check(op, runScatter(src, indices, dst, dim, kind, box));
}

llvm::LogicalResult runHistogramOp(Execution& execution, tile::HistogramOp op) {
  const View &in = execution.view(op.getInput()), &out = execution.view(op.getOutput());
  const auto box = in.validRanges();
  if (llvm::failed(execution.reads(op, in, box)) || llvm::failed(execution.reads(op, out, out.boundRanges())) ||
      llvm::failed(execution.writes(op, out, out.boundRanges())))
    return llvm::failure();
  if (execution.options.observer) execution.options.observer->reduce(in.storage->type, elementsOf(box));
  if (execution.options.data && llvm::failed(execution.check(op, runHistogram(in, out, box)))) return llvm::failure();
  out.setValid({out.extentOf(0)});
  return llvm::success();
}

template <typename Op>
llvm::LogicalResult runOrderingOp(Execution& execution, Op op) {
  const View& in = execution.view(op.getInput());
  llvm::SmallVector<View, 2> outs;
  for (mlir::Value output : op.getOutputs()) outs.push_back(execution.view(output));
  const auto dim = static_cast<unsigned>(op.getDim());
  const std::int64_t keep = outs[0].extentOf(dim);
  Box box = in.validRanges();
  for (const View& out : outs) intersect(box, out.boundRanges(), dim);
  Box written = box;
  written[dim] = {0, std::min(keep, box[dim].size())};
  if (llvm::failed(execution.reads(op, in, box))) return llvm::failure();
  for (const View& out : outs)
    if (llvm::failed(execution.writes(op, out, written))) return llvm::failure();
  if (execution.options.observer) execution.options.observer->reduce(in.storage->type, elementsOf(box));
  if (execution.options.data &&
      llvm::failed(execution.check(
          op, runOrdering(in, outs[0], outs.size() > 1 ? &outs[1] : nullptr, dim, op.getDescending(), box, keep))))
    return llvm::failure();
  for (const View& out : outs) out.setValid(highsOf(written));
  return llvm::success();
}

}  // namespace

void addCollectHandlers(HandlerTable& table) {
  addHandler(table, "tile.scan", handler<tile::ScanOp, runScanOp>);
  addHandler(table, "tile.gather", handler<tile::GatherOp, runGatherOp>);
  addHandler(table, "tile.scatter", handler<tile::ScatterOp, runScatterOp>);
  addHandler(table, "tile.histogram", handler<tile::HistogramOp, runHistogramOp>);
  addHandler(table, "tile.sort", handler<tile::SortOp, runOrderingOp<tile::SortOp>>);
  addHandler(table, "tile.topk", handler<tile::TopkOp, runOrderingOp<tile::TopkOp>>);
}

}  // namespace forerun::interpreter
