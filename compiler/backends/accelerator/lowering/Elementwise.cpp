//===- Elementwise.cpp - maps, casts, fills and transposes on the harts -----===//
// Each team takes its share of rows (or of one row's elements) and walks them in strips of vector length: `vsetvli`
// loops without a scalar rest.
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <bit>

using namespace mlir;

namespace forerun::backends::accelerator {

std::pair<Value, Value> KernelLowering::share(std::int64_t count, std::int64_t granule) {
  if (scope_.teams <= 1) return {b_.constant(0), b_.constant(count)};
  const std::int64_t teams = scope_.teams, pieces = (count + granule - 1) / granule;
  auto edge = [&](Value team) {
    return b_.min(b_.mul(b_.divUnsigned(b_.mul(team, pieces), teams), granule), b_.constant(count));
  };
  return {edge(scope_.teamId), edge(b_.add(scope_.teamId, 1))};
}

Lanes KernelLowering::lanesFor(const Shape& shape, std::int64_t columns) const {
  if (teams_.vlenBits == 0 || !shape.vectorizable || (shape.half && !teams_.zvfh) || (shape.bfloat && !teams_.zvfbfmin))
    return Lanes{};
  // Register groups: long enough for a row, few enough that the body's values do not spill.
  const std::int64_t wanted = (columns * shape.widestBits + teams_.vlenBits - 1) / teams_.vlenBits;
  const std::int64_t cap = shape.operations <= 4 ? 8 : shape.operations <= 40 ? 4 : 2;
  const std::int64_t group = std::min<std::int64_t>(
      cap, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(wanted, 1)))));
  return Lanes{static_cast<unsigned>(group * 64 / shape.widestBits)};
}

Value KernelLowering::loadLanes(const Lanes& lanes, Value address, Value strideBytes, Type element, Value length) {
  const bool bit = element.isInteger(1);
  Type stored = bit ? b_.getI8Type() : element;
  Value pointer = b_.pointer(address), value;
  if (lanes.scalar())
    value = LLVM::LoadOp::create(b_, stored, pointer, storageBytes(element));
  else if (constantOf(strideBytes) == storageBytes(element))
    value = LLVM::VPLoadOp::create(b_, lanes.of(stored), pointer, lanes.allTrue(b_), length);
  else
    value = LLVM::VPStridedLoadOp::create(b_, lanes.of(stored), pointer, strideBytes, lanes.allTrue(b_), length);
  if (!bit) return value;
  Value zero = lanes.constant(b_, b_.getI8IntegerAttr(0));
  return arith::CmpIOp::create(b_, arith::CmpIPredicate::ne, value, zero);
}

void KernelLowering::storeLanes(const Lanes& lanes, Value value, Value address, Value strideBytes, Type element,
                                Value length) {
  if (element.isInteger(1)) value = arith::ExtUIOp::create(b_, lanes.of(b_.getI8Type()), value);
  Value pointer = b_.pointer(address);
  if (lanes.scalar())
    LLVM::StoreOp::create(b_, value, pointer, storageBytes(element));
  else if (constantOf(strideBytes) == storageBytes(element))
    LLVM::VPStoreOp::create(b_, value, pointer, lanes.allTrue(b_), length);
  else
    LLVM::VPStridedStoreOp::create(b_, value, pointer, strideBytes, lanes.allTrue(b_), length);
}

void KernelLowering::elementwise(ArrayRef<Window> inputs, ArrayRef<Window> outputs, const Shape& shape,
                                 const Body& body) {
  const ArrayRef<std::int64_t> extents = outputs.front().type.getShape();
  const std::int64_t rank = static_cast<std::int64_t>(extents.size());
  auto broadcasts = [&](const Window& input, std::int64_t dim) { return input.broadcasts(extents, dim); };
  const SmallVector<Range> ranges = windows_.elementwiseRanges(inputs, outputs);

  const Split split = splitFor(extents, scope_.teams);
  const std::int64_t inner = split.trailingUnit ? rank - 2 : rank - 1;
  SmallVector<std::int64_t> outer;
  for (std::int64_t dim = 0; dim < rank; ++dim)
    if (dim != inner) outer.push_back(dim);
  Value one = b_.constant(1);
  const auto [shareLow, shareHigh] = split.byRows ? share(split.rows, 1) : share(split.columns, 64);

  Value innerLow = ranges[inner].low, innerHigh = ranges[inner].high;
  if (split.trailingUnit || !split.byRows) {
    innerLow = b_.max(innerLow, shareLow);
    innerHigh = b_.min(innerHigh, shareHigh);
  }
  const Lanes lanes = lanesFor(shape, extents[inner]);

  auto strip = [&](ArrayRef<Value> index) {  // `index` has a value for each outer dimension
    SmallVector<Value> position(rank);
    for (auto [dim, value] : llvm::zip_equal(outer, index)) position[dim] = value;
    auto rowAddress = [&](const Window& window) {
      Value address = window.address;
      for (std::int64_t dim : outer)
        if (!broadcasts(window, dim)) address = b_.add(address, b_.mul(position[dim], window.strideBytes[dim]));
      return address;
    };
    SmallVector<Value> inputRows, outputRows, uniform(inputs.size());
    for (const Window& input : inputs) inputRows.push_back(rowAddress(input));
    for (const Window& output : outputs) outputRows.push_back(rowAddress(output));
    // One element for the whole row: loaded once.
    for (auto [number, input] : llvm::enumerate(inputs))
      if (broadcasts(input, inner))
        uniform[number] =
            lanes.splat(b_, loadLanes(Lanes{}, inputRows[number], one, input.type.getElementType(), Value()));

    auto elements = [&](Value i, Value length) {
      SmallVector<Value> values;
      for (auto [number, input] : llvm::enumerate(inputs)) {
        if (uniform[number]) {
          values.push_back(uniform[number]);
          continue;
        }
        Value stride = input.strideBytes[inner];
        values.push_back(loadLanes(lanes, b_.add(inputRows[number], b_.mul(i, stride)), stride,
                                   input.type.getElementType(), length));
      }
      auto indexAt = [&](unsigned dim, Type type) -> Value {
        auto narrow = [&](Value value) {
          return type.isInteger(32) ? Value(arith::TruncIOp::create(b_, b_.getI32Type(), value)) : value;
        };
        Type scalarIndex = type.isInteger(32) ? Type(b_.getI32Type()) : Type(b_.getI64Type());
        if (dim != inner) return lanes.splat(b_, narrow(position[dim]));
        if (lanes.scalar()) return narrow(i);
        Value first = lanes.splat(b_, narrow(i));
        Value steps = LLVM::StepVectorOp::create(b_, lanes.of(scalarIndex));
        return arith::AddIOp::create(b_, first, steps);
      };
      const SmallVector<Value> results = body(lanes, values, indexAt);
      for (auto [result, output, row] : llvm::zip_equal(results, outputs, outputRows)) {
        Value stride = output.strideBytes[inner];
        storeLanes(lanes, result, b_.add(row, b_.mul(i, stride)), stride, output.type.getElementType(), length);
      }
    };
    if (lanes.scalar()) {
      b_.loop(innerLow, innerHigh, one, [&](Value i) { elements(i, Value()); });
      return;
    }
    b_.loopWhile(innerLow, innerHigh, {}, [&](Value i, ValueRange, Value& step) {
      Value length = b_.intrinsic(b_.getI32Type(), "llvm.experimental.get.vector.length",
                                  {b_.sub(innerHigh, i), b_.constant32(static_cast<std::int32_t>(lanes.perGranule)),
                                   arith::ConstantOp::create(b_, b_.getBoolAttr(true))});
      elements(i, length);
      step = arith::ExtUIOp::create(b_, b_.getI64Type(), length);
      return SmallVector<Value>{};
    });
  };

  if (outer.empty()) return strip({});
  if (outer.size() == 1) {
    Value low = ranges[outer[0]].low, high = ranges[outer[0]].high;
    if (split.byRows && !split.trailingUnit) {
      low = b_.max(low, shareLow);
      high = b_.min(high, shareHigh);
    }
    b_.loop(low, high, one, [&](Value row) { strip({row}); });
    return;
  }
  // Rows of more dimensions are numbered in row-major order, so that teams share them evenly.
  Value low = split.byRows ? shareLow : b_.constant(0), high = split.byRows ? shareHigh : b_.constant(split.rows);
  b_.loop(low, high, one, [&](Value flat) {
    SmallVector<Value> index(outer.size());
    Value rest = flat, valid;
    for (std::size_t position = outer.size(); position-- > 0;) {
      const std::int64_t extent = extents[outer[position]];
      index[position] = position == 0 ? rest : b_.remUnsigned(rest, extent);
      rest = b_.divUnsigned(rest, extent);
      valid = b_.conjunction(valid, b_.less(index[position], ranges[outer[position]].high));
      if (constantOf(ranges[outer[position]].low) != 0)
        valid = b_.conjunction(valid, b_.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, index[position],
                                                                     ranges[outer[position]].low));
    }
    b_.when(valid, [&] { strip(index); });
  });
}

namespace {

bool isVectorizable(Block& body) {
  return llvm::all_of(body, [](Operation& op) {
    // 128-bit products have no vector form.
    if (llvm::isa<arith::MulSIExtendedOp, arith::MulUIExtendedOp>(op) &&
        op.getResult(0).getType().getIntOrFloatBitWidth() >= 64)
      return false;
    return op.getNumRegions() == 0;
  });
}

}  // namespace

LogicalResult KernelLowering::emitMap(tile::MapOp op) {
  settle(accessesOf(op, scope_.teams));
  Block& block = op.getBody().front();
  Shape shape;
  shape.operations = 0;
  shape.vectorizable = isVectorizable(block);
  auto note = [&](Type type) {
    if (llvm::isa<VectorType>(type)) return;
    const unsigned bits = type.isIndex() ? 64 : type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
    shape.widestBits = std::max(shape.widestBits, bits);
    shape.half |= type.isF16();
    shape.bfloat |= type.isBF16();
  };
  for (BlockArgument argument : block.getArguments()) note(argument.getType());
  for (Operation& inner : block) {
    if (!llvm::isa<arith::ConstantOp>(inner)) ++shape.operations;
    for (Type type : inner.getResultTypes()) note(type);
  }

  std::vector<Window> inputs, outputs;
  for (Value value : op.getInputs()) inputs.push_back(window(value));
  for (Value value : op.getOutputs()) outputs.push_back(window(value));
  LogicalResult result = success();
  elementwise(inputs, outputs, shape,
              [&](const Lanes& lanes, ValueRange arguments, function_ref<Value(unsigned, Type)> indexAt) {
                IRMapping values;
                for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments))
                  values.map(argument, value);
                auto operand = [&](Value value) -> Value {
                  if (Value known = values.lookupOrNull(value)) return known;
                  Value splat = lanes.splat(b_, scalar(value));  // a scalar of the kernel
                  values.map(value, splat);
                  return splat;
                };
                for (Operation& inner : block.without_terminator()) {
                  const Location location = b_.getLoc();
                  b_.setLoc(inner.getLoc());
                  if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
                    values.map(constant.getResult(), lanes.constant(b_, constantValue(constant)));
                  } else if (auto index = dyn_cast<tile::IndexOp>(inner)) {
                    values.map(index.getResult(), indexAt(static_cast<unsigned>(index.getDim()), index.getType()));
                  } else if (auto conversion = dyn_cast<tile::ConvertOp>(inner)) {
                    if (failed(checkConversion(conversion, conversion.getValue().getType(), conversion.getType())))
                      result = failure();
                    values.map(conversion.getResult(), convert(b_, lanes, operand(conversion.getValue()),
                                                               conversion.getValue().getType(), conversion.getType()));
                  } else if (inner.getNumRegions() != 0) {
                    result = unsupported(&inner, "control flow inside a map body; write it with arith.select");
                    for (Value value : inner.getResults())
                      values.map(value, LLVM::PoisonOp::create(b_, lanes.of(scalarType(value.getType()))));
                  } else if (!hasInstruction(inner)) {
                    result = unsupported(
                        &inner,
                        "an operation that has no RISC-V instruction; run --tile-expand-semantics before the back end");
                    for (Value value : inner.getResults())
                      values.map(value, LLVM::PoisonOp::create(b_, lanes.of(scalarType(value.getType()))));
                  } else {
                    SmallVector<Value> operands = llvm::map_to_vector(inner.getOperands(), operand);
                    values.map(inner.getResults(), cloneOperation(b_, &inner, operands, lanes));
                  }
                  b_.setLoc(location);
                }
                return llvm::map_to_vector(block.getTerminator()->getOperands(), operand);
              });
  return result;
}

LogicalResult KernelLowering::emitConversion(Operation* op, Value src, Value dst) {
  settle(accessesOf(op, scope_.teams));
  const Window from = window(src), to = window(dst);
  Type fromType = from.type.getElementType(), toType = to.type.getElementType();
  if (failed(checkConversion(op, fromType, toType))) return failure();
  Shape shape;
  shape.widestBits = std::max(8u * storageBytes(fromType), 8u * storageBytes(toType));
  shape.half = fromType.isF16() || toType.isF16();
  shape.bfloat = fromType.isBF16() || toType.isBF16();
  elementwise(from, to, shape, [&](const Lanes& lanes, ValueRange values, auto) {
    return SmallVector<Value>{convert(b_, lanes, values[0], fromType, toType)};
  });
  return success();
}

LogicalResult KernelLowering::emitFill(tile::FillOp op) {
  if (op.getDst().getType().isGlobal()) return emitDmaFill(op);
  settle(accessesOf(op, scope_.teams));
  Window to = window(op.getDst());
  windows_.setValid(to, to.extents);
  to.whole = true;  // a partial window is written whole as well; its buffer's extents stay
  to.filled = true;
  Shape shape;
  shape.widestBits = 8 * storageBytes(to.type.getElementType());
  shape.half = to.type.getElementType().isF16();
  shape.bfloat = to.type.getElementType().isBF16();
  elementwise({}, to, shape, [&](const Lanes& lanes, ValueRange, auto) {
    return SmallVector<Value>{lanes.splat(b_, scalar(op.getValue()))};
  });
  return success();
}

LogicalResult KernelLowering::emitTranspose(tile::TransposeOp op) {
  if (usesDma(op.getSrc().getType(), op.getDst().getType()))
    return emitDmaCopy(op, op.getSrc(), op.getDst(), op.getPermutation());
  settle(accessesOf(op, scope_.teams));
  // The source as the destination walks it: the same bytes with permuted strides.
  const Window original = window(op.getSrc()), to = window(op.getDst());
  const SmallVector<Range> ranges = windows_.validRanges(original);
  Window from = original;
  Buffer view = *original.buffer;
  from.globalHigh.clear();
  from.globalLow.clear();
  for (auto [dim, source] : llvm::enumerate(op.getPermutation())) {
    from.strideBytes[dim] = original.strideBytes[source];
    from.extents[dim] = original.extents[source];
    from.globalHigh.push_back(ranges[source].high);
    from.globalLow.push_back(Value());
  }
  from.type = tile::BufferType::get(to.type.getShape(), original.type.getElementType(), tile::Space::Global);
  view.type = from.type;  // valid ranges as listed above, not from the buffer's record
  from.buffer = &view;
  Shape shape;
  shape.widestBits = 8 * storageBytes(to.type.getElementType());
  shape.half = to.type.getElementType().isF16();
  shape.bfloat = to.type.getElementType().isBF16();
  elementwise(from, to, shape, [&](const Lanes&, ValueRange values, auto) { return SmallVector<Value>(values); });
  return success();
}

LogicalResult KernelLowering::checkConversion(Operation* op, Type from, Type to) {
  auto wide = [](Type type) { return type.isInteger(32) || type.isInteger(64); };
  const bool twice = (to.isBF16() && (wide(from) || from.isF64())) || (to.isF16() && from.isInteger(64));
  if (!twice) return success();
  std::string text;
  llvm::raw_string_ostream(text) << "LLVM rounds " << from << " to " << to
                                 << " twice on RISC-V; convert to f32 first if that rounding is what you want";
  return unsupported(op, text);
}

}  // namespace forerun::backends::accelerator
