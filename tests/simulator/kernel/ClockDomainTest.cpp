//===- ClockDomainTest.cpp - exact conversion between clocks ----------------===//
#include "simulator/kernel/ClockDomain.h"

#include <gtest/gtest.h>

namespace forerun::sim {
namespace {

TEST(ClockDomain, RoundsUpAtTheEdge) {
  ClockDomain domain(1'200'000'000, 1'000'000'000);  // 6 unit cycles are 5 reference cycles
  EXPECT_EQ(domain.toReference(6), 5u);
  EXPECT_EQ(domain.toReference(7), 6u);
  EXPECT_EQ(domain.toReference(5), 5u);
  EXPECT_EQ(domain.fromReference(5), 6u);
  EXPECT_EQ(domain.fromReference(6), 8u);
}

TEST(ClockDomain, IsExactForHugeTimesAndAwkwardRatios) {
  ClockDomain domain(1'199'999'999, 1'000'000'007);
  Cycles cycles = Cycles{1'199'999'999} * 5'000'000;
  EXPECT_EQ(domain.toReference(cycles), Cycles{1'000'000'007} * 5'000'000);
  EXPECT_EQ(domain.toReference(cycles + 1), Cycles{1'000'000'007} * 5'000'000 + 1);
}

TEST(ClockDomain, NeverIsNever) { EXPECT_EQ(ClockDomain(3, 2).toReference(kNever), kNever); }

TEST(ClockDomain, FindsClocksOfATargetAndRefusesUnknownOnes) {
  targets::TargetSpec target;
  target.clocks = {{"core", 1'000}, {"noc", 2'000}};
  target.reference = "core";
  EXPECT_EQ(ClockDomain::of(target, "noc").toReference(4), 2u);
  EXPECT_THROW(ClockDomain::of(target, "dram"), Error);
  EXPECT_THROW(ClockDomain(0, 1), Error);
}

}  // namespace
}  // namespace forerun::sim
