//===- DerivedTest.cpp - derived figures by hand ---------------------------===//
// Values worked out on paper from the target files.
#include "targets/Derived.h"

#include "targets/Load.h"
#include "targets/Needs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace forerun::targets {
namespace {

class Derived : public testing::Test {
 protected:
  void use(llvm::StringRef name, llvm::ArrayRef<std::string> overrides = {}) {
    spec = llvm::cantFail(load(name, overrides));
    figures = derive(spec);
  }
  const Figure& figure(const std::string& name) {
    const auto found = std::find_if(figures.begin(), figures.end(), [&](const Figure& f) { return f.name == name; });
    if (found != figures.end()) return *found;
    ADD_FAILURE() << "no figure " << name;
    return figures.front();
  }
  double value(const std::string& name) { return figure(name).value; }

  TargetSpec spec;
  std::vector<Figure> figures;
};

TEST_F(Derived, Edge) {
  use("edge");
  EXPECT_DOUBLE_EQ(value("matrix.f16"), 2 * 4 * 512 * 1e9);
  EXPECT_DOUBLE_EQ(value("matrix.i8"), 2 * 4 * 1024 * 1e9);
  EXPECT_DOUBLE_EQ(value("matrix.f32"), 2 * 4 * 128 * 1e9);
  EXPECT_DOUBLE_EQ(value("teams.vector.f32"), 2 * 4 * 4 * 16 * 1e9);
  EXPECT_DOUBLE_EQ(value("teams.vector.f16"), 2 * 4 * 4 * 32 * 1e9);
  EXPECT_DOUBLE_EQ(value("dram.peak"), 51.2e9);
  EXPECT_DOUBLE_EQ(value("dram.channelPeak"), 12.8e9);
  EXPECT_DOUBLE_EQ(value("dram.attainable"), 51.2e9 * (1 - 168.0 / 3124));
  EXPECT_DOUBLE_EQ(value("dram.perCycle"), 51.2);
  // 16 + 17 + 2 DRAM cycles of 1.25 ns.
  EXPECT_DOUBLE_EQ(value("dram.rowHit"), 35 * 1.25);
  EXPECT_DOUBLE_EQ(value("dram.rowMiss"), 50 * 1.25);
  EXPECT_DOUBLE_EQ(value("dram.rowConflict"), 65 * 1.25);
  EXPECT_DOUBLE_EQ(value("dram.burst"), 32);
  EXPECT_DOUBLE_EQ(value("dram.rows"), 4.0 * (1u << 30) / (4 * 16 * 2048));
  EXPECT_DOUBLE_EQ(value("l2.bandwidth"), 256e9);
  EXPECT_DOUBLE_EQ(value("l2.sets"), 512);
  EXPECT_DOUBLE_EQ(value("scratch.perCycle"), 1024);
  EXPECT_DOUBLE_EQ(value("scratch.capacity"), 512 << 10);
  EXPECT_DOUBLE_EQ(value("scratch.bandwidth"), 1.024e12);
  EXPECT_DOUBLE_EQ(value("engines.dma.bytesInFlight"), 16384);
  EXPECT_DOUBLE_EQ(value("engines.dma.latencyCovered"), 256);
  // 2 x 2 mesh: each axis (4 - 1) / 6 = 1/2 hop on average; 2 * 4 + 1 * 2 cycles.
  EXPECT_DOUBLE_EQ(value("noc.meanLatency"), 10);
  EXPECT_DOUBLE_EQ(value("noc.worstLatency"), 12);
  EXPECT_DOUBLE_EQ(value("noc.bisection"), 2 * 64e9);
  // Twice 10 through the network, 16 in L2, 62.5 in DRAM.
  EXPECT_DOUBLE_EQ(value("dram.readFromCore"), 98.5);
  EXPECT_DOUBLE_EQ(value("launch.time"), 500);
  EXPECT_DOUBLE_EQ(value("balance.dram"), 4096 / 51.2);
  EXPECT_DOUBLE_EQ(value("matrix.weightLoad"), 16);
}

TEST_F(Derived, Datacenter) {
  use("datacenter");
  EXPECT_DOUBLE_EQ(value("matrix.f16"), 2 * 64 * 1024 * 1.5e9);
  EXPECT_DOUBLE_EQ(value("dram.peak"), 2.4e12);
  EXPECT_DOUBLE_EQ(value("dram.perCycle"), 1600);
  EXPECT_DOUBLE_EQ(value("l2.perCycle"), 4096);
  // 20 + 22 + 2 DRAM cycles at 1.28 reference cycles each.
  EXPECT_DOUBLE_EQ(value("dram.rowHit"), 44 * 1.28);
  // 8 x 8 mesh: 2 * 63 / 24 hops.
  EXPECT_DOUBLE_EQ(value("noc.meanLatency"), 8 + 2 * 5.25);
  EXPECT_DOUBLE_EQ(value("noc.bisection"), 8 * 2 * 128 * 1.5e9);
  EXPECT_DOUBLE_EQ(value("cores"), 64);
  EXPECT_DOUBLE_EQ(value("harts"), 256);
  // What the DMA engines of all cores keep in flight covers the latency of the whole DRAM.
  EXPECT_GT(64 * value("engines.dma.bytesInFlight"), value("dram.bytesToCover"));
  EXPECT_GT(value("l2.missesInFlight"), value("dram.bytesToCover"));
}

TEST_F(Derived, Mtia2i) {
  use("mtia2i");
  EXPECT_NEAR(value("matrix.f16"), 177e12, 0.5e12);
  EXPECT_NEAR(value("matrix.i8"), 354e12, 1e12);
  EXPECT_NEAR(value("teams.vector.f32"), 1.4e12, 0.05e12);
  EXPECT_NEAR(value("teams.vector.f16"), 2.8e12, 0.05e12);
  EXPECT_NEAR(value("scratch.bandwidth"), 1e12, 0.05e12);
  EXPECT_NEAR(value("l2.bandwidth"), 2.7e12, 0.07e12);
  EXPECT_DOUBLE_EQ(value("dram.peak"), 204.8e9);
  EXPECT_LT(value("launch.time"), 1000);
  EXPECT_EQ(figure("teams.scalar.vector").text, "none");
  EXPECT_DOUBLE_EQ(value("noc.meanLatency"), 16);
}

TEST_F(Derived, NetworksOfOtherShapes) {
  use("datacenter", {"noc.topology=torus"});
  EXPECT_DOUBLE_EQ(value("noc.meanLatency"), 8 + 2 * 4.0);
  EXPECT_DOUBLE_EQ(value("noc.worstLatency"), 8 + 2 * 8.0);
  use("datacenter", {"noc.topology=ring", "noc.columns=0"});
  EXPECT_DOUBLE_EQ(value("noc.worstLatency"), 8 + 2 * 32.0);
  EXPECT_DOUBLE_EQ(value("noc.bisection"), 2 * 2 * 128 * 1.5e9);
  use("datacenter", {"l2=none"});
  EXPECT_EQ(figure("l2").text, "none");
}

TEST_F(Derived, FiguresAreNamedOnceAndShown) {
  for (const std::string& name : knownAccelerators()) {
    use(name);
    std::set<std::string> names;
    for (const Figure& f : figures) {
      EXPECT_TRUE(names.insert(f.name).second) << f.name;
      EXPECT_FALSE(f.formula.empty()) << f.name;
      EXPECT_FALSE(show(f).empty()) << f.name;
    }
  }
  EXPECT_EQ(show({"", 51.2e9, "", "B/s", ""}), "51.2 GB/s");
  EXPECT_EQ(show({"", 524288, "", "B", ""}), "512 KiB");
  EXPECT_EQ(show({"", 43.75, "", "cycles", ""}), "43.75 cycles");
  EXPECT_EQ(show({"", 4.096e12, "", "FLOP/s", ""}), "4.096 TFLOP/s");
}

TEST_F(Derived, NeedsAreCheckedAgainstTheTarget) {
  use("edge");
  const auto check = [&](const char* need) { return missing(spec, *isa::parseNeed(need)); };
  for (const char* need : {"xfr", "v", "zvfh", "zvfbfmin", "vlen>=512", "xfr.dma", "xfr.matrix", "matrix.f16",
                           "teams>=4", "scratch>=524288", "acc>=65536", "matrix.rows=32", "matrix.cols=16", "cores>=4"})
    EXPECT_EQ(check(need), "") << need;
  EXPECT_EQ(check("vlen>=1024"), "needs vlen>=1024, but target 'edge' has 512");
  EXPECT_EQ(check("matrix.cols=32"), "needs matrix.cols=32, but target 'edge' has 16");
  EXPECT_EQ(check("matrix.f8E5M2"), "needs matrix.f8E5M2, which target 'edge' lacks");
  EXPECT_EQ(check("xfr.vector"), "needs xfr.vector, which target 'edge' lacks");
  EXPECT_EQ(check("teams>=5"), "needs teams>=5, but target 'edge' has 4");
}

}  // namespace
}  // namespace forerun::targets
