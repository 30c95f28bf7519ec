//===- Reduce.cpp - reductions ----------------------------------------------===//
// Along rows a state is carried, which LLVM spreads over vector lanes where the order is free; across rows there is a
// state a column, in memory. The chains of `order <tree>` are states in memory as well.
#include "compiler/backends/host/lowering/KernelLowering.h"

using namespace mlir;

namespace forerun::backends::host {

namespace {

constexpr std::int64_t kChains = 256;  // docs/language.md, order = tree

bool isReduced(tile::ReduceOp op, std::int64_t dim) { return llvm::is_contained(op.getDims(), dim); }

/// Sums and products in f16 and bf16 round every step where the order is given.
bool roundsEach(tile::ReduceOp op, const ReduceKind& kind) {
  return kind.inOrder() && kind.accumulatorType() != op.getOutput().getType().getElementType();
}

}  // namespace

std::int64_t KernelLowering::States::bytes() const {
  std::int64_t bytes = 0;
  for (Type type : types) bytes += count * storageBytes(type);
  return bytes;
}

KernelLowering::Values KernelLowering::loadState(const States& states, Value number) {
  Values state;
  std::int64_t offset = 0;
  for (Type type : states.types) {
    state.push_back(loadTemporary(type, b_.add(b_.mul(number, storageBytes(type)), offset)));
    offset += states.count * storageBytes(type);
  }
  return state;
}

void KernelLowering::storeState(const States& states, ValueRange state, Value number) {
  std::int64_t offset = 0;
  for (auto [value, type] : llvm::zip_equal(state, states.types)) {
    storeTemporary(value, b_.add(b_.mul(number, storageBytes(type)), offset));
    offset += states.count * storageBytes(type);
  }
}

KernelLowering::Values KernelLowering::combine(const ReduceKind& kind, ValueRange state, Value element, Value index,
                                               bool anyOrder, bool roundEach) {
  Values combined = kind.combine(b_, Lanes{}, state, element, index);
  if (anyOrder)
    if (auto free = combined[0].getDefiningOp<arith::ArithFastMathInterface>();
        free && llvm::isa<arith::AddFOp, arith::MulFOp>(free))
      free->setAttr(free.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(b_.getContext(), arith::FastMathFlags::reassoc));
  if (roundEach) combined[0] = kind.widen(b_, Lanes{}, kind.narrow(b_, Lanes{}, combined[0]));
  return combined;
}

void KernelLowering::storeReduced(tile::ReduceOp op, const ReduceKind& kind, ValueRange index, ValueRange state,
                                  bool roundEach) {
  const Window& out = window(op.getOutput());
  Values joined(state);
  if (op.getAccumulate())
    joined = combine(kind, state, kind.widen(b_, Lanes{}, load(out, index)), Value(), false, roundEach);
  store(out, index, kind.result(b_, Lanes{}, joined));
}

void KernelLowering::emitReduce(tile::ReduceOp op) {
  const ReduceKind kind(op);
  const Window &in = window(op.getInput()), &out = window(op.getOutput());
  Ranges ranges = windows_.validRanges(in), written = windows_.writableRanges(out);
  for (std::int64_t dim = 0; dim < in.rank(); ++dim)
    if (!isReduced(op, dim)) written[dim].high = ranges[dim].high = b_.min(written[dim].high, ranges[dim].high);
  setValid(out, written);
  // What is not reduced runs over what is written: below a low edge there is nothing to combine.
  if (isReduced(op, in.rank() - 1))
    reduceRows(op, kind, ranges, written);
  else
    reduceColumns(op, kind, ranges, written);
}

/// The elements to combine for an output: none where it lies below a low edge.
static SmallVector<Range> termsOf(Emit& b, tile::ReduceOp op, ArrayRef<Range> ranges, ValueRange output) {
  SmallVector<Range> terms(ranges);
  Value below;
  for (auto [dim, index] : llvm::enumerate(output))
    if (!isReduced(op, static_cast<std::int64_t>(dim)) && constantOf(ranges[dim].low) != 0) {
      Value less = b.less(index, ranges[dim].low);
      below = below ? b.createOrFold<arith::OrIOp>(below, less) : less;
    }
  if (below)
    for (std::int64_t dim : op.getDims())
      terms[dim].high = b.createOrFold<arith::SelectOp>(below, terms[dim].low, terms[dim].high);
  return terms;
}

void KernelLowering::reduceRows(tile::ReduceOp op, const ReduceKind& kind, ArrayRef<Range> all,
                                ArrayRef<Range> written) {
  const Window& in = window(op.getInput());
  const bool tree = kind.inOrder(), rounds = roundsEach(op, kind);
  const Values initial = kind.initial(b_, Lanes{});
  States chains{llvm::to_vector(ValueRange(initial).getTypes()), kChains};
  if (tree) needTemporary(chains.bytes());

  Ranges outputs;
  SmallVector<std::int64_t> reduced;
  for (std::int64_t dim = 0; dim < in.rank(); ++dim) {
    if (isReduced(op, dim)) reduced.push_back(dim);
    outputs.push_back(isReduced(op, dim) ? Range{b_.constant(0), b_.constant(1)} : written[dim]);
  }
  Value zero = b_.constant(0), one = b_.constant(1);
  forEach(outputs, /*independent=*/false, [&](ValueRange output) {
    Values at(output);
    const Ranges ranges = termsOf(b_, op, all, output);
    auto element = [&] { return kind.widen(b_, Lanes{}, load(in, at)); };
    // Carries a state, or the number of the term that comes next, through the loops over the reduced dimensions.
    std::function<Values(std::size_t, ValueRange)> nest = [&](std::size_t depth, ValueRange carried) -> Values {
      const std::int64_t dim = reduced[depth];
      const Range range = ranges[dim];
      if (depth + 1 < reduced.size())
        return b_.loop(range.low, range.high, one, carried, [&](Value i, ValueRange state) {
          at[dim] = i;
          return nest(depth + 1, state);
        });
      if (!tree)
        return b_.loop(range.low, range.high, one, carried, [&](Value i, ValueRange state) {
          at[dim] = i;
          return combine(kind, state, element(), i, /*anyOrder=*/true, false);
        });
      auto join = [&](Value i, Value chain) {
        at[dim] = i;
        storeState(chains, combine(kind, loadState(chains, chain), element(), Value(), false, rounds), chain);
      };
      if (reduced.size() == 1) {  // terms are numbered from the row's beginning: 256 neighbours are 256 chains
        b_.loop(range.low, range.high, b_.constant(kChains), [&](Value first) {
          independentLoop(zero, b_.min(b_.sub(range.high, first), b_.constant(kChains)),
                          [&](Value chain) { join(b_.add(first, chain), chain); });
        });
        return Values(carried);
      }
      b_.loop(range.low, range.high, one, [&](Value i) {
        Value term = b_.add(carried[0], b_.sub(i, range.low));
        join(i, arith::AndIOp::create(b_, term, b_.constant(kChains - 1)));
      });
      return {b_.add(carried[0], b_.max(zero, b_.sub(range.high, range.low)))};
    };
    Values state;
    if (tree) {
      independentLoop(zero, b_.constant(kChains), [&](Value chain) { storeState(chains, initial, chain); });
      nest(0, reduced.size() == 1 ? ValueRange() : ValueRange(zero));
      foldChains(kind, chains, 1, rounds);
      state = loadState(chains, zero);
    } else {
      state = nest(0, initial);
    }
    storeReduced(op, kind, output, state, rounds);
  });
}

void KernelLowering::foldChains(const ReduceKind& kind, const States& chains, std::int64_t columns, bool roundEach) {
  for (std::int64_t half = kChains / 2; half >= 1; half /= 2)
    independentLoop(b_.constant(0), b_.constant(half * columns), [&](Value at) {
      Value partner = loadState(chains, b_.add(at, half * columns))[0];
      storeState(chains, combine(kind, loadState(chains, at), partner, Value(), false, roundEach), at);
    });
}

void KernelLowering::reduceColumns(tile::ReduceOp op, const ReduceKind& kind, ArrayRef<Range> all,
                                   ArrayRef<Range> written) {
  const Window& in = window(op.getInput());
  const bool tree = kind.inOrder(), rounds = roundsEach(op, kind);
  const std::int64_t last = in.rank() - 1, columns = in.extent(last);
  const Values initial = kind.initial(b_, Lanes{});
  const std::int64_t count = tree ? kChains * columns : columns;
  const States states{llvm::to_vector(ValueRange(initial).getTypes()), count};
  needTemporary(states.bytes());

  Ranges outputs;
  SmallVector<std::int64_t> reduced;
  for (std::int64_t dim = 0; dim < last; ++dim) {
    if (isReduced(op, dim)) reduced.push_back(dim);
    outputs.push_back(isReduced(op, dim) ? Range{b_.constant(0), b_.constant(1)} : written[dim]);
  }
  Value zero = b_.constant(0), one = b_.constant(1);
  forEach(outputs, /*independent=*/false, [&](ValueRange output) {
    Values at(output);
    const Ranges ranges = termsOf(b_, op, all, output);
    at.push_back(Value());
    independentLoop(zero, b_.constant(count), [&](Value number) { storeState(states, initial, number); });
    std::function<Value(std::size_t, Value)> nest = [&](std::size_t depth, Value term) -> Value {
      if (depth < reduced.size()) {
        const Range range = ranges[reduced[depth]];
        return b_.loop(range.low, range.high, one, term, [&](Value i, ValueRange terms) {
          at[reduced[depth]] = i;
          return Values{nest(depth + 1, terms[0])};
        })[0];
      }
      Value row = tree ? b_.mul(arith::AndIOp::create(b_, term, b_.constant(kChains - 1)), columns) : zero;
      Value index = at[reduced.front()];
      independentLoop(ranges[last].low, ranges[last].high, [&](Value column) {
        at[last] = column;
        Value number = b_.add(row, column);
        Value element = kind.widen(b_, Lanes{}, load(in, at));
        storeState(states, combine(kind, loadState(states, number), element, index, !tree, rounds), number);
      });
      return b_.add(term, one);
    };
    nest(0, zero);
    if (tree) foldChains(kind, states, columns, rounds);
    Values index(output);
    index.push_back(Value());
    independentLoop(written[last].low, written[last].high, [&](Value column) {
      index[last] = column;
      storeReduced(op, kind, index, loadState(states, column), rounds);
    });
  });
}

}  // namespace forerun::backends::host
