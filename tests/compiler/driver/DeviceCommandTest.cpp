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

TEST_F(DeviceCommand, CompileUsage) {
  const std::string kernel = copyKernel();
  expectError({"compile", kernel, "--emit=binary"}, 2,
              "forerun: error: --emit: unknown stage 'binary'; known: tile, expanded, xfr, llvm, ll, asm, obj, elf\n");
  expectError({"compile", kernel, "--emit=tile", "--from=llvm"}, 2,
              "forerun: error: --emit=tile comes before --from=llvm\n");
  expectError({"compile", kernel, "--from=elf"}, 2, "forerun: error: --from=elf: nothing follows that stage\n");
  expectError({"compile", kernel, "--opt=9"}, 2, "forerun: error: --opt is 0 to 3, found 9\n");
  expectContains({"compile", kernel, "--output", path("no/a.elf")}, 3, "does not exist; create it first");
  expectContains({"compile", write("bad.ll", "define nothing"), "--from=ll", "--output", path("a.elf")}, 4,
                 "bad.ll:1:8: error:");
  expectContains({"compile", write("bad.o", "not an object"), "--from=obj", "--output", path("a.elf")}, 4, "");
  EXPECT_EQ(files().size(), 3u);
}

TEST_F(DeviceCommand, StagesCanBeReentered) {
  const std::string kernel = copyKernel();
  ASSERT_EQ(run({"compile", kernel, "--output", path("direct.elf")}).code, 0);
  for (const std::string stage : {"tile", "expanded", "xfr", "llvm", "ll", "obj"}) {
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
  const std::string whole = read(path("a.elf"));
  expectContains({"sim", write("cut.elf", llvm::StringRef(whole).take_front(whole.size() / 2))}, 3, "cut.elf");
  expectContains({"sim", path("a.elf"), "--set", "teams.0.vlenBits=0"}, 3, "");
}

}  // namespace
