//===- MemoryHandlers.cpp - buffers, windows, moves, scalar accesses --------===//
// Works out boxes and valid extents (docs/language.md, "Valid extents"); the data moves in Move.cpp.
#include "compiler/interpreter/Handlers.h"
#include "compiler/interpreter/Move.h"

#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <exception>
#include <numeric>

namespace forerun::interpreter {

namespace {

llvm::LogicalResult runDim(Execution& execution, tile::DimOp op) {
  execution.set(op.getResult(),
                Scalar::ofInt(execution.view(op.getBuffer()).extentOf(static_cast<unsigned>(op.getDim()))));
  return llvm::success();
}

llvm::LogicalResult runAlloc(Execution& execution, tile::AllocOp op) {
  const tile::BufferType type = op.getResult().getType();
  Index shape;
  unsigned next = 0;
  for (unsigned d = 0; d < static_cast<unsigned>(type.getRank()); ++d)
    shape.push_back(type.isRuntimeDim(d) ? execution.integer(op.getSizes()[next++]) : type.getShape()[d]);
  for (std::int64_t extent : shape)
    if (extent < 0) return op.emitError() << "allocates a buffer with negative extent " << extent;
  const auto element = elementTypeOf(type.getElementType());
  if (!element)
    return op.emitError() << "element type " << type.getElementType() << " is not bound; run --tile-bind-params first";
  auto tooLarge = [&]() -> llvm::LogicalResult {
    auto error = op.emitError() << "this computer's memory does not hold a buffer of extents [";
    llvm::interleaveComma(shape, error);
    return error << "]; make it smaller";
  };
  std::int64_t bytes = isa::storageBytes(*element);
  for (std::int64_t extent : shape)
    if (llvm::MulOverflow(bytes, extent, bytes)) return tooLarge();
  try {
    execution.set(op.getResult(), View::of(std::make_shared<Storage>(*element, shape, spaceOf(type.getSpace()),
                                                                     execution.options.data)));
  } catch (const std::exception&) {  // of std::vector: no memory, or more than can be addressed
    return tooLarge();
  }
  return llvm::success();
}

llvm::LogicalResult runSlice(Execution& execution, tile::SliceOp op) {
  Index origins;
  for (mlir::OpFoldResult origin : op.getMixedOrigins()) origins.push_back(execution.integer(origin));
  View window = execution.view(op.getSource()).slice(origins, op.getResult().getType().getShape());
  if (isa::isPacked(window.storage->type) && origins.back() % 2 != 0)
    return op.emitOpError() << "has the innermost origin " << origins.back() << "; two elements of "
                            << isa::name(window.storage->type) << " share a byte, at which a window begins";
  if (!window.isGlobal() && !window.isInside()) {
    auto error = op.emitError() << "window at [";
    llvm::interleaveComma(origins, error);
    return error << "] reaches outside its on-chip buffer; only windows of global buffers may overhang";
  }
  execution.set(op.getResult(), std::move(window));
  return llvm::success();
}

/// Where a whole-tile operation may write: on-chip windows everywhere, global ones inside the buffer.
llvm::SmallVector<Range, 4> writableRanges(const View& view) { return view.boundRanges(); }

Index highsOf(llvm::ArrayRef<Range> box) {
  Index extents;
  for (const Range& range : box) extents.push_back(range.high);
  return extents;
}

llvm::LogicalResult move(Execution& execution, mlir::Operation* op, const View& src, const View& dst,
                         llvm::ArrayRef<std::int64_t> permutation, tile::Overflow overflow = tile::Overflow::Saturate) {
  const auto valid = src.validRanges();
  auto box = writableRanges(dst);
  llvm::SmallVector<Range, 4> source(valid.size());
  for (unsigned d = 0; d < box.size(); ++d) {
    const auto s = static_cast<unsigned>(permutation[d]);
    box[d].high = std::max(box[d].low, std::min(box[d].high, valid[s].high));
    source[s] = {std::max(valid[s].low, box[d].low), box[d].high};
  }
  if (llvm::failed(execution.reads(op, src, source)) || llvm::failed(execution.writes(op, dst, box)))
    return llvm::failure();
  if (execution.options.observer) execution.options.observer->move(dst, elementsOf(box));
  const auto beyond = overflow == tile::Overflow::NaN ? isa::Overflow::NaN : isa::Overflow::Saturate;
  if (execution.options.data && llvm::failed(execution.check(op, runCopy(src, dst, permutation, box, beyond))))
    return llvm::failure();
  dst.setValid(highsOf(box));
  return llvm::success();
}

Index identity(unsigned rank) {
  Index permutation(rank);
  std::iota(permutation.begin(), permutation.end(), 0);
  return permutation;
}

template <typename Op>
llvm::LogicalResult runCopyLike(Execution& execution, Op op) {
  const View& dst = execution.view(op.getDst());
  return move(execution, op, execution.view(op.getSrc()), dst, identity(dst.rank()), op.getOverflow());
}

llvm::LogicalResult runCopyAsync(Execution& execution, tile::CopyAsyncOp op) {
  if (llvm::failed(runCopyLike(execution, op))) return llvm::failure();
  execution.set(op.getToken(), execution.issue(op, execution.view(op.getSrc()), execution.view(op.getDst()), false));
  return llvm::success();
}

llvm::LogicalResult runTranspose(Execution& execution, tile::TransposeOp op) {
  return move(execution, op, execution.view(op.getSrc()), execution.view(op.getDst()), op.getPermutation());
}

llvm::LogicalResult runFillOp(Execution& execution, tile::FillOp op) {
  const View& dst = execution.view(op.getDst());
  const auto box = writableRanges(dst);
  if (llvm::failed(execution.writes(op, dst, box))) return llvm::failure();
  if (execution.options.observer) execution.options.observer->move(dst, elementsOf(box));
  if (execution.options.data) runFill(dst, execution.scalar(op.getValue()), box);
  dst.setValid(highsOf(box));
  return llvm::success();
}

}  // namespace

std::optional<std::int64_t> elementAt(Execution& execution, mlir::Operation* op, const View& view,
                                      mlir::ValueRange indices, llvm::SmallVectorImpl<Range>& box) {
  std::int64_t linear = view.base();
  const auto bounds = view.boundRanges();
  for (unsigned d = 0; d < view.rank(); ++d) {
    const std::int64_t index = execution.integer(indices[d]);
    if (index < bounds[d].low || index >= bounds[d].high) {
      op->emitError() << "index " << index << " of dimension " << d << " is outside the buffer (extent "
                      << view.extentOf(d) << ")";
      return std::nullopt;
    }
    linear += index * view.stride(d);
    box.push_back({index, index + 1});
  }
  return linear;
}

namespace {

llvm::LogicalResult runLoad(Execution& execution, tile::LoadOp op) {
  const View& view = execution.view(op.getBuffer());
  llvm::SmallVector<Range, 4> box;
  const auto at = elementAt(execution, op, view, op.getIndices(), box);
  if (!at || llvm::failed(execution.reads(op, view, box))) return llvm::failure();
  const Storage& storage = *view.storage;
  if (!storage.hasData())
    return op.emitError() << "work cannot be counted: the value read here depends on computed data";
  if (storage.firstUnwritten(*at, 1) >= 0)
    return op.emitError() << "reads an element that was never written; write it first";
  Scalar scalar;
  scalar.type = storage.type;
  loadColumn(storage.type, storage.bytes.data() + *at * static_cast<std::int64_t>(storage.elementBytes()), scalar.bytes,
             1);
  scalar.radius = storage.radiusAt(*at);
  execution.set(op->getResult(0), scalar);
  return llvm::success();
}

llvm::LogicalResult runStore(Execution& execution, tile::StoreOp op) {
  const View& view = execution.view(op.getBuffer());
  llvm::SmallVector<Range, 4> box;
  const auto at = elementAt(execution, op, view, op.getIndices(), box);
  if (!at || llvm::failed(execution.writes(op, view, box))) return llvm::failure();
  if (execution.options.data) runFill(view, execution.scalar(op.getValue()), box);
  return llvm::success();
}

}  // namespace

void addMemoryHandlers(HandlerTable& table) {
  addHandler(table, "tile.dim", handler<tile::DimOp, runDim>);
  addHandler(table, "tile.alloc", handler<tile::AllocOp, runAlloc>);
  addHandler(table, "tile.slice", handler<tile::SliceOp, runSlice>);
  addHandler(table, "tile.copy", handler<tile::CopyOp, runCopyLike<tile::CopyOp>>);
  addHandler(table, "tile.cast", handler<tile::CastOp, runCopyLike<tile::CastOp>>);
  addHandler(table, "tile.copy_async", handler<tile::CopyAsyncOp, runCopyAsync>);
  addHandler(table, "tile.transpose", handler<tile::TransposeOp, runTranspose>);
  addHandler(table, "tile.fill", handler<tile::FillOp, runFillOp>);
  addHandler(table, "tile.load", handler<tile::LoadOp, runLoad>);
  addHandler(table, "tile.store", handler<tile::StoreOp, runStore>);
}

}  // namespace forerun::interpreter
