//===- RandomLayouts.cpp - layouts drawn at random -------------------------===//
// Mixes compact structures with arbitrary strides.
#include "tests/compiler/dialect/layout/RandomLayouts.h"

#include "gtest/gtest.h"

#include <algorithm>

namespace forerun::layout {

using oracle::PlainLayout;
using oracle::Step;

namespace {

constexpr Axis kAxisOf[oracle::kAxes] = {Axis("m"), Axis("lane"), Axis("team"), Axis("lane_of_core")};

unsigned numberOf(Axis axis) {
  for (unsigned number = 0; number < oracle::kAxes; ++number)
    if (axis == kAxisOf[number]) return number;
  ADD_FAILURE() << "the library made up axis " << axis.name().str();
  return 0;
}

Iterators iteratorsOf(const std::vector<Step>& steps) {
  Iterators result;
  for (const Step& step : steps) result.push_back({step.extent, step.stride, kAxisOf[step.axis]});
  return result;
}

}  // namespace

Axis axisOf(unsigned number) { return kAxisOf[number]; }

PlainLayout RandomLayouts::plain(std::int64_t mostElements, bool memoryOnly) {
  PlainLayout layout;
  std::int64_t size = 1;
  for (std::int64_t count = between(0, 4); count > 0; --count) {
    const std::int64_t extent = chance(10) ? 1 : between(2, 6);
    if (size * extent > mostElements) continue;
    size *= extent;
    layout.shard.push_back({extent, 0, memoryOnly || chance(60) ? 0 : static_cast<unsigned>(between(1, 3))});
  }
  // Compact places an axis, in any order of the iterators; then some strides at random.
  std::vector<Step*> order;
  for (Step& step : layout.shard) order.push_back(&step);
  if (chance(50))
    std::shuffle(order.begin(), order.end(), engine_);
  else
    std::reverse(order.begin(), order.end());
  oracle::Place next;
  next.fill(1);
  for (Step* step : order) {
    step->stride = next[step->axis];
    next[step->axis] *= step->extent;
    if (chance(8)) next[step->axis] += between(0, 3);
  }
  for (Step& step : layout.shard) {
    if (chance(12)) step.stride = between(-6, 16);
    if (chance(5)) step.stride = -step.stride;
  }
  if (chance(30)) layout.offset[memoryOnly ? 0 : static_cast<std::size_t>(between(0, 3))] = between(-8, 40);
  return layout;
}

PlainLayout RandomLayouts::any(std::int64_t mostElements) {
  const bool swizzled = chance(15);
  PlainLayout layout = plain(mostElements, swizzled);
  for (std::int64_t count = chance(40) ? between(1, 2) : 0; count > 0; --count)
    layout.replicas.push_back({between(1, 4), chance(70) ? std::int64_t{1} << between(0, 5) : between(-5, 9),
                               swizzled ? 0 : static_cast<unsigned>(between(0, 3))});
  if (swizzled) {
    const auto bits = static_cast<unsigned>(between(1, 2));
    layout.swizzle = {static_cast<unsigned>(between(0, 2)), bits, bits + static_cast<unsigned>(between(0, 1))};
    std::int64_t low = layout.offset[0];
    for (const auto* part : {&layout.shard, &layout.replicas})
      for (const Step& step : *part) low += std::min<std::int64_t>(0, (step.extent - 1) * step.stride);
    if (low < 0) layout.offset[0] -= low;
  }
  return layout;
}

PlainLayout RandomLayouts::rewritten(PlainLayout layout) {
  for (auto* part : {&layout.shard, &layout.replicas})
    for (std::size_t i = 0; i < part->size(); ++i) {
      Step& step = (*part)[i];
      if (step.extent == 4 || step.extent == 6) {
        if (!chance(50)) continue;
        const std::int64_t inner = chance(50) ? 2 : step.extent / 2;
        const Step outer{step.extent / inner, step.stride * inner, step.axis};
        step.extent = inner;
        part->insert(part->begin() + static_cast<std::ptrdiff_t>(i), outer);
        ++i;
      }
    }
  if (chance(30)) layout.shard.insert(layout.shard.begin(), {1, between(-9, 9), static_cast<unsigned>(between(0, 3))});
  if (layout.swizzle)
    layout.shard.erase(
        std::remove_if(layout.shard.begin(), layout.shard.end(), [](const Step& s) { return s.axis != 0; }),
        layout.shard.end());
  std::shuffle(layout.replicas.begin(), layout.replicas.end(), engine_);
  for (Step& step : layout.replicas)
    if (chance(30)) {
      layout.offset[step.axis] += (step.extent - 1) * step.stride;
      step.stride = -step.stride;
    }
  const auto relabel = [&](std::vector<Step>& part) {  // one team is kLanes lanes of the core
    for (Step& step : part)
      if (step.axis == 2 && chance(40)) step = {step.extent, step.stride * oracle::kLanes, 3};
  };
  relabel(layout.shard);
  relabel(layout.replicas);
  if (chance(20)) {  // a small change, which may or may not matter
    auto& part = chance(70) || layout.replicas.empty() ? layout.shard : layout.replicas;
    if (!part.empty()) {
      Step& step = part[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(part.size()) - 1))];
      step.stride += chance(50) ? 1 : -1;
    } else {
      layout.offset[0] += 1;
    }
  }
  if (layout.swizzle && chance(20)) layout.swizzle->base = static_cast<unsigned>(between(0, 2));
  if (layout.swizzle && chance(20)) layout.swizzle.reset();
  return layout;
}

std::vector<std::int64_t> RandomLayouts::factors(std::int64_t product) {
  std::vector<std::int64_t> result;
  for (std::int64_t left = product; left > 1;) {
    std::int64_t factor = between(2, left);
    while (left % factor != 0) --factor;
    if (factor == 1) factor = left;
    result.push_back(factor);
    left /= factor;
  }
  std::shuffle(result.begin(), result.end(), engine_);
  if (result.empty() || chance(15))
    result.insert(result.begin() + between(0, static_cast<std::int64_t>(result.size())), 1);
  return result;
}

std::vector<std::int64_t> RandomLayouts::shapeOf(const PlainLayout& layout) {
  if (layout.shard.empty() || chance(30)) return factors(layout.size());
  std::vector<std::int64_t> result;
  for (const Step& step : layout.shard)
    if (!result.empty() && chance(50))
      result.back() *= step.extent;
    else
      result.push_back(step.extent);
  return result;
}

llvm::Expected<Layout> made(const PlainLayout& layout) {
  llvm::SmallVector<Coordinate, 4> offset;
  for (unsigned axis = 0; axis < oracle::kAxes; ++axis) offset.push_back({axisOf(axis), layout.offset[axis]});
  std::optional<Swizzle> swizzle;
  if (layout.swizzle) swizzle = Swizzle{layout.swizzle->base, layout.swizzle->bits, layout.swizzle->shift};
  return Layout::make(iteratorsOf(layout.shard), iteratorsOf(layout.replicas), offset, swizzle);
}

PlainLayout plainOf(const Layout& layout) {
  PlainLayout result;
  for (const Iterator& i : layout.shard()) result.shard.push_back({i.extent, i.stride, numberOf(i.axis)});
  for (const Iterator& i : layout.replicas()) result.replicas.push_back({i.extent, i.stride, numberOf(i.axis)});
  for (const Coordinate& c : layout.offset()) result.offset[numberOf(c.axis)] = c.value;
  if (layout.swizzle()) result.swizzle = {layout.swizzle()->base, layout.swizzle()->bits, layout.swizzle()->shift};
  return result;
}

oracle::Place placeOf(const Point& point) {
  oracle::Place place{};
  for (const Coordinate& c : point.coordinates()) place[numberOf(c.axis)] = c.value;
  return place;
}

oracle::Places placesOf(const Layout& layout, std::int64_t x) {
  oracle::Places places;
  for (const Point& point : layout.applyAll(x)) places.push_back(placeOf(point));
  return oracle::asSet(std::move(places));
}

}  // namespace forerun::layout
