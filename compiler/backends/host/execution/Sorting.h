//===- Sorting.h - a line of a sort or topk ---------------------------------===//
// What compiled kernels hand to kSortFunction of Abi.h: words, addresses and strides in bytes.
#pragma once

#include <cstdint>

namespace forerun::backends::host {

enum OrderingWord : std::int64_t {
  kInput,
  kInputStride,
  kCount,  ///< elements of the line
  kType,   ///< isa::ElementType
  kDescending,
  kKept,   ///< results, at most kCount
  kFirst,  ///< position of the first element
  kValues,
  kValueStride,
  kPositions,  ///< 0: not wanted
  kPositionStride,
  kPositionBytes,  ///< 4 or 8
  kOrderingWords
};

/// Writes the first kKept elements of the line in the order of tile.sort, and their positions. The values may overwrite
/// the line.
void sortLine(const std::int64_t* ordering);

}  // namespace forerun::backends::host
