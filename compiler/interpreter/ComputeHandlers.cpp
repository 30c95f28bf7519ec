//===- ComputeHandlers.cpp - maps, reductions, products ---------------------===//
// Works out what is valid; the arithmetic is in MapProgram, Reduce and Matmul.
#include "compiler/interpreter/Handlers.h"
#include "compiler/interpreter/Matmul.h"
#include "compiler/interpreter/Reduce.h"

namespace forerun::interpreter {

ReduceKind kindOf(tile::ReduceKind kind) {
  switch (kind) {
    case tile::ReduceKind::Add:
      return ReduceKind::Add;
    case tile::ReduceKind::Mul:
      return ReduceKind::Mul;
    case tile::ReduceKind::Min:
      return ReduceKind::Min;
    case tile::ReduceKind::Max:
      return ReduceKind::Max;
    case tile::ReduceKind::MinNum:
      return ReduceKind::MinNum;
    case tile::ReduceKind::MaxNum:
      return ReduceKind::MaxNum;
    case tile::ReduceKind::And:
      return ReduceKind::And;
    case tile::ReduceKind::Or:
      return ReduceKind::Or;
    case tile::ReduceKind::Xor:
      return ReduceKind::Xor;
    case tile::ReduceKind::ArgMin:
      return ReduceKind::ArgMin;
    case tile::ReduceKind::ArgMax:
      return ReduceKind::ArgMax;
  }
  return ReduceKind::Add;
}

namespace {

llvm::LogicalResult runMapOp(Execution& execution, tile::MapOp op) {
  CompiledMap* compiled = execution.mapOf(op);
  if (!compiled) return llvm::failure();
  llvm::SmallVector<View, 4> ins, outs;
  for (mlir::Value value : op.getInputs()) ins.push_back(execution.view(value));
  for (mlir::Value value : op.getOutputs()) outs.push_back(execution.view(value));

  auto box = outs[0].boundRanges();
  auto limit = [&](unsigned d, std::int64_t low, std::int64_t high) {
    box[d].low = std::max(box[d].low, low);
    box[d].high = std::min(box[d].high, high);
  };
  for (const View& out : outs) {
    const auto bounds = out.boundRanges();
    for (unsigned d = 0; d < box.size(); ++d) limit(d, bounds[d].low, bounds[d].high);
  }
  for (const View& in : ins) {
    const auto valid = in.validRanges();
    for (unsigned d = 0; d < box.size(); ++d) {
      const bool broadcast = in.extentOf(d) == 1 && outs[0].extentOf(d) != 1;
      if (!broadcast || valid[d].high == 0) limit(d, 0, valid[d].high);
    }
  }
  Index extents;
  for (Range& range : box) {
    range.low = std::min(range.low, range.high);
    extents.push_back(range.high);
  }

  for (const View& in : ins) {
    llvm::SmallVector<Range, 4> read;
    for (unsigned d = 0; d < box.size(); ++d)
      read.push_back(in.extentOf(d) == 1 ? Range{0, std::min<std::int64_t>(box[d].high, 1)} : box[d]);
    if (llvm::failed(execution.reads(op, in, read))) return llvm::failure();
  }
  for (const View& out : outs)
    if (llvm::failed(execution.writes(op, out, box))) return llvm::failure();
  if (execution.options.observer) execution.options.observer->map(compiled->program, elementsOf(box));
  if (execution.options.data) {
    for (const auto& [value, index] : compiled->outer)
      compiled->program.captured[index].value = execution.scalar(value);
    if (llvm::failed(
            execution.check(op, runMap(compiled->program, ins, outs, box, execution.options.radii != Radii::None))))
      return llvm::failure();
  }
  for (const View& out : outs) out.setValid(extents);
  return llvm::success();
}

llvm::LogicalResult runReduceOp(Execution& execution, tile::ReduceOp op) {
  const View &in = execution.view(op.getInput()), &out = execution.view(op.getOutput());
  Reduction reduction;
  reduction.kind = kindOf(op.getKind());
  reduction.tree = op.getOrder() == tile::ReduceOrder::Tree;
  reduction.accumulate = op.getAccumulate();
  reduction.reduced.assign(in.rank(), false);
  for (std::int64_t d : op.getDims()) reduction.reduced[static_cast<unsigned>(d)] = true;

  const auto valid = in.validRanges();
  auto written = out.boundRanges();
  Index extents;
  for (unsigned d = 0; d < written.size(); ++d) {
    if (!reduction.reduced[d]) written[d].high = std::min(written[d].high, valid[d].high);
    extents.push_back(written[d].high);
  }
  if (llvm::failed(execution.reads(op, in, valid))) return llvm::failure();
  if (reduction.accumulate && llvm::failed(execution.reads(op, out, written))) return llvm::failure();
  if (llvm::failed(execution.writes(op, out, written))) return llvm::failure();
  if (execution.options.observer) execution.options.observer->reduce(out.storage->type, elementsOf(valid));
  if (execution.options.data &&
      llvm::failed(execution.check(op, runReduce(reduction, in, out, execution.options.radii != Radii::None))))
    return llvm::failure();
  out.setValid(extents);
  return llvm::success();
}

template <typename Op>
llvm::LogicalResult runProduct(Execution& execution, Op op, bool async) {
  const View &a = execution.view(op.getA()), &b = execution.view(op.getB()), &acc = execution.view(op.getAcc());
  const bool accumulate = op.getAccumulate() || (op.getAccumulateIf() && execution.integer(op.getAccumulateIf()) != 0);
  const auto [m, n, k] = matmulShape(a, b, op.getTransposeA(), op.getTransposeB());
  const Range rangeM{0, m}, rangeN{0, n}, rangeK{0, k};
  const Range boxA[] = {op.getTransposeA() ? rangeK : rangeM, op.getTransposeA() ? rangeM : rangeK};
  const Range boxB[] = {op.getTransposeB() ? rangeN : rangeK, op.getTransposeB() ? rangeK : rangeN};
  const Range boxAcc[] = {rangeM, rangeN};
  if (llvm::failed(execution.reads(op, a, boxA)) || llvm::failed(execution.reads(op, b, boxB)) ||
      llvm::failed(execution.writes(op, acc, boxAcc, async)))
    return llvm::failure();
  if (execution.options.observer) execution.options.observer->matmul(a.storage->type, m, n, k);
  if (execution.options.data &&
      llvm::failed(execution.check(
          op, runMatmul(a, b, acc, accumulate, op.getTransposeA(), op.getTransposeB(), execution.options.radii))))
    return llvm::failure();
  acc.setValid({m, n});
  return llvm::success();
}

llvm::LogicalResult runMatmulOp(Execution& execution, tile::MatmulOp op) { return runProduct(execution, op, false); }

llvm::LogicalResult runMatmulAsync(Execution& execution, tile::MatmulAsyncOp op) {
  if (llvm::failed(runProduct(execution, op, true))) return llvm::failure();
  const View reads[] = {execution.view(op.getA()), execution.view(op.getB())};
  execution.set(op.getToken(), execution.issue(op, reads, execution.view(op.getAcc()), true));
  return llvm::success();
}

}  // namespace

void addComputeHandlers(HandlerTable& table) {
  addHandler(table, "tile.map", handler<tile::MapOp, runMapOp>);
  addHandler(table, "tile.reduce", handler<tile::ReduceOp, runReduceOp>);
  addHandler(table, "tile.matmul", handler<tile::MatmulOp, runMatmulOp>);
  addHandler(table, "tile.matmul_async", handler<tile::MatmulAsyncOp, runMatmulAsync>);
}

}  // namespace forerun::interpreter
