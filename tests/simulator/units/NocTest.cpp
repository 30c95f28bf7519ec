//===- NocTest.cpp - routes, latency, contention, multicast ------------------===//
#include "simulator/noc/Network.h"

#include "simulator/kernel/Error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace forerun::sim::noc {
namespace {

targets::TargetSpec target(targets::Topology topology, std::uint32_t cores, std::uint32_t columns,
                           std::uint32_t planes = 1) {
  targets::TargetSpec t;
  t.clocks = {{"core", 1'000'000'000}};
  t.reference = "core";
  t.coresPerCluster = cores;
  t.noc = {.topology = topology,
           .clock = "core",
           .columns = columns,
           .planes = planes,
           .hopCycles = 9,
           .linkBytesPerCycle = 32,
           .interfaceCycles = 5};
  return t;
}

TEST(NocTopology, RoutesXFirstThenY) {
  Topology mesh(target(targets::Topology::Mesh, 16, 4).noc, 16, 4);
  EXPECT_EQ(mesh.hops(mesh.core(0), mesh.core(15)), 6u);
  auto route = mesh.route(mesh.core(5), mesh.core(15));
  std::vector<LinkId> expected{LinkId{5 * 4 + 0}, LinkId{6 * 4 + 0}, LinkId{7 * 4 + 2},
                               LinkId{11 * 4 + 2}};  // east, east, south, south
  EXPECT_TRUE(std::equal(route.begin(), route.end(), expected.begin(), expected.end()));
  EXPECT_TRUE(mesh.route(mesh.core(3), mesh.core(3)).empty());
}

TEST(NocTopology, TorusAndRingGoTheShorterWayRound) {
  Topology torus(target(targets::Topology::Torus, 64, 8).noc, 64, 0);
  EXPECT_EQ(torus.hops(torus.core(0), torus.core(7)), 1u);
  EXPECT_EQ(torus.hops(torus.core(0), torus.core(63)), 2u);
  EXPECT_EQ(torus.hops(torus.core(0), torus.core(4 + 8 * 4)), 8u);
  Topology ring(target(targets::Topology::Ring, 8, 0).noc, 8, 0);
  EXPECT_EQ(ring.hops(ring.core(0), ring.core(7)), 1u);
  EXPECT_EQ(ring.hops(ring.core(0), ring.core(4)), 4u);
  EXPECT_EQ(ring.hops(ring.core(1), ring.core(6)), 3u);
  Topology crossbar(target(targets::Topology::Crossbar, 8, 0).noc, 8, 3);
  EXPECT_EQ(crossbar.hops(crossbar.core(0), crossbar.memory(2)), 1u);
}

TEST(NocTopology, MemoryPortsSpreadOverTheRim) {
  Topology mesh(target(targets::Topology::Mesh, 64, 8).noc, 64, 28);
  std::vector<std::uint32_t> routers;
  for (std::uint32_t m = 0; m < 28; ++m) {
    std::uint32_t router = mesh.routerOf(mesh.memory(m)), x = router % 8, y = router / 8;
    EXPECT_TRUE(x == 0 || x == 7 || y == 0 || y == 7);
    routers.push_back(router);
  }
  std::sort(routers.begin(), routers.end());
  EXPECT_EQ(std::unique(routers.begin(), routers.end()), routers.end());
  EXPECT_THROW(Topology(target(targets::Topology::Mesh, 4, 0).noc, 4, 1), Error);
}

TEST(NocNetwork, LatencyIsInterfacesPlusHopsPlusLength) {
  Network mesh(target(targets::Topology::Mesh, 16, 4), 4);
  const Topology& t = mesh.topology();
  EXPECT_EQ(mesh.transfer(t.core(0), t.core(15), 32, 100), 100u + 10 + 6 * 9 + 1);
  EXPECT_EQ(mesh.transfer(t.core(0), t.core(15), 33, 200), 200u + 10 + 6 * 9 + 2);
  EXPECT_EQ(mesh.transfer(t.core(2), t.core(2), 64, 200), 200u + 10 + 2);
  EXPECT_EQ(mesh.message(t.core(0), t.core(1), 7), 7u + 10 + 9 + 1);
  Network crossbar(target(targets::Topology::Crossbar, 16, 0), 4);
  EXPECT_EQ(crossbar.transfer(t.core(0), t.core(15), 64, 0), 10u + 9 + 2);
}

TEST(NocNetwork, PacketsWaitForASharedLinkAtTheEdge) {
  // 0 -> 2 and 1 -> 2 share the link from 1 to 2; the first books it for [5 + 18, 5 + 18 + 4).
  for (Cycles at : {9u, 13u, 17u, 18u}) {
    Network mesh(target(targets::Topology::Mesh, 4, 4), 0);
    const Topology& t = mesh.topology();
    EXPECT_EQ(mesh.transfer(t.core(0), t.core(2), 128, 0), 10u + 18 + 4);
    Cycles head = at + 5 + 9;  // wants the link at this cycle
    Cycles start = head + 4 <= 23 || head >= 27 ? head : 27;
    EXPECT_EQ(mesh.transfer(t.core(1), t.core(2), 128, at), std::max<Cycles>(start, 27 * (head + 4 > 23)) + 4 + 5)
        << at;
  }
}

TEST(NocNetwork, PlanesCarryPacketsSideBySide) {
  Network one(target(targets::Topology::Mesh, 4, 4, 1), 0), two(target(targets::Topology::Mesh, 4, 4, 2), 0);
  Cycles lastOne = 0, lastTwo = 0;
  for (int i = 0; i < 10; ++i) {
    lastOne = std::max(lastOne, one.transfer(NodeId{0}, NodeId{3}, 320, 0));
    lastTwo = std::max(lastTwo, two.transfer(NodeId{0}, NodeId{3}, 320, 0));
  }
  EXPECT_EQ(lastOne, 10u + 27 + 100);
  EXPECT_EQ(lastTwo, 10u + 27 + 50);
}

TEST(NocNetwork, MulticastBooksSharedLinksOnce) {
  Network tree(target(targets::Topology::Mesh, 16, 4), 0), single(target(targets::Topology::Mesh, 16, 4), 0);
  std::vector<NodeId> all;
  for (std::uint32_t c = 0; c < 16; ++c) all.push_back(NodeId{c});
  std::vector<Cycles> arrivals(16);
  Cycles last = tree.multicast(NodeId{0}, all, 3200, 0, arrivals);
  EXPECT_EQ(last, 10u + 6 * 9 + 100);
  for (std::uint32_t c = 0; c < 16; ++c)
    EXPECT_EQ(arrivals[c], 10u + tree.topology().hops(NodeId{0}, all[c]) * 9 + 100) << c;
  Cycles separate = 0;
  for (NodeId node : all) separate = std::max(separate, single.transfer(NodeId{0}, node, 3200, 0));
  EXPECT_GE(separate, 1600u);
  // 1 injection, 15 links of the tree, 16 ejections, each 100 cycles.
  StatisticsTree stats;
  tree.report(stats, last);
  EXPECT_EQ(stats.find("busyCycles")->count, 3200u);
  EXPECT_EQ(stats.find("bytes")->count, 51200u);
}

TEST(NocNetwork, MoreWidthOrPlanesIsNeverSlowerForAStream) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    auto run = [&](std::uint32_t width, std::uint32_t planes) {
      targets::TargetSpec t = target(targets::Topology::Mesh, 64, 8, planes);
      t.noc.linkBytesPerCycle = width;
      Network network(t, 16);
      std::mt19937_64 random(seed);
      Cycles last = 0;
      for (int i = 0; i < 5000; ++i)
        last = std::max(last, network.transfer(network.topology().memory(random() % 16),
                                               NodeId{static_cast<std::uint32_t>(random() % 64)}, 256, i / 8));
      return last;
    };
    Cycles base = run(32, 1);
    EXPECT_LE(run(64, 1), base);
    EXPECT_LE(run(32, 2), base);
  }
}

TEST(NocNetwork, RunsInItsOwnClock) {
  targets::TargetSpec t = target(targets::Topology::Mesh, 4, 4);
  t.clocks.push_back({"noc", 2'000'000'000});
  t.noc.clock = "noc";
  Network mesh(t, 0);
  EXPECT_EQ(mesh.transfer(NodeId{0}, NodeId{1}, 32, 0), 10u);     // 20 NoC cycles
  EXPECT_EQ(mesh.transfer(NodeId{0}, NodeId{1}, 64, 100), 111u);  // 21, rounded up
}

}  // namespace
}  // namespace forerun::sim::noc
