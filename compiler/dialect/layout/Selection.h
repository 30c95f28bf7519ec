//===- Selection.h - which units a range of them is ------------------------===//
// A range of lanes or teams, counted across coarser units, as a range of those and one within each of them.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <cstdint>

namespace forerun::layout {

/// Units offset, offset + stride, ... : `extent` of them, at least 1.
struct Units {
  std::int64_t extent = 1, offset = 0, stride = 1;
  bool operator==(const Units&) const = default;
};

/// Units of low, low + step, ... below high. Fails unless 0 <= low < high and step >= 1.
llvm::Expected<Units> unitsOf(std::int64_t low, std::int64_t high, std::int64_t step = 1);

/// A coarser unit that a range crosses: its name, and how many of the next finer ones it holds (at least 1).
struct Coarser {
  llvm::StringRef name;
  std::int64_t holds = 1;
};

/// `selected`, units called `name` counted across the units of `coarser` (finest first), as one range of each: the
/// coarsest first, `name` within the finest of `coarser` last. Fails when it is not the product of such ranges.
llvm::Expected<llvm::SmallVector<Units, 4>> split(llvm::StringRef name, const Units& selected,
                                                  llvm::ArrayRef<Coarser> coarser);

/// Fails unless whole[d] == the product of parts[k][d] over k, for each d: extents that were declared for a unit and
/// for what it is made of.
llvm::Error checkExtents(llvm::ArrayRef<std::int64_t> whole, llvm::ArrayRef<llvm::ArrayRef<std::int64_t>> parts);

}  // namespace forerun::layout
