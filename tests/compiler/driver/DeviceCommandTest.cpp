//===- DeviceCommandTest.cpp - forerun run, compile and sim, as a shell sees them //
// Programs that misbehave, programs that do not fit, and stages that are left and re-entered.
#include "tests/compiler/driver/CommandFixture.h"

#include "llvm/Support/JSON.h"

using forerun::test::Command;
using forerun::test::Outcome;

namespace {

using DeviceCommand = Command;

TEST_F(DeviceCommand, RunsChecksAndReports) {
  const Outcome result =
      run({"run", copyKernel(), "--target=edge", "--check", "--json", "--out", "y=" + path("y.npy")});
  ASSERT_EQ(result.code, 0) << result.err;
  auto json = llvm::json::parse(result.out);
  ASSERT_TRUE(bool(json)) << result.out;
  const llvm::json::Object& root = *json->getAsObject();
  EXPECT_EQ(root.getString("target"), "edge");
  EXPECT_EQ(root.getString("kernel"), "copy");
  EXPECT_GT(root.getInteger("cycles").value_or(0), 0);
  EXPECT_GT(root.getInteger("instructions").value_or(0), 0);
  EXPECT_GT(root.getNumber("seconds").value_or(0), 0);
  EXPECT_EQ(root.getInteger("clock_hz"), 1000000000);
  EXPECT_TRUE(root.getObject("matrix")->getNumber("utilization").has_value());
  EXPECT_GT(root.getObject("dram")->getNumber("achieved_bytes_per_second").value_or(0), 0);
  EXPECT_GT(root.getObject("dram")->getNumber("peak_bytes_per_second").value_or(0), 0);
  const llvm::json::Object& bus = *root.getObject("dram")->getObject("bus");
  std::int64_t causes = 0;
  for (const char* cause : {"busy", "idle", "turnaround", "refresh", "row"})
    causes += bus.getInteger(cause).value_or(-1);
  EXPECT_EQ(causes, bus.getInteger("cycles"));
  EXPECT_GT(bus.getInteger("busy").value_or(0), 0);
  EXPECT_GT(bus.getInteger("row_hits").value_or(0), 0);
  EXPECT_GT(root.getObject("roofline")->getNumber("bound_cycles").value_or(0), 0);
  EXPECT_TRUE(root.getObject("roofline")->getString("limit").has_value());
  EXPECT_GE(root.getObject("stalls")->size(), 11u);
  EXPECT_EQ(root.getObject("check")->getBoolean("passed"), true);
  EXPECT_TRUE(root.getObject("host")->getNumber("seconds").has_value());
  EXPECT_TRUE(root.getObject("host")->getNumber("cycles_per_second").has_value());
  EXPECT_EQ(root.getInteger("version"), 1);
  // The cycles of every unit are accounted for.
  const llvm::json::Object& launch = *(*root.getArray("launches"))[0].getAsObject();
  for (const llvm::json::Value& value : *launch.getArray("units")) {
    const llvm::json::Object& unit = *value.getAsObject();
    std::int64_t sum = unit.getInteger("busy").value_or(0) + unit.getInteger("idle").value_or(0);
    for (const auto& stall : *unit.getObject("stalls")) sum += stall.second.getAsInteger().value_or(0);
    EXPECT_EQ(sum, launch.getInteger("cycles")) << unit.getString("name")->str();
  }
  EXPECT_EQ(read(path("y.npy")).size(), 128u + 80u);
}

TEST_F(DeviceCommand, MarkedRegionsAreReportedByName) {
  std::string text = kCopy;
  const std::string copies =
      text.substr(text.find("  tile.copy %wx"), text.find("}\nfunc") - text.find("  tile.copy %wx"));
  const auto [load, store] = llvm::StringRef(copies).rtrim().split('\n');
  text.replace(text.find(copies), copies.size(),
               "  tile.mark \"item\" {\n  tile.mark \"load\" {\n" + load.str() + "\n  }\n  tile.mark \"store\" {\n" +
                   store.str() + "\n  }\n  }\n");
  const std::string kernel = write("marked.mlir", text);
  const Outcome result = run({"run", kernel, "--check", "--json=" + path("report.json")});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("  mark         load: 12 times on 12 harts, "), std::string::npos) << result.out;
  const auto json = llvm::cantFail(llvm::json::parse(read(path("report.json"))));
  const llvm::json::Object& launch = *(*json.getAsObject()->getArray("launches"))[0].getAsObject();
  const llvm::json::Array& marks = *launch.getArray("marks");
  ASSERT_EQ(marks.size(), 3u);
  constexpr const char* kNames[] = {"item", "load", "store"};
  std::int64_t cycles[3];
  for (const auto& [i, name] : llvm::enumerate(kNames)) {
    const llvm::json::Object& mark = *marks[i].getAsObject();
    EXPECT_EQ(mark.getString("name"), name);
    // One item on each of three cores, entered by every hart of them.
    EXPECT_EQ(mark.getInteger("times"), 12) << name;
    EXPECT_EQ(mark.getInteger("harts"), 12) << name;
    cycles[i] = mark.getInteger("cycles").value_or(0);
    const std::int64_t shortest = mark.getInteger("shortest_cycles").value_or(0),
                       longest = mark.getInteger("longest_cycles").value_or(0);
    EXPECT_GT(shortest, 0) << name;
    EXPECT_LE(12 * shortest, cycles[i]) << name;
    EXPECT_GE(12 * longest, cycles[i]) << name;
    EXPECT_LE(longest, launch.getInteger("cycles")) << name;
  }
  EXPECT_GE(cycles[0], cycles[1] + cycles[2]);

  EXPECT_NE(run({"run", kernel, "--mode=functional"}).out.find("  mark         load: 12 times on 12 harts\n"),
            std::string::npos);
}

TEST_F(DeviceCommand, SameCyclesEveryTime) {
  auto cycles = [&] {
    return llvm::cantFail(llvm::json::parse(run({"run", copyKernel(), "--json"}).out))
        .getAsObject()
        ->getInteger("cycles");
  };
  EXPECT_EQ(cycles(), cycles());
}

TEST_F(DeviceCommand, CycleLimit) {
  expectContains({"run", copyKernel(), "--max-cycles=10", "--out", "y=" + path("y.npy")}, 6, "10");
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(DeviceCommand, EndlessLoopMeetsTheLimit) {
  std::string text = kCopy;
  const std::string line = "  tile.copy %wx, %s";
  text.insert(text.find(line),
              "  %true = arith.constant true\n  scf.while : () -> () {\n    scf.condition(%true)\n  } do {\n    "
              "tile.sync\n    scf.yield\n  }\n");
  expectContains({"run", write("endless.mlir", text), "--max-cycles=20000"}, 6, "20000");
}

TEST_F(DeviceCommand, BarrierThatNeverCompletesNamesWhoWaits) {
  const std::string kernel = write("dead.mlir", R"(tile.kernel @dead(%y: !tile.buffer<8xf32, global>) grid(%i) {
  %c9 = arith.constant 9 : index
  %b = tile.barrier_init %c9 : !tile.barrier
  %p = tile.barrier_arrive %b : i64
  tile.barrier_wait %b, %p
}
func.func @main(%y: !tile.buffer<8xf32, global> {tile.name = "y", tile.output = "8"}) {
  %c1 = arith.constant 1 : index
  tile.launch @dead grid(%c1) args(%y) : !tile.buffer<8xf32, global>
  return
}
)");
  for (const char* mode : {"--mode=timing", "--mode=functional"}) {
    const Outcome result = run({"run", kernel, mode, "--out", "y=" + path("y.npy")});
    EXPECT_EQ(result.code, 5) << result.err;
    EXPECT_EQ(result.err.find("forerun: error: dead.mlir:5: deadlock in chip"), 0u) << result.err;
    for (const char* part :
         {"xbar.wait", "core 0 team 0 waits for barrier 1 phase 0 (phase 0 is open: 5 of 9 arrivals missing)",
          "core 0 team 3 waits for barrier 1"})
      EXPECT_NE(result.err.find(part), std::string::npos) << part << "\n" << result.err;
    EXPECT_EQ(files().size(), 1u);
  }
  expectContains({"interpret", kernel}, 5, "dead.mlir:5:3: error: phase 0 of the barrier never completes: 1 of 9");
}

/// Two roles and a pipeline of two stages; what they do is put in.
constexpr const char* kRoles = R"(tile.kernel @roles(%y: !tile.buffer<8xf32, global>) grid(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %s = tile.alloc : !tile.buffer<2x8xf32, scratch>
  %p = tile.pipeline %c2 : !tile.pipeline
  BESIDE
  tile.roles maker [0] {
    scf.for %k = %c0 to %c3 step %c1 {
      %stage = tile.producer_acquire %p : index
      %w = tile.slice %s[%stage, 0] : !tile.buffer<2x8xf32, scratch> to !tile.buffer<8xf32, scratch>
      tile.fill %w, %one : !tile.buffer<8xf32, scratch>, f32
      tile.producer_commit %p
    }
  }, user [TEAM] {
    scf.for %k = %c0 to USES step %c1 {
      %stage = tile.consumer_wait %p : index
      %w = tile.slice %s[%stage, 0] : !tile.buffer<2x8xf32, scratch> to !tile.buffer<8xf32, scratch>
      tile.copy %w, %y : !tile.buffer<8xf32, scratch>, !tile.buffer<8xf32, global>
      RELEASE
    }
  }
}
func.func @main(%y: !tile.buffer<8xf32, global> {tile.name = "y", tile.output = "8"}) {
  %c1 = arith.constant 1 : index
  tile.launch @roles grid(%c1) args(%y) : !tile.buffer<8xf32, global>
  return
}
)";

TEST_F(DeviceCommand, RolesThatCannotMeetAreRefused) {
  auto kernel = [&](const char* team, const char* uses, const char* release, const char* beside = "") {
    std::string text = kRoles;
    for (const auto& [name, value] :
         {std::pair("TEAM", team), {"USES", uses}, {"RELEASE", release}, {"BESIDE", beside}})
      text.replace(text.find(name), std::strlen(name), value);
    return write("roles.mlir", text);
  };
  const char* const kRelease = "tile.consumer_release %p";
  // All is well.
  EXPECT_EQ(run({"run", kernel("1", "%c3", kRelease), "--check"}).code, 0);
  // More stages waited for than there will be.
  std::string file = kernel("1", "%c3", "");
  Outcome result = run({"interpret", file});
  EXPECT_EQ(result.code, 5);
  for (const char* part : {"roles.mlir:10:3: error: no role can go on",
                           "roles.mlir:12:16: note: role 'maker' waits for a free stage: all 2 are filled and none is "
                           "released"})
    EXPECT_NE(result.err.find(part), std::string::npos) << part << "\n" << result.err;
  result = run({"run", file});
  EXPECT_EQ(result.code, 5);
  EXPECT_NE(result.err.find("deadlock in chip"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("core 0 team 0 waits for barrier"), std::string::npos) << result.err;
  // Stages left over.
  expectContains({"interpret", kernel("1", "%c2", kRelease)}, 5,
                 "roles.mlir:8:8: error: when the roles end, 3 stages were acquired, 3 committed, 2 waited for and 2 "
                 "released; the four are equal in a pipeline that is empty again");
  // Given back twice.
  expectContains({"interpret", kernel("1", "%c3", "tile.consumer_release %p\n tile.consumer_release %p")}, 5,
                 "releases a stage, but none is in use; tile.consumer_wait comes first");
  // Teams that the target does not have.
  expectContains({"run", kernel("4", "%c3", kRelease)}, 4,
                 "roles.mlir:10:3: error: role 'user' [4 : 5] reaches past the 4 teams of a core of target 'edge'; use "
                 "fewer teams, or a target with more");
  // Work beside the roles.
  expectContains(
      {"run", kernel("1", "%c3", kRelease, "tile.fill %s, %one : !tile.buffer<2x8xf32, scratch>, f32")}, 4,
      "roles.mlir:9:3: error: the accelerator back end does not support 'tile.fill' beside 'tile.roles', where "
      "every role would do it again; move it into a role");
  // More barriers than there are.
  expectContains(
      {"run", kernel("1", "%c3", kRelease), "--set", "sync.barriers=5"}, 4,
      "roles.mlir:8:8: error: needs 6 barriers with those before it; a core of target 'edge' has 5; use fewer "
      "stages");
}

TEST_F(DeviceCommand, StoresOutsideMemoryAreLocated) {
  const std::string kernel =
      write("store.mlir", R"(tile.kernel @store(%y: !tile.buffer<8xf32, global>, %at: index) grid(%i) {
  %v = arith.constant 1.0 : f32
  tile.store %v, %y[%at] : !tile.buffer<8xf32, global>
}
func.func @main(%y: !tile.buffer<8xf32, global> {tile.name = "y", tile.output = "8"}) {
  %c1 = arith.constant 1 : index
  %far = arith.constant 2000000000000 : index
  tile.launch @store grid(%c1) args(%y, %far) : !tile.buffer<8xf32, global>, index
  return
}
)");
  for (const char* mode : {"--mode=timing", "--mode=functional"}) {
    expectContains({"run", kernel, mode, "--out", "y=" + path("y.npy")}, 5,
                   "forerun: error: store.mlir:3: illegal program in core 0 team 0");
    EXPECT_EQ(files().size(), 1u);
  }
}

/// Elements and windows of buffers, at the index that the host function passes.
constexpr const char* kAccesses = R"(tile.kernel @access(%y: !tile.buffer<?xf32, global>, %at: index) grid(%i) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %one = arith.constant 1.0 : f32
  %s = tile.alloc : !tile.buffer<2x8xf32, scratch>
  tile.fill %s, %one : !tile.buffer<2x8xf32, scratch>, f32
  %last = scf.for %k = %c0 to %c7 step %c1 iter_args(%stage = %c0) -> (index) {
    %w = tile.slice %s[%stage, 0] : !tile.buffer<2x8xf32, scratch> to !tile.buffer<8xf32, scratch>
    %e = tile.load %w[%k] : !tile.buffer<8xf32, scratch>
    tile.store %e, %w[%k] : !tile.buffer<8xf32, scratch>
    %other = arith.subi %c1, %stage : index
    scf.yield %other : index
  }
  ACCESS
}
func.func @main(%y: !tile.buffer<?xf32, global> {tile.name = "y", tile.output = "8"},
                %at: index {tile.name = "at", tile.input = "0"}) {
  %c1 = arith.constant 1 : index
  tile.launch @access grid(%c1) args(%y, %at) : !tile.buffer<?xf32, global>, index
  return
}
)";

std::string accessing(llvm::StringRef access) {
  const auto [before, after] = llvm::StringRef(kAccesses).split("ACCESS");
  return (before + access + after).str();
}

TEST_F(DeviceCommand, AccessesOutsideTheirBufferStop) {
  struct Case {
    const char *access, *reason;
    std::vector<const char*> good, bad;  ///< indices
  };
  const Case cases[] = {
      {"tile.store %one, %y[%at] : !tile.buffer<?xf32, global>",
       "tile.store: index @ of dimension 0 is outside !tile.buffer<?xf32, global>",
       {"0", "7"},
       {"8", "-1"}},
      {"%e = tile.load %s[%c1, %at] : !tile.buffer<2x8xf32, scratch>",
       "tile.load: index @ of dimension 1 is outside !tile.buffer<2x8xf32, scratch>",
       {"0", "7"},
       {"8", "-1"}},
      {"%w = tile.slice %s[%at, 3] : !tile.buffer<2x8xf32, scratch> to !tile.buffer<5xf32, scratch>",
       "the window at @ of dimension 0 reaches outside its on-chip buffer !tile.buffer<2x8xf32, scratch>",
       {"0", "1"},
       {"2", "-1"}},
      {"%four = tile.alloc : !tile.buffer<2x8xi4, scratch> %w = tile.slice %four[0, %at] : !tile.buffer<2x8xi4, "
       "scratch> to !tile.buffer<2x2xi4, scratch>",
       "the window has the innermost origin @; two elements of i4 share a byte, at which a window begins",
       {"0", "2"},
       {"1", "3"}},
      {"%w = tile.slice %s[0, %at] : !tile.buffer<2x8xf32, scratch> to !tile.buffer<5xf32, scratch>",
       "the window at @ of dimension 1 reaches outside its on-chip buffer !tile.buffer<2x8xf32, scratch>",
       {"0", "3"},
       {"4", "-1"}},
      {"%w = tile.slice %y[%at] : !tile.buffer<?xf32, global> to !tile.buffer<5xf32, global>\n"
       "  tile.store %one, %w[%c1] : !tile.buffer<5xf32, global>",
       "tile.store: index 1 of dimension 0 is outside !tile.buffer<5xf32, global>",
       {"-1", "6"},
       {"-2", "7"}},
      {"%below = arith.cmpi slt, %at, %c7 : index\n  tile.assert %below, \"at is below seven\"",
       "at is below seven",
       {"0", "6"},
       {"7", "8"}}};
  const std::string out = "y=" + path("y.npy");  // stays unwritten
  for (const Case& access : cases) {
    const std::string kernel = write("access.mlir", accessing(access.access));
    for (const char* mode : {"--mode=timing", "--mode=functional"}) {
      for (const char* at : access.good) {
        const Outcome result = run({"run", kernel, mode, std::string("--in=at=") + at});
        EXPECT_EQ(result.code, 0) << access.access << " at " << at << "\n" << result.err;
      }
      for (const char* at : access.bad) {
        const auto [before, after] = llvm::StringRef(access.reason).split('@');
        const std::string reason = before == access.reason ? before.str() : (before + at + after).str();
        const Outcome result = run({"run", kernel, mode, std::string("--in=at=") + at, "--out", out});
        EXPECT_EQ(result.code, 5) << access.access << " at " << at << "\n" << result.err;
        const bool two = llvm::StringRef(access.access).contains('\n');
        EXPECT_EQ(result.err.find(two ? "forerun: error: access.mlir:16: illegal program in core 0"
                                      : "forerun: error: access.mlir:15: illegal program in core 0"),
                  0u)
            << result.err;
        EXPECT_NE(result.err.find("failed (xtrap): " + reason + "\n"), std::string::npos) << result.err;
      }
    }
    // The interpreter refuses the same.
    for (const char* at : access.bad) EXPECT_EQ(run({"interpret", kernel, std::string("--in=at=") + at}).code, 5);
  }
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(DeviceCommand, AccessesThatLieInsideCostNothing) {
  auto checks = [&](llvm::StringRef access) {
    const Outcome result = run({"compile", write("access.mlir", accessing(access)), "--emit=xfr"});
    EXPECT_EQ(result.code, 0) << result.err;
    return llvm::StringRef(result.out).count("xfr.trap");
  };
  EXPECT_EQ(checks(""), 0u);
  EXPECT_EQ(checks("%w = tile.slice %s[%at, 3] : !tile.buffer<2x8xf32, scratch> to !tile.buffer<5xf32, scratch>"), 1u);
  // Induction must not believe what the next iteration breaks.
  for (const char* next : {"arith.addi %stage, %c1", "arith.subi %stage, %c1", "arith.subi %c7, %stage"})
    EXPECT_EQ(checks(std::string("%z = scf.for %k = %c0 to %at step %c1 iter_args(%stage = %c0) -> (index) {\n"
                                 "    %w = tile.slice %s[%stage, 0] : !tile.buffer<2x8xf32, scratch> to "
                                 "!tile.buffer<8xf32, scratch>\n    %next = ") +
                     next + " : index\n    scf.yield %next : index\n  }"),
              1u)
        << next;
}

TEST_F(DeviceCommand, DiagnosticsOfTheBackEndStandAlone) {
  const std::string kernel = write("big.mlir", R"(tile.kernel @big() grid(%i) {
  %s = tile.alloc : !tile.buffer<1000x1000xf32, scratch>
}
)");
  expectError({"compile", kernel, "-o", path("a.elf")}, 4,
              kernel +
                  ":1:1: error: kernel @big needs 4000000 bytes of scratch, a core of target 'edge' has 524288; "
                  "shrink a tile parameter (--param NAME=VALUE)\n"
                  "tile.kernel @big() grid(%i) {\n^\n" +
                  kernel +
                  ":2:8: note: the largest buffer takes 4000000 bytes: '!tile.buffer<1000x1000xf32, scratch>'\n"
                  "  %s = tile.alloc : !tile.buffer<1000x1000xf32, scratch>\n       ^\n");
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(DeviceCommand, CompileUsage) {
  const std::string kernel = copyKernel();
  expectError({"compile", kernel, "--emit=binary"}, 2,
              "forerun: error: --emit: unknown stage 'binary'; known: tile, expanded, dispatched, xfr, llvm, ll, asm, "
              "obj, elf\n");
  expectError({"compile", kernel, "--emit=tile", "--from=llvm"}, 2,
              "forerun: error: --emit=tile comes before --from=llvm\n");
  expectError({"compile", kernel, "--from=elf"}, 2, "forerun: error: --from=elf: nothing follows that stage\n");
  expectError({"compile", kernel, "--opt=9"}, 2, "forerun: error: --opt is 0 to 3, found 9\n");
  expectContains({"compile", kernel, "--output", path("no/a.elf")}, 3, "does not exist; create it first");
  expectContains({"compile", kernel, "-o", path("no/a.elf")}, 3, "does not exist; create it first");
  expectError({"compile", kernel, "-x", "a"}, 2, "forerun: error: unknown option '-x'; see --help\n");
  expectContains({"compile", write("bad.ll", "define nothing"), "--from=ll", "--output", path("a.elf")}, 4,
                 "bad.ll:1:8: error:");
  expectContains({"compile", write("bad.o", "not an object"), "--from=obj", "--output", path("a.elf")}, 4, "");
  EXPECT_EQ(files().size(), 3u);
}

TEST_F(DeviceCommand, StagesCanBeReentered) {
  const std::string kernel = copyKernel();
  ASSERT_EQ(run({"compile", kernel, "--output", path("direct.elf")}).code, 0);
  for (const std::string stage : {"tile", "expanded", "dispatched", "xfr", "llvm", "ll", "obj"}) {
    const std::string artifact = path("stage." + stage), elf = path(stage + ".elf");
    const Outcome stop = run({"compile", kernel, "--emit=" + stage, "--output", artifact});
    ASSERT_EQ(stop.code, 0) << stage << ": " << stop.err;
    const Outcome enter = run({"compile", artifact, "--from=" + stage, "--output", elf});
    ASSERT_EQ(enter.code, 0) << stage << ": " << enter.err;
    const Outcome direct = run({"disasm", path("direct.elf")}), again = run({"disasm", elf});
    EXPECT_EQ(direct.code, 0) << direct.err;
    EXPECT_EQ(direct.out, again.out) << stage;
  }
  EXPECT_NE(run({"compile", kernel, "--emit=asm"}).out.find("copy:"), std::string::npos);
}

TEST_F(DeviceCommand, DisasmShowsXfrAndLines) {
  ASSERT_EQ(run({"compile", copyKernel(), "--output", path("a.elf")}).code, 0);
  const std::string text = run({"disasm", path("a.elf")}).out;
  for (const char* part : {"copy:", "xdma.copy", "xd.set", "; copy.mlir:"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST_F(DeviceCommand, ProgramsThatCannotRunHere) {
  expectContains({"sim", path("no.elf")}, 3, "no.elf");
  expectContains({"sim", write("text.elf", "hello")}, 3, "text.elf");
  expectContains({"sim", FORERUN_BINARY}, 3, "");
  ASSERT_EQ(run({"compile", copyKernel(), "--output", path("a.elf")}).code, 0);
  expectContains({"sim", path("a.elf")}, 3, "launched with arguments by 'forerun run' with the kernel file");
  const std::string whole = read(path("a.elf"));
  expectContains({"sim", write("cut.elf", llvm::StringRef(whole).take_front(whole.size() / 2))}, 3, "cut.elf");
  expectContains({"sim", path("a.elf"), "--set", "teams.0.vlenBits=0"}, 3, "");
}

}  // namespace
