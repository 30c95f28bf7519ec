//===- Vector.cpp - decode by MC name, and the checks before execution -----===//
// Holds the table of all vector instructions and turns MC operands into DecodedVector.
#include "simulator/core/instructions/Vector.h"

#include "simulator/core/instructions/VectorOperation.h"
#include "simulator/kernel/Error.h"

#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCRegisterInfo.h"

namespace forerun::sim::core {

bool hostHasSimd() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
#else
  return false;
#endif
}

VectorOperations::VectorOperations(bool simd) : simd_(simd) {
  addConfigOperations(*this);
  addIntegerOperations(*this);
  addMultiplyOperations(*this);
  addWideningOperations(*this);
  addFixedPointOperations(*this);
  addReduceOperations(*this);
  addFloatOperations(*this);
  addFloatCompareOperations(*this);
  addFloatWideningOperations(*this);
  addFloatReduceOperations(*this);
  addConvertOperations(*this);
  addMaskOperations(*this);
  addPermuteOperations(*this);
  addMemoryOperations(*this);
}

void VectorOperations::add(llvm::StringRef mcName, const VectorOperation& operation) {
  if (!byName_.try_emplace(mcName, operation).second)
    throw Error(ErrorKind::ModelBug, "vector instruction " + mcName.str() + " is defined twice");
}

const VectorOperation* VectorOperations::find(llvm::StringRef mcName) const {
  auto it = byName_.find(mcName);
  return it == byName_.end() ? nullptr : &it->second;
}

namespace {

const VectorOperations& operations() {
  static const VectorOperations table(hostHasSimd());
  return table;
}

VectorGroup group(OperandWidth width, unsigned first, const VectorOperation& operation) {
  VectorGroup g;
  g.first = static_cast<std::uint8_t>(first);
  g.width = width.width;
  g.shift = width.shift;
  g.registers = operation.registers;
  return g;
}

/// Reads the operands in the order of `operation.form`.
void readOperands(const VectorOperation& o, const llvm::MCInst& inst, const llvm::MCRegisterInfo& registers,
                  DecodedVector& d) {
  unsigned next = 0;
  auto number = [&] { return static_cast<std::uint8_t>(registers.getEncodingValue(inst.getOperand(next++).getReg())); };
  auto immediate = [&] { return inst.getOperand(next++).getImm(); };
  auto vd = [&] { d.vd = group(o.vd, number(), o); };
  auto vs1 = [&] { d.vs1 = group(o.vs1, number(), o); };
  auto vs2 = [&] { d.vs2 = group(o.vs2, number(), o); };
  auto x = [&](std::int8_t& where) { where = static_cast<std::int8_t>(number()); };
  switch (o.form) {
    case VectorForm::VV:
      vd(), vs2(), vs1();
      break;
    case VectorForm::VX:
      vd(), vs2(), x(d.xRead1);
      break;
    case VectorForm::VI:
      vd(), vs2(), d.immediate = immediate();
      break;
    case VectorForm::VF:
      vd(), vs2(), x(d.fRead);
      break;
    case VectorForm::MacVV:
      vd(), ++next, vs1(), vs2();
      break;
    case VectorForm::MacVX:
      vd(), ++next, x(d.xRead1), vs2();
      break;
    case VectorForm::MacVF:
      vd(), ++next, x(d.fRead), vs2();
      break;
    case VectorForm::Unary:
      vd(), vs2();
      break;
    case VectorForm::Nullary:
      vd();
      break;
    case VectorForm::SplatV:
      vd(), vs1();
      break;
    case VectorForm::SplatX:
      vd(), x(d.xRead1);
      break;
    case VectorForm::SplatI:
      vd(), d.immediate = immediate();
      break;
    case VectorForm::SplatF:
      vd(), x(d.fRead);
      break;
    case VectorForm::InsertX:
      vd(), ++next, x(d.xRead1);
      break;
    case VectorForm::InsertF:
      vd(), ++next, x(d.fRead);
      break;
    case VectorForm::ToX:
      x(d.xWritten), vs2();
      break;
    case VectorForm::ToF:
      x(d.fWritten), vs2();
      break;
    case VectorForm::Memory:
      vd(), x(d.xRead1);
      break;
    case VectorForm::Strided:
      vd(), x(d.xRead1), x(d.xRead2);
      break;
    case VectorForm::Indexed:
      vd(), x(d.xRead1), vs2();
      break;
    case VectorForm::SetVli:
      x(d.xWritten), x(d.xRead1), d.immediate = immediate();
      break;
    case VectorForm::SetIvli:
      x(d.xWritten), d.immediate2 = immediate(), d.immediate = immediate();
      break;
    case VectorForm::SetVl:
      x(d.xWritten), x(d.xRead1), x(d.xRead2);
      break;
  }
  // What is left is the mask: v0, or no register when unmasked.
  if (next < inst.getNumOperands() && inst.getOperand(next).isReg() && inst.getOperand(next).getReg().isValid())
    (o.carry ? d.readsV0 : d.masked) = true;
  d.readsV0 |= d.masked;
}

}  // namespace

bool decodeVector(llvm::StringRef mcName, const llvm::MCInst& inst, const llvm::MCRegisterInfo& registers,
                  DecodedVector& decoded) {
  return mcName.starts_with("V") && decodeVectorWith(operations(), mcName, inst, registers, decoded);
}

bool decodeVectorWith(const VectorOperations& table, llvm::StringRef mcName, const llvm::MCInst& inst,
                      const llvm::MCRegisterInfo& registers, DecodedVector& decoded) {
  const VectorOperation* o = table.find(mcName);
  if (!o) return false;
  DecodedVector d;
  d.executor = o->executor;
  d.operation = o;
  d.kind = o->kind;
  d.access = o->access;
  d.readsDestination = o->readsDestination;
  d.floatingPoint = o->floatingPoint;
  readOperands(*o, inst, registers, d);
  d.vd.fields = o->fields;
  d.writesVector = d.vd.used() && o->kind != VectorKind::Store;
  d.needsVtype = o->kind != VectorKind::Config && o->access != VectorAccess::WholeRegister;
  decoded = d;
  return true;
}

bool isUnsupportedVector(llvm::StringRef mcName) {
  // Zvbb, Zvbc, Zvkg, Zvkned, Zvknh, Zvksed, Zvksh (crypto); Zvqdotq; Zvfofp8min; XVentanaCondOps, whose names also
  // start with V.
  static constexpr llvm::StringLiteral kPrefixes[] = {
      "VAES",  "VANDN_", "VBREV",  "VCLMUL",       "VCLZ_",       "VCPOP_V",         "VCTZ_",
      "VGHSH", "VGMUL",  "VQDOT",  "VREV8_",       "VROL_",       "VROR_",           "VSHA2",
      "VSM3",  "VSM4",   "VWSLL_", "VFNCVT_F_F_Q", "VFNCVT_SAT_", "VFNCVTBF16_SAT_", "VT_MASKC"};
  if (operations().find(mcName)) return false;
  for (llvm::StringRef prefix : kPrefixes)
    if (mcName.starts_with(prefix)) return true;
  return false;
}

void execute(VectorContext& context, const DecodedVector& decoded) {
  VectorState& v = context.v;
  if (decoded.legalVtype != v.vtype) [[unlikely]] {
    if (v.vlenBits == 0) throw Error(ErrorKind::IllegalProgram, "vector instruction on a hart without a vector unit");
    checkLegal(decoded, operationOf(decoded), v.vtype);
    decoded.legalVtype = v.vtype;
    decoded.direct = runsDirectly(decoded, operationOf(decoded), v.vtype);
  }
  if (v.vstart != 0 && operationOf(decoded).zeroVstart) [[unlikely]]
    refuse("vstart is " + std::to_string(v.vstart) + ", but this instruction needs 0");
  if (decoded.floatingPoint && context.frm > 4) [[unlikely]]
    refuse("vector floating-point instruction with reserved rounding mode " + std::to_string(context.frm));
  decoded.executor(context, decoded);
  v.vstart = 0;
}

}  // namespace forerun::sim::core
