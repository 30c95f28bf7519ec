//===- RandomProgram.cpp - writes random instruction sequences as assembly --===//
// forerun-random-program SEED BLOCKS: functions of random RV64IMAFDC + Zfh instructions, for random.c to run and print.
// Same seed, same text.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

/// Letters of an operand list: d s t integer registers (destination, sources), D S T U float ones, i 12-bit immediate,
/// 6 / 5 shift amounts, r rounding mode, u 20-bit immediate.
struct Pattern {
  const char* mnemonic;
  const char* operands;
};

const Pattern kInteger[] = {{"add", "dst"},   {"sub", "dst"},   {"and", "dst"},   {"or", "dst"},   {"xor", "dst"},
                            {"sll", "dst"},   {"srl", "dst"},   {"sra", "dst"},   {"slt", "dst"},  {"sltu", "dst"},
                            {"addw", "dst"},  {"subw", "dst"},  {"sllw", "dst"},  {"srlw", "dst"}, {"sraw", "dst"},
                            {"addi", "dsi"},  {"andi", "dsi"},  {"ori", "dsi"},   {"xori", "dsi"}, {"slti", "dsi"},
                            {"sltiu", "dsi"}, {"addiw", "dsi"}, {"slli", "ds6"},  {"srli", "ds6"}, {"srai", "ds6"},
                            {"slliw", "ds5"}, {"srliw", "ds5"}, {"sraiw", "ds5"}, {"lui", "du"},   {"auipc", "du"}};
const Pattern kMultiply[] = {{"mul", "dst"},   {"mulh", "dst"}, {"mulhu", "dst"}, {"mulhsu", "dst"}, {"mulw", "dst"},
                             {"div", "dst"},   {"divu", "dst"}, {"rem", "dst"},   {"remu", "dst"},   {"divw", "dst"},
                             {"divuw", "dst"}, {"remw", "dst"}, {"remuw", "dst"}};
const Pattern kFloat[] = {{"fadd", "DSTr"},    {"fsub", "DSTr"},   {"fmul", "DSTr"},   {"fdiv", "DSTr"},
                          {"fsqrt", "DSr"},    {"fmadd", "DSTUr"}, {"fmsub", "DSTUr"}, {"fnmsub", "DSTUr"},
                          {"fnmadd", "DSTUr"}, {"fsgnj", "DST"},   {"fsgnjn", "DST"},  {"fsgnjx", "DST"},
                          {"fmin", "DST"},     {"fmax", "DST"},    {"feq", "dST"},     {"flt", "dST"},
                          {"fle", "dST"},      {"fclass", "dS"}};
const Pattern kConvert[] = {{"fcvt.w.s", "dSr"}, {"fcvt.wu.s", "dSr"}, {"fcvt.l.s", "dSr"}, {"fcvt.lu.s", "dSr"},
                            {"fcvt.s.w", "Dsr"}, {"fcvt.s.wu", "Dsr"}, {"fcvt.s.l", "Dsr"}, {"fcvt.s.lu", "Dsr"},
                            {"fcvt.w.d", "dSr"}, {"fcvt.wu.d", "dSr"}, {"fcvt.l.d", "dSr"}, {"fcvt.lu.d", "dSr"},
                            {"fcvt.d.w", "Ds"},  {"fcvt.d.wu", "Ds"},  {"fcvt.d.l", "Dsr"}, {"fcvt.d.lu", "Dsr"},
                            {"fcvt.w.h", "dSr"}, {"fcvt.wu.h", "dSr"}, {"fcvt.l.h", "dSr"}, {"fcvt.lu.h", "dSr"},
                            {"fcvt.h.w", "Dsr"}, {"fcvt.h.wu", "Dsr"}, {"fcvt.h.l", "Dsr"}, {"fcvt.h.lu", "Dsr"},
                            {"fcvt.s.d", "DSr"}, {"fcvt.d.s", "DS"},   {"fcvt.h.s", "DSr"}, {"fcvt.s.h", "DS"},
                            {"fcvt.h.d", "DSr"}, {"fcvt.d.h", "DS"},   {"fmv.x.w", "dS"},   {"fmv.x.d", "dS"},
                            {"fmv.x.h", "dS"},   {"fmv.w.x", "Ds"},    {"fmv.d.x", "Ds"},   {"fmv.h.x", "Ds"}};
const char* const kLoads[] = {"lb", "lh", "lw", "ld", "lbu", "lhu", "lwu", "flh", "flw", "fld"};
const char* const kStores[] = {"sb", "sh", "sw", "sd", "fsh", "fsw", "fsd"};
const char* const kAtomics[] = {"amoadd", "amoswap", "amoand",  "amoor",  "amoxor",
                                "amomin", "amomax",  "amominu", "amomaxu"};
const char* const kBranches[] = {"beq", "bne", "blt", "bge", "bltu", "bgeu"};
const char* const kCompressed[] = {"c.addi", "c.li",   "c.mv",   "c.add",  "c.sub",  "c.xor",  "c.or",
                                   "c.and",  "c.addw", "c.subw", "c.slli", "c.srli", "c.srai", "c.andi"};

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  void program(int blocks) {
    std::puts(".text\n.option norelax\n");
    for (int b = 0; b < blocks; ++b) block(b);
    std::puts(".section .rodata\n.balign 8\n.globl blocks\nblocks:");
    for (int b = 0; b < blocks; ++b) std::printf(" .quad block%d\n", b);
    std::puts(".quad 0");
  }

 private:
  static constexpr int kArena = 600, kArenaBytes = 256;  // of struct State in random.c

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  template <class T, std::size_t N>
  const T& pick(const T (&table)[N]) {
    return table[below(N)];
  }
  std::string destination() {  // all but sp, gp, tp (the state) and t6 (addresses)
    static const int usable[] = {1,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17,
                                 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30};
    return "x" + std::to_string(below(20) == 0 ? 0 : pick(usable));
  }
  std::string source() {
    const std::string name = destination();
    return name;
  }
  std::string floating() { return "f" + std::to_string(below(32)); }
  std::string low() { return "x" + std::to_string(8 + below(8)); }  // what compressed forms can name
  int offset(int bytes) { return kArena + static_cast<int>(below(static_cast<unsigned>(kArenaBytes / bytes))) * bytes; }
  static int widthOf(const std::string& mnemonic) {
    switch (mnemonic[mnemonic[0] == 'f' ? 2 : 1]) {
      case 'b':
        return 1;
      case 'h':
        return 2;
      case 'w':
        return 4;
      default:
        return 8;
    }
  }

  void pattern(const Pattern& p, const std::string& suffix) {
    static const char* const modes[] = {"rne", "rtz", "rdn", "rup", "rmm", "dyn"};
    std::string text;
    for (const char* c = p.operands; *c; ++c) {
      text += c == p.operands ? " " : ", ";
      switch (*c) {
        case 'd':
          text += destination();
          break;
        case 's':
        case 't':
          text += source();
          break;
        case 'D':
        case 'S':
        case 'T':
        case 'U':
          text += floating();
          break;
        case 'i':
          text += std::to_string(static_cast<int>(below(4096)) - 2048);
          break;
        case '6':
          text += std::to_string(below(64));
          break;
        case '5':
          text += std::to_string(below(32));
          break;
        case 'u':
          text += std::to_string(below(1 << 20));
          break;
        default:
          text += pick(modes);
          break;
      }
    }
    std::printf(" %s%s%s\n", p.mnemonic, suffix.c_str(), text.c_str());
  }

  void compressed() {
    const std::string name = pick(kCompressed);
    const std::string nonzero = "x" + std::to_string(5 + below(26));
    if (name == "c.addi" || name == "c.li")
      std::printf(" %s %s, %d\n", name.c_str(), nonzero.c_str(), 1 + static_cast<int>(below(31)));
    else if (name == "c.andi")
      std::printf(" %s %s, %d\n", name.c_str(), low().c_str(), static_cast<int>(below(64)) - 32);
    else if (name == "c.mv" || name == "c.add")
      std::printf(" %s %s, x%u\n", name.c_str(), nonzero.c_str(), 5 + below(26));
    else if (name == "c.slli")
      std::printf(" %s %s, %u\n", name.c_str(), nonzero.c_str(), 1 + below(63));
    else if (name == "c.srli" || name == "c.srai")
      std::printf(" %s %s, %u\n", name.c_str(), low().c_str(), 1 + below(63));
    else
      std::printf(" %s %s, %s\n", name.c_str(), low().c_str(), low().c_str());
  }

  void atomic() {
    const bool wide = below(2);
    const int at = offset(wide ? 8 : 4);
    const char width = wide ? 'd' : 'w';
    std::printf(" addi x31, tp, %d\n", at);
    static const char* const orders[] = {"", ".aq", ".rl", ".aqrl"};
    if (below(6) == 0) {
      std::printf(" lr.%c %s, (x31)\n", width, destination().c_str());
      std::printf(" sc.%c %s, %s, (x31)\n", width, destination().c_str(), source().c_str());
    } else {
      std::printf(" %s.%c%s %s, %s, (x31)\n", pick(kAtomics), width, pick(orders), destination().c_str(),
                  source().c_str());
    }
    std::puts(" li x31, 0");
  }

  void instruction() {
    static const char* const formats[] = {".s", ".d", ".h"};
    switch (below(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
        pattern(pick(kInteger), "");
        break;
      case 4:
      case 5:
        pattern(pick(kMultiply), "");
        break;
      case 6:
      case 7:
      case 8:
      case 9:
        pattern(pick(kFloat), pick(formats));
        break;
      case 10:
      case 11:
        pattern(pick(kConvert), "");
        break;
      case 12: {
        const std::string name = pick(kLoads);
        std::printf(" %s %s, %d(tp)\n", name.c_str(), (name[0] == 'f' ? floating() : destination()).c_str(),
                    offset(widthOf(name)));
        break;
      }
      case 13: {
        const std::string name = pick(kStores);
        std::printf(" %s %s, %d(tp)\n", name.c_str(), (name[0] == 'f' ? floating() : source()).c_str(),
                    offset(widthOf(name)));
        break;
      }
      case 14:
        compressed();
        break;
      default:
        if (below(3) == 0)
          std::printf(" fsrmi %s, %u\n", destination().c_str(), below(5));
        else if (below(3) == 0)
          std::printf(" csrrw %s, fflags, %s\n", destination().c_str(), source().c_str());
        else
          atomic();
        break;
    }
  }

  void block(int number) {
    std::printf(".globl block%d\nblock%d: j enter%d\nbody%d:\n", number, number, number, number);
    int label = 0;
    for (int i = 0; i < 60; ++i) {
      if (below(12) == 0) {
        std::printf(" %s %s, %s, skip%d_%d\n", pick(kBranches), source().c_str(), source().c_str(), number, label);
        for (unsigned k = 1 + below(3); k > 0; --k) instruction();
        std::printf("skip%d_%d:\n", number, label++);
      }
      instruction();
    }
    // x31 carries addresses in between; the state pointer came in a0 and stays in tp. Saved: ra, s0..s11 of the caller
    // on the stack.
    std::puts(" j leave");
    std::printf("enter%d: la t0, body%d\n j enter\n", number, number);
  }

  std::mt19937_64 random_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: forerun-random-program SEED BLOCKS\n");
    return 2;
  }
  Writer(static_cast<unsigned>(std::atoi(argv[1]))).program(std::atoi(argv[2]));
  return 0;
}
