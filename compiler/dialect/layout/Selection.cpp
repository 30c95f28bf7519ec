//===- Selection.cpp - which units a range of them is ----------------------===//
// Level by level, from the finest outwards.
#include "compiler/dialect/layout/Selection.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/Twine.h>

#include <algorithm>
#include <utility>

namespace forerun::layout {

namespace {

llvm::Error failure(const llvm::Twine& text) { return llvm::createStringError(text); }

std::int64_t last(const Units& units) { return units.offset + (units.extent - 1) * units.stride; }

std::string written(const Units& units) {
  std::string text = "[" + std::to_string(units.offset) + " : " + std::to_string(last(units) + 1);
  if (units.stride != 1 && units.extent != 1) text += " : " + std::to_string(units.stride);
  return text + "]";
}

/// The range of coarser units and the one within each of them.
llvm::Expected<std::pair<Units, Units>> splitOnce(llvm::StringRef name, const Units& units, const Coarser& coarser) {
  const std::int64_t holds = coarser.holds, first = units.offset / holds, inside = units.offset % holds;
  if (last(units) / holds == first) return std::pair(Units{1, first, 1}, Units{units.extent, inside, units.stride});
  if (units.stride % holds == 0)
    return std::pair(Units{units.extent, first, units.stride / holds}, Units{1, inside, 1});
  // The same units of each: of every stride-th, all that there are.
  if (holds % units.stride == 0 && inside < units.stride && units.extent % (holds / units.stride) == 0) {
    const std::int64_t each = holds / units.stride;
    return std::pair(Units{units.extent / each, first, 1}, Units{each, inside, units.stride});
  }
  const llvm::StringRef plural = units.extent > 1 ? "s" : "";
  return failure(llvm::Twine(name) + " " + written(units) + " crosses a boundary between units of '" + coarser.name +
                 "', which hold " + llvm::Twine(holds) + " " + name + plural +
                 " each, and does not take the same of each of them");
}

}  // namespace

llvm::Expected<Units> unitsOf(std::int64_t low, std::int64_t high, std::int64_t step) {
  if (low < 0 || low >= high || step < 1)
    return failure("[" + llvm::Twine(low) + " : " + llvm::Twine(high) + " : " + llvm::Twine(step) +
                   "] selects nothing; a range has 0 <= low < high and a step of at least 1");
  return Units{(high - low - 1) / step + 1, low, step};
}

llvm::Expected<llvm::SmallVector<Units, 4>> split(llvm::StringRef name, const Units& selected,
                                                  llvm::ArrayRef<Coarser> coarser) {
  llvm::SmallVector<Units, 4> ranges{selected};
  for (const Coarser& level : coarser) {
    const Units units = ranges.pop_back_val();
    llvm::Expected<std::pair<Units, Units>> parts = splitOnce(name, units, level);
    if (!parts) return parts.takeError();
    ranges.push_back(parts->second);
    ranges.push_back(parts->first);
    name = level.name;
  }
  std::reverse(ranges.begin(), ranges.end());
  return ranges;
}

llvm::Error checkExtents(llvm::ArrayRef<std::int64_t> whole, llvm::ArrayRef<llvm::ArrayRef<std::int64_t>> parts) {
  for (std::size_t d = 0; d < whole.size(); ++d) {
    std::int64_t product = 1;
    for (llvm::ArrayRef<std::int64_t> part : parts) {
      if (part.size() != whole.size())
        return failure("expected " + llvm::Twine(whole.size()) + " extents, found " + llvm::Twine(part.size()));
      product *= part[d];
    }
    if (product != whole[d])
      return failure("expected parts whose product is " + llvm::Twine(whole[d]) + " in dimension " + llvm::Twine(d) +
                     ", found " + llvm::Twine(product));
  }
  return llvm::Error::success();
}

}  // namespace forerun::layout
