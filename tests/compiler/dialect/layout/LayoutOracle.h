//===- LayoutOracle.h - layouts by brute force -----------------------------===//
// The definition of a layout, evaluated element by element. Shares no code with the library that it checks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace forerun::layout::oracle {

/// Axes by number: m, lane, team, lane_of_core. A team has kLanes lanes.
inline constexpr unsigned kAxes = 4;
inline constexpr std::int64_t kLanes = 8, kTeams = 4;

using Place = std::array<std::int64_t, kAxes>;
using Places = std::vector<Place>;  ///< in order, each once

struct Step {
  std::int64_t extent, stride;
  unsigned axis;
};

struct PlainLayout {
  std::vector<Step> shard, replicas;
  Place offset{};
  struct Xor {
    unsigned base, bits, shift;
  };
  std::optional<Xor> swizzle;

  std::int64_t size() const;
  /// Places of element x, one entry a replica.
  std::vector<Place> all(std::int64_t x) const;
  /// The same as a set.
  Places places(std::int64_t x) const;
  /// The place of element x and replica 0.
  Place base(std::int64_t x) const;
  bool replicasDistinct() const;
  /// Greatest minus least coordinate of any element, plus one; a swizzled m in whole rows.
  std::int64_t span(unsigned axis) const;
};

/// In order, each once.
Places asSet(std::vector<Place> places);

/// Places with lanes, teams and lanes of the core counted as lanes of the core.
Places flattened(const Places& places);

/// True when some list of iterators gives these places for x = 0, 1, ...: found by run lengths.
bool isWalkable(const std::vector<Place>& places);

/// True when the place of every element is a sum of functions of its single indices.
bool isSeparable(const PlainLayout& layout, const std::vector<std::int64_t>& shape);

/// Row-major index of the flat coordinate and back.
std::vector<std::int64_t> indexOf(std::int64_t x, const std::vector<std::int64_t>& shape);
std::int64_t flat(const std::vector<std::int64_t>& index, const std::vector<std::int64_t>& shape);

}  // namespace forerun::layout::oracle
