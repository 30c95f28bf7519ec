//===- BadInputTest.cpp - messages for target files that are wrong ---------===//
// Each case edits one thing of edge.yaml and pins the whole message, line included.
#include "targets/Load.h"

#include <gtest/gtest.h>
#include <llvm/Support/MemoryBuffer.h>

#include <string>

namespace forerun::targets {
namespace {

class BadInput : public testing::Test {
 protected:
  void SetUp() override {
    text = llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(defaultFolder() + "/edge.yaml")))
               ->getBuffer()
               .str();
  }

  /// Replaces the first `from` and remembers its line.
  void edit(const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    line = std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    text.replace(at, from.size(), to);
  }
  std::string error() const {
    auto result = loadText(text, "t.yaml");
    if (result) return "";
    return llvm::toString(result.takeError());
  }
  /// One edit, one message at its line.
  void expectError(const std::string& from, const std::string& to, const std::string& message) {
    SetUp();
    edit(from, to);
    EXPECT_EQ(error(), "t.yaml:" + line + ": " + message);
  }

  std::string text, line;
};

TEST_F(BadInput, Syntax) {
  text = "";
  EXPECT_EQ(error(), "t.yaml:1: empty; a target file is a map of keys");
  text = "# nothing\n";
  EXPECT_EQ(error(), "t.yaml:1: empty; a target file is a map of keys");
  text = "- a\n- b\n";
  EXPECT_EQ(error(), "t.yaml:1: not a map of keys; write 'key: value' lines");
  text = "name: [a\nreference: core\n";
  EXPECT_EQ(error().rfind("t.yaml:", 0), 0u);
  EXPECT_NE(error().find("not YAML"), std::string::npos);
  text = "name: a\nname: b\n";
  EXPECT_EQ(error(), "t.yaml:2: name: given twice; keep one");
  text = "name: *later\n";
  EXPECT_EQ(error(), "t.yaml:1: *later names no anchor before it; write &later first");
}

TEST_F(BadInput, CutShortAnywhereIsRefusedWithoutCrash) {
  for (std::size_t size = 0; size < text.find("quantumCycles"); size += 37) {
    auto result = loadText(llvm::StringRef(text).take_front(size), "t.yaml");
    ASSERT_FALSE(result) << size;
    EXPECT_EQ(llvm::toString(result.takeError()).rfind("t.yaml:", 0), 0u);
  }
}

TEST_F(BadInput, UnknownKeyWithNeighbour) {
  expectError("coresPerCluster: 4", "quantumCycle: 1\ncoresPerCluster: 4",
              "quantumCycle: unknown key; did you mean 'quantumCycles'?");
}

TEST_F(BadInput, UnknownKeyWithoutNeighbour) {
  edit("chips: 1", "chips: 1\nsomethingElse: 3");
  EXPECT_EQ(error(), "t.yaml:" + std::to_string(std::stoi(line) + 1) + ": somethingElse: unknown key; remove it");
}

TEST_F(BadInput, MisspeltKeyIsUnknownAndMissing) {
  edit("    datapathBits: 512 ", "    datapathBit: 512 ");
  const std::string place = "t.yaml:" + line;
  edit("  - name: vector", "  - name: vector");
  EXPECT_EQ(error(), "t.yaml:" + line +
                         ": teams.0.datapathBits: missing; add it (vector bits processed a cycle: a power of two, at "
                         "most vlenBits; 0 without a vector unit)\n" +
                         place + ": teams.0.datapathBit: unknown key; did you mean 'datapathBits'?");
}

TEST_F(BadInput, ValuesOfTheWrongKind) {
  expectError("count: 4", "count: four", "teams.0.count: 'four' is not a whole number; write one that is 0 or more");
  expectError("count: 4", "count: 4.5", "teams.0.count: '4.5' is not a whole number; write one that is 0 or more");
  expectError("count: 4", "count: -4", "teams.0.count: '-4' is not a whole number; write one that is 0 or more");
  expectError("count: 4", "count: [4]", "teams.0.count: must be a single value; write 'key: value'");
  expectError("count: 4", "count: 99999999999", "teams.0.count: '99999999999' is too large; write at most 4294967295");
  expectError("bytes: 2 MiB", "bytes: 2 MB",
              "l2.bytes: '2 MB' is not a whole number (KiB, MiB and GiB may follow); write one that is 0 or more");
  expectError("hz: 1 GHz", "hz: fast",
              "clocks.0.hz: 'fast' is not a whole number (kHz, MHz and GHz may follow); write one that is 0 or more");
  expectError("zvfh: true", "zvfh: yes", "teams.0.zvfh: 'yes' is neither true nor false; write one of them");
  expectError("kind: dma", "kind: dna", "engines.0.kind: 'dna' is not known; write one of dma, matrix, vector, layout");
  expectError("sync: {barriers", "sync: none #", "sync: must be a map; write 'key: value' lines below it");
}

TEST_F(BadInput, ContradictionsInTeams) {
  expectError("vlenBits: 512", "vlenBits: 500",
              "teams.0.vlenBits: 500 is not a power of two from 128 to 65536; write one, or 0 for no vector unit");
  expectError("datapathBits: 512", "datapathBits: 1024",
              "teams.0.datapathBits: 1024 is wider than vlenBits (512); make it at most as wide");
  expectError("datapathBits: 512", "datapathBits: 96",
              "teams.0.datapathBits: 96 is not a power of two of at least 64; write one");
  expectError("clock: core", "clock: cores", "teams.0.clock: clock 'cores' is not among clocks; did you mean 'core'?");
  expectError("total: 2, scalar: 2", "total: 2, scalar: 3",
              "teams.0.issue.scalar: 3 is more than issue.total (2); make it at most that");
  expectError("alu: 1", "alu: 0", "teams.0.latencies.alu: 0 is too small; write at least 1");
  expectError("privateBytes: 64 KiB", "privateBytes: 64",
              "teams.0.privateBytes: 64 is not a multiple of 16 from 4 KiB to 256 MiB; write one");
  expectError("icacheLine: 64", "icacheLine: 48",
              "teams.0.icacheLine: 48 is not a power of two of at least 8; write one");
}

TEST_F(BadInput, ContradictionsInMemories) {
  expectError("acc: {banks: 16", "acc: {banks: 0", "acc.banks: 0 is too small; write at least 1");
  expectError("scratch: {banks: 16", "scratch: {banks: 0", "scratch.banks: 0 is too small; write at least 1");
  expectError("scratch: {banks: 16, bytesPerBank: 32 KiB, ports: 1, bankWidthBytes: 64",
              "scratch: {banks: 1, bytesPerBank: 1 KiB, ports: 1, bankWidthBytes: 64",
              "scratch.bytesPerBank: scratch of 1024 bytes is smaller than one weight tile and one row block of the "
              "matrix array (4096 bytes); make it larger or the array smaller");
  expectError("acc: {banks: 16, bytesPerBank: 16 KiB", "acc: {banks: 2, bytesPerBank: 64",
              "acc.bytesPerBank: acc of 128 bytes is smaller than one output tile of the matrix array (1024 bytes); "
              "make it larger or the array smaller");
  expectError("partitions: 1", "partitions: 3", "scratch.partitions: 3 does not divide banks (16); write a divisor");
  expectError("line: 128", "line: 100", "l2.line: 100 is not a power of two; write one");
  expectError("managedBytes: 0", "managedBytes: 4 MiB",
              "l2.managedBytes: 4194304 is more than l2.bytes (2097152); make it at most that");
  expectError("bytesPerBank: 32 KiB", "bytesPerBank: 32 MiB",
              "scratch.bytesPerBank: the memory is larger than the 256 MiB of its address range; make it smaller");
}

TEST_F(BadInput, ContradictionsElsewhere) {
  expectError("reference: core", "reference: cpu",
              "reference: clock 'cpu' is not among clocks; write one of core, dram");
  expectError(
      "coresPerCluster: 4", "coresPerCluster: 4000",
      "coresPerCluster: 4000 cores do not fit the address map; write clusters * coresPerCluster of at most 3840");
  expectError("columns: 2", "columns: 3", "noc.columns: 3 does not divide the 4 cores into rows; write a divisor");
  expectError("depth: 1", "depth: 5", "matrix.depth: 5 does not divide rows (32); write a divisor");
  expectError("type: bf16", "type: f16", "matrix.typeRate.1.type: 'f16' is given twice; keep one");
  expectError("type: bf16", "type: bf17",
              "matrix.typeRate.1.type: 'bf17' is not an element type; did you mean 'bf16'?");
  expectError("rowBytes: 2 KiB", "rowBytes: 16",
              "dram.rowBytes: 16 is smaller than a burst (32 bytes); make it at least that");
  expectError("mapping: row-bank-column-group-xor", "mapping: row-bank-bank-group",
              "dram.mapping: 'row-bank-bank-group' does not place every part once; write row, bank, group and column "
              "(and rank, when there are several) from high to low, joined by '-', with an optional last part xor");
  expectError("tRAS: 34", "tRAS: 3", "dram.timings.tRAS: 3 is less than tRCD (15); make it at least that");
  expectError(
      "tREFI: 3124", "tREFI: 100",
      "dram.timings.tREFI: 100 is not longer than tRFC + tRP (183): nothing but refresh would run; make it longer");
  expectError("quantumCycles: 100", "quantumCycles: 0", "quantumCycles: 0; harts cannot advance: write at least 1");
  expectError("bytes: 4 GiB", "bytes: 1000",
              "dram.bytes: 1000 is not a whole number of rows in every bank (131072 bytes) of at most 64 TiB; change "
              "it or the shape");
}

TEST_F(BadInput, ListsThatAreWrongAsAWhole) {
  const auto expectAtList = [&](const std::string& from, const std::string& to, const std::string& list,
                                const std::string& message) {
    SetUp();
    edit(from, to);
    edit("\n" + list + ":", "\n" + list + ":");
    EXPECT_EQ(error(), "t.yaml:" + std::to_string(std::stoi(line) + 1) + ": " + list + ": " + message);
  };
  expectAtList("count: 4", "count: 300", "teams", "300 harts a core; at most 256");
  expectAtList("kind: matrix", "kind: vector", "engines", "no entry of kind matrix; the matrix array belongs to one");
  expectAtList("queues: 4", "queues: 200", "engines",
               "201 queues a core; tokens name at most 127: lower count or queues");
  SetUp();
  edit("kind: dma", "kind: matrix");
  edit("  - name: matrix\n", "  - name: matrix\n");
  EXPECT_EQ(error(), "t.yaml:" + std::to_string(std::stoi(line) + 1) +
                         ": engines.1.kind: a second matrix entry; use count of the first");
}

TEST_F(BadInput, AllProblemsAreReportedInFileOrder) {
  edit("quantumCycles: 100", "quantumCycles: 0");
  const std::string second = line;
  edit("columns: 2", "columns: 3");
  EXPECT_EQ(error(), "t.yaml:" + line +
                         ": noc.columns: 3 does not divide the 4 cores into rows; write a divisor\nt.yaml:" + second +
                         ": quantumCycles: 0; harts cannot advance: write at least 1");
}

}  // namespace
}  // namespace forerun::targets
