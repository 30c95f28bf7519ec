//===- LayoutBench.cpp - host cost of the layout algebra -------------------===//
// Operations on layouts as kernels have them: an MMA fragment with replicas, a swizzled tile, a blocked matrix.
#include "compiler/dialect/layout/Canonical.h"
#include "compiler/dialect/layout/Equality.h"
#include "compiler/dialect/layout/Grouping.h"
#include "compiler/dialect/layout/Inverse.h"
#include "compiler/dialect/layout/Text.h"
#include "compiler/dialect/layout/Tiling.h"

#include <benchmark/benchmark.h>

namespace {

using namespace forerun::layout;

constexpr const char* kFragment = "S[(8,2,4,2):(4@lane,1@team,1@lane,1)] + R[2:4@team] + 5@team";

Layout read(const char* text) { return llvm::cantFail(parse(text)); }

template <typename Operation>
void repeat(benchmark::State& state, Operation operation) {
  for (auto _ : state) benchmark::DoNotOptimize(operation());
}

void apply(benchmark::State& state) {
  const Layout layout = read(kFragment);
  repeat(state, [&] { return layout.apply(77); });
}
BENCHMARK(apply);

void applyAll(benchmark::State& state) {
  const Layout layout = read(kFragment);
  repeat(state, [&] { return layout.applyAll(77); });
}
BENCHMARK(applyAll);

void canonical(benchmark::State& state) {
  const Layout layout = read("(8,2,3,6,4,1):(6,24,6,1,9,7)");
  repeat(state, [&] { return canonicalize(layout); });
}
BENCHMARK(canonical);

void equality(benchmark::State& state) {
  const Layout a = read(kFragment), b = read("S[(8,2,2,2,2):(4@lane,1@team,2@lane,1@lane,1)] + R[2:-4@team] + 9@team");
  repeat(state, [&] { return compare(a, b); });
}
BENCHMARK(equality);

void equalityOfSwizzled(benchmark::State& state) {
  const Layout a = read("swizzle(3,3,3) of S[(64,64):(64,1)]"), b = read("swizzle(3,3,3) of S[4096:1]");
  repeat(state, [&] { return compare(a, b); });
}
BENCHMARK(equalityOfSwizzled);

void grouping(benchmark::State& state) {
  const Layout layout = read(kFragment);
  repeat(state, [&] { return group(layout, {16, 8}); });
}
BENCHMARK(grouping);

void slicing(benchmark::State& state) {
  const Layout layout = read("(2,8,3,8):(192,8,64,1)");
  repeat(state, [&] { return slice({layout, {16, 24}}, {{2, 6}, {4, 12}}); });
}
BENCHMARK(slicing);

void tiling(benchmark::State& state) {
  const Layout inner = read("(1,2):(2,1)"), outer = read("(8,4):(4@lane,1@lane)");
  repeat(state, [&] { return tile({inner, {1, 2}}, {outer, {8, 4}}); });
}
BENCHMARK(tiling);

void summing(benchmark::State& state) {
  const Layout left = read("(2,2):(8,2)"), right = read("(2,2):(4,1)");
  repeat(state, [&] { return directSum({left, {2, 2}}, {right, {2, 2}}); });
}
BENCHMARK(summing);

void composing(benchmark::State& state) {
  const Layout first = read("S[(4,8):(1@lane,100)]"), second = read("S[(2,4):(16,2)] + 1");
  repeat(state, [&] { return compose(first, second); });
}
BENCHMARK(composing);

void inverting(benchmark::State& state) {
  const Layout layout = read("S[(8,2,4,2):(4@lane,1@team,1@lane,1)]");
  repeat(state, [&] { return Inverse::of(layout); });
}
BENCHMARK(inverting);

void elementAtPlace(benchmark::State& state) {
  const Inverse inverse = llvm::cantFail(Inverse::of(read("S[(8,2,4,2):(4@lane,1@team,1@lane,1)]")));
  const Point place({{Axis("lane"), 17}, {Axis("team"), 1}, {Axis(), 1}});
  repeat(state, [&] { return inverse.element(place); });
}
BENCHMARK(elementAtPlace);

void parsing(benchmark::State& state) {
  repeat(state, [&] { return read(kFragment); });
}
BENCHMARK(parsing);

}  // namespace

BENCHMARK_MAIN();
