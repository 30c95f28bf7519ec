//===- HostCommandTest.cpp - forerun run and compile on this computer's CPU -===//
// What kernels must not do ends the command with a message at the operation; teams and roles wait for each other.
#include "tests/compiler/driver/CommandFixture.h"

#include "llvm/Support/JSON.h"

using forerun::test::Command;
using forerun::test::Outcome;

namespace {

class HostCommand : public Command {
 protected:
  Outcome runHost(std::vector<std::string> args) const {
    args.insert(args.begin(), "run");
    args.push_back("--target=host");
    return run(args);
  }
  /// A kernel that `body` is put into, which writes 8 values y and knows the index `at`, an argument.
  std::string kernel(llvm::StringRef name, llvm::StringRef body) const {
    return write(name, (R"(tile.kernel @probe(%y: !tile.buffer<?xf32, global>, %at: index) grid(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %s = tile.alloc : !tile.buffer<2x8xf32, scratch>
)" + body + R"(}
func.func @main(%y: !tile.buffer<?xf32, global> {tile.name = "y", tile.output = "8"},
                %at: index {tile.name = "at", tile.input = "0"}) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  tile.launch @probe grid(%c3) args(%y, %at) : !tile.buffer<?xf32, global>, index
  return
}
)")
                           .str());
  }
};

TEST_F(HostCommand, RunsChecksAndReports) {
  const Outcome result = runHost({copyKernel(), "--check", "--json", "--out", "y=" + path("y.npy")});
  ASSERT_EQ(result.code, 0) << result.err;
  auto json = llvm::json::parse(result.out);
  ASSERT_TRUE(bool(json)) << result.out;
  const llvm::json::Object& root = *json->getAsObject();
  EXPECT_EQ(root.getString("target"), "host");
  EXPECT_EQ(root.getBoolean("timed"), false);
  EXPECT_EQ(root.getObject("check")->getBoolean("passed"), true);
  const llvm::json::Object& launch = *(*root.getArray("launches"))[0].getAsObject();
  EXPECT_EQ(launch.getString("kernel"), "copy");
  EXPECT_GT(launch.getNumber("host_seconds").value_or(0), 0);
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(HostCommand, OptionsOfOtherTargetsAreRefused) {
  const std::string file = copyKernel();
  for (const char* option : {"--mode=functional", "--max-cycles=7"})
    expectError({"run", file, "--target=host", option}, 2,
                "forerun: error: --mode, --max-cycles: the host is no model that counts cycles\n");
  expectError({"run", file, "--target=host", "--strict"}, 2,
              "forerun: error: --explain-dispatch, --strict, --prefer: this target has one way for each operation\n");
  expectError({"compile", file, "--target=host", "--emit=elf"}, 2,
              "forerun: error: --emit: this target has no stage 'elf'; known: tile, expanded, llvm, ll, asm\n");
  expectContains({"run", file, "--target=host", "--set=teams=0"}, 3,
                 "--set teams=0: 0; write at least 1 and at most 1024");
  expectContains({"run", file, "--target=host", "--set=core=1"}, 3, "core");
  expectContains({"sim", file, "--target=host"}, 3, "is this computer, which is not simulated");
}

TEST_F(HostCommand, AccessesOutsideTheirBufferStop) {
  struct Case {
    const char *access, *reason;
    std::vector<const char*> good, bad;  ///< indices
  };
  const Case cases[] = {
      {"tile.store %one, %y[%at] : !tile.buffer<?xf32, global>\n",
       "index @ of dimension 0 is outside !tile.buffer<?xf32, global>",
       {"0", "7"},
       {"8", "-1"}},
      {"%e = tile.load %s[%c1, %at] : !tile.buffer<2x8xf32, scratch>\n",
       "index @ of dimension 1 is outside !tile.buffer<2x8xf32, scratch>",
       {"0", "7"},
       {"8", "-1"}},
      {"%w = tile.slice %s[0, %at] : !tile.buffer<2x8xf32, scratch> to !tile.buffer<5xf32, scratch>\n",
       "the window at @ of dimension 1 reaches outside its on-chip buffer !tile.buffer<2x8xf32, scratch>",
       {"0", "3"},
       {"4", "-1", "9223372036854775807"}},
      {"tile.exec team [%at] {\n}\n", "team @ reaches past the 4 teams there are", {"0", "3"}, {"-1"}},
      {"scf.for %k = %c0 to %c1 step %at {\n}\n", "loop step must be positive, found @", {"1"}, {"0", "-1"}},
      {"%zero = arith.cmpi eq, %at, %c0 : index\n tile.assert %zero, \"at is zero\"\n",
       "assertion failed: at is zero",
       {"0"},
       {"3"}}};
  for (const Case& access : cases) {
    const std::string file = kernel("access.mlir", access.access);
    for (const char* at : access.good) {
      const Outcome result = runHost({file, std::string("--in=at=") + at});
      EXPECT_EQ(result.code, 0) << access.access << " at " << at << "\n" << result.err;
    }
    for (const char* at : access.bad) {
      const auto [before, after] = llvm::StringRef(access.reason).split('@');
      const std::string reason = before == access.reason ? before.str() : (before + at + after).str();
      const Outcome result = runHost({file, std::string("--in=at=") + at, "--out", "y=" + path("y.npy")});
      EXPECT_EQ(result.code, 5) << access.access << " at " << at << "\n" << result.err;
      EXPECT_NE(result.err.find("/access.mlir:"), std::string::npos) << result.err;
      EXPECT_NE(result.err.find("error: " + reason), std::string::npos) << result.err;
    }
  }
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(HostCommand, AccumulatingIntoNothingStops) {
  // Sums of as many rows as x has; then four rows are added.
  const std::string file = write("sums.mlir", R"(tile.kernel @sums(%x: !tile.buffer<?x4xf32, global>) grid(%i) {
  %one = arith.constant 1.0 : f32
  %w = tile.slice %x[0, 0] : !tile.buffer<?x4xf32, global> to !tile.buffer<4x4xf32, global>
  %a = tile.alloc : !tile.buffer<4x4xf32, scratch>
  %b = tile.alloc : !tile.buffer<4x4xf32, scratch>
  %z = tile.alloc : !tile.buffer<4x4xf32, acc>
  tile.copy %w, %a : !tile.buffer<4x4xf32, global>, !tile.buffer<4x4xf32, scratch>
  tile.fill %b, %one : !tile.buffer<4x4xf32, scratch>, f32
  tile.matmul %a, %b, %z : !tile.buffer<4x4xf32, scratch>, !tile.buffer<4x4xf32, scratch>, !tile.buffer<4x4xf32, acc>
  tile.matmul %b, %b, %z accumulate : !tile.buffer<4x4xf32, scratch>, !tile.buffer<4x4xf32, scratch>, !tile.buffer<4x4xf32, acc>
}
func.func @main(%x: !tile.buffer<?x4xf32, global> {tile.name = "x", tile.input = "iota:4x4"}) {
  %c1 = arith.constant 1 : index
  tile.launch @sums grid(%c1) args(%x) : !tile.buffer<?x4xf32, global>
  return
}
)");
  EXPECT_EQ(runHost({file}).code, 0);
  expectContains({"run", file, "--target=host", "--in=x=iota:3x4"}, 5,
                 "sums.mlir:10:3: error: accumulates into elements that are not valid");
}

TEST_F(HostCommand, TheFirstWorkItemThatFailsIsNamed) {
  const std::string file = kernel("items.mlir", R"(
  %below = arith.cmpi slt, %i, %c1 : index
  %i64 = arith.index_cast %i : index to i64
  tile.store %one, %y[%i] : !tile.buffer<?xf32, global>
  %far = arith.addi %i, %at : index
  tile.store %one, %y[%far] : !tile.buffer<?xf32, global>
)");
  for (unsigned repetition = 0; repetition < 10; ++repetition)
    expectContains({"run", file, "--target=host", "--set=cores=3", "--in=at=7"}, 5, "index 8 of dimension 0");
}

TEST_F(HostCommand, TeamsMeetInsideTheirScope) {
  const std::string text = R"(
  %t4 = tile.num_teams : index
  %words = tile.alloc : !tile.buffer<64xi32, scratch>
  tile.exec team {
    %t = tile.team_id : index
    %own = tile.alloc : !tile.buffer<1xi32, scratch>
    %c9 = arith.constant 9 : index
    scf.for %round = %c0 to %c9 step %c1 {
      %sum = arith.addi %round, %t : index
      %value = arith.index_cast %sum : index to i32
      tile.store %value, %words[%t] : !tile.buffer<64xi32, scratch>
      tile.store %value, %own[%c0] : !tile.buffer<1xi32, scratch>
      tile.sync
      %next = arith.addi %t, %c1 : index
      %neighbour = arith.remui %next, %t4 : index
      %seen = tile.load %words[%neighbour] : !tile.buffer<64xi32, scratch>
      %due = arith.addi %round, %neighbour : index
      %dueWord = arith.index_cast %due : index to i32
      %right = arith.cmpi eq, %seen, %dueWord : i32
      tile.assert %right, "the neighbour's word of this round"
      %kept = tile.load %own[%c0] : !tile.buffer<1xi32, scratch>
      %mine = arith.cmpi eq, %kept, %value : i32
      tile.assert %mine, "each team has its own"
      tile.sync
    }
  }
)";
  for (const char* teams : {"--set=teams=1", "--set=teams=4", "--set=teams=7"}) {
    const Outcome result = runHost({kernel("meet.mlir", text), teams});
    EXPECT_EQ(result.code, 0) << result.err;
  }
  // Team 0 does not come.
  expectContains({"run", kernel("uneven.mlir", R"(
  tile.exec team {
    %t = tile.team_id : index
    %others = arith.cmpi ne, %t, %c0 : index
    scf.if %others {
      tile.sync {assume_uniform}
    }
  }
)"),
                  "--target=host"},
                 5, "uneven.mlir:11:7: error: waits for teams that have ended, or wait for something else");
}

TEST_F(HostCommand, BarriersAndRolesThatCannotGoOn) {
  expectContains({"run", kernel("dead.mlir", R"(
  %c9 = arith.constant 9 : index
  %b = tile.barrier_init %c9 : !tile.barrier
  %p = tile.barrier_arrive %b : i64
  tile.barrier_wait %b, %p
)"),
                  "--target=host"},
                 5, "dead.mlir:10:3: error: this phase of the barrier never completes");
  auto roles = [&](const char* uses, const char* release) {
    return kernel("roles.mlir", (llvm::Twine(R"(
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %p = tile.pipeline %c2 : !tile.pipeline
  tile.roles maker [0] {
    scf.for %k = %c0 to %c3 step %c1 {
      %stage = tile.producer_acquire %p : index
      %w = tile.slice %s[%stage, 0] : !tile.buffer<2x8xf32, scratch> to !tile.buffer<8xf32, scratch>
      tile.fill %w, %one : !tile.buffer<8xf32, scratch>, f32
      tile.producer_commit %p
    }
  }, user [1] {
    %all = tile.slice %y[%at] : !tile.buffer<?xf32, global> to !tile.buffer<8xf32, global>
    scf.for %k = %c0 to )") + uses +
                                 R"( step %c1 {
      %stage = tile.consumer_wait %p : index
      %w = tile.slice %s[%stage, 0] : !tile.buffer<2x8xf32, scratch> to !tile.buffer<8xf32, scratch>
      tile.copy %w, %all : !tile.buffer<8xf32, scratch>, !tile.buffer<8xf32, global>
      )" + release + R"(
    }
  }
)")
                                    .str());
  };
  EXPECT_EQ(runHost({roles("%c3", "tile.consumer_release %p"), "--set=cores=1", "--check"}).code, 0);
  expectContains({"run", roles("%c3", ""), "--target=host"}, 5,
                 "no role can go on: this one waits for a free stage, and none is released");
  expectContains({"run", roles("%c2", "tile.consumer_release %p"), "--target=host"}, 5,
                 "roles.mlir:9:8: error: when the roles end, not all of the 3 stages");
  expectContains({"run", roles("%c3", "tile.consumer_release %p\n tile.consumer_release %p"), "--target=host"}, 5,
                 "releases a stage, but none is in use");
  expectContains({"run", roles("%c3", "tile.consumer_release %p"), "--target=host", "--set=teams=1"}, 4,
                 "role 'user' [1 : 2] reaches past the core's 1 teams");
}

}  // namespace
