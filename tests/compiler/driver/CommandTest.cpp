//===- CommandTest.cpp - the forerun command, as a shell sees it ------------===//
// Runs the built binary: every bad input gives one message that says what to do, its exit code, and no half-written
// output.
#include "tests/compiler/driver/CommandFixture.h"

#include <chrono>
#include <csignal>
#include <thread>

using forerun::test::Command;
using forerun::test::Outcome;

namespace {

TEST_F(Command, HelpIsQuickAndComplete) {
  const auto start = std::chrono::steady_clock::now();
  const Outcome result = run({"--help"});
  EXPECT_LT(std::chrono::steady_clock::now() - start,
            std::chrono::seconds(5));  // under load; the benchmark measures it
  EXPECT_EQ(result.code, 0);
  for (const char* word :
       {"run", "interpret", "compile", "sim", "disasm", "targets", "isa", "layout", "Exit codes", "70"})
    EXPECT_NE(result.out.find(word), std::string::npos) << word;
  for (const char* command : {"run", "interpret", "targets", "isa", "disasm", "layout"})
    EXPECT_EQ(run({command, "--help"}).code, 0) << command;
}

TEST_F(Command, UsageErrorsSuggest) {
  expectError({"rnu"}, 2, "forerun: error: unknown command 'rnu'; did you mean 'run'?\n");
  expectError({"frobnicate"}, 2, "forerun: error: unknown command 'frobnicate'; see forerun --help\n");
  expectError({"run", "--chekc", "a.mlir"}, 2, "forerun: error: unknown option '--chekc'; did you mean '--check'?\n");
  expectError({"run", "--check=1", "a.mlir"}, 2, "forerun: error: option '--check' takes no value, found '1'\n");
  expectError({"run", "a.mlir", "--target"}, 2, "forerun: error: option '--target' needs a value: --target=T\n");
  expectError({"run"}, 2,
              "forerun: error: expected one kernel file, found 0; usage: forerun run KERNEL.mlir [options]\n");
  expectError({"run", "a.mlir", "--mode=fast"}, 2, "forerun: error: --mode is timing or functional, found 'fast'\n");
  expectError({"run", "a.mlir", "--max-cycles=x"}, 2,
              "forerun: error: --max-cycles needs a non-negative integer, found 'x'\n");
  expectError({"targets", "shwo", "edge"}, 2, "forerun: error: unknown action 'shwo'; did you mean 'show'?\n");
  expectError({"isa", "xmm.ruin"}, 2, "forerun: error: unknown instruction 'xmm.ruin'; did you mean 'xmm.run'?\n");
}

TEST_F(Command, RunsAndWrites) {
  const Outcome result = run({"interpret", copyKernel(), "--out", "y=" + path("y.npy")});
  EXPECT_EQ(result.code, 0) << result.err;
  const std::string file = read(path("y.npy"));
  EXPECT_EQ(file.size(), 128u + 80u);
  EXPECT_NE(file.find("'shape': (20,)"), std::string::npos);
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(Command, ArgumentNamesAreListed) {
  const std::string kernel = copyKernel();
  expectError({"interpret", kernel, "--in", "z=zeros"}, 2,
              "forerun: error: --in z=zeros: function 'main' has no argument 'z'; known: x, y\n");
  expectError({"interpret", kernel, "--out", "z=" + path("z.npy")}, 2,
              "forerun: error: --out z=" + path("z.npy") + ": function 'main' has no argument 'z'; known: x, y\n");
  expectError({"interpret", kernel, "--in", "x"}, 2, "forerun: error: --in needs NAME=VALUE, found 'x'\n");
  expectError({"interpret", kernel, "--entry=start"}, 2,
              "forerun: error: " + kernel + ": has no host function 'start'; known: main (--entry=NAME)\n");
}

TEST_F(Command, BadDataNamesFileAndRemedy) {
  const std::string kernel = copyKernel();
  expectError({"interpret", kernel, "--in", "x=" + path("no.npy")}, 3,
              "forerun: error: argument 'x': " + path("no.npy") + ": cannot be read: No such file or directory\n");
  const std::string cut = write("cut.npy", std::string("\x93NUMPY\x01\x00\x76\x00{'descr'", 18));
  expectError({"interpret", kernel, "--in", "x=" + cut}, 3,
              "forerun: error: argument 'x': " + cut + ": is cut short inside its header; write it again\n");
  expectError({"interpret", kernel, "--in", "x=zeros:100000000000000"}, 3,
              "forerun: error: this computer's memory does not hold what 'interpret' was asked for; use smaller inputs "
              "or a smaller target\n");
  expectContains({"interpret", kernel, "--in", "x=randn:20xf16"}, 3,
                 "argument 'x': the specification says f16, the kernel's argument is f32");
  expectContains({"interpret", kernel, "--in", "x=randn:4x5xf32"}, 3, "argument 'x': the specification says 4x5xf32");
}

TEST_F(Command, OutputsAreTriedFirst) {
  const std::string kernel = copyKernel();
  expectError(
      {"interpret", kernel, "--out", "y=" + path("no/y.npy")}, 3,
      "forerun: error: " + path("no/y.npy") + ": folder '" + path("no") + "' does not exist; create it first\n");
  expectContains({"interpret", kernel, "--out", "y=/proc/y.npy"}, 3, "/proc/y.npy: folder '/proc' cannot be written");
  expectContains({"interpret", kernel, "--json=" + path("no/r.json")}, 3, "does not exist; create it first");
}

// Devices are named through links, so that no failure of this test replaces one.
TEST_F(Command, FullDisks) {
  ASSERT_FALSE(llvm::sys::fs::create_link("/dev/full", path("full")));
  const std::string kernel = copyKernel(), message = path("full") + ": cannot be written: No space left on device\n";
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"interpret", kernel, "--out", "y=" + path("full")},
                                             {"interpret", kernel, "--json=" + path("full")},
                                             {"run", kernel, "--json=" + path("full")},
                                             {"compile", kernel, "-o", path("full")},
                                             {"compile", kernel, "--emit=asm", "-o", path("full")}}) {
    const Outcome result = run(args);
    EXPECT_EQ(result.code, 3) << llvm::join(args, " ");
    EXPECT_EQ(result.err, "forerun: error: " + message) << llvm::join(args, " ");
  }
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{{"--help"},
                                                                                    {"--version"},
                                                                                    {"run", "--help"},
                                                                                    {"run", kernel},
                                                                                    {"run", kernel, "--json"},
                                                                                    {"interpret", kernel},
                                                                                    {"compile", kernel, "--emit=asm"},
                                                                                    {"targets", "list"},
                                                                                    {"isa"},
                                                                                    {"layout", "S[(8,8):(8,1)]"}}) {
    const Outcome result = run(args, "/dev/full");
    EXPECT_EQ(result.code, 3) << llvm::join(args, " ");
    EXPECT_EQ(result.err, "forerun: error: standard output cannot be written\n") << llvm::join(args, " ");
  }
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(Command, CutOffFiles) {
  const std::string kernel = copyKernel();
  ASSERT_EQ(run({"compile", kernel, "-o", path("copy.elf")}).code, 0);
  const std::string elf = read(path("copy.elf"));
  for (std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{64}, std::size_t{100}, elf.size() / 2})
    for (const char* command : {"sim", "disasm"}) {
      const Outcome result = run({command, write("cut.elf", llvm::StringRef(elf).take_front(size))});
      EXPECT_EQ(result.code, 3) << command << " " << size;
      EXPECT_NE(result.err.find("cut.elf: "), std::string::npos) << result.err;
      EXPECT_EQ(llvm::StringRef(result.err).count('\n'), 1u) << result.err;
    }
  // Wherever a kernel file ends: between functions it lacks one, elsewhere the message says where.
  const llvm::StringRef text(kCopy);
  for (std::size_t size = 1; size < text.rtrim().size(); size += 97) {
    const Outcome result = run({"interpret", write("cut.mlir", text.take_front(size))});
    const std::string expected = result.code == 2 ? "cut.mlir: has no host function 'main'" : "cut.mlir:";
    EXPECT_TRUE(result.code == 2 || result.code == 4) << size << "\n" << result.err;
    EXPECT_NE(result.err.find(expected), std::string::npos) << size << "\n" << result.err;
  }
}

TEST_F(Command, InterruptsLeaveNothing) {
  // Far more work items than end within the test's time.
  std::string text = kCopy;
  text.replace(text.find("constant 3 :"), 12, "constant 100000000 :");
  const std::string endless = write("endless.mlir", text), out = "--out=y=" + path("y.npy"), log = path("log");
  const llvm::StringRef args[] = {FORERUN_BINARY, "interpret", endless, out};
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), llvm::StringRef(log), llvm::StringRef(log)};
  const llvm::sys::ProcessInfo child = llvm::sys::ExecuteNoWait(FORERUN_BINARY, args, std::nullopt, redirects);
  ASSERT_NE(child.Pid, 0);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  kill(child.Pid, SIGINT);
  std::string message;
  EXPECT_EQ(llvm::sys::Wait(child, std::nullopt, &message).ReturnCode, -2);  // a signal
  EXPECT_EQ(message, strsignal(SIGINT));
  EXPECT_EQ(files(), (std::vector<std::string>{endless, log}));
}

TEST_F(Command, KernelFilesThatDoNotCompile) {
  expectError({"interpret", path("no.mlir")}, 3,
              "forerun: error: " + path("no.mlir") + ": cannot be read: No such file or directory\n");
  const std::string malformed = write("bad.mlir", "tile.kernel @k(\n");
  expectContains({"interpret", malformed}, 4, "bad.mlir:1:16: error: ");
  const std::string wrong = write("wrong.mlir", R"(
tile.kernel @k(%x: !tile.buffer<?xf32, global>) grid(%i) {
  %s = tile.alloc : !tile.buffer<8xf16, scratch>
  tile.reduce <add> %s, %s dims [0] : !tile.buffer<8xf16, scratch>, !tile.buffer<8xf16, scratch>
}
)");
  expectContains({"interpret", wrong}, 4, "wrong.mlir:4:3: error: 'tile.reduce' op");
  expectContains({"interpret", copyKernel(), "--param", "TM=64"}, 4, "TM");
  // MLIR's parser lets an argument of a later region be used before, and uses it when it is gone.
  expectContains({"interpret", write("before.mlir", R"(
tile.kernel @k(%x: !tile.buffer<4xf32, global>) grid(%i) {
  tile.map ins(%x : !tile.buffer<4xf32, global>) outs(%x : !tile.buffer<4xf32, global>) {
    %r = arith.addf %v, %v : f32
    tile.yield %r : f32
  }
  tile.map ins(%x : !tile.buffer<4xf32, global>) outs(%x : !tile.buffer<4xf32, global>) {
  ^bb0(%v: f32):
  ^bb0(%v: f32):
    tile.yield %v : f32
  }
})")},
                 4,
                 "before.mlir:4:21: error: use of undeclared SSA value name '%v': nothing before it defines it here; "
                 "define it above\n");
  // Deeper than the stack of a recursive parser.
  for (const char* open : {"(", "[", "module {\n", "#tile<"}) {
    std::string deep = "// {{{\n#a = ";
    for (int i = 0; i < 100000; ++i) deep += open;
    expectContains({"interpret", write("deep.mlir", deep)}, 4,
                   "error: expected at most 256 brackets and regions inside one another, found more; close some before "
                   "this one");
  }
}

TEST_F(Command, ProgramErrorsAreLocated) {
  std::string text = kCopy;
  // Without the copy into it, scratch is read before it was written.
  const std::string line = "  tile.copy %wx, %s : !tile.buffer<8xf32, global>, !tile.buffer<8xf32, scratch>\n";
  text.replace(text.find(line), line.size(), "\n");
  const std::string kernel = write("uninitialised.mlir", text);
  expectContains(
      {"interpret", kernel, "--out", "y=" + path("y.npy")}, 5,
      "uninitialised.mlir:9:3: error: reads elements of the source that were never written; write them first");
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(Command, FarWindowsAndLargeBuffersAreLocated) {
  // The window's end lies past 2^63.
  std::string text = kCopy;
  const std::string fill = "  tile.copy %wx, %s";
  text.replace(text.find(fill), 0,
               "  %far = arith.constant 9223372036854775807 : index\n"
               "  %away = tile.slice %s[%far] : !tile.buffer<8xf32, scratch> to !tile.buffer<8xf32, scratch>\n"
               "  tile.copy %wx, %away : !tile.buffer<8xf32, global>, !tile.buffer<8xf32, scratch>\n");
  expectContains({"interpret", write("far.mlir", text)}, 5,
                 "far.mlir:9:11: error: window at [9223372036854775807] reaches outside its on-chip buffer");
  expectContains({"run", write("far.mlir", text)}, 5, "far.mlir:9");
  // Global windows there are empty.
  text = kCopy;
  text.replace(text.find("%x[%o]"), 6, "%x[9223372036854775800]");
  EXPECT_EQ(run({"interpret", write("empty.mlir", text)}).code, 0);
  EXPECT_EQ(run({"run", write("empty.mlir", text), "--check"}).code, 0);
  text = kCopy;
  const std::string launch = "  tile.launch";
  text.replace(text.find(launch), 0,
               "  %m = arith.constant 4611686018427387904 : index\n"
               "  %b = tile.alloc(%m, %m) : !tile.buffer<?x?xf32, global>\n");
  expectContains({"interpret", write("large.mlir", text)}, 5,
                 "error: this computer's memory does not hold a buffer of extents [4611686018427387904, "
                 "4611686018427387904]; make it smaller");
}

TEST_F(Command, NothingComparedFails) {
  const std::string kernel = copyKernel();
  const Outcome result = run({"interpret", kernel, "--in", "x=zeros:0xf32", "--check"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.out.find("nothing was compared"), std::string::npos) << result.out;
}

TEST_F(Command, BadTargets) {
  const std::string kernel = copyKernel();
  expectContains({"run", kernel, "--target=nowhere"}, 3, "nowhere");
  expectContains({"run", kernel, "--target=edge", "--set", "teams.0.cuont=8"}, 3, "teams.0.cuont");
  expectContains({"targets", "check", "edge", "--set", "scratch.banks=0"}, 3, "scratch.banks");
  expectError({"run", kernel, "--target=interpreter", "--set", "a=1"}, 2,
              "forerun: error: --set changes a target file; the interpreter has none\n");
}

TEST_F(Command, TargetsAndIsaPrint) {
  EXPECT_NE(run({"targets", "list"}).out.find("edge"), std::string::npos);
  EXPECT_NE(run({"targets", "show", "edge"}).out.find("51.2 GB/s"), std::string::npos);
  EXPECT_EQ(run({"targets", "check", "datacenter"}).code, 0);
  const Outcome one = run({"isa", "xmm.run"});
  EXPECT_EQ(one.code, 0);
  EXPECT_NE(one.out.find("xmm.run"), std::string::npos);
  EXPECT_LT(one.out.size(), run({"isa"}).out.size() / 3);
}

TEST_F(Command, DisasmRefusesOtherFiles) {
  expectContains({"disasm", write("x.elf", "hello")}, 3, "x.elf: ");
  expectContains({"disasm", FORERUN_BINARY}, 3, "is not a 64-bit RISC-V ELF file");
}

}  // namespace
