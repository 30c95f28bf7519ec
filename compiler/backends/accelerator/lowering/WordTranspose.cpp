//===- WordTranspose.cpp - transposes that load words of several elements --===//
// A strided load takes a cycle an element, however narrow. A 64-bit word has several neighbours of a source row, which
// belong to as many destination rows: a lane loads the word and narrows it to each of them.
#include "compiler/backends/accelerator/lowering/KernelLowering.h"

using namespace mlir;

namespace forerun::backends::accelerator {

void KernelLowering::transposeByWords(const Window& from, const Window& to) {
  const SmallVector<Range> ranges = windows_.elementwiseRanges(from, to);
  const unsigned bytes = storageBytes(to.type.getElementType());
  const std::int64_t fields = 8 / bytes;
  Type word = b_.getI64Type(), bits = IntegerType::get(b_.getContext(), bytes * 8);
  Shape shape;
  shape.note(word);
  shape.liveValues = 3;
  const Lanes lanes = planStrips(shape, teams_, to.extent(1), 1).lanes;
  auto forEachStrip = [&](function_ref<void(Value, Value)> body) {
    b_.loopWhile(b_.constant(0), ranges[1].high, {}, [&](Value lane, ValueRange, Value& step) {
      Value length = b_.vectorLength(b_.sub(ranges[1].high, lane), lanes);
      body(lane, length);
      step = arith::ExtUIOp::create(b_, b_.getI64Type(), length);
      return SmallVector<Value>{};
    });
  };
  auto load = [&](Value row, Value lane, Type type, Value length) {
    return loadLanes(lanes, windows_.elementAddress(from, {row, lane}), from.strideBytes[1], type, length);
  };
  auto store = [&](Value value, Value row, Value lane, Value length) {
    storeLanes(lanes, value, windows_.elementAddress(to, {row, lane}), to.strideBytes[1], bits, length);
  };

  const auto [low, shareHigh] = share(to.extent(0), fields);
  Value high = b_.min(shareHigh, ranges[0].high);
  Value rest = b_.loopWhile(low, b_.sub(high, b_.constant(fields - 1)), low, [&](Value row, ValueRange, Value& step) {
    forEachStrip([&](Value lane, Value length) {
      Value words = load(row, lane, word, length);
      for (std::int64_t field = 0; field < fields; ++field) {
        Value shift = lanes.constant(b_, b_.getI64IntegerAttr(field * bytes * 8));
        Value moved = field == 0 ? words : arith::ShRUIOp::create(b_, words, shift).getResult();
        store(arith::TruncIOp::create(b_, lanes.of(bits), moved), b_.add(row, field), lane, length);
      }
    });
    step = b_.constant(fields);
    return SmallVector<Value>{b_.add(row, fields)};
  })[0];
  // The last word of a row may reach past its valid elements.
  b_.loop(rest, high, b_.constant(1), [&](Value row) {
    forEachStrip([&](Value lane, Value length) { store(load(row, lane, bits, length), row, lane, length); });
  });
}

}  // namespace forerun::backends::accelerator
