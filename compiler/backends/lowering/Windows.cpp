//===- Windows.cpp - addresses and valid extents ----------------------------===//
// A window is an address, strides and the range of its indices that exists; nothing here moves data.
#include "compiler/backends/lowering/Windows.h"

#include "compiler/dialect/Scopes.h"
#include "compiler/dialect/layout/Equality.h"
#include "compiler/dialect/layout/Text.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <functional>

using namespace mlir;

namespace forerun::backends {

namespace {

constexpr std::int64_t kAlignmentBytes = 64;                   // of on-chip buffers
constexpr std::int64_t kMostUnrolled = 8;                      // records of valid extents, of stages mostly
constexpr std::int64_t kMostElements = std::int64_t{1} << 40;  // of one; sums of their bytes do not overflow

/// Cheap proof that an index is not negative; false means "unknown".
bool isNonNegative(Value value, unsigned depth = 0) {
  if (depth > 8) return false;
  if (auto constant = constantOf(value)) return *constant >= 0;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation* parent = argument.getOwner()->getParentOp();
    if (auto kernel = dyn_cast<tile::KernelOp>(parent)) return llvm::is_contained(kernel.getGridIds(), argument);
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return argument == loop.getInductionVar() && isNonNegative(loop.getLowerBound(), depth + 1);
    return false;
  }
  Operation* op = value.getDefiningOp();
  auto all = [&](ValueRange operands) {
    return llvm::all_of(operands, [&](Value operand) { return isNonNegative(operand, depth + 1); });
  };
  // Sums and products of indices do not overflow 63 bits: they count elements of memory.
  if (llvm::isa<arith::AddIOp, arith::MulIOp, arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp,
                arith::MinSIOp, arith::CeilDivUIOp, arith::CeilDivSIOp>(op))
    return all(op->getOperands());
  if (llvm::isa<arith::MaxSIOp, arith::MinUIOp>(op))
    return isNonNegative(op->getOperand(0), depth + 1) || isNonNegative(op->getOperand(1), depth + 1);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return isNonNegative(select.getTrueValue(), depth + 1) && isNonNegative(select.getFalseValue(), depth + 1);
  return llvm::isa<tile::DimOp, tile::TeamIdOp, tile::NumTeamsOp, tile::CoreIdOp, tile::NumCoresOp>(op);
}

/// Where the elements of a buffer lie, or why they cannot lie so: in the target's axes, then as one stride a dimension
/// describes; what the host holds is row-major.
llvm::Expected<layout::Strides> elementStrides(tile::BufferType type, Windows::Axes axes) {
  SmallVector<std::int64_t> shape(type.getShape());
  if (tile::isPacked(type.getElementType())) shape.back() += shape.back() % 2;  // rows begin at a whole byte
  auto rowMajor = layout::Layout::rowMajor(shape);
  if (!rowMajor) return rowMajor.takeError();
  auto attribute = llvm::cast_if_present<tile::LayoutAttr>(type.getLayout());
  if (!attribute) return layout::stridesOf({*rowMajor, shape});
  const layout::Layout& given = attribute.getValue();
  std::string text;
  llvm::raw_string_ostream(text) << "layout " << given << ": ";
  if (llvm::Error error = layout::verify(given, axes(8 * storageBytes(type.getElementType()))))
    return llvm::createStringError(text + llvm::toString(std::move(error)));
  if (type.isGlobal() && layout::compare(given, *rowMajor) != layout::Equality::Equal)
    return llvm::createStringError(text +
                                   "buffers in 'global' are row-major, as the host holds them; leave the layout "
                                   "out");
  llvm::Expected<layout::Strides> strides = layout::stridesOf({given, type.getShape()});
  if (!strides)
    return llvm::createStringError(text + llvm::toString(strides.takeError()) +
                                   "; it takes one stride a dimension in memory, as S[(8,64):(72,1)], and for each "
                                   "element a place of its own");
  return strides;
}

}  // namespace

LogicalResult Windows::collect(tile::KernelOp kernel, unsigned teams, unsigned groups, Axes axes,
                               Unsupported unsupported, bool takesReg) {
  auto add = [&](Value root) -> Buffer& {
    auto buffer = std::make_unique<Buffer>();
    buffer->id = static_cast<unsigned>(buffers_.size());
    buffer->root = root;
    buffer->type = cast<tile::BufferType>(root.getType());
    bufferOf_[root] = buffer.get();
    buffers_.push_back(std::move(buffer));
    return *buffers_.back();
  };
  for (BlockArgument argument : kernel.getKernelArguments())
    if (auto type = llvm::dyn_cast<tile::BufferType>(argument.getType())) {
      if (type.getLayout())
        if (auto strides = elementStrides(type, axes); !strides)
          return unsupported(
              kernel, "argument " + Twine(argument.getArgNumber()) + " with " + llvm::toString(strides.takeError()));
      add(argument);
    }
  LogicalResult result = success();
  kernel.walk([&](tile::AllocOp op) {
    const tile::BufferType type = op.getResult().getType();
    if (type.getSpace() == tile::Space::Reg && !takesReg) {
      result =
          unsupported(op, "buffers in 'reg'; use 'scratch': element-wise values stay in registers inside a map anyway");
      return;
    }
    auto strides = elementStrides(type, axes);
    if (!strides) {
      result = unsupported(op, llvm::toString(strides.takeError()));
      return;
    }
    if (strides->extent > kMostElements) {
      result =
          unsupported(op, "it takes " + Twine(strides->extent) + " elements, more than any memory of a core holds");
      return;
    }
    Buffer& buffer = add(op.getResult());
    buffer.strides = std::move(*strides);
    buffer.bytes = llvm::alignTo<kAlignmentBytes>(storageBytes(type.getElementType(), buffer.strides.extent));
    buffer.scope = tile::scopeOf(op);
    if (buffer.scope == tile::Scope::Lane) buffer.scope = tile::Scope::Team;  // a team's lanes follow each other
    if (buffer.scope == tile::Scope::Team) buffer.copies = teams;
    if (buffer.scope == tile::Scope::Group) buffer.copies = groups;
  });
  kernel.walk([&](tile::SliceOp op) {
    Buffer* of = buffer(rootOf(op.getResult()));  // null after an error
    if (of && of->onChip() && op.getDroppedDims() == 1 && isWholeOrLeadingIndex(op.getResult()))
      of->leadingIndexed = true;
  });
  return result;
}

Windows::Needs Windows::place(Region& region) {
  auto most = [](Needs a, Needs b) {
    return Needs{std::max(a.scratchBytes, b.scratchBytes), std::max(a.accBytes, b.accBytes)};
  };
  // Returns the most that is in use at a time, what is in use outside included.
  std::function<Needs(Region&, Needs)> stack = [&](Region& inside, Needs now) {
    Needs peak = now;
    for (Block& block : inside)
      for (Operation& op : block) {
        if (auto alloc = dyn_cast<tile::AllocOp>(op)) {
          Buffer& placed = *buffer(alloc.getResult());
          const bool acc = placed.type.getSpace() == tile::Space::Acc;
          std::int64_t& used = acc ? now.accBytes : now.scratchBytes;
          placed.offset = used;
          used += placed.bytes * placed.copies;
          peak = most(peak, now);
        }
        Needs beside = now;  // regions that run at the same time stack on one another
        for (Region& inner : op.getRegions()) {
          const Needs inUse = stack(inner, llvm::isa<tile::RolesOp>(op) ? beside : now);
          beside = most(beside, inUse);
        }
        peak = most(peak, beside);
      }
    return peak;
  };
  return stack(region, {});
}

LogicalResult Windows::requireSpace(tile::KernelOp kernel, tile::Space space, std::int64_t neededBytes,
                                    std::int64_t hasBytes, StringRef memory, StringRef target) {
  if (neededBytes <= hasBytes) return success();
  const Buffer* largest = nullptr;
  for (const auto& buffer : buffers_)
    if (buffer->onChip() && buffer->type.getSpace() == space &&
        (!largest || buffer->bytes * buffer->copies > largest->bytes * largest->copies))
      largest = buffer.get();
  auto diagnostic = kernel.emitError() << "kernel @" << kernel.getSymName() << " needs " << neededBytes << " bytes of "
                                       << memory << ", a core of target '" << target << "' has " << hasBytes
                                       << "; shrink a tile parameter (--param NAME=VALUE)";
  diagnostic.attachNote(largest->root.getLoc())
      << "the largest buffer takes " << largest->bytes * largest->copies << " bytes: " << largest->type;
  return failure();
}

bool Windows::overlap(Value a, Value b) const {
  if (a == b) return true;
  const Buffer *first = buffer(a), *second = buffer(b);
  if (!first || !second || !first->onChip() || first->type.getSpace() != second->type.getSpace()) return false;
  return first->offset < second->offset + second->bytes * second->copies &&
         second->offset < first->offset + first->bytes * first->copies;
}

void Windows::allocateExtents() {
  for (const auto& buffer : buffers_)
    if (buffer->onChip() && !buffer->alwaysFull && !buffer->validWords)
      buffer->validWords = b_.alloca64(buffer->extentWords());
}

void Windows::setStrides(Buffer& buffer) {
  const ArrayRef<std::int64_t> shape = buffer.type.getShape();
  if (buffer.extents.empty())
    for (std::int64_t extent : shape) buffer.extents.push_back(b_.constant(extent));
  const Type element = buffer.type.getElementType();
  buffer.strideBytes.clear();
  if (buffer.onChip()) {
    for (std::int64_t stride : buffer.strides.strides)
      buffer.strideBytes.push_back(b_.constant(storageBytes(element, stride)));
    if (tile::isPacked(element)) buffer.strideBytes.back() = b_.constant(0);
    buffer.address = b_.add(buffer.address, storageBytes(element, buffer.strides.offset));
    return;
  }
  assert(!tile::isPacked(element) && "the launch gives the strides of packed rows");
  buffer.strideBytes.resize(shape.size());
  Value stride = b_.constant(storageBytes(element));
  for (std::size_t dim = shape.size(); dim-- > 0;) {
    buffer.strideBytes[dim] = stride;
    stride = b_.mul(stride, buffer.extents[dim]);
  }
}

void Windows::define(Buffer& buffer) {
  const std::int64_t rank = buffer.type.getRank();
  Window window;
  window.buffer = &buffer;
  window.type = buffer.type;
  window.address = buffer.address;
  window.strideBytes = buffer.strideBytes;
  window.extents = buffer.extents;
  window.origins.assign(rank, b_.constant(0));
  if (buffer.onChip()) {
    window.whole = true;
    if (!buffer.shared) setValid(window, window.extents);
  } else {
    window.globalHigh = buffer.extents;
    window.globalLow.assign(rank, Value());
  }
  windows_[buffer.root] = std::move(window);
}

void Windows::slice(tile::SliceOp op) {
  const Window source = at(op.getSource());
  const auto type = op.getResult().getType();
  const unsigned dropped = op.getDroppedDims();
  Window result;
  result.buffer = source.buffer;
  result.type = type;
  result.address = source.address;
  SmallVector<Value> origins;
  SmallVector<bool> maybeNegative;
  for (OpFoldResult origin : op.getMixedOrigins()) {
    if (auto value = dyn_cast<Value>(origin)) {
      origins.push_back(scalars_.lookup(value));
      maybeNegative.push_back(!isNonNegative(value));
    } else {
      const std::int64_t constant = *getConstantIntValue(origin);
      origins.push_back(b_.constant(constant));
      maybeNegative.push_back(constant < 0);
    }
  }
  for (std::int64_t dim = 0; dim < source.rank(); ++dim)
    result.address = b_.add(result.address, b_.mul(origins[dim], source.strideBytes[dim]));
  if (tile::isPacked(type.getElementType()))
    result.address =
        b_.add(result.address, b_.createOrFold<arith::ShRSIOp>(origins.back(), b_.constant(1)));  // even: checked
  for (std::int64_t dim = dropped; dim < source.rank(); ++dim) {
    result.strideBytes.push_back(source.strideBytes[dim]);
    result.extents.push_back(b_.constant(type.getShape()[dim - dropped]));
    result.origins.push_back(b_.add(source.origins[dim], origins[dim]));
  }
  result.droppedOrigins = source.droppedOrigins;
  for (unsigned dim = 0; dim < dropped; ++dim)
    result.droppedOrigins.push_back(b_.add(source.origins[dim], origins[dim]));

  if (source.buffer->onChip()) {
    const bool full = source.whole && dropped == 0 && source.type.getShape() == type.getShape();
    result.whole = full;
    if (source.leadingIndex && full) result.leadingIndex = source.leadingIndex;
    if (source.whole && dropped == 1 && isWholeOrLeadingIndex(op.getResult())) result.leadingIndex = origins[0];
  } else {
    Value inside;  // of the dropped dimensions
    for (unsigned dim = 0; dim < dropped; ++dim) {
      inside = b_.conjunction(inside, b_.less(origins[dim], source.globalHigh[dim]));
      Value low = source.globalLow[dim] ? source.globalLow[dim] : b_.constant(0);
      if (maybeNegative[dim] || source.globalLow[dim])
        inside = b_.conjunction(inside, b_.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, origins[dim], low));
    }
    for (std::int64_t dim = dropped; dim < source.rank(); ++dim) {
      Value extent = result.extents[dim - dropped];
      Value high = b_.max(b_.constant(0), b_.min(extent, b_.sub(source.globalHigh[dim], origins[dim])));
      if (inside && dim == dropped && constantOf(inside) != 1)
        high = b_.createOrFold<arith::SelectOp>(inside, high, b_.constant(0));
      result.globalHigh.push_back(high);
      Value low;
      if (maybeNegative[dim] || source.globalLow[dim])
        low = b_.max(
            b_.constant(0),
            b_.min(extent, b_.sub(source.globalLow[dim] ? source.globalLow[dim] : b_.constant(0), origins[dim])));
      result.globalLow.push_back(low);
    }
  }
  windows_[op.getResult()] = std::move(result);
}

SmallVector<Range> Windows::validRanges(const Window& window) {
  SmallVector<Range> ranges;
  const Buffer& buffer = *window.buffer;
  if (!buffer.onChip()) {
    for (std::int64_t dim = 0; dim < window.rank(); ++dim)
      ranges.push_back({window.globalLow[dim] ? window.globalLow[dim] : b_.constant(0), window.globalHigh[dim]});
    return ranges;
  }
  const std::int64_t bufferRank = buffer.type.getRank(), dropped = bufferRank - window.rank();
  Value record = b_.constant(0);
  if (buffer.leadingIndexed && dropped > 0) record = b_.mul(window.droppedOrigins.front(), bufferRank);
  Value inside;
  if (!buffer.alwaysFull)
    for (std::int64_t dim = buffer.leadingIndexed ? 1 : 0; dim < dropped; ++dim)
      inside = b_.conjunction(inside,
                              b_.less(window.droppedOrigins[dim], b_.loadWord(buffer.validWords, b_.add(record, dim))));
  for (std::int64_t dim = 0; dim < window.rank(); ++dim) {
    Value high;
    if (buffer.alwaysFull) {
      high = window.extents[dim];  // windows of on-chip buffers lie inside them
    } else {
      high = b_.sub(b_.loadWord(buffer.validWords, b_.add(record, dropped + dim)), window.origins[dim]);
      if (window.whole || window.leadingIndex) {
        // recorded extents never exceed the static ones
      } else {
        high = b_.max(b_.constant(0), b_.min(window.extents[dim], high));
      }
      if (inside && dim == 0) high = b_.createOrFold<arith::SelectOp>(inside, high, b_.constant(0));
    }
    ranges.push_back({b_.constant(0), high});
  }
  return ranges;
}

SmallVector<Range> Windows::writableRanges(const Window& window) {
  if (!window.buffer->onChip() || !(window.whole || window.leadingIndex)) return validRanges(window);
  return llvm::map_to_vector(window.extents, [&](Value extent) { return Range{b_.constant(0), extent}; });
}

void Windows::setValid(const Window& window, ValueRange extents) {
  const Buffer& buffer = *window.buffer;
  if (window.filled || !buffer.onChip() || buffer.alwaysFull || !(window.whole || window.leadingIndex)) return;
  if (buffer.partWritten && isWriter_) {
    Value isWriter = std::exchange(isWriter_, Value());
    b_.when(isWriter, [&] { setValid(window, extents); });
    isWriter_ = isWriter;
    return;
  }
  const std::int64_t rank = buffer.type.getRank();
  if (window.leadingIndex) {
    Value record = buffer.leadingIndexed ? b_.mul(window.leadingIndex, rank) : b_.constant(0);
    for (auto [dim, extent] : llvm::enumerate(extents))
      b_.storeWord(extent, buffer.validWords, b_.add(record, static_cast<std::int64_t>(dim) + 1));
    return;
  }
  auto store = [&](Value record) {
    for (auto [dim, extent] : llvm::enumerate(extents))
      b_.storeWord(extent, buffer.validWords, b_.add(record, static_cast<std::int64_t>(dim)));
  };
  const std::int64_t records = buffer.leadingIndexed ? buffer.type.getShape().front() : 1;
  if (records > kMostUnrolled)
    b_.loop(b_.constant(0), b_.constant(records * rank), b_.constant(rank), store);
  else
    for (std::int64_t record = 0; record < records; ++record) store(b_.constant(record * rank));
}

SmallVector<Range> Windows::elementwiseRanges(ArrayRef<Window> inputs, ArrayRef<Window> outputs,
                                              ArrayRef<Range> limits) {
  const ArrayRef<std::int64_t> extents = outputs.front().type.getShape();
  SmallVector<Range> ranges = writableRanges(outputs.front());
  auto limit = [&](std::int64_t dim, const Range& own) {
    ranges[dim].low = b_.max(ranges[dim].low, own.low);
    ranges[dim].high = b_.min(ranges[dim].high, own.high);
  };
  auto intersect = [&](const Window& window, ArrayRef<Range> own) {
    for (std::int64_t dim = 0; dim < window.rank(); ++dim)
      if (window.broadcasts(extents, dim))
        ranges[dim].high = whereAny(own[dim].high, ranges[dim].high);
      else
        limit(dim, own[dim]);
  };
  for (const Window& output : outputs.drop_front()) intersect(output, writableRanges(output));
  for (const Window& input : inputs) intersect(input, validRanges(input));
  for (auto [dim, range] : llvm::enumerate(limits))
    if (range.high) limit(static_cast<std::int64_t>(dim), range);
  SmallVector<Value> highs = llvm::map_to_vector(ranges, [](const Range& range) { return range.high; });
  for (const Window& output : outputs) setValid(output, highs);
  return ranges;
}

Value Windows::whereAny(Value count, Value high) {
  if (const auto constant = constantOf(count); constant && *constant > 0) return high;
  return b_.createOrFold<arith::SelectOp>(b_.less(b_.constant(0), count), high, b_.constant(0));
}

Value Windows::elementAddress(const Window& window, ValueRange indices) {
  Value address = window.address;
  for (auto [index, stride] : llvm::zip_equal(indices, window.strideBytes))
    address = b_.add(address, b_.mul(index, stride));
  return address;
}

}  // namespace forerun::backends
