//===- MatrixUnit.cpp - matmul as loads and runs of the array ---------------===//
// Blocks K and N to the array and streams all of M through it: for each N block, for each K block, load weights and
// run. The queue overlaps the next load with the current run.
#include "compiler/backends/accelerator/XfrDialect.h"
#include "compiler/backends/accelerator/lowering/DescriptorFields.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

using namespace mlir;

namespace forerun::backends::accelerator {

LogicalResult KernelLowering::emitMatmul(Operation* op, Value a, Value b, Value acc, Value accumulateIf,
                                         bool accumulate, bool transposeA, bool transposeB) {
  const Window left = window(a), right = window(b), out = window(acc);
  for (Type element : {left.type.getElementType(), right.type.getElementType()}) {
    std::string typeName;
    llvm::raw_string_ostream(typeName) << element;
    needs_.matrixTypes.insert(typeName);
  }
  needs_.matrix = true;

  const SmallVector<Access> accesses = accessesOf(op, scope_.teams);
  // The load waits for what B needs, the run for what A and the sums need; neither stops the hart.
  SmallVector<Access> weightAccesses, rowAccesses;
  for (const Access& access : accesses)
    (access.root == rootOf(b) && !access.write ? weightAccesses : rowAccesses).push_back(access);
  if (rootOf(a) == rootOf(b)) rowAccesses.push_back(weightAccesses.front());
  const SmallVector<Value> beforeLoad = settle(weightAccesses, kMatrixQueue, 1),
                           beforeRun = settle(rowAccesses, kMatrixQueue, 1);
  Value none = b_.constant(0);
  Value afterLoad = beforeLoad.empty() ? none : beforeLoad.front(),
        afterRun = beforeRun.empty() ? none : beforeRun.front();

  const SmallVector<Range> leftRanges = windows_.validRanges(left), rightRanges = windows_.validRanges(right);
  Value m = leftRanges[transposeA ? 1 : 0].high, n = rightRanges[transposeB ? 0 : 1].high;
  Value k = b_.min(leftRanges[transposeA ? 0 : 1].high, rightRanges[transposeB ? 1 : 0].high);
  Value leftRow = left.strideBytes[transposeA ? 1 : 0], leftK = left.strideBytes[transposeA ? 0 : 1];
  Value rightK = right.strideBytes[transposeB ? 1 : 0], rightColumn = right.strideBytes[transposeB ? 0 : 1];
  windows_.setValid(out, {m, n});

  const Descriptor weights = newDescriptor(), rows = newDescriptor(), sums = newDescriptor();
  Value condition = accumulateIf ? scalar(accumulateIf) : Value();
  auto typeOf = [&](const Window& window) { return b_.constant(elementTypeCode(window.type.getElementType())); };
  Value rowType = typeOf(left), weightType = typeOf(right), accType = typeOf(out);
  const std::int64_t blockK = target_.matrix.rows, blockN = target_.matrix.cols;
  Value zero = b_.constant(0);

  auto block = [&](Value k0, Value n0) -> Value {
    Value kExtent = b_.min(b_.constant(blockK), b_.sub(k, k0)), nExtent = b_.min(b_.constant(blockN), b_.sub(n, n0));
    Value weightAddress = b_.add(right.address, b_.add(b_.mul(k0, rightK), b_.mul(n0, rightColumn)));
    Value rowAddress = b_.add(left.address, b_.mul(k0, leftK));
    Value sumAddress = b_.add(out.address, b_.mul(n0, out.strideBytes[1]));
    // In memory order: dimension 0 of a transposed B is K.
    setDescriptor(weights, {{kFieldBase, weightAddress},
                            {kFieldExtent0, transposeB ? kExtent : nExtent},
                            {kFieldExtent0 + 1, transposeB ? nExtent : kExtent},
                            {kFieldStride0, transposeB ? rightK : rightColumn},
                            {kFieldStride0 + 1, transposeB ? rightColumn : rightK},
                            {kFieldType, weightType}});
    setDescriptor(rows, {{kFieldBase, rowAddress},
                         {kFieldExtent0, kExtent},
                         {kFieldExtent0 + 1, m},
                         {kFieldStride0, leftK},
                         {kFieldStride0 + 1, leftRow},
                         {kFieldType, rowType}});
    setDescriptor(sums, {{kFieldBase, sumAddress},
                         {kFieldExtent0, nExtent},
                         {kFieldExtent0 + 1, m},
                         {kFieldStride0, out.strideBytes[1]},
                         {kFieldStride0 + 1, out.strideBytes[0]},
                         {kFieldType, accType}});
    xfr::MmLoadOp::create(b_, b_.getI64Type(), weights.number, afterLoad, transposeB ? 1u : 0u);
    auto run = [&](bool add) -> Value {
      return xfr::MmRunOp::create(b_, b_.getI64Type(), rows.number, sums.number, afterRun, 1u, add ? 1u : 0u);
    };
    if (accumulate) return run(true);
    // The first block of K starts the sums, the others add to them. (Not peeled: one place that sets each descriptor
    // field, which then leaves the loop.)
    Value adds = b_.less(zero, k0);
    if (condition) adds = b_.createOrFold<arith::OrIOp>(adds, condition);
    if (const auto always = constantOf(adds)) return run(*always != 0);
    auto branch = scf::IfOp::create(b_, TypeRange{b_.getI64Type()}, adds, true);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b_, run(true));
    b_.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b_, run(false));
    return branch.getResult(0);
  };

  // At least one pair of commands: a product without K writes zeros, one without rows or columns nothing, and its token
  // comes after those of the queue's earlier commands like any other.
  Value one = b_.constant(1);
  Value token = leaderToken([&]() -> Value {
    return b_
        .loop(zero, b_.max(n, one), b_.constant(blockN), ValueRange{none},
              [&](Value n0, ValueRange) {
                return b_.loop(zero, b_.max(k, one), b_.constant(blockK), ValueRange{none},
                               [&](Value k0, ValueRange) { return SmallVector<Value>{block(k0, n0)}; });
              })
        .front();
  });
  coverWith(token, kMatrixQueue);
  if (llvm::isa<tile::MatmulAsyncOp>(op))
    map_.map(op->getResult(0), token);
  else
    addPending(op, token, accesses, kMatrixQueue);
  return success();
}

LogicalResult KernelLowering::emitMatrixStore(Operation* op, Value src, Value dst) {
  const Window from = window(src), to = window(dst);
  needs_.matrix = true;
  const SmallVector<Access> accesses = accessesOf(op, scope_.teams);
  const SmallVector<Value> after = settle(accesses, kMatrixQueue, 1);
  const SmallVector<Range> fromRanges = windows_.validRanges(from), toRanges = windows_.writableRanges(to);
  const Descriptor sums = newDescriptor(), out = newDescriptor();
  SmallVector<Field> sumFields{{kFieldBase, from.address},
                               {kFieldType, b_.constant(elementTypeCode(from.type.getElementType()))}};
  SmallVector<Field> outFields{{kFieldBase, to.address},
                               {kFieldType, b_.constant(elementTypeCode(to.type.getElementType()))}};
  SmallVector<Value> extents;
  for (unsigned dim = 0; dim < 2; ++dim) {
    Value extent = b_.min(fromRanges[dim].high, toRanges[dim].high);
    extents.push_back(extent);
    for (auto [fields, window] : {std::pair{&sumFields, &from}, std::pair{&outFields, &to}}) {
      fields->push_back({kFieldExtent0 + 1 - dim, extent});
      fields->push_back({kFieldStride0 + 1 - dim, window->strideBytes[dim]});
    }
  }
  windows_.setValid(to, extents);
  Value token = leaderToken([&]() -> Value {
    setDescriptor(sums, sumFields);
    setDescriptor(out, outFields);
    return xfr::MmStoreOp::create(b_, b_.getI64Type(), sums.number, out.number,
                                  after.empty() ? b_.constant(0) : after.front());
  });
  coverWith(token, kMatrixQueue);
  addPending(op, token, accesses, kMatrixQueue);
  return success();
}

}  // namespace forerun::backends::accelerator
