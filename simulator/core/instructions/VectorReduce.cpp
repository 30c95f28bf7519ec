//===- VectorReduce.cpp - integer reductions --------------------------------===//
// V 1.0, sections 14.1 and 14.2. Float reductions are in VectorFloatReduce.cpp.
#include "simulator/core/instructions/VectorElementwise.h"
#include "simulator/core/instructions/VectorKernels.h"

#include <utility>

// clang-format off: one operation a line, as a table

namespace forerun::sim::core {

namespace {

struct Sum { template <class T> FORERUN_INLINE T apply(T a, T b) { return static_cast<T>(a + b); } };
struct And { template <class T> FORERUN_INLINE T apply(T a, T b) { return a & b; } };
struct Or { template <class T> FORERUN_INLINE T apply(T a, T b) { return a | b; } };
struct Xor { template <class T> FORERUN_INLINE T apply(T a, T b) { return a ^ b; } };
struct MinUnsigned { template <class T> FORERUN_INLINE T apply(T a, T b) { return a < b ? a : b; } };
struct MaxUnsigned { template <class T> FORERUN_INLINE T apply(T a, T b) { return a > b ? a : b; } };
struct MinSigned { template <class T> FORERUN_INLINE T apply(T a, T b) { return static_cast<Signed<T>>(a) < static_cast<Signed<T>>(b) ? a : b; } };
struct MaxSigned { template <class T> FORERUN_INLINE T apply(T a, T b) { return static_cast<Signed<T>>(a) > static_cast<Signed<T>>(b) ? a : b; } };

/// vd[0] = vs1[0] op all active vs2; D is the accumulator, S the element, signed where it is sign-extended.
template <class Op, class D, class S>
void reduce(VectorContext& c, const DecodedVector& d) {
  VectorState& v = c.v;
  if (v.vl == 0) return;
  D result;
  __builtin_memcpy(&result, v.reg(d.vs1.first), sizeof(D));
  const S* source = reinterpret_cast<const S*>(v.reg(d.vs2.first));
  if (!d.masked) {
    for (std::size_t i = 0; i < v.vl; ++i) result = Op::apply(result, static_cast<D>(source[i]));
  } else {
    const std::uint8_t* mask = v.reg(0);
    for (std::size_t i = 0; i < v.vl; ++i)
      if (maskBit(mask, i)) result = Op::apply(result, static_cast<D>(source[i]));
  }
  __builtin_memcpy(v.reg(d.vd.first), &result, sizeof(D));
}

using u8 = std::uint8_t; using u16 = std::uint16_t; using u32 = std::uint32_t; using u64 = std::uint64_t;
using s8 = std::int8_t; using s16 = std::int16_t; using s32 = std::int32_t;

template <class Op>
void addReduction(VectorOperations& table, const char* name) {
  VectorOperation o;
  o.kind = VectorKind::Reduce;
  o.form = VectorForm::VV;
  o.vd = o.vs1 = kScalar;
  o.vs2 = kSame;
  o.overlap = OverlapRule::Free;
  o.zeroVstart = true;
  o.executor = executeBySew;
  o.bySew = {reduce<Op, u8, u8>, reduce<Op, u16, u16>, reduce<Op, u32, u32>, reduce<Op, u64, u64>};
  table.add(name, o);
}

}  // namespace

void addReduceOperations(VectorOperations& table) {
  addReduction<Sum>(table, "VREDSUM_VS");
  addReduction<And>(table, "VREDAND_VS");
  addReduction<Or>(table, "VREDOR_VS");
  addReduction<Xor>(table, "VREDXOR_VS");
  addReduction<MinUnsigned>(table, "VREDMINU_VS");
  addReduction<MinSigned>(table, "VREDMIN_VS");
  addReduction<MaxUnsigned>(table, "VREDMAXU_VS");
  addReduction<MaxSigned>(table, "VREDMAX_VS");

  VectorOperation wide;
  wide.kind = VectorKind::Reduce;
  wide.form = VectorForm::VV;
  wide.vd = wide.vs1 = kWideScalar;
  wide.vs2 = kSame;
  wide.overlap = OverlapRule::Free;
  wide.zeroVstart = true;
  wide.sewMask = kSew8To32;
  wide.executor = executeBySew;
  wide.bySew = {reduce<Sum, u16, u8>, reduce<Sum, u32, u16>, reduce<Sum, u64, u32>, nullptr};
  table.add("VWREDSUMU_VS", wide);
  wide.bySew = {reduce<Sum, u16, s8>, reduce<Sum, u32, s16>, reduce<Sum, u64, s32>, nullptr};
  table.add("VWREDSUM_VS", wide);
}

}  // namespace forerun::sim::core
