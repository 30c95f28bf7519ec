//===- LayoutOracle.cpp - layouts by brute force ---------------------------===//
// Straight from the definition; slow and plain on purpose.
#include "tests/compiler/dialect/layout/LayoutOracle.h"

#include <algorithm>

namespace forerun::layout::oracle {

namespace {

Place plus(const Place& a, const Place& b, std::int64_t sign = 1) {
  Place sum;
  for (unsigned i = 0; i < kAxes; ++i) sum[i] = a[i] + sign * b[i];
  return sum;
}

std::int64_t swizzled(std::int64_t address, const PlainLayout::Xor& s) {
  std::int64_t result = address;
  for (unsigned bit = 0; bit < s.bits; ++bit)
    if (address >> (s.base + s.shift + bit) & 1) result ^= std::int64_t{1} << (s.base + bit);
  return result;
}

}  // namespace

std::int64_t PlainLayout::size() const {
  std::int64_t size = 1;
  for (const Step& step : shard) size *= step.extent;
  return size;
}

std::vector<Place> PlainLayout::all(std::int64_t x) const {
  Place origin = offset;
  for (std::size_t k = shard.size(); k-- > 0;) {
    origin[shard[k].axis] += x % shard[k].extent * shard[k].stride;
    x /= shard[k].extent;
  }
  std::vector<Place> result{origin};
  for (const Step& replica : replicas) {
    std::vector<Place> next;
    for (const Place& place : result)
      for (std::int64_t r = 0; r < replica.extent; ++r) {
        next.push_back(place);
        next.back()[replica.axis] += r * replica.stride;
      }
    result = next;
  }
  if (swizzle)
    for (Place& place : result) place[0] = swizzled(place[0], *swizzle);
  return result;
}

Places asSet(std::vector<Place> places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

Places PlainLayout::places(std::int64_t x) const { return asSet(all(x)); }

Place PlainLayout::base(std::int64_t x) const { return all(x).front(); }

bool PlainLayout::replicasDistinct() const {
  PlainLayout only;
  only.replicas = replicas;
  return only.places(0).size() == only.all(0).size();
}

std::int64_t PlainLayout::span(unsigned axis) const {
  PlainLayout linear = *this;
  linear.swizzle.reset();
  std::int64_t low = INT64_MAX, high = INT64_MIN;
  for (std::int64_t x = 0; x < size(); ++x)
    for (const Place& place : linear.all(x)) {
      low = std::min(low, place[axis]);
      high = std::max(high, place[axis]);
    }
  if (swizzle && axis == 0) {
    const std::int64_t row = std::int64_t{1} << (swizzle->base + swizzle->bits);
    low = low / row * row;
    high = high / row * row + row - 1;
  }
  return high - low + 1;
}

Places flattened(const Places& places) {
  Places result;
  for (const Place& p : places) result.push_back({p[0], 0, 0, p[1] + kLanes * p[2] + p[3]});
  return asSet(result);
}

bool isWalkable(const std::vector<Place>& places) {
  if (places.size() == 1) return true;
  const Place step = plus(places[1], places[0], -1);
  if (std::count_if(step.begin(), step.end(), [](std::int64_t v) { return v != 0; }) > 1) return false;
  std::size_t run = 1;
  while (run < places.size() && plus(places[run], places[run - 1], -1) == step) ++run;
  if (places.size() % run != 0) return false;
  std::vector<Place> starts;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i % run == 0)
      starts.push_back(places[i]);
    else if (plus(places[i], places[i - 1], -1) != step)
      return false;
  }
  return isWalkable(starts);
}

bool isSeparable(const PlainLayout& layout, const std::vector<std::int64_t>& shape) {
  const Place origin = layout.base(0);
  for (std::int64_t x = 0; x < layout.size(); ++x) {
    const std::vector<std::int64_t> index = indexOf(x, shape);
    Place sum = origin;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      std::vector<std::int64_t> single(shape.size(), 0);
      single[d] = index[d];
      sum = plus(sum, plus(layout.base(flat(single, shape)), origin, -1));
    }
    if (sum != layout.base(x)) return false;
  }
  return true;
}

std::vector<std::int64_t> indexOf(std::int64_t x, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = x % shape[d];
    x /= shape[d];
  }
  return index;
}

std::int64_t flat(const std::vector<std::int64_t>& index, const std::vector<std::int64_t>& shape) {
  std::int64_t x = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) x = x * shape[d] + index[d];
  return x;
}

}  // namespace forerun::layout::oracle
