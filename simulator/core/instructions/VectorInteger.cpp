//===- VectorInteger.cpp - single-width integer arithmetic ------------------===//
// Add, logic, shifts, minimum and maximum, comparisons, carries, merge and splat (V 1.0, sections 11.1, 11.4
// to 11.9, 11.15, 11.16).
#include "simulator/core/instructions/VectorKernels.h"
#include "simulator/core/instructions/VectorRegister.h"

// clang-format off: one operation a line, as a table

namespace forerun::sim::core {

namespace {

// a is vs2, b is vs1 or the scalar; elements come as unsigned types.
struct Add { template <class T> FORERUN_INLINE T apply(T a, T b) { return static_cast<T>(a + b); } };
struct Sub { template <class T> FORERUN_INLINE T apply(T a, T b) { return static_cast<T>(a - b); } };
struct ReverseSub { template <class T> FORERUN_INLINE T apply(T a, T b) { return static_cast<T>(b - a); } };
struct And { template <class T> FORERUN_INLINE T apply(T a, T b) { return a & b; } };
struct Or { template <class T> FORERUN_INLINE T apply(T a, T b) { return a | b; } };
struct Xor { template <class T> FORERUN_INLINE T apply(T a, T b) { return a ^ b; } };
struct MinUnsigned { template <class T> FORERUN_INLINE T apply(T a, T b) { return a < b ? a : b; } };
struct MaxUnsigned { template <class T> FORERUN_INLINE T apply(T a, T b) { return a > b ? a : b; } };
struct MinSigned { template <class T> FORERUN_INLINE T apply(T a, T b) { return static_cast<Signed<T>>(a) < static_cast<Signed<T>>(b) ? a : b; } };
struct MaxSigned { template <class T> FORERUN_INLINE T apply(T a, T b) { return static_cast<Signed<T>>(a) > static_cast<Signed<T>>(b) ? a : b; } };
// Shift amounts use the low log2(SEW) bits.
struct ShiftLeft { template <class T> FORERUN_INLINE T apply(T a, T b) { return static_cast<T>(a << (b & (8 * sizeof(T) - 1))); } };
struct ShiftRight { template <class T> FORERUN_INLINE T apply(T a, T b) { return static_cast<T>(a >> (b & (8 * sizeof(T) - 1))); } };
struct ShiftRightSigned {
  template <class T> FORERUN_INLINE T apply(T a, T b) { return static_cast<T>(static_cast<Signed<T>>(a) >> (b & (8 * sizeof(T) - 1))); }
};

struct Equal { template <class T> FORERUN_INLINE bool apply(T a, T b) { return a == b; } };
struct NotEqual { template <class T> FORERUN_INLINE bool apply(T a, T b) { return a != b; } };
struct LessUnsigned { template <class T> FORERUN_INLINE bool apply(T a, T b) { return a < b; } };
struct LessSigned { template <class T> FORERUN_INLINE bool apply(T a, T b) { return static_cast<Signed<T>>(a) < static_cast<Signed<T>>(b); } };
struct LessEqualUnsigned { template <class T> FORERUN_INLINE bool apply(T a, T b) { return a <= b; } };
struct LessEqualSigned { template <class T> FORERUN_INLINE bool apply(T a, T b) { return static_cast<Signed<T>>(a) <= static_cast<Signed<T>>(b); } };
struct GreaterUnsigned { template <class T> FORERUN_INLINE bool apply(T a, T b) { return a > b; } };
struct GreaterSigned { template <class T> FORERUN_INLINE bool apply(T a, T b) { return static_cast<Signed<T>>(a) > static_cast<Signed<T>>(b); } };

struct AddCarry { template <class T> FORERUN_INLINE T apply(T a, T b, T c) { return static_cast<T>(a + b + c); } };
struct SubBorrow { template <class T> FORERUN_INLINE T apply(T a, T b, T c) { return static_cast<T>(a - b - c); } };
struct CarryOut {
  template <class T> FORERUN_INLINE bool apply(T a, T b, T c) {
    const T sum = static_cast<T>(a + b);
    return (sum < a) | (static_cast<T>(sum + c) < sum);
  }
};
struct BorrowOut { template <class T> FORERUN_INLINE bool apply(T a, T b, T c) { return (a < b) | ((a == b) & (c != 0)); } };
struct Merge { template <class T> FORERUN_INLINE T apply(T a, T b, T mask) { return mask ? b : a; } };

/// vmv.v.*: b alone.
template <class Op, class T>
struct SplatBody {
  FORERUN_INLINE void run(void* dp, const void*, const void* bp, std::size_t n, ElementwiseState&) { __builtin_memmove(dp, bp, n * sizeof(T)); }
};
struct Splat {};

struct Adder {
  VectorOperations& table;

  template <class Op> void binary(const char* name, std::initializer_list<FormSuffix> forms) {
    addForms(table, name, elementwise(VectorKind::IntAlu, kernelsBySew<Same, Op>(table.simd())), forms);
  }
  template <class Op> void compare(const char* name, std::initializer_list<FormSuffix> forms) {
    VectorOperation o = elementwise(VectorKind::IntAlu, kernelsBySew<ToMask, Op>(table.simd()));
    o.vd = kBits;
    addForms(table, name, o, forms);
  }
  template <class Op> void carry(const char* name, std::initializer_list<FormSuffix> forms) {
    VectorOperation o = elementwise(VectorKind::IntAlu, kernelsBySew<SameCarry, Op>(table.simd()));
    o.carry = true;
    addForms(table, name, o, forms);
  }
  template <class Op> void carryOut(const char* name, std::initializer_list<FormSuffix> forms) {
    VectorOperation o = elementwise(VectorKind::IntAlu, kernelsBySew<ToMaskCarry, Op>(table.simd()));
    o.vd = kBits;
    o.carry = true;
    addForms(table, name, o, forms);
  }
};

}  // namespace

void addIntegerOperations(VectorOperations& table) {
  Adder add{table};
  add.binary<Add>("VADD", {kVV, kVX, kVI});
  add.binary<Sub>("VSUB", {kVV, kVX});
  add.binary<ReverseSub>("VRSUB", {kVX, kVI});
  add.binary<And>("VAND", {kVV, kVX, kVI});
  add.binary<Or>("VOR", {kVV, kVX, kVI});
  add.binary<Xor>("VXOR", {kVV, kVX, kVI});
  add.binary<ShiftLeft>("VSLL", {kVV, kVX, kVI});
  add.binary<ShiftRight>("VSRL", {kVV, kVX, kVI});
  add.binary<ShiftRightSigned>("VSRA", {kVV, kVX, kVI});
  add.binary<MinUnsigned>("VMINU", {kVV, kVX});
  add.binary<MinSigned>("VMIN", {kVV, kVX});
  add.binary<MaxUnsigned>("VMAXU", {kVV, kVX});
  add.binary<MaxSigned>("VMAX", {kVV, kVX});

  add.compare<Equal>("VMSEQ", {kVV, kVX, kVI});
  add.compare<NotEqual>("VMSNE", {kVV, kVX, kVI});
  add.compare<LessUnsigned>("VMSLTU", {kVV, kVX});
  add.compare<LessSigned>("VMSLT", {kVV, kVX});
  add.compare<LessEqualUnsigned>("VMSLEU", {kVV, kVX, kVI});
  add.compare<LessEqualSigned>("VMSLE", {kVV, kVX, kVI});
  add.compare<GreaterUnsigned>("VMSGTU", {kVX, kVI});
  add.compare<GreaterSigned>("VMSGT", {kVX, kVI});

  const FormSuffix vvm{"VVM", VectorForm::VV}, vxm{"VXM", VectorForm::VX}, vim{"VIM", VectorForm::VI};
  add.carry<AddCarry>("VADC", {vvm, vxm, vim});
  add.carry<SubBorrow>("VSBC", {vvm, vxm});
  add.carryOut<CarryOut>("VMADC", {vvm, vxm, vim, kVV, kVX, kVI});
  add.carryOut<BorrowOut>("VMSBC", {vvm, vxm, kVV, kVX});

  VectorOperation merge = elementwise(VectorKind::Move, kernelsBySew<SameCarry, Merge>(table.simd()));
  merge.carry = true;
  addForms(table, "VMERGE", merge, {vvm, vxm, vim});
  merge.sewMask = kSew16To64;
  merge.floatingPoint = true;
  addForms(table, "VFMERGE", merge, {{"VFM", VectorForm::VF}});

  VectorOperation splat = elementwise(VectorKind::Move, kernelsBySew<SplatBody, Splat>(table.simd()));
  splat.vs2 = kNone;
  addForms(table, "VMV_V", splat, {{"V", VectorForm::SplatV}, {"X", VectorForm::SplatX}, {"I", VectorForm::SplatI}});
  splat.sewMask = kSew16To64;
  splat.floatingPoint = true;
  addForms(table, "VFMV_V", splat, {{"F", VectorForm::SplatF}});
}

}  // namespace forerun::sim::core
