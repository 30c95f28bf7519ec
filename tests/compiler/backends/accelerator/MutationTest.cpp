//===- MutationTest.cpp - a changed instruction is noticed ------------------===//
// Changes every executed instruction of compiled examples, one at a time, and runs the program: for some change that
// is still a legal instruction the run has to stop, warn or give other results. Where none is noticed there has to be
// a reason, and there may be few of them. That the unchanged programs are right, KernelTest and the end-to-end tests
// say.
#include "simulator/core/Decoder.h"
#include "tests/compiler/backends/accelerator/KernelFixture.h"

#include "llvm/Object/ELF.h"

#include <cstdio>
#include <cstring>
#include <map>

namespace forerun::backends::accelerator {
namespace {

using isa::ElementType;

struct Instruction {
  std::uint64_t address = 0, offset = 0;  ///< in memory, in the file
  unsigned bytes = 0;                     ///< 2 or 4
  std::uint32_t expanded = 0;             ///< 32-bit form
  std::string text;                       ///< assembly
  std::string mnemonic() const { return llvm::StringRef(text).split(' ').first.split('\t').first.str(); }
};

/// The integer register that an instruction writes, or 0.
unsigned resultRegister(std::uint32_t encoding) {
  const unsigned opcode = encoding & 0x7f, rd = encoding >> 7 & 31, funct3 = encoding >> 12 & 7;
  switch (opcode) {
    case 0x03:
    case 0x13:
    case 0x17:
    case 0x1b:
    case 0x2f:
    case 0x33:
    case 0x37:
    case 0x3b:  // loads, arithmetic, atomics
      return rd;
    case 0x57:  // vsetvli and its forms; moves and counts to integer registers
      return funct3 == 7 || (funct3 == 2 && encoding >> 26 == 0x10) ? rd : 0;
    default:
      return 0;
  }
}

/// Changes that are sure to be legal: nothing in the instruction's place, another result, the other way of a branch.
std::vector<std::uint32_t> plainChanges(const Instruction& instruction, std::uint32_t encoding) {
  const bool compressed = instruction.bytes == 2;
  std::vector<std::uint32_t> changes{compressed ? 0x0001u : 0x00000013u};
  const unsigned rd = resultRegister(instruction.expanded), sp = 2;
  if (rd != 0 && rd != sp)  // lui rd, 0x15000
    changes.push_back(compressed ? 0x6001u | rd << 7 | 0x15u << 2 : 0x15000037u | rd << 7);
  if ((instruction.expanded & 0x7f) == 0x63) changes.push_back(encoding ^ (compressed ? 1u << 13 : 1u << 12));
  return changes;
}

enum class Fate { Illegal, Stopped, Warned, OtherResults, StoppedInTime, OtherResultsInTime, Survived };
constexpr const char* kFates[] = {
    "illegal", "stopped", "warned", "other results", "stopped in timing", "other results in timing", "survived"};

class Mutation : public KernelFixture {
 protected:
  struct Launch {
    std::array<std::uint64_t, 3> grid;
    std::function<std::pair<std::uint64_t, std::uint64_t>()> arguments;  ///< places tensors and words; result and bytes
  };
  /// A chip with data in place: what a launch starts from and what it has to leave.
  struct Machine {
    std::unique_ptr<sim::Simulator> simulator;
    bool timed = false;
    std::array<std::uint64_t, 3> grid{};
    std::vector<std::uint64_t> words;
    std::uint64_t data = 0, result = 0;
    std::vector<std::uint8_t> before, expected;
  };

  void prepare(const std::string& example, const std::string& parameters, const std::string& kernel,
               const std::vector<Launch>& launches) {
    auto program = compileExample(example, "edge", parameters);
    ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError()) << diagnostics_;
    elf_.assign(program->elf.begin(), program->elf.end());
    kernel_ = kernel;
    for (const sim::Mode mode : {sim::Mode::Functional, sim::Mode::Timing})
      // Timing finds what the order of commands breaks; one launch of many work items is enough for it.
      for (const Launch& launch :
           llvm::ArrayRef(launches).take_front(mode == sim::Mode::Timing ? 1 : launches.size())) {
        sim::Options options;
        options.mode = mode;
        options.maxCycles = 50'000;  // of an endless loop; the kernels take less than half
        simulator_ = llvm::cantFail(sim::Simulator::create(spec_, options));
        words_.assign(launch.grid.begin(), launch.grid.end());
        Machine machine;
        machine.timed = mode == sim::Mode::Timing;
        machine.grid = launch.grid;
        machine.data = simulator_->allocationMark();
        const auto [result, bytes] = launch.arguments();
        machine.words = words_;
        machine.result = result;
        machine.expected.resize(bytes);
        machine.before.resize(simulator_->allocationMark() - machine.data);
        llvm::cantFail(simulator_->read(machine.data, machine.before));
        machine.simulator = std::move(simulator_);
        std::string problem;
        const auto outputs = run(machine, problem);
        ASSERT_TRUE(outputs.has_value()) << problem;
        ASSERT_EQ(problem, "");
        machine.expected = *outputs;
        machines_.push_back(std::move(machine));
      }
    listInstructions();
  }

  void listInstructions() {
    const auto file = llvm::cantFail(llvm::object::ELFFile<llvm::object::ELF64LE>::create(
        {reinterpret_cast<const char*>(elf_.data()), elf_.size()}));
    sim::core::Decoder decoder;
    for (const auto& section : llvm::cantFail(file.sections())) {
      if (llvm::cantFail(file.getSectionName(section)) != ".text") continue;
      for (std::uint64_t at = 0; at < section.sh_size;) {
        Instruction instruction;
        instruction.address = section.sh_addr + at;
        instruction.offset = section.sh_offset + at;
        instruction.bytes = (elf_[instruction.offset] & 3) == 3 ? 4 : 2;
        sim::core::MachineInstruction decoded;
        if (decoder.decode({&elf_[instruction.offset], instruction.bytes}, decoded))
          instruction.expanded = decoded.encoding;
        instruction.text =
            llvm::StringRef(decoder.disassemble(instruction.address, {&elf_[instruction.offset], instruction.bytes}))
                .trim()
                .str();
        at += instruction.bytes;
        text_.push_back(std::move(instruction));
      }
    }
    ASSERT_FALSE(text_.empty());
  }

  /// Result bytes of the program in `elf_`; nothing when it stopped. `problem`: why, or a warning.
  std::optional<std::vector<std::uint8_t>> run(Machine& machine, std::string& problem) {
    llvm::cantFail(machine.simulator->write(machine.data, machine.before));
    llvm::cantFail(machine.simulator->loadBytes(elf_));
    auto report = machine.simulator->launch(kernel_, machine.grid, machine.words);
    if (!report) {
      problem = llvm::toString(report.takeError());
      return std::nullopt;
    }
    if (!report->warnings.empty()) problem = report->warnings.front();
    if (report->exitCode != 0) problem = "exit code";
    std::vector<std::uint8_t> outputs(machine.expected.size());
    llvm::cantFail(machine.simulator->read(machine.result, outputs));
    return outputs;
  }

  /// What becomes of the program with another encoding there, on the functional or on the timed machines.
  Fate fateOf(const Instruction& instruction, std::uint32_t encoding, bool timed) {
    const std::uint32_t original = encodingOf(instruction);
    setEncoding(instruction, encoding);
    Fate fate = Fate::Survived;
    for (Machine& machine : machines_) {
      if (machine.timed != timed) continue;
      std::string problem;
      const auto outputs = run(machine, problem);
      if (!outputs && llvm::StringRef(problem).contains("illegal instruction"))
        fate = Fate::Illegal;
      else if (!outputs)
        fate = timed ? Fate::StoppedInTime : Fate::Stopped;
      else if (*outputs != machine.expected)
        fate = timed ? Fate::OtherResultsInTime : Fate::OtherResults;
      else if (!problem.empty())
        fate = Fate::Warned;
      if (fate != Fate::Survived) break;
    }
    setEncoding(instruction, original);
    return fate;
  }

  std::uint32_t encodingOf(const Instruction& instruction) const {
    std::uint32_t encoding = 0;
    std::memcpy(&encoding, &elf_[instruction.offset], instruction.bytes);
    return encoding;
  }
  void setEncoding(const Instruction& instruction, std::uint32_t encoding) {
    std::memcpy(&elf_[instruction.offset], &encoding, instruction.bytes);
  }

  /// Whether the program reaches the instruction: an illegal one in its place stops it.
  bool isExecuted(const Instruction& instruction) {
    const std::uint32_t original = encodingOf(instruction);
    setEncoding(instruction, 0);
    std::string problem;
    const bool reached = llvm::any_of(machines_, [&](Machine& m) { return !m.timed && !run(m, problem); });
    setEncoding(instruction, original);
    return reached;
  }

  void mutateAll(const std::string& name) {
    std::mt19937 random(1);
    std::map<Fate, unsigned> fates;  // of instructions, by the first change that was noticed
    std::map<std::string, unsigned> unnoticed;
    unsigned executed = 0, quiet = 0;
    for (const Instruction& instruction : text_) {
      if (!isExecuted(instruction)) continue;
      ++executed;
      const std::uint32_t encoding = encodingOf(instruction);
      std::vector<std::uint32_t> changes = plainChanges(instruction, encoding);
      // And one bit of a register, immediate or function field.
      const unsigned first = instruction.bytes == 2 ? 2 : 7, bits = 8 * instruction.bytes - first;
      for (unsigned i = 0; i < kFlips; ++i) changes.push_back(encoding ^ 1u << (first + random() % bits));
      Fate best = Fate::Survived;
      for (const bool timed : {false, true})
        for (const std::uint32_t change : changes) {
          if (best != Fate::Survived) break;
          if (const Fate fate = fateOf(instruction, change, timed); fate != Fate::Illegal) best = fate;
        }
      ++fates[best];
      if (best != Fate::Survived) continue;
      ++quiet;
      const char* reason = whyQuiet(instruction);
      EXPECT_NE(reason, nullptr) << name << ": no change of " << instruction.text << " at 0x" << std::hex
                                 << instruction.address << " is noticed";
      if (reason) ++unnoticed[reason];
    }
    std::printf("%s: %u of %zu instructions are executed, a change of %u is noticed (%.1f %%)\n  first notice:",
                name.c_str(), executed, text_.size(), executed - quiet, 100.0 * (executed - quiet) / executed);
    for (const auto& [fate, count] : fates) std::printf(" %u %s", count, kFates[static_cast<int>(fate)]);
    std::printf("\n  instructions without a noticed change:\n");
    for (const auto& [reason, count] : unnoticed) std::printf("    %3u %s\n", count, reason.c_str());
    EXPECT_GE(executed, 100u);
    EXPECT_LE(quiet * 100, executed * kMostQuietPercent) << name;
  }

  /// Why an instruction may have no noticed change, or null: commands of engines always have one.
  static const char* whyQuiet(const Instruction& instruction) {
    static constexpr const char* kStack =
        "stack: registers saved by a function that never returns, spills with equal values";
    const std::string mnemonic = instruction.mnemonic();
    const llvm::StringRef text = instruction.text, name = mnemonic;
    if (name.starts_with("xdma.") || name.starts_with("xmm.")) return nullptr;
    if (name == "xd.set") return "the descriptor field holds that value already, or it does not matter for this shape";
    if (name.starts_with("xtok.") || name.starts_with("xsem.") || name.starts_with("xbar."))
      return "waits for what is complete by then on these inputs";
    if (name == "xexit") return "the return behind it ends the hart too";
    if (name == "xnext") return "there is no further work item on these inputs";
    if (text.contains("(sp)")) return kStack;
    const unsigned opcode = instruction.expanded & 0x7f;
    if (opcode == 0x63 || opcode == 0x6f)
      return "both ways lead to the same, as with limits that these sizes do not reach";
    if (opcode == 0x23 || name.starts_with("vse64") || name.starts_with("vle64"))  // no example has 64-bit elements
      return "private memory: valid extents that hold the value already";
    if (name.starts_with("vs1r") || name.starts_with("vl1r")) return kStack;
    if (resultRegister(instruction.expanded) != 0)
      return "an integer whose value these sizes do not need, or is there already";
    if (opcode == 0x07 || opcode == 0x27) return "elements that are written again";
    if (opcode == 0x57 || opcode == 0x53)
      return "a vector or float value that is there already, or of lanes past the end";
    return nullptr;
  }

  static constexpr unsigned kFlips = 4;
  static constexpr unsigned kMostQuietPercent = 15;  // 5 to 12 are measured
  std::vector<std::uint8_t> elf_;
  std::vector<Instruction> text_;
  std::string kernel_;
  std::vector<Machine> machines_;  ///< functional ones first
};

TEST_F(Mutation, VectorAdd) {
  const auto add = [&](std::uint64_t n) {
    return Launch{{spec_.cores(), 1, 1}, [this, n] {
                    tensor({n}, ElementType::F32, random(n, false, 1));
                    tensor({n}, ElementType::F32, random(n, false, 2));
                    const std::uint64_t c = tensor({n}, ElementType::F32);
                    words_.push_back(spec_.cores());
                    return std::pair(c, n * 4);
                  }};
  };
  spec_ = llvm::cantFail(targets::load("edge"));
  ASSERT_NO_FATAL_FAILURE(prepare("vector_add.mlir", "BLOCK=128", "vector_add", {add(1100), add(3)}));
  mutateAll("vector add");
}

TEST_F(Mutation, Gemm) {
  const auto gemm = [&](std::uint64_t m, std::uint64_t n, std::uint64_t k) {
    return Launch{{(m + 15) / 16 * ((n + 31) / 32), 1, 1}, [=, this] {
                    tensor({m, k}, ElementType::F16, random(m * k, true, 1));
                    tensor({k, n}, ElementType::F16, random(k * n, true, 2));
                    const std::uint64_t c = tensor({m, n}, ElementType::F16);
                    words_.push_back(2);  // rows of tiles in a band
                    return std::pair(c, m * n * 2);
                  }};
  };
  ASSERT_NO_FATAL_FAILURE(
      prepare("gemm.mlir", "TM=16,TN=32,TK=16", "gemm", {gemm(45, 70, 50), gemm(33, 7, 3), gemm(7, 9, 0)}));
  mutateAll("GEMM");
}

TEST_F(Mutation, Softmax) {
  const auto softmax = [&](std::uint64_t m, std::uint64_t n) {
    return Launch{{spec_.cores(), 1, 1}, [=, this] {
                    tensor({m, n}, ElementType::F32, random(m * n, false, 1));
                    const std::uint64_t y = tensor({m, n}, ElementType::F32);
                    words_.push_back(spec_.cores());
                    return std::pair(y, m * n * 4);
                  }};
  };
  spec_ = llvm::cantFail(targets::load("edge"));
  ASSERT_NO_FATAL_FAILURE(prepare("softmax.mlir", "COLS=128", "softmax", {softmax(37, 81), softmax(1, 1)}));
  mutateAll("softmax");
}

TEST_F(Mutation, Attention) {
  const auto attention = [&](std::uint64_t heads, std::uint64_t length) {
    return Launch{{((length + 15) / 16 + 1) / 2, heads, 1}, [=, this] {
                    const std::uint64_t depth = 16;
                    for (const unsigned seed : {1, 2, 3})
                      tensor({heads, length, depth}, ElementType::F16, random(heads * length * depth, true, seed));
                    const std::uint64_t o = tensor({heads, length, depth}, ElementType::F16);
                    words_.push_back(0x3e800000);  // 0.25f
                    return std::pair(o, heads * length * depth * 2);
                  }};
  };
  // Five blocks of queries, of which the middle one is its own mirror, and up to three blocks of keys.
  ASSERT_NO_FATAL_FAILURE(
      prepare("attention.mlir", "TQ=16,TK=32,D=16", "attention", {attention(3, 70), attention(1, 7)}));
  mutateAll("attention");
}

}  // namespace
}  // namespace forerun::backends::accelerator
