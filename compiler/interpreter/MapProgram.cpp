//===- MapProgram.cpp - a map body as straight-line code over columns -------===//
// Gathers row segments of the windows into columns, runs the steps, scatters the results.
#include "compiler/interpreter/MapProgram.h"

#include "compiler/interpreter/Rows.h"
#include "compiler/interpreter/Uncertainty.h"

#include <algorithm>
#include <cstring>

namespace forerun::interpreter {

Scalar Scalar::ofInt(std::int64_t value, ElementType type) {
  Scalar scalar;
  scalar.type = type;
  std::uint8_t memory[8] = {};
  isa::storeFromInt(type, memory, value);
  loadColumn(type, memory, scalar.bytes, 1);
  return scalar;
}

std::int64_t Scalar::asInt() const {
  std::uint8_t memory[8] = {};
  storeColumn(type, bytes, memory, 1);
  return isa::loadAsInt(type, memory);
}

std::uint64_t MapProgram::arithmeticSteps() const {
  return static_cast<std::uint64_t>(
      std::count_if(steps.begin(), steps.end(), [](const Step& step) { return step.counts; }));
}

namespace {

/// A piece of one row in the column: elements [offset, offset + count).
struct Segment {
  Index index;  ///< of its first element in the window
  std::size_t offset = 0, count = 0;
};

/// How an operand is walked along the output's dimensions.
struct Operand {
  const View* view;
  llvm::SmallVector<std::int64_t, 4> strides;  ///< elements; 0 where broadcast
  llvm::SmallVector<std::int64_t, 4> low;      ///< first valid index
  std::int64_t base;

  std::int64_t at(const Index& index) const {
    std::int64_t linear = base;
    for (std::size_t d = 0; d < index.size(); ++d) linear += index[d] * strides[d];
    return linear;
  }
  /// Elements of the segment that lie below the low edge: all of a row outside, else the first few.
  std::size_t missing(const Segment& segment) const {
    const std::size_t last = segment.index.size() - 1;
    for (std::size_t d = 0; d < last; ++d)
      if (strides[d] != 0 && segment.index[d] < low[d]) return segment.count;
    if (strides[last] == 0) return 0;
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(low[last] - segment.index[last], 0, static_cast<std::int64_t>(segment.count)));
  }
};

class MapRun {
 public:
  MapRun(const MapProgram& program, llvm::ArrayRef<View> ins, llvm::ArrayRef<View> outs, llvm::ArrayRef<Range> box,
         bool uncertain)
      : program_(program), box_(box), uncertain_(uncertain), columns_(program) {
    for (const View& view : ins) ins_.push_back(operandOf(view));
    for (const View& view : outs) outs_.push_back(operandOf(view));
    for (const auto& captured : program.captured) {
      std::memcpy(columns_.at(captured.out), captured.value.bytes, 8);
      repeatFirst(laneOf(captured.value.type), columns_.at(captured.out), kColumnElements);
    }
  }

  llvm::Error run() {
    for (const Range& range : box_)
      if (range.size() == 0) return llvm::Error::success();
    Index index;
    for (const Range& range : box_) index.push_back(range.low);
    const std::size_t last = box_.size() - 1;
    while (true) {
      for (index[last] = box_[last].low; index[last] < box_[last].high;) {
        const std::size_t count =
            std::min<std::size_t>(kColumnElements - filled_, static_cast<std::size_t>(box_[last].high - index[last]));
        segments_.push_back({index, filled_, count});
        if (llvm::Error error = gather(segments_.back())) return error;
        filled_ += count;
        index[last] += static_cast<std::int64_t>(count);
        if (filled_ == kColumnElements) flush();
      }
      std::size_t d = last;
      while (d > 0 && ++index[d - 1] == box_[d - 1].high) {
        index[d - 1] = box_[d - 1].low;
        --d;
      }
      if (d == 0) break;
    }
    flush();
    return llvm::Error::success();
  }

 private:
  Operand operandOf(const View& view) const {
    Operand operand{&view, {}, {}, view.base()};
    const auto valid = view.validRanges();
    for (unsigned d = 0; d < view.rank(); ++d) {
      const bool broadcast = view.extentOf(d) == 1 && box_[d].high > 1;
      operand.strides.push_back(broadcast ? 0 : view.stride(d));
      operand.low.push_back(valid[d].low);
    }
    return operand;
  }

  llvm::Error gather(const Segment& segment) {
    for (std::size_t i = 0; i < ins_.size(); ++i) {
      const Operand& in = ins_[i];
      const Storage& storage = *in.view->storage;
      const Lane lane = laneOf(storage.type);
      auto* column =
          static_cast<std::uint8_t*>(columns_.at(static_cast<unsigned>(i))) + segment.offset * laneBytes(lane);
      const bool broadcast = in.strides.back() == 0;
      const std::size_t missing = in.missing(segment);
      std::memset(column, 0, missing * laneBytes(lane));
      const std::size_t present = broadcast ? 1 : segment.count - missing;
      if (missing < segment.count) {
        const std::int64_t first = in.at(segment.index) + (broadcast ? 0 : static_cast<std::int64_t>(missing));
        if (storage.firstUnwritten(first, static_cast<std::int64_t>(present)) >= 0)
          return unwrittenError("input " + llvm::Twine(i), storage);
        loadColumn(storage.type, storage.bytes.data() + first * static_cast<std::int64_t>(storage.elementBytes()),
                   column + missing * laneBytes(lane), present);
        if (broadcast) repeatFirst(lane, column, segment.count);
      }
      if (uncertain_) {
        float* radius = columns_.radius(static_cast<unsigned>(i)) + segment.offset;
        std::fill_n(radius, segment.count, 0.0f);
        if (storage.isUncertain() && missing < segment.count) {
          const std::int64_t first = in.at(segment.index) + (broadcast ? 0 : static_cast<std::int64_t>(missing));
          if (broadcast)
            std::fill_n(radius, segment.count, storage.radius[static_cast<std::size_t>(first)]);
          else
            std::copy_n(storage.radius.data() + first, present, radius + missing);
        }
      }
    }
    for (const auto& column : program_.indices) {
      const std::size_t last = segment.index.size() - 1;
      auto put = [&](auto* out) {
        for (std::size_t k = 0; k < segment.count; ++k)
          out[segment.offset + k] = static_cast<std::remove_reference_t<decltype(*out)>>(
              segment.index[column.dim] + (column.dim == last ? static_cast<std::int64_t>(k) : 0));
      };
      if (laneOf(column.type) == Lane::I32)
        put(static_cast<std::int32_t*>(columns_.at(column.out)));
      else
        put(static_cast<std::int64_t*>(columns_.at(column.out)));
    }
    return llvm::Error::success();
  }

  void flush() {
    if (filled_ == 0) return;
    columns_.run(filled_);
    for (std::size_t o = 0; o < outs_.size(); ++o) {
      const Operand& out = outs_[o];
      Storage& storage = *out.view->storage;
      const unsigned reg = program_.outputs[o];
      const auto* column = static_cast<const std::uint8_t*>(columns_.at(reg));
      for (const Segment& segment : segments_) {
        const std::int64_t first = out.at(segment.index);
        storeColumn(storage.type, column + segment.offset * laneBytes(laneOf(storage.type)),
                    storage.bytes.data() + first * static_cast<std::int64_t>(storage.elementBytes()), segment.count);
        if (!storage.written.empty()) std::memset(storage.written.data() + first, 1, segment.count);
        storage.resetMagnitude(first, static_cast<std::int64_t>(segment.count));
      }
    }
    if (uncertain_) storeRadii();
    segments_.clear();
    filled_ = 0;
  }

  void storeRadii() {
    const std::vector<std::vector<float>> radii = columns_.outputRadii(filled_);
    for (std::size_t o = 0; o < outs_.size(); ++o) {
      Storage& storage = *outs_[o].view->storage;
      if (radii[o].empty() && !storage.isUncertain()) continue;
      storage.makeUncertain();
      for (const Segment& segment : segments_) {
        float* target = storage.radius.data() + outs_[o].at(segment.index);
        if (radii[o].empty())
          std::fill_n(target, segment.count, 0.0f);
        else
          std::copy_n(radii[o].data() + segment.offset, segment.count, target);
      }
    }
  }

  const MapProgram& program_;
  llvm::ArrayRef<Range> box_;
  bool uncertain_;
  MapColumns columns_;
  std::vector<Operand> ins_, outs_;
  std::vector<Segment> segments_;
  std::size_t filled_ = 0;
};

}  // namespace

llvm::Error runMap(const MapProgram& program, llvm::ArrayRef<View> ins, llvm::ArrayRef<View> outs,
                   llvm::ArrayRef<Range> box, bool uncertain) {
  return MapRun(program, ins, outs, box, uncertain).run();
}

}  // namespace forerun::interpreter
