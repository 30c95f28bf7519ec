//===- RandomTest.cpp - the layout algebra against brute force -------------===//
// 100,000 random layouts an operation: a result is right element by element, and a refusal is one that brute force
// confirms.
#include "compiler/dialect/layout/Canonical.h"
#include "compiler/dialect/layout/Equality.h"
#include "compiler/dialect/layout/Grouping.h"
#include "compiler/dialect/layout/Inverse.h"
#include "compiler/dialect/layout/Storage.h"
#include "compiler/dialect/layout/Tiling.h"
#include "tests/compiler/dialect/layout/LayoutFixture.h"
#include "tests/compiler/dialect/layout/RandomLayouts.h"

#include <map>

namespace forerun::layout {
namespace {

using oracle::Place;
using oracle::PlainLayout;
using Indices = std::vector<std::int64_t>;

constexpr int kLayouts = 100000;

/// The next random layout that the library takes, with its plain form; checks that it refuses exactly colliding
/// replicas.
Layout nextLayout(RandomLayouts& random, PlainLayout& plain, std::int64_t mostElements = 48) {
  while (true) {
    plain = random.any(mostElements);
    llvm::Expected<Layout> layout = made(plain);
    EXPECT_EQ(static_cast<bool>(layout), plain.replicasDistinct());
    if (layout) return std::move(*layout);
    llvm::consumeError(layout.takeError());
  }
}

/// `layout` places every element as `plain` does.
void expectSame(const Layout& layout, const PlainLayout& plain, const std::string& what) {
  ASSERT_EQ(layout.size(), plain.size()) << what;
  for (std::int64_t x = 0; x < plain.size(); ++x)
    ASSERT_EQ(placesOf(layout, x), plain.places(x)) << what << " at " << x;
}

Place scaledSum(const Place& outer, const std::array<std::int64_t, oracle::kAxes>& factor, const Place& inner) {
  Place place;
  for (unsigned a = 0; a < oracle::kAxes; ++a) place[a] = outer[a] * factor[a] + inner[a];
  return place;
}

TEST(LayoutRandom, ApplyCanonicalFormAndText) {
  RandomLayouts random(1);
  for (int i = 0; i < kLayouts && !HasFatalFailure(); ++i) {
    PlainLayout plain;
    const Layout layout = nextLayout(random, plain);
    expectSame(layout, plain, print(layout));
    const Layout canonical = canonicalize(layout);
    expectSame(canonical, plain, print(layout) + " canonical " + print(canonical));
    ASSERT_EQ(canonicalize(canonical), canonical) << print(layout);
    for (unsigned a = 0; a < oracle::kAxes; ++a) ASSERT_EQ(layout.span(axisOf(a)), plain.span(a)) << print(layout);
    llvm::Expected<Layout> again = parse(print(layout));
    ASSERT_TRUE(static_cast<bool>(again)) << print(layout);
    ASSERT_EQ(*again, layout);
  }
}

TEST(LayoutRandom, Equality) {
  AxisSet axes;
  llvm::cantFail(axes.addHierarchy({{Axis("lane"), oracle::kLanes, Axis("team")},
                                    {Axis("team"), oracle::kTeams, Axis("core")},
                                    {Axis("core"), 1, Axis("core")}}));
  RandomLayouts random(2);
  int equal = 0, flattenedEqual = 0;
  for (int i = 0; i < kLayouts; ++i) {
    PlainLayout plain;
    const Layout layout = nextLayout(random, plain);
    const PlainLayout other = random.rewritten(plain);
    llvm::Expected<Layout> second = made(other);
    if (!second) {
      llvm::consumeError(second.takeError());  // the small change made replicas collide or addresses negative
      continue;
    }
    bool same = true, sameFlattened = true;
    for (std::int64_t x = 0; x < plain.size() && sameFlattened; ++x) {
      same = same && plain.places(x) == other.places(x);
      sameFlattened = oracle::flattened(plain.places(x)) == oracle::flattened(other.places(x));
    }
    ASSERT_EQ(compare(layout, *second), same && sameFlattened ? Equality::Equal : Equality::Different)
        << print(layout) << " and " << print(*second);
    ASSERT_EQ(compare(layout, *second, axes), sameFlattened ? Equality::Equal : Equality::Different)
        << print(layout) << " and " << print(*second) << " flattened";
    equal += same;
    flattenedEqual += sameFlattened;
  }
  EXPECT_GT(equal, kLayouts / 4);
  EXPECT_GT(flattenedEqual, equal);
  EXPECT_LT(flattenedEqual, kLayouts * 9 / 10);
}

TEST(LayoutRandom, Group) {
  RandomLayouts random(3);
  int grouped = 0;
  for (int i = 0; i < kLayouts && !HasFatalFailure(); ++i) {
    PlainLayout plain;
    const Layout layout = nextLayout(random, plain);
    const Indices shape = random.shapeOf(plain);
    llvm::Expected<Grouped> result = group(layout, shape);
    PlainLayout linear = plain;
    linear.swizzle.reset();
    ASSERT_EQ(static_cast<bool>(result), oracle::isSeparable(linear, shape))
        << print(layout) << " by " << describeShape(shape);
    if (!result) {
      llvm::consumeError(result.takeError());
      continue;
    }
    ++grouped;
    expectSame(result->layout, plain, print(layout) + " grouped");
    ASSERT_EQ(result->separators.size(), shape.size() + 1);
    for (unsigned d = 0; d < shape.size(); ++d) {
      std::int64_t extent = 1;
      for (const Iterator& iterator : result->dimension(d)) extent *= iterator.extent;
      ASSERT_EQ(extent, shape[d]) << print(layout) << " by " << describeShape(shape);
    }
    std::vector<unsigned> order(shape.size());
    for (unsigned d = 0; d < order.size(); ++d) order[d] = d;
    for (std::size_t d = order.size(); d-- > 1;)
      std::swap(order[d], order[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(d)))]);
    llvm::Expected<Layout> permuted = permute({layout, shape}, order);
    ASSERT_TRUE(static_cast<bool>(permuted));
    Indices newShape;
    for (unsigned d : order) newShape.push_back(shape[d]);
    for (std::int64_t x = 0; x < plain.size(); ++x) {
      const Indices index = oracle::indexOf(x, newShape);
      Indices old(index.size());
      for (std::size_t d = 0; d < order.size(); ++d) old[order[d]] = index[d];
      ASSERT_EQ(placesOf(*permuted, x), plain.places(oracle::flat(old, shape))) << print(layout) << " permuted";
    }
  }
  EXPECT_GT(grouped, kLayouts / 2);
  EXPECT_LT(grouped, kLayouts * 98 / 100);
}

TEST(LayoutRandom, Slice) {
  RandomLayouts random(4);
  int cut = 0, refused = 0;
  for (int i = 0; i < kLayouts; ++i) {
    PlainLayout plain;
    const Layout layout = nextLayout(random, plain);
    const Indices shape = random.chance(25) ? Indices{plain.size()} : random.shapeOf(plain);
    std::vector<IndexRange> window;
    Indices extents;
    for (std::int64_t extent : shape) {
      const std::int64_t begin = random.between(0, extent - 1), end = random.between(begin + 1, extent);
      window.push_back({begin, end});
      extents.push_back(end - begin);
    }
    const auto inside = [&](std::int64_t y) {
      Indices index = oracle::indexOf(y, extents);
      for (std::size_t d = 0; d < index.size(); ++d) index[d] += window[d].first;
      return oracle::flat(index, shape);
    };
    std::int64_t elements = 1;
    for (std::int64_t extent : extents) elements *= extent;
    llvm::Expected<Layout> result = slice({layout, shape}, window);
    if (result) {
      ++cut;
      ASSERT_EQ(result->size(), elements);
      for (std::int64_t y = 0; y < elements; ++y)
        ASSERT_EQ(placesOf(*result, y), plain.places(inside(y)))
            << print(layout) << " window " << print(*result) << " at " << y;
      continue;
    }
    ++refused;
    llvm::consumeError(result.takeError());
    PlainLayout linear = plain;
    linear.swizzle.reset();
    if (!oracle::isSeparable(linear, shape)) continue;
    std::vector<Place> places;
    for (std::int64_t y = 0; y < elements; ++y) places.push_back(linear.base(inside(y)));
    ASSERT_FALSE(oracle::isWalkable(places))
        << print(layout) << " over " << describeShape(shape) << " has a window that was refused";
  }
  EXPECT_GT(cut, kLayouts / 2);
  EXPECT_GT(refused, kLayouts / 20);
}

TEST(LayoutRandom, TileAndSum) {
  RandomLayouts random(5);
  int tiled = 0, outerFound = 0, innerFound = 0, summed = 0;
  for (int i = 0; i < kLayouts; ++i) {
    PlainLayout inner, outer;
    const Layout in = nextLayout(random, inner, 8), out = nextLayout(random, outer, 8);
    Indices innerShape = random.shapeOf(inner), outerShape = random.shapeOf(outer);
    innerShape.resize(std::max(innerShape.size(), outerShape.size()), 1);
    outerShape.resize(innerShape.size(), 1);
    Indices shape;
    for (std::size_t d = 0; d < innerShape.size(); ++d) shape.push_back(innerShape[d] * outerShape[d]);
    std::array<std::int64_t, oracle::kAxes> spans;
    for (unsigned a = 0; a < oracle::kAxes; ++a) spans[a] = inner.span(a);

    const auto expectCombined = [&](const Layout& result, const std::array<std::int64_t, oracle::kAxes>& factor) {
      for (std::int64_t x = 0; x < result.size(); ++x) {
        Indices i = oracle::indexOf(x, shape), o = i;
        for (std::size_t d = 0; d < shape.size(); ++d) i[d] %= innerShape[d], o[d] /= innerShape[d];
        oracle::Places places;
        for (const Place& p : outer.all(oracle::flat(o, outerShape)))
          for (const Place& q : inner.all(oracle::flat(i, innerShape))) places.push_back(scaledSum(p, factor, q));
        ASSERT_EQ(placesOf(result, x), oracle::asSet(places)) << print(in) << " and " << print(out) << " at " << x;
      }
    };
    llvm::Expected<Layout> result = tile({in, innerShape}, {out, outerShape});
    if (result) {
      ++tiled;
      expectCombined(*result, spans);
      llvm::Expected<Layout> outerAgain = outerOf({*result, shape}, {in, innerShape});
      if (outerAgain) {
        ++outerFound;
        ASSERT_EQ(compare(*outerAgain, out), Equality::Equal) << print(in) << " and " << print(out);
      } else {
        llvm::consumeError(outerAgain.takeError());
      }
      llvm::Expected<Layout> innerAgain = innerOf({*result, shape}, {out, outerShape});
      if (innerAgain) {
        ++innerFound;
        llvm::Expected<Layout> again = tile({*innerAgain, innerShape}, {out, outerShape});
        ASSERT_TRUE(static_cast<bool>(again));
        ASSERT_EQ(compare(*again, *result), Equality::Equal) << print(in) << " and " << print(out);
      } else {
        llvm::consumeError(innerAgain.takeError());
      }
    } else {
      llvm::consumeError(result.takeError());
    }
    llvm::Expected<Layout> sum = directSum({out, outerShape}, {in, innerShape});
    if (sum) {
      ++summed;
      expectCombined(*sum, {1, 1, 1, 1});
      llvm::Expected<Layout> left = leftOf({*sum, shape}, {in, innerShape}),
                             right = rightOf({*sum, shape}, {out, outerShape});
      if (left) ASSERT_EQ(compare(*left, out), Equality::Equal) << print(in) << " and " << print(out);
      if (right) ASSERT_EQ(compare(*right, in), Equality::Equal) << print(in) << " and " << print(out);
      if (in.replicas().empty()) ASSERT_TRUE(static_cast<bool>(left)) << print(in) << " and " << print(out);
      if (out.replicas().empty()) ASSERT_TRUE(static_cast<bool>(right)) << print(in) << " and " << print(out);
      llvm::consumeError(left.takeError());
      llvm::consumeError(right.takeError());
    } else {
      llvm::consumeError(sum.takeError());
    }
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tiled, kLayouts / 4);
  EXPECT_GT(outerFound, tiled * 9 / 10);
  EXPECT_GT(innerFound, tiled * 7 / 10);
  EXPECT_GT(summed, kLayouts / 4);
}

TEST(LayoutRandom, Inverse) {
  RandomLayouts random(6);
  int inverted = 0, total = 0;
  for (int i = 0; i < kLayouts; ++i) {
    PlainLayout plain;
    const Layout layout = nextLayout(random, plain);
    std::map<Place, std::int64_t> holder;
    bool distinct = true;
    Place low, high;
    low.fill(INT64_MAX), high.fill(INT64_MIN);
    for (std::int64_t x = 0; x < plain.size(); ++x)
      for (const Place& place : plain.all(x)) {
        distinct &= holder.emplace(place, x).second;
        for (unsigned a = 0; a < oracle::kAxes; ++a)
          low[a] = std::min(low[a], place[a]), high[a] = std::max(high[a], place[a]);
      }
    llvm::Expected<Inverse> inverse = Inverse::of(layout);
    ASSERT_EQ(static_cast<bool>(inverse), distinct) << print(layout);
    if (!inverse) {
      llvm::consumeError(inverse.takeError());
      continue;
    }
    ++inverted;
    std::int64_t box = 1;
    for (unsigned a = 0; a < oracle::kAxes; ++a) box *= high[a] - low[a] + 1;
    const auto pointOf = [](const Place& place) {
      Point point;
      for (unsigned a = 0; a < oracle::kAxes; ++a) point.set(axisOf(a), place[a]);
      return point;
    };
    for (const auto& [place, x] : holder) ASSERT_EQ(inverse->element(pointOf(place)), x) << print(layout);
    for (int tries = 0; tries < 16; ++tries) {
      Place place;
      for (unsigned a = 0; a < oracle::kAxes; ++a) place[a] = random.between(low[a] - 1, high[a] + 1);
      const auto found = holder.find(place);
      ASSERT_EQ(inverse->element(pointOf(place)), found == holder.end() ? std::nullopt : std::optional(found->second))
          << print(layout);
    }
    llvm::Expected<Layout> back = inverse->layout();
    ASSERT_EQ(static_cast<bool>(back), !plain.swizzle && box == static_cast<std::int64_t>(holder.size()))
        << print(layout);
    if (!back) {
      llvm::consumeError(back.takeError());
      continue;
    }
    ++total;
    Indices shape;
    for (const Inverse::Side& side : inverse->sides()) shape.push_back(side.range.extent());
    for (std::int64_t y = 0; y < back->size(); ++y) {
      const Indices index = oracle::indexOf(y, shape);
      Point point;
      for (std::size_t s = 0; s < shape.size(); ++s)
        point.set(inverse->sides()[s].axis, inverse->sides()[s].range.low + index[s]);
      ASSERT_EQ(back->apply(y).get(Axis()), holder.at(placeOf(point))) << print(layout) << " inverse " << print(*back);
    }
  }
  EXPECT_GT(inverted, kLayouts / 3);
  EXPECT_GT(total, kLayouts / 8);
}

TEST(LayoutRandom, CompositionAndStorage) {
  RandomLayouts random(7);
  int composed = 0, packed = 0;
  for (int i = 0; i < kLayouts; ++i) {
    PlainLayout first;
    const Layout outer = nextLayout(random, first);
    const PlainLayout second = random.plain(24, true);
    const Layout flat = llvm::cantFail(made(second));
    llvm::Expected<Layout> result = compose(outer, flat);
    if (result) {
      ++composed;
      for (std::int64_t x = 0; x < second.size(); ++x)
        ASSERT_EQ(placesOf(*result, x), first.places(second.base(x)[0])) << print(outer) << " after " << print(flat);
    } else {
      llvm::consumeError(result.takeError());
    }
    const std::int64_t count = outer.swizzle() ? 2 : random.between(1, 4);
    const Layout fine = llvm::cantFail(unpack(outer, count));
    for (std::int64_t x = 0; x < fine.size(); ++x) {
      oracle::Places places;
      for (Place place : first.all(x / count)) {
        place[0] = place[0] * count + x % count;
        places.push_back(place);
      }
      ASSERT_EQ(placesOf(fine, x), oracle::asSet(places)) << print(outer) << " unpacked by " << count;
    }
    llvm::Expected<Layout> coarse = pack(fine, count);
    ASSERT_TRUE(static_cast<bool>(coarse)) << print(outer) << " by " << count;
    ASSERT_EQ(compare(*coarse, outer), Equality::Equal) << print(outer) << " by " << count;
    llvm::Expected<Layout> direct = pack(outer, count);
    if (direct) {
      ++packed;
      ASSERT_EQ(compare(llvm::cantFail(unpack(*direct, count)), outer), Equality::Equal)
          << print(outer) << " by " << count;
    } else {
      llvm::consumeError(direct.takeError());
    }
  }
  EXPECT_GT(composed, kLayouts / 50);
  EXPECT_GT(packed, kLayouts / 5);
}

}  // namespace
}  // namespace forerun::layout
