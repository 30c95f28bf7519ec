//===- VectorOracleTest.cpp - vector instructions against QEMU --------------===//
// Random encodings and operands of every decoded mnemonic: registers, memory, flags, vl and whether the instruction
// traps must be the same. Tail and inactive elements are compared too, because both sides leave them undisturbed. bf16,
// which QEMU 7.2 lacks, is tested elsewhere.
#include "simulator/kernel/Error.h"
#include "tests/simulator/core/VectorOracle.h"
#include "tests/simulator/core/VectorTestHart.h"

#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <random>

namespace forerun::sim::core {
namespace {

using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t n) { return random() % n; }

/// Bits of a float of `width` that exercise corners: zeros, subnormals, infinities, NaNs, near one, random.
std::uint64_t floatBits(Random& random, unsigned width) {
  const int fraction = width == 16 ? 10 : width == 32 ? 23 : 52;
  const std::uint64_t sign = (random() & 1) << (width - 1), mask = (std::uint64_t{1} << fraction) - 1;
  const std::uint64_t ones = (std::uint64_t{1} << (width - 1 - fraction)) - 1;  // exponent field
  const std::uint64_t one = ones / 2;
  const std::uint64_t value = random();
  switch (below(random, 12)) {
    case 0:
      return sign;
    case 1:
      return sign | (value & mask);  // subnormal
    case 2:
      return sign | ones << fraction;  // infinity
    case 3:
      return sign | ones << fraction | (value & mask) | 1;  // some NaN
    case 4:
      return sign | (one + below(random, 2)) << fraction;  // a power of two
    case 5:
      return sign | one << fraction | (below(random, 2) ? mask : below(random, 4));
    case 6:
      return sign | (ones - 1) << fraction | mask;  // largest
    case 7:
      return sign | below(random, 4) << fraction | (value & mask);  // near subnormals
    case 8:
    case 9:
      return sign | (one - 6 + below(random, 12)) << fraction | (value & mask);
    default:
      return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
  }
}
std::uint64_t intBits(Random& random, unsigned width) {
  const std::uint64_t top = std::uint64_t{1} << (width - 1);
  switch (below(random, 6)) {
    case 0:
      return below(random, 4);
    case 1:
      return ~std::uint64_t{0} - below(random, 3);
    case 2:
      return top - 2 + below(random, 4);
    case 3:
      return below(random, 2 * width + 2);
    default:
      return random();
  }
}

void put(std::uint8_t* to, std::uint64_t value, unsigned width) { std::memcpy(to, &value, width / 8); }

/// Operand kinds are compared with those of known instructions, because LLVM keeps their numbers private.
struct OperandKinds {
  unsigned simm5, mask;
};
OperandKinds operandKinds() {
  const llvm::MCInstrInfo& info = vectorTarget().instructions();
  for (unsigned opcode = 0; opcode < info.getNumOpcodes(); ++opcode)
    if (info.getName(opcode) == "VADD_VI")
      return {info.get(opcode).operands()[2].OperandType, info.get(opcode).operands()[3].OperandType};
  std::abort();
}

struct Generator {
  Random& random;
  std::uint32_t vlenBits;
  OperandKinds kinds = operandKinds();

  llvm::MCRegister vectorRegister(int regClass, bool friendly) {
    const llvm::MCRegisterClass& c = vectorTarget().registers().getRegClass(static_cast<unsigned>(regClass));
    // Groups start at multiples of LMUL, so these are frequent.
    std::uint64_t number = below(random, c.getNumRegs());
    if (friendly && c.getNumRegs() >= 31) number &= ~((1u << below(random, 4)) - 1);
    for (llvm::MCPhysReg r : c)
      if (vectorTarget().registers().getEncodingValue(r) == number * (32 / c.getNumRegs())) return r;
    return c.getRegister(0);
  }

  /// A random instance of `opcode`; xd and fd are 12, scalar sources 10, strides 11.
  llvm::MCInst instance(unsigned opcode, bool& masked) {
    const llvm::MCInstrInfo& info = vectorTarget().instructions();
    const llvm::MCRegisterInfo& registers = vectorTarget().registers();
    const llvm::MCInstrDesc& desc = info.get(opcode);
    llvm::MCInst inst;
    inst.setOpcode(opcode);
    unsigned scalars = 0;
    for (unsigned i = 0; i < desc.getNumOperands(); ++i) {
      const llvm::MCOperandInfo& operand = desc.operands()[i];
      if (const int tied = desc.getOperandConstraint(i, llvm::MCOI::TIED_TO); tied >= 0) {
        inst.addOperand(inst.getOperand(static_cast<unsigned>(tied)));
      } else if (operand.OperandType == kinds.mask && i + 1 == desc.getNumOperands()) {
        masked = below(random, 2);
        inst.addOperand(llvm::MCOperand::createReg(masked ? registerNamed("V0") : llvm::MCRegister()));
      } else if (operand.RegClass >= 0) {
        const llvm::StringRef name = registers.getRegClassName(&registers.getRegClass(operand.RegClass));
        if (name.starts_with("VR"))
          inst.addOperand(llvm::MCOperand::createReg(vectorRegister(operand.RegClass, true)));
        else if (name.starts_with("VMV0"))
          inst.addOperand(llvm::MCOperand::createReg(registerNamed("V0")));
        else if (name.starts_with("FPR"))
          inst.addOperand(llvm::MCOperand::createReg(registerNamed(i < desc.getNumDefs() ? "F12_F" : "F10_F")));
        else
          inst.addOperand(llvm::MCOperand::createReg(registerNamed(i < desc.getNumDefs() ? "X12"
                                                                   : scalars++           ? "X11"
                                                                                         : "X10")));
      } else {
        const bool isSigned = operand.OperandType == kinds.simm5;
        inst.addOperand(llvm::MCOperand::createImm(isSigned ? static_cast<std::int64_t>(below(random, 32)) - 16
                                                            : static_cast<std::int64_t>(below(random, 32))));
      }
    }
    return inst;
  }

  llvm::MCRegister registerNamed(llvm::StringRef name) {
    const llvm::MCRegisterInfo& registers = vectorTarget().registers();
    for (unsigned r = 1; r < registers.getNumRegs(); ++r)
      if (name == registers.getName(r)) return r;
    ADD_FAILURE() << "no register " << name.str();
    return {};
  }
};

struct Candidate {
  OracleCase oracle;
  std::string text, name;
  std::uint32_t modelWord = 0;  ///< differs from what the oracle runs for conversions with a fixed rounding mode
  std::uint64_t modelFrm = 0;
};

unsigned opcodeNamed(llvm::StringRef name) {
  const llvm::MCInstrInfo& info = vectorTarget().instructions();
  for (unsigned opcode = 0; opcode < info.getNumOpcodes(); ++opcode)
    if (info.getName(opcode) == name) return opcode;
  std::abort();
}

/// A case for `opcode`: random state and one instruction.
Candidate makeCase(Generator& g, unsigned opcode) {
  Random& random = g.random;
  Candidate c;
  bool masked = false;
  const llvm::MCInst inst = g.instance(opcode, masked);
  c.name = vectorTarget().instructions().getName(opcode).str();
  c.text = vectorTarget().print(inst);
  DecodedVector decoded;
  EXPECT_TRUE(decodeVector(c.name, inst, vectorTarget().registers(), decoded));
  OracleRecord& r = c.oracle.record;
  r.words = 1;
  r.code[0] = c.modelWord = vectorTarget().encode(inst);
  std::uint64_t limit = 0;
  do {
    r.vtype = below(random, 32);
    limit = vlmax(g.vlenBits, r.vtype);
  } while (limit == 0);
  const std::uint64_t lengths[] = {0, 1, limit, limit, limit - 1, below(random, limit + 1), below(random, limit + 1)};
  r.avl = lengths[below(random, std::size(lengths))];
  r.vstart = below(random, 16) == 0 && r.avl > 0 ? below(random, r.avl) : 0;
  r.frm = below(random, 40) == 0 ? 5 : below(random, 5);
  c.modelFrm = r.frm;
  if (const std::size_t at = c.name.find("RTZ_"); at != std::string::npos) {
    // QEMU 7.2 stops with a failed assertion on these: give it the conversion by frm instead.
    llvm::MCInst dynamic = inst;
    dynamic.setOpcode(opcodeNamed(std::string(c.name).erase(at, 4)));
    r.code[0] = vectorTarget().encode(dynamic);
    if (r.frm < 5) r.frm = 1;
  }
  r.vxrm = below(random, 4);
  const unsigned sew = sewBits(r.vtype);
  r.x10 = intBits(random, sew);
  r.x11 = intBits(random, sew);
  r.f10 = sew == 64 ? floatBits(random, 64)
                    : floatBits(random, sew < 16 ? 16 : sew) | ~std::uint64_t{0} << (sew < 16 ? 16 : sew);
  if (below(random, 16) == 0) r.f10 &= ~(std::uint64_t{1} << 60);  // not NaN-boxed

  c.oracle.registers.resize(4 * g.vlenBits);
  const bool floats = decoded.floatingPoint || below(random, 4) == 0;
  const unsigned width = floats && sew < 16 ? 16 : floats && sew < 64 && below(random, 3) == 0 ? 2 * sew : sew;
  for (std::size_t at = 0; at < c.oracle.registers.size(); at += width / 8)
    put(c.oracle.registers.data() + at, floats ? floatBits(random, width) : intBits(random, width), width);
  for (std::size_t at = 0; at < g.vlenBits / 8; at += 8)
    put(c.oracle.registers.data() + at, random(), 64);  // v0: a mask

  if (decoded.access != VectorAccess::None) {
    r.usesWindow = 1;
    c.oracle.window.resize(kOracleWindowBytes);
    for (std::size_t at = 0; at < kOracleWindowBytes; at += 8) put(c.oracle.window.data() + at, random(), 64);
    const unsigned bytes = decoded.access == VectorAccess::WholeRegister || decoded.access == VectorAccess::Mask
                               ? 8
                               : decoded.vd.elementBits(r.vtype) / 8;
    r.x10 = below(random, 8) * bytes;
    const unsigned segment = bytes * decoded.vd.fields;
    if (decoded.access == VectorAccess::Strided) {
      r.avl = std::min<std::uint64_t>(r.avl, 48);
      r.vstart = 0;
      const std::uint64_t strides[] = {0, bytes, segment, 2 * segment, ~std::uint64_t{0} - bytes + 1};
      r.x11 = strides[below(random, std::size(strides))];
      if (r.x11 >> 63) r.x10 = 48 * bytes;
    } else if (decoded.access == VectorAccess::Indexed) {
      // Offsets that stay inside, whatever the group is.
      const unsigned indexBytes = decoded.vs2.elementBits(r.vtype) / 8;
      for (std::size_t at = decoded.vs2.first * g.vlenBits / 8; at < c.oracle.registers.size(); at += indexBytes)
        put(c.oracle.registers.data() + at, below(random, indexBytes == 1 ? 256 / bytes : 2048 / bytes) * bytes,
            8 * indexBytes);
    } else {
      // At most 8 registers and 8 segments of 8 bytes from the start.
      static_assert(8 * 128 * 2 < kOracleWindowBytes);
    }
  }
  return c;
}

/// Runs the case on the model; the result in the oracle's terms.
OracleOutcome runModel(VectorTestHart& hart, const Candidate& candidate) {
  const OracleCase& c = candidate.oracle;
  VectorState& v = hart.v;
  std::copy(c.registers.begin(), c.registers.end(), v.registers.begin());
  v.vtype = c.record.vtype;
  v.vl = std::min(c.record.avl, vlmax(v.vlenBits, v.vtype));
  v.vstart = c.record.vstart;
  v.vxrm = static_cast<std::uint8_t>(c.record.vxrm);
  v.vxsat = false;
  hart.frm = static_cast<std::uint8_t>(candidate.modelFrm);
  hart.fflags = 0;
  hart.x[10] = c.record.x10 + (c.record.usesWindow ? VectorTestHart::kMemory : 0);
  hart.x[11] = c.record.x11;
  hart.x[12] = 0;
  hart.f[10] = c.record.f10;
  hart.f[12] = 0;
  if (c.record.usesWindow) std::copy(c.window.begin(), c.window.end(), hart.memory());
  OracleOutcome o;
  for (std::uint64_t word = 0; word < c.record.words; ++word) {
    try {
      hart.run(c.record.words == 1 ? candidate.modelWord : c.record.code[word]);
    } catch (const Error&) {
      ++o.result.traps;
    }
  }
  o.result.vl = v.vl;
  o.result.fflags = hart.fflags;
  o.result.vxsat = v.vxsat;
  o.result.x12 = hart.x[12];
  o.result.f12 = hart.f[12];
  o.result.vtype = v.vtype;
  o.registers.assign(v.registers.begin(), v.registers.begin() + static_cast<std::ptrdiff_t>(c.registers.size()));
  if (c.record.usesWindow) o.window.assign(hart.memory(), hart.memory() + kOracleWindowBytes);
  return o;
}

std::string difference(const OracleOutcome& model, const OracleOutcome& qemu, std::uint32_t vlenBits,
                       std::uint64_t words = 1) {
  const auto field = [](const char* name, std::uint64_t a, std::uint64_t b) {
    return a == b ? std::string() : std::string(name) + " " + std::to_string(a) + ", QEMU " + std::to_string(b) + "; ";
  };
  std::string text = field("traps", model.result.traps, qemu.result.traps);
  if (!text.empty() || (model.result.traps && words == 1)) return text;
  text += field("vl", model.result.vl, qemu.result.vl) + field("fflags", model.result.fflags, qemu.result.fflags) +
          field("vxsat", model.result.vxsat, qemu.result.vxsat) + field("x12", model.result.x12, qemu.result.x12) +
          field("f12", model.result.f12, qemu.result.f12);
  for (std::size_t i = 0; i < model.registers.size(); ++i)
    if (model.registers[i] != qemu.registers[i])
      return text + "v" + std::to_string(8 * i / vlenBits) + " byte " + std::to_string(i % (vlenBits / 8)) + " is " +
             std::to_string(model.registers[i]) + ", QEMU " + std::to_string(qemu.registers[i]) + "; ";
  for (std::size_t i = 0; i < model.window.size(); ++i)
    if (model.window[i] != qemu.window[i]) return text + "memory byte " + std::to_string(i) + "; ";
  return text;
}

std::vector<unsigned> decodedOpcodes() {
  const llvm::MCInstrInfo& info = vectorTarget().instructions();
  std::vector<unsigned> opcodes;
  for (unsigned opcode = 0; opcode < info.getNumOpcodes(); ++opcode) {
    const llvm::StringRef name = info.getName(opcode);
    if (!name.starts_with("V") || info.get(opcode).isPseudo() || isUnsupportedVector(name) || name.contains("BF16") ||
        name.starts_with("VSET"))
      continue;
    opcodes.push_back(opcode);
  }
  return opcodes;
}

class VectorOracle : public testing::TestWithParam<std::uint32_t> {};

TEST_P(VectorOracle, EveryInstructionDoesWhatQemuDoes) {
  if (const std::string missing = oracleMissing(); !missing.empty()) GTEST_SKIP() << missing;
  const std::uint32_t vlenBits = GetParam();
  Random random(vlenBits);
  Generator generator{random, vlenBits};
  constexpr unsigned kTriesPerOpcode = 600;
  std::vector<Candidate> candidates;
  std::vector<OracleOutcome> model, baseline;
  VectorTestHart hart(vlenBits), plain(vlenBits, false);
  for (unsigned opcode : decodedOpcodes()) {
    // Floats have more corners.
    const llvm::StringRef name = vectorTarget().instructions().getName(opcode);
    const unsigned wanted = name.starts_with("VF") || name.starts_with("VMF") ? 16 : name.contains("SEG") ? 3 : 6;
    unsigned legal = 0, trapping = 0;
    for (unsigned attempt = 0; attempt < kTriesPerOpcode && legal < wanted; ++attempt) {
      Candidate c = makeCase(generator, opcode);
      OracleOutcome o = runModel(hart, c);
      // Refused encodings are mostly alike: a few of them suffice.
      if (o.result.traps ? ++trapping > 4 : false) continue;
      legal += !o.result.traps;
      baseline.push_back(runModel(plain, c));
      candidates.push_back(std::move(c));
      model.push_back(std::move(o));
    }
    EXPECT_EQ(legal, wanted) << vectorTarget().instructions().getName(opcode).str();
  }
  std::vector<OracleCase> cases;
  for (const Candidate& c : candidates) cases.push_back(c.oracle);
  const std::vector<OracleOutcome> qemu = runOracle(vlenBits, cases);
  std::map<std::string, unsigned> failures;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::string text = difference(model[i], qemu[i], vlenBits);
    if (text.empty() && !(text = difference(baseline[i], qemu[i], vlenBits)).empty()) text += "(kernels without SIMD)";
    if (text.empty()) continue;
    if (++failures[candidates[i].name] > 2) continue;
    const OracleRecord& r = cases[i].record;
    ADD_FAILURE() << candidates[i].name << candidates[i].text << " SEW " << sewBits(r.vtype) << " LMUL 2^"
                  << lmulLog2(r.vtype) << " avl " << r.avl << " vstart " << r.vstart << " frm "
                  << candidates[i].modelFrm << " vxrm " << r.vxrm << ": " << text;
  }
  std::printf("%zu cases at VLEN %u, %zu mnemonics differ\n", cases.size(), vlenBits, failures.size());
}

/// The first instruction of a sequence after which the states differ, with the state before it.
std::string firstDifference(const Candidate& sequence, std::uint32_t vlenBits) {
  std::vector<OracleCase> prefixes;
  for (std::uint64_t words = 0; words <= sequence.oracle.record.words; ++words) {
    prefixes.push_back(sequence.oracle);
    prefixes.back().record.words = words;
  }
  const std::vector<OracleOutcome> qemu = runOracle(vlenBits, prefixes);
  for (std::size_t i = 1; i < prefixes.size(); ++i) {
    Candidate candidate = sequence;
    candidate.oracle.record.words = i;
    if (i == 1) candidate.modelWord = candidate.oracle.record.code[0];
    VectorTestHart hart(vlenBits);
    if (difference(runModel(hart, candidate), qemu[i], vlenBits, 8).empty()) continue;
    const llvm::MCInst inst = *vectorTarget().disassemble(sequence.oracle.record.code[i - 1]);
    DecodedVector d;
    decodeVector(vectorTarget().instructions().getName(inst.getOpcode()), inst, vectorTarget().registers(), d);
    std::string text = "first at " + vectorTarget().print(inst) + "; before:";
    for (const VectorGroup& g : {d.vd, d.vs1, d.vs2, VectorGroup{}}) {
      text += " v" + std::to_string(g.first) + "=";
      for (unsigned byte = 8; byte-- > 0;) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", qemu[i - 1].registers[g.first * vlenBits / 8 + byte]);
        text += digits;
      }
    }
    return text;
  }
  return "no prefix differs";
}

/// Arithmetic of several instructions that build on each other's results; words that the model refuses are skipped by
/// both sides.
TEST_P(VectorOracle, SequencesLeaveWhatQemuLeaves) {
  if (const std::string missing = oracleMissing(); !missing.empty()) GTEST_SKIP() << missing;
  const std::uint32_t vlenBits = GetParam();
  Random random(vlenBits + 1);
  Generator generator{random, vlenBits};
  std::vector<unsigned> opcodes;
  for (unsigned opcode : decodedOpcodes()) {
    const llvm::StringRef name = vectorTarget().instructions().getName(opcode);
    // Memory is left out: addresses and indices would be whatever was computed before.
    if (!vectorTarget().instructions().get(opcode).mayLoad() && !vectorTarget().instructions().get(opcode).mayStore() &&
        !name.contains("RTZ_"))
      opcodes.push_back(opcode);
  }
  constexpr unsigned kSequences = 600;
  std::vector<Candidate> candidates;
  std::vector<OracleOutcome> model;
  VectorTestHart hart(vlenBits);
  for (unsigned i = 0; i < kSequences; ++i) {
    Candidate first;
    do first = makeCase(generator, opcodes[below(random, opcodes.size())]);
    while (first.oracle.record.usesWindow || first.oracle.record.frm > 4 || first.oracle.record.vstart);
    OracleRecord& r = first.oracle.record;
    r.words = 8;
    for (unsigned word = 0; word < 8; ++word) {
      bool masked;
      const llvm::MCInst inst = generator.instance(opcodes[below(random, opcodes.size())], masked);
      r.code[word] = vectorTarget().encode(inst);
      first.text += ";" + vectorTarget().print(inst);
    }
    model.push_back(runModel(hart, first));
    candidates.push_back(std::move(first));
  }
  std::vector<OracleCase> cases;
  for (const Candidate& c : candidates) cases.push_back(c.oracle);
  const std::vector<OracleOutcome> qemu = runOracle(vlenBits, cases);
  unsigned executed = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    executed += 8 - static_cast<unsigned>(model[i].result.traps);
    const std::string text = difference(model[i], qemu[i], vlenBits, 8);
    if (text.empty()) continue;
    const OracleRecord& r = cases[i].record;
    ADD_FAILURE() << text << firstDifference(candidates[i], vlenBits) << " SEW " << sewBits(r.vtype) << " LMUL 2^"
                  << lmulLog2(r.vtype) << " avl " << r.avl << " frm " << r.frm;
  }
  EXPECT_GT(executed, kSequences);
  std::printf("%u sequences, %u instructions executed at VLEN %u\n", kSequences, executed, vlenBits);
}

INSTANTIATE_TEST_SUITE_P(Vlen, VectorOracle, testing::Values(128u, 512u, 1024u),
                         [](const auto& info) { return std::to_string(info.param); });

}  // namespace
}  // namespace forerun::sim::core
