//===- Elementwise.cpp - the walk over elements on the harts ----------------===//
// Each team takes its share of rows (or of one row's elements) and walks it in steps of several strips; what is folded
// along rows is folded on the way.
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

using namespace mlir;

namespace forerun::backends::accelerator {

std::pair<Value, Value> KernelLowering::share(std::int64_t count, std::int64_t granule) {
  if (scope_.teams <= 1) return {b_.constant(0), b_.constant(count)};
  const std::int64_t teams = scope_.teams, pieces = (count + granule - 1) / granule;
  if (count % (teams * granule) == 0) {
    Value low = b_.mul(scope_.teamId, count / teams);
    return {low, b_.add(low, count / teams)};
  }
  auto edge = [&](Value team) {
    return b_.min(b_.mul(b_.divUnsigned(b_.mul(team, pieces), teams), granule), b_.constant(count));
  };
  return {edge(scope_.teamId), edge(b_.add(scope_.teamId, 1))};
}

Value KernelLowering::loadLanes(const Lanes& lanes, Value address, Value strideBytes, Type element, Value length) {
  const bool bit = element.isInteger(1), contiguous = constantOf(strideBytes) == storageBytes(element);
  Type stored = bit ? b_.getI8Type() : scalarType(element);
  Value pointer = b_.pointer(address), value;
  if (!length && (lanes.scalar() || contiguous))
    value = LLVM::LoadOp::create(b_, lanes.of(stored), pointer, storageBytes(element));
  else if (contiguous)
    value = LLVM::VPLoadOp::create(b_, lanes.of(stored), pointer, lanes.allTrue(b_), length);
  else
    value = LLVM::VPStridedLoadOp::create(b_, lanes.of(stored), pointer, strideBytes, lanes.allTrue(b_),
                                          length ? length : lanes.count(b_));
  if (!bit) return value;
  Value zero = lanes.constant(b_, b_.getI8IntegerAttr(0));
  return arith::CmpIOp::create(b_, arith::CmpIPredicate::ne, value, zero);
}

void KernelLowering::storeLanes(const Lanes& lanes, Value value, Value address, Value strideBytes, Type element,
                                Value length, Value mask) {
  if (element.isInteger(1)) value = arith::ExtUIOp::create(b_, lanes.of(b_.getI8Type()), value);
  Value pointer = b_.pointer(address);
  const bool contiguous = constantOf(strideBytes) == storageBytes(element);
  if (!length && (lanes.scalar() || contiguous)) {
    LLVM::StoreOp::create(b_, value, pointer, storageBytes(element));
    return;
  }
  if (!mask) mask = lanes.allTrue(b_);
  if (contiguous)
    LLVM::VPStoreOp::create(b_, value, pointer, mask, length);
  else
    LLVM::VPStridedStoreOp::create(b_, value, pointer, strideBytes, mask, length ? length : lanes.count(b_));
}

namespace {

/// A row of every operand.
struct Row {
  SmallVector<Value> position;                ///< none of the innermost dimension
  SmallVector<Value> inputs, outputs, folds;  ///< addresses
  SmallVector<Value> uniform;                 ///< of inputs with one element for the whole row: that element
};

}  // namespace

void KernelLowering::elementwise(ArrayRef<Window> inputs, ArrayRef<Window> outputs, const Split& split,
                                 const Shape& shape, const Body& body, ArrayRef<Fold> folds, ArrayRef<Range> limits) {
  assert((folds.empty() || split.kind == Split::Rows) && "a row that is folded belongs to one team");
  const ArrayRef<std::int64_t> extents = (outputs.empty() ? inputs : outputs).front().type.getShape();
  const std::int64_t rank = static_cast<std::int64_t>(extents.size());
  auto broadcasts = [&](const Window& input, std::int64_t dim) { return input.broadcasts(extents, dim); };
  const SmallVector<Range> ranges =
      outputs.empty() ? windows_.validRanges(inputs.front()) : windows_.elementwiseRanges(inputs, outputs, limits);
  Value one = b_.constant(1);
  for (const Fold& fold : folds) {
    SmallVector<Value> kept = llvm::map_to_vector(ranges, [](const Range& range) { return range.high; });
    kept.back() = one;
    windows_.setValid(fold.out, kept);
  }

  const std::int64_t inner = split.lane();
  SmallVector<std::int64_t> outer;
  for (std::int64_t dim = 0; dim < rank; ++dim)
    if (dim != inner) outer.push_back(dim);
  const bool shareRows = !split.sharesLanes();
  const auto [shareLow, shareHigh] = share(shareRows ? split.rows : extents[inner], split.granule());

  Value innerLow = ranges[inner].low, innerHigh = ranges[inner].high;
  if (!shareRows) {
    innerLow = b_.max(innerLow, shareLow);
    innerHigh = b_.min(innerHigh, shareHigh);
  }
  const std::int64_t teams = scope_.teams;
  auto ofTeam = [&](std::int64_t count, bool shared) { return shared ? (count + teams - 1) / teams : count; };
  const bool sideBySide = outer.size() == 1;
  StripPlan plan = planStrips(shape, teams_, ofTeam(extents[inner], !shareRows),
                              sideBySide ? ofTeam(extents[outer[0]], shareRows) : 1);
  for (const Fold& fold : folds)
    if (fold.kind.isIndex()) plan.columns = 1;

  auto rowAt = [&](ArrayRef<Value> index) {  // a value for each outer dimension
    Row row;
    row.position.resize(static_cast<std::size_t>(rank));
    for (auto [dim, value] : llvm::zip_equal(outer, index)) row.position[dim] = value;
    auto address = [&](const Window& window) {
      Value sum = window.address;
      for (std::int64_t dim : outer)
        if (!broadcasts(window, dim)) sum = b_.add(sum, b_.mul(row.position[dim], window.strideBytes[dim]));
      return sum;
    };
    for (const Window& input : inputs) row.inputs.push_back(address(input));
    for (const Window& output : outputs) row.outputs.push_back(address(output));
    for (const Fold& fold : folds) row.folds.push_back(address(fold.out));
    row.uniform.resize(inputs.size());
    return row;
  };

  // One step: strips of the rows that start at each of `starts`, rows fastest. `length` null: all lanes. `states` has
  // those of all folds for each strip.
  auto step = [&](const Lanes& lanes, ArrayRef<Row> rows, ArrayRef<Value> starts, Value length, ValueRange states) {
    SmallVector<Piece> pieces;
    for (Value start : starts)
      for (const Row& row : rows) {
        Piece& piece = pieces.emplace_back();
        piece.position = row.position;
        piece.position[inner] = start;
        piece.inner = static_cast<unsigned>(inner);
        piece.length = length;
      }
    auto row = [&](std::size_t piece) -> const Row& { return rows[piece % rows.size()]; };
    for (auto [number, input] : llvm::enumerate(inputs))
      for (auto [index, piece] : llvm::enumerate(pieces)) {
        Value value = row(index).uniform[number], stride = input.strideBytes[inner];
        if (!value)
          value = loadLanes(lanes, b_.add(row(index).inputs[number], b_.mul(piece.position[inner], stride)), stride,
                            input.type.getElementType(), length);
        piece.values.push_back(value);
      }
    const auto results = body(lanes, pieces);
    for (auto [number, output] : llvm::enumerate(outputs))
      for (auto [index, piece] : llvm::enumerate(pieces)) {
        Value stride = output.strideBytes[inner];
        storeLanes(lanes, lanes.spread(b_, results[index][number]),
                   b_.add(row(index).outputs[number], b_.mul(piece.position[inner], stride)), stride,
                   output.type.getElementType(), length);
      }
    SmallVector<Value> folded;
    std::size_t next = 0;
    for (auto [index, piece] : llvm::enumerate(pieces))
      for (const Fold& fold : folds) {
        const ValueRange old = states.slice(next, fold.kind.stateSize());
        next += old.size();
        Value element = fold.kind.widen(b_, lanes, lanes.spread(b_, results[index][fold.value]));
        Value position;
        if (fold.kind.isIndex())
          position = lanes.scalar() ? piece.position[inner]
                                    : fold.kind.laneIndices(b_, lanes, piece.position[inner], /*ascending=*/true);
        for (auto [before, after] : llvm::zip_equal(old, fold.kind.combine(b_, lanes, old, element, position)))
          // Lanes past the end keep what they have.
          folded.push_back(
              length ? b_.intrinsic(before.getType(), "llvm.vp.merge", {lanes.allTrue(b_), after, before, length})
                     : after);
      }
    return folded;
  };
  auto initial = [&](const Lanes& lanes, std::size_t pieces) {
    SmallVector<Value> states;
    for (std::size_t piece = 0; piece < pieces; ++piece)
      for (const Fold& fold : folds) llvm::append_range(states, fold.kind.initial(b_, lanes));
    return states;
  };
  auto finish = [&](const Lanes& lanes, ArrayRef<Row> rows, ValueRange states) {
    struct Result {
      const Fold* fold;
      Value address;
      SmallVector<Value> state;
    };
    SmallVector<Result> results;
    std::size_t next = 0;
    for (const Row& row : rows)
      for (auto [number, fold] : llvm::enumerate(folds)) {
        SmallVector<Value> state(states.slice(next, fold.kind.stateSize()));
        next += state.size();
        results.push_back({&fold, row.folds[number], lanes.scalar() ? state : fold.kind.acrossLanes(b_, lanes, state)});
      }
    // A row may be there twice: all are read before one is written.
    for (Result& result : results)
      if (result.fold->accumulate)
        result.state = result.fold->kind.combineStored(
            b_, Lanes{}, result.state, loadElement(result.address, result.fold->out.type.getElementType()));
    for (Result& result : results) storeElement(result.fold->kind.result(b_, Lanes{}, result.state), result.address);
  };

  // Where a row has no element, an input that it repeats may have none either: then nothing of it is read. Null where
  // that cannot be.
  Value present;
  for (const Window& input : inputs)
    if (broadcasts(input, inner) && constantOf(windows_.validRanges(input)[inner].high).value_or(0) == 0)
      present = b_.less(innerLow, innerHigh);

  auto walkRows = [&](std::vector<Row> rows) {
    // One element for the whole row: loaded once.
    for (auto [number, input] : llvm::enumerate(inputs))
      for (Row& row : rows)
        if (broadcasts(input, inner)) {
          const Type type = input.type.getElementType();
          auto load = [&] { return loadElement(row.inputs[number], type); };
          Value none;
          if (present && !folds.empty()) none = arith::ConstantOp::create(b_, b_.getZeroAttr(scalarType(type)));
          row.uniform[number] = none ? b_.when(present, none, [&] { return SmallVector<Value>{load()}; })[0] : load();
        }
    if (plan.lanes.scalar()) {
      Value low = innerLow;
      if (plan.columns > 1)
        low = b_.loopWhile(low, b_.sub(innerHigh, b_.constant(plan.columns - 1)), low,
                           [&](Value i, ValueRange, Value& advance) {
                             advance = b_.constant(plan.columns);
                             SmallVector<Value> starts;
                             for (unsigned column = 0; column < plan.columns; ++column)
                               starts.push_back(b_.add(i, column));
                             step(plan.lanes, rows, starts, Value(), {});
                             return SmallVector<Value>{b_.add(i, plan.columns)};
                           })[0];
      SmallVector<Value> states = b_.loop(low, innerHigh, one, initial(plan.lanes, 1), [&](Value i, ValueRange old) {
        return step(plan.lanes, rows, i, Value(), old);
      });
      return finish(plan.lanes, rows, states);
    }
    Value low = innerLow;
    const Lanes lanes = plan.rest();
    SmallVector<Value> states;
    // Whole steps first, where that saves something: folding part of a register takes two changes of vtype.
    const bool fits = extents[inner] <= static_cast<std::int64_t>(lanes.perGranule) * teams_.vlenBits / 64;
    const bool whole = plan.columns > 1 || (!folds.empty() && !fits);
    if (!whole) {
      states = initial(lanes, rows.size());
    } else {
      Value width = arith::ExtUIOp::create(b_, b_.getI64Type(), plan.lanes.count(b_)).getResult();
      Value stride = b_.mul(width, plan.columns);
      SmallVector<Value> carried = initial(plan.lanes, rows.size() * plan.columns);
      carried.push_back(low);
      carried = b_.loopWhile(low, b_.add(b_.sub(innerHigh, stride), 1), carried,
                             [&](Value i, ValueRange old, Value& advance) {
                               advance = stride;
                               SmallVector<Value> starts{i};
                               for (unsigned column = 1; column < plan.columns; ++column)
                                 starts.push_back(b_.add(starts.back(), width));
                               SmallVector<Value> states = step(plan.lanes, rows, starts, Value(), old.drop_back());
                               states.push_back(b_.add(i, stride));
                               return states;
                             });
      low = carried.pop_back_val();
      // Side by side they are the states of the rest.
      const std::size_t each = carried.size() / plan.columns;
      for (std::size_t number = 0; number < each; ++number) {
        SmallVector<Value> parts;
        for (unsigned column = 0; column < plan.columns; ++column) parts.push_back(carried[column * each + number]);
        states.push_back(lanes.concatenate(b_, parts, plan.lanes.perGranule));
      }
    }
    auto rest = [&](Value i, Value length, ValueRange old) { return step(lanes, rows, i, length, old); };
    if (whole && plan.columns == 1) {
      Value any = b_.intrinsic(b_.getI1Type(), "llvm.expect", {b_.less(low, innerHigh), b_.constant1(false)});
      states = b_.when(any, states, [&] {
        return rest(low, b_.createOrFold<arith::TruncIOp>(b_.getI32Type(), b_.sub(innerHigh, low)), states);
      });
    } else if (fits && !whole) {
      Value length = b_.max(b_.constant(0), b_.sub(innerHigh, innerLow));
      states = rest(low, b_.createOrFold<arith::TruncIOp>(b_.getI32Type(), length), states);
    } else {
      states = b_.loopWhile(low, innerHigh, states, [&](Value i, ValueRange old, Value& advance) {
        Value length = b_.vectorLength(b_.sub(innerHigh, i), lanes);
        advance = arith::ExtUIOp::create(b_, b_.getI64Type(), length);
        return rest(i, length, old);
      });
    }
    finish(lanes, rows, states);
  };

  OpBuilder::InsertionGuard guard(b_);
  if (present && folds.empty())
    b_.setInsertionPointToStart(scf::IfOp::create(b_, present, /*withElseRegion=*/false).thenBlock());
  if (outer.empty()) return walkRows({rowAt({})});
  if (outer.size() == 1) {
    Value low = ranges[outer[0]].low, high = ranges[outer[0]].high;
    if (shareRows) {
      // A buffer that is full ends no share early.
      low = constantOf(low) == 0 ? shareLow : b_.max(low, shareLow);
      high = constantOf(high) == split.rows ? shareHigh : b_.min(high, shareHigh);
    }
    const bool even = constantOf(ranges[outer[0]].low) == 0 && constantOf(ranges[outer[0]].high) == extents[outer[0]] &&
                      extents[outer[0]] % ((shareRows ? teams : 1) * plan.rows) == 0;
    b_.loop(low, high, b_.constant(plan.rows), [&](Value first) {
      std::vector<Row> rows{rowAt({first})};
      Value index = first;
      for (unsigned number = 1; number < plan.rows; ++number) {
        // Past the last row comes the last row again: the same results, written to the same place.
        Value more = even ? Value() : b_.less(index, b_.add(high, -1));
        index = b_.add(index, even ? one : b_.createOrFold<arith::ExtUIOp>(b_.getI64Type(), more));
        rows.push_back(rowAt({index}));
      }
      walkRows(std::move(rows));
    });
    return;
  }
  // Rows of more dimensions are numbered in row-major order, so that teams share them evenly.
  Value low = shareRows ? shareLow : b_.constant(0), high = shareRows ? shareHigh : b_.constant(split.rows);
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
    b_.when(valid, [&] { walkRows({rowAt(index)}); });
  });
}

}  // namespace forerun::backends::accelerator
