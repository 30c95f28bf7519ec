//===- Sorting.cpp - a line of a sort or topk -------------------------------===//
// Sorts keys whose order as integers is the language's order of the elements.
#include "compiler/backends/host/execution/Sorting.h"

#include "isa/ElementType.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace forerun::backends::host {

namespace {

struct Entry {
  std::int64_t key, position;
};

/// -0 < +0; NaNs are equal and greater than all numbers. Every element but i64 is exact in f64.
std::int64_t keyOf(isa::ElementType type, const std::uint8_t* element) {
  if (isa::isInteger(type)) return isa::loadAsInt(type, element);
  const double value = isa::loadAsDouble(type, element);
  if (std::isnan(value)) return std::numeric_limits<std::int64_t>::max();
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits >= 0 ? bits : bits ^ std::numeric_limits<std::int64_t>::max();
}

}  // namespace

void sortLine(const std::int64_t* ordering) {
  auto address = [&](OrderingWord word) { return std::bit_cast<std::uint8_t*>(ordering[word]); };
  const auto type = static_cast<isa::ElementType>(ordering[kType]);
  const std::int64_t count = ordering[kCount], kept = ordering[kKept];
  const std::size_t bytes = isa::storageBytes(type);
  std::vector<Entry> entries(static_cast<std::size_t>(count));
  std::vector<std::uint8_t> values(static_cast<std::size_t>(count) * bytes);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint8_t* element = address(kInput) + i * ordering[kInputStride];
    std::memcpy(values.data() + static_cast<std::size_t>(i) * bytes, element, bytes);
    entries[static_cast<std::size_t>(i)] = {keyOf(type, element), i};
  }
  const bool descending = ordering[kDescending] != 0;
  const auto before = [&](const Entry& a, const Entry& b) {
    if (a.key != b.key) return descending ? a.key > b.key : a.key < b.key;
    return a.position < b.position;
  };
  if (kept == count)
    std::sort(entries.begin(), entries.end(), before);
  else
    std::partial_sort(entries.begin(), entries.begin() + kept, entries.end(), before);
  for (std::int64_t rank = 0; rank < kept; ++rank) {
    const std::int64_t position = entries[static_cast<std::size_t>(rank)].position;
    std::memcpy(address(kValues) + rank * ordering[kValueStride],
                values.data() + static_cast<std::size_t>(position) * bytes, bytes);
    if (ordering[kPositions] == 0) continue;
    const std::int64_t found = ordering[kFirst] + position;  // little-endian: the low bytes come first
    std::memcpy(address(kPositions) + rank * ordering[kPositionStride], &found,
                static_cast<std::size_t>(ordering[kPositionBytes]));
  }
}

}  // namespace forerun::backends::host
