//===- Fragments.cpp - accumulators in registers, matrix products -----------===//
// An accumulator is cut into 16 x 8 fragments of f32, dealt to the warps of its scope in turn; a thread holds four
// elements of each. Operands come from shared memory element by element; elements that are not valid count as zero.
#include "compiler/backends/nvptx/KernelLowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace forerun::backends::nvptx {

namespace {

// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 and which elements of its operands a lane holds, from the PTX ISA,
// "Matrix Fragments for mma.m16n8k16": with group = lane / 4 and pair = 2 * (lane % 4), element e lies at
// (group + row, pair + column), for B at (pair + row, group + column).
struct Place {
  std::int64_t row, column;
};
constexpr std::int64_t kRows = 16, kColumns = 8, kDepth = 16;
constexpr Place kA[] = {{0, 0}, {0, 1}, {8, 0}, {8, 1}, {0, 8}, {0, 9}, {8, 8}, {8, 9}};
constexpr Place kB[] = {{0, 0}, {1, 0}, {8, 0}, {9, 0}};
constexpr Place kC[] = {{0, 0}, {0, 1}, {8, 0}, {8, 1}};

}  // namespace

LogicalResult KernelLowering::allocateFragments(tile::AllocOp op, const Buffer& buffer) {
  const ArrayRef<std::int64_t> shape = buffer.type.getShape();
  if (shape.size() != 2 || !buffer.type.getElementType().isF32() || shape[0] % kRows != 0 || shape[1] % kColumns != 0)
    return unsupported(op, "accumulators are f32 with extents that are multiples of 16 and 8");
  if (buffer.type.getLayout())
    return unsupported(op, "an accumulator lies in the fragments of mma.m16n8k16; leave its layout out");
  Fragments fragments;
  fragments.rows = shape[0] / kRows;
  fragments.columns = shape[1] / kColumns;
  fragments.warps = scope_.warps;
  fragments.perWarp = llvm::divideCeil(fragments.rows * fragments.columns, fragments.warps);
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointToStart(entry_);
  fragments.storage = LLVM::AllocaOp::create(b_, LLVM::LLVMPointerType::get(b_.getContext()), b_.getF32Type(),
                                             b_.constant(fragments.perWarp * std::ssize(kC)));
  fragments_[&buffer] = fragments;
  return success();
}

const KernelLowering::Fragments* KernelLowering::fragmentsOf(Operation* op, Value acc) {
  const Window& window = windows_.at(acc);
  const Fragments& fragments = fragments_.find(window.buffer)->second;
  if (!window.whole)
    (void)unsupported(op, "a window of an accumulator; use the whole buffer");
  else if (fragments.warps != scope_.warps)
    (void)unsupported(op, "an accumulator that another scope allocated; allocate it where it is used");
  else
    return &fragments;
  return nullptr;
}

void KernelLowering::forEachFragment(const Fragments& fragments, function_ref<void(std::int64_t, Value, Value)> body) {
  const std::int64_t count = fragments.rows * fragments.columns;
  for (std::int64_t number = 0; number < fragments.perWarp; ++number) {
    Value fragment = b_.add(scope_.warp, number * fragments.warps);
    auto here = [&] {
      body(number, b_.mul(b_.divUnsigned(fragment, fragments.columns), kRows),
           b_.mul(b_.remUnsigned(fragment, fragments.columns), kColumns));
    };
    if ((number + 1) * fragments.warps <= count)
      here();
    else  // the last round leaves some warps without work
      b_.when(b_.less(fragment, b_.constant(count)), here);
  }
}

Value KernelLowering::fragmentWord(const Fragments& fragments, std::int64_t fragment, std::int64_t element) {
  return LLVM::GEPOp::create(b_, fragments.storage.getType(), b_.getF32Type(), fragments.storage,
                             ArrayRef<LLVM::GEPArg>{static_cast<std::int32_t>(fragment * std::ssize(kC) + element)});
}

LogicalResult KernelLowering::emitFragmentFill(tile::FillOp op) {
  const Fragments* fragments = fragmentsOf(op, op.getDst());
  if (!fragments) return failure();
  const Window& window = windows_.at(op.getDst());
  windows_.setValid(window, window.extents);
  forEachFragment(*fragments, [&](std::int64_t number, Value, Value) {
    for (std::int64_t element = 0; element < std::ssize(kC); ++element)
      LLVM::StoreOp::create(b_, scalars_.value(op.getValue()), fragmentWord(*fragments, number, element));
  });
  return success();
}

LogicalResult KernelLowering::emitFragmentCopy(Operation* op, Value src, Value dst) {
  const Fragments* fragments = fragmentsOf(op, src);
  if (!fragments) return failure();
  const Window from = windows_.at(src), to = windows_.at(dst);
  Type type = to.type.getElementType();
  if (failed(checkConversion(op, b_.getF32Type(), type))) return failure();
  const SmallVector<Range> ranges = windows_.elementwiseRanges(from, to);
  Value group = b_.divUnsigned(lane_, 4), pair = b_.mul(b_.remUnsigned(lane_, 4), 2);
  forEachFragment(*fragments, [&](std::int64_t number, Value row, Value column) {
    for (auto [element, place] : llvm::enumerate(kC)) {
      const Value index[] = {b_.add(b_.add(row, group), place.row), b_.add(b_.add(column, pair), place.column)};
      Value valid;
      for (auto [at, range] : llvm::zip_equal(index, ranges)) {
        valid = b_.conjunction(valid, b_.less(at, range.high));
        if (constantOf(range.low) != 0)
          valid = b_.conjunction(valid, b_.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, at, range.low));
      }
      b_.when(valid, [&] {
        Value value = LLVM::LoadOp::create(b_, b_.getF32Type(),
                                           fragmentWord(*fragments, number, static_cast<std::int64_t>(element)));
        store(to, windows_.elementAddress(to, index), convert(b_, Lanes{}, value, b_.getF32Type(), type));
      });
    }
  });
  return success();
}

template <typename Op>
LogicalResult KernelLowering::emitProduct(Op op) {
  const Fragments* fragments = fragmentsOf(op, op.getAcc());
  if (!fragments) return failure();
  // Windows of the operands as row and column, whatever lies transposed.
  struct Operand {
    const Window& window;
    unsigned row, column;  ///< dimensions
    SmallVector<Range> ranges;
  };
  const Operand a{windows_.at(op.getA()), op.getTransposeA(), !op.getTransposeA(),
                  windows_.validRanges(windows_.at(op.getA()))};
  const Operand b{windows_.at(op.getB()), op.getTransposeB(), !op.getTransposeB(),
                  windows_.validRanges(windows_.at(op.getB()))};
  Type element = a.window.type.getElementType();
  const std::int64_t depth = a.window.extent(a.column);
  if (!element.isF16() || depth % kDepth != 0)
    return unsupported(op, "operands are f16 with an extent of K that is a multiple of 16 (mma.sync.m16n8k16)");

  Value validRows = a.ranges[a.row].high, validColumns = b.ranges[b.column].high;
  Value validDepth = b_.min(a.ranges[a.column].high, b.ranges[b.row].high);
  windows_.setValid(windows_.at(op.getAcc()), {validRows, validColumns});
  Type f32 = b_.getF32Type(), pairType = VectorType::get({2}, element);
  Value zero = arith::ConstantOp::create(b_, b_.getF32FloatAttr(0.0f));
  Value noElement = arith::ConstantOp::create(b_, b_.getFloatAttr(element, 0.0));
  if (!op.getAccumulate())
    forEachFragment(*fragments, [&](std::int64_t number, Value, Value) {
      for (std::int64_t word = 0; word < std::ssize(kC); ++word) {
        Value start = zero, address = fragmentWord(*fragments, number, word);
        if (op.getAccumulateIf())
          start = arith::SelectOp::create(b_, scalars_.value(op.getAccumulateIf()),
                                          LLVM::LoadOp::create(b_, f32, address), zero);
        LLVM::StoreOp::create(b_, start, address);
      }
    });

  Value group = b_.divUnsigned(lane_, 4), pair = b_.mul(b_.remUnsigned(lane_, 4), 2);
  auto loadAt = [&](const Operand& operand, Value row, Value column, Value rows, Value columns) -> Value {
    SmallVector<Value> index(2);
    index[operand.row] = row;
    index[operand.column] = column;
    // On-chip windows lie inside their buffer: what is not valid may be read, and is replaced.
    Value value = load(operand.window, windows_.elementAddress(operand.window, index));
    return arith::SelectOp::create(b_, b_.conjunction(b_.less(row, rows), b_.less(column, columns)), value, noElement);
  };
  auto packed = [&](ArrayRef<Value> elements) {
    SmallVector<Value> pairs;
    for (std::size_t i = 0; i < elements.size(); i += 2) {
      Value both = LLVM::PoisonOp::create(b_, pairType);
      both = LLVM::InsertElementOp::create(b_, both, elements[i], b_.constant32(0));
      pairs.push_back(LLVM::InsertElementOp::create(b_, both, elements[i + 1], b_.constant32(1)));
    }
    return pairs;
  };
  b_.loop(b_.constant(0), validDepth, b_.constant(kDepth), [&](Value k) {
    forEachFragment(*fragments, [&](std::int64_t number, Value row, Value column) {
      SmallVector<Value> rows, columns, sums;
      for (const Place& place : kA)
        rows.push_back(loadAt(a, b_.add(b_.add(row, group), place.row), b_.add(b_.add(k, pair), place.column),
                              validRows, validDepth));
      for (const Place& place : kB)
        columns.push_back(loadAt(b, b_.add(b_.add(k, pair), place.row), b_.add(b_.add(column, group), place.column),
                                 validDepth, validColumns));
      for (std::int64_t word = 0; word < std::ssize(kC); ++word)
        sums.push_back(LLVM::LoadOp::create(b_, f32, fragmentWord(*fragments, number, word)));
      const std::int64_t shape[] = {kRows, kColumns, kDepth};
      Value result = NVVM::MmaOp::create(
          b_, LLVM::LLVMStructType::getLiteral(b_.getContext(), SmallVector<Type>(std::size(kC), f32)), packed(rows),
          packed(columns), sums, shape, std::nullopt, std::nullopt, std::nullopt,
          std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
      for (std::int64_t word = 0; word < std::ssize(kC); ++word)
        LLVM::StoreOp::create(b_, LLVM::ExtractValueOp::create(b_, result, word),
                              fragmentWord(*fragments, number, word));
    });
  });
  return success();
}

LogicalResult KernelLowering::emitMatmul(tile::MatmulOp op) { return emitProduct(op); }

LogicalResult KernelLowering::emitMatmul(tile::MatmulAsyncOp op) {
  map_.map(op.getToken(), b_.constant(0));  // mma.sync ends before what follows begins
  return emitProduct(op);
}

}  // namespace forerun::backends::nvptx
