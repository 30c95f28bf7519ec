//===- Products.cpp - matrix products ---------------------------------------===//
// Operands are packed as rows of f32 (i32 for i8); blocks of the accumulator are kept in vector registers while k runs,
// ascending, one fused multiply-add a step, as the interpreter has it.
#include "compiler/backends/host/HostCode.h"
#include "compiler/backends/host/lowering/KernelLowering.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace forerun::backends::host {

namespace {

// With two vectors a row: 12 accumulators of 16 registers, the rest for operands.
constexpr std::int64_t kBlockRows = 6, kBlockVectors = 2;

}  // namespace

/// A product whose operands are packed.
struct ProductPlan {
  const Window* acc = nullptr;
  VectorType vector;
  std::int64_t lanes = 0;
  std::int64_t depth = 0;    ///< k, valid or not
  std::int64_t offsetB = 0;  ///< bytes
  Value k, n;                ///< valid ones
  Value accumulate;          ///< null: never
};

void KernelLowering::emitMicroTile(std::int64_t rows, Value row, Value column, const ProductPlan& plan) {
  Type element = plan.vector.getElementType();
  const bool real = llvm::isa<FloatType>(element);
  constexpr std::int64_t kBytes = 4;
  Value zeros = arith::ConstantOp::create(b_, b_.getZeroAttr(plan.vector));
  auto place = [&](std::int64_t r, std::int64_t v) {
    return pointer(*plan.acc, windows_.elementAddress(*plan.acc, {b_.add(row, r), b_.add(column, v * plan.lanes)}));
  };
  auto maskOf = [&](std::int64_t v) -> Value {
    auto type = VectorType::get({plan.lanes}, b_.getI64Type());
    Value lanes = LLVM::StepVectorOp::create(b_, type);
    Value left = b_.sub(plan.n, b_.add(column, v * plan.lanes));
    Value limit = vectorOf(left, plan.lanes);
    return arith::CmpIOp::create(b_, arith::CmpIPredicate::slt, lanes, limit);
  };
  // All columns of the block at once, or with a mask where some are past the last one; body(row, vector, masked).
  auto eachVector = [&](TypeRange results, function_ref<void(std::int64_t, std::int64_t, bool, Values&)> body) {
    Value full = b_.less(b_.add(column, kBlockVectors * plan.lanes - 1), plan.n);
    auto branch = scf::IfOp::create(b_, results, full, /*withElseRegion=*/true);
    for (bool masked : {false, true}) {
      OpBuilder::InsertionGuard guard(b_);
      Block* block = masked ? branch.elseBlock() : branch.thenBlock();
      b_.setInsertionPointToStart(block);
      Values yielded;
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t v = 0; v < kBlockVectors; ++v) body(r, v, masked, yielded);
      if (!results.empty()) scf::YieldOp::create(b_, yielded);
    }
    return Values(branch.getResults());
  };

  Values state(rows * kBlockVectors, zeros);
  if (plan.accumulate)
    state = b_.when(plan.accumulate, state, [&] {
      return eachVector(ValueRange(state).getTypes(), [&](std::int64_t r, std::int64_t v, bool masked, Values& loaded) {
        if (masked) {
          loaded.push_back(LLVM::MaskedLoadOp::create(b_, plan.vector, place(r, v), maskOf(v), zeros, kBytes));
          return;
        }
        auto load = LLVM::LoadOp::create(b_, plan.vector, place(r, v), kBytes);
        tag(load, plan.acc->buffer);
        loaded.push_back(load);
      });
    });
  state = b_.loop(b_.constant(0), plan.k, b_.constant(1), state, [&](Value k, ValueRange sums) {
    Values next, b;
    Value rowOfB = b_.add(b_.mul(column, plan.depth), b_.mul(k, kBlockVectors * plan.lanes));
    for (std::int64_t v = 0; v < kBlockVectors; ++v)
      b.push_back(loadTemporary(plan.vector, b_.add(b_.mul(b_.add(rowOfB, v * plan.lanes), kBytes), plan.offsetB)));
    for (std::int64_t r = 0; r < rows; ++r) {
      Value at = b_.add(b_.mul(b_.add(row, r), plan.depth), k);
      Value a = vectorOf(loadTemporary(element, b_.mul(at, kBytes)), plan.lanes);
      for (std::int64_t v = 0; v < kBlockVectors; ++v) {
        Value sum = sums[r * kBlockVectors + v];
        if (real)
          next.push_back(LLVM::FMAOp::create(b_, a, b[v], sum));
        else
          next.push_back(arith::AddIOp::create(b_, sum, arith::MulIOp::create(b_, a, b[v])));
      }
    }
    return next;
  });
  eachVector({}, [&](std::int64_t r, std::int64_t v, bool masked, Values&) {
    Value sum = state[r * kBlockVectors + v];
    if (masked)
      LLVM::MaskedStoreOp::create(b_, sum, place(r, v), maskOf(v), kBytes);
    else
      tag(LLVM::StoreOp::create(b_, sum, place(r, v), kBytes), plan.acc->buffer);
  });
}

Value KernelLowering::vectorOf(Value scalar, std::int64_t lanes) {
  auto type = VectorType::get({lanes}, scalar.getType());
  Value poison = LLVM::PoisonOp::create(b_, type);
  Value first = LLVM::InsertElementOp::create(b_, poison, scalar, b_.constant32(0));
  return LLVM::ShuffleVectorOp::create(b_, first, poison, SmallVector<std::int32_t>(lanes, 0));
}

/// As many neighbouring elements as a vector has, from `index` on, as the accumulator's type.
Value KernelLowering::widened(const Window& window, ValueRange index, const ProductPlan& plan) {
  Type stored = window.type.getElementType(), element = plan.vector.getElementType();
  auto loaded = LLVM::LoadOp::create(b_, VectorType::get({plan.lanes}, stored),
                                     pointer(window, windows_.elementAddress(window, index)), storageBytes(stored));
  tag(loaded, window.buffer);
  if (stored == element) return loaded;
  if (llvm::isa<FloatType>(element)) return arith::ExtFOp::create(b_, plan.vector, loaded.getResult());
  return arith::ExtSIOp::create(b_, plan.vector, loaded.getResult());
}

template <typename OpT>
LogicalResult KernelLowering::emitProduct(OpT op) {
  const Window &a = window(op.getA()), &b = window(op.getB()), &acc = window(op.getAcc());
  if (constantOf(acc.strideBytes[1]) != 4)
    return unsupported(op, "an accumulator whose rows are not made of neighbours; leave its layout out");
  const bool transposeA = op.getTransposeA(), transposeB = op.getTransposeB();
  const Ranges validA = windows_.validRanges(a), validB = windows_.validRanges(b);
  Value m = validA[transposeA ? 1 : 0].high, n = validB[transposeB ? 0 : 1].high,
        k = b_.min(validA[transposeA ? 0 : 1].high, validB[transposeB ? 1 : 0].high);
  Type element = acc.type.getElementType();

  ProductPlan plan;
  plan.acc = &acc;
  plan.lanes = vectorBits() / 32;
  plan.vector = VectorType::get({plan.lanes}, element);
  plan.depth = a.extent(transposeA ? 0 : 1);
  const std::int64_t blockColumns = kBlockVectors * plan.lanes, rows = a.extent(transposeA ? 1 : 0);
  const auto columns = static_cast<std::int64_t>(llvm::alignTo(static_cast<std::uint64_t>(b.extent(transposeB ? 0 : 1)),
                                                               static_cast<std::uint64_t>(blockColumns)));
  plan.offsetB = static_cast<std::int64_t>(llvm::alignTo(static_cast<std::uint64_t>(rows * plan.depth * 4), 64));
  needTemporary(plan.offsetB + plan.depth * columns * 4);
  plan.k = k;
  plan.n = n;
  if (op.getAccumulate())
    plan.accumulate = b_.constant1(true);
  else if (op.getAccumulateIf())
    plan.accumulate = scalars_.value(op.getAccumulateIf());
  if (plan.accumulate) {
    const Ranges held = windows_.validRanges(acc);
    Value fewer = b_.createOrFold<arith::OrIOp>(b_.less(held[0].high, m), b_.less(held[1].high, n));
    stopWhere(op, b_.conjunction(plan.accumulate, fewer),
              "accumulates into elements that are not valid; fill the accumulator first, or do not accumulate here");
  }

  Value zero = b_.constant(0);
  auto packed = [&](const Window& from, bool transposed, Value row, Value column, Value at) {
    Values index{row, column};
    if (transposed) std::swap(index[0], index[1]);
    Value value = load(from, index);
    if (value.getType() != element)
      value = llvm::isa<FloatType>(element) ? convert(b_, Lanes{}, value, value.getType(), element)
                                            : Value(arith::ExtSIOp::create(b_, element, value));
    storeTemporary(value, at);
  };
  const Range all[] = {{zero, m}, {zero, k}};
  forEach(all, /*independent=*/true, [&](ValueRange at) {
    packed(a, transposeA, at[0], at[1], b_.mul(b_.add(b_.mul(at[0], plan.depth), at[1]), 4));
  });
  // Columns of a block lie together, row by row: the innermost loop reads them one after the other.
  const bool neighbours = !transposeB && constantOf(b.strideBytes[1]) == storageBytes(b.type.getElementType());
  b_.loop(zero, n, b_.constant(blockColumns), [&](Value first) {
    auto place = [&](Value row, Value column) {
      Value at = b_.add(b_.add(b_.mul(first, plan.depth), b_.mul(row, blockColumns)), column);
      return b_.add(b_.mul(at, 4), plan.offsetB);
    };
    auto byElement = [&] {
      const Range block[] = {{zero, k}, {zero, b_.min(b_.constant(blockColumns), b_.sub(n, first))}};
      forEach(block, /*independent=*/true,
              [&](ValueRange at) { packed(b, transposeB, at[0], b_.add(first, at[1]), place(at[0], at[1])); });
    };
    if (!neighbours) return byElement();
    Value full = b_.less(b_.add(first, blockColumns - 1), n);
    b_.when(full, [&] {
      b_.loop(zero, k, b_.constant(1), [&](Value row) {
        for (std::int64_t v = 0; v < kBlockVectors; ++v) {
          Value column = b_.constant(v * plan.lanes);
          storeTemporary(widened(b, {row, b_.add(first, column)}, plan), place(row, column));
        }
      });
    });
    b_.when(arith::XOrIOp::create(b_, full, b_.constant1(true)), byElement);
  });

  Value blocked = b_.sub(m, b_.remUnsigned(m, kBlockRows));
  b_.loop(zero, n, b_.constant(blockColumns), [&](Value column) {
    b_.loop(zero, blocked, b_.constant(kBlockRows), [&](Value row) { emitMicroTile(kBlockRows, row, column, plan); });
    b_.loop(blocked, m, b_.constant(1), [&](Value row) { emitMicroTile(1, row, column, plan); });
  });
  windows_.setValid(acc, {m, n});
  return success();
}

template LogicalResult KernelLowering::emitProduct(tile::MatmulOp);
template LogicalResult KernelLowering::emitProduct(tile::MatmulAsyncOp);

}  // namespace forerun::backends::host
