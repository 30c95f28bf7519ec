//===- VectorWiden.cpp - widening and narrowing integer arithmetic ----------===//
// V 1.0, sections 11.2, 11.3, 11.7, 11.12 and 11.14.
#include "simulator/core/instructions/VectorKernels.h"
#include "simulator/core/instructions/VectorRegister.h"

// clang-format off: one operation a line, as a table

namespace forerun::sim::core {

namespace {

template <class Op, class T> using WideOfBoth = BinaryBody<Op, Wide<T>, T, T>;
template <class Op, class T> using WideOfFirst = BinaryBody<Op, Wide<T>, Wide<T>, T>;
template <class Op, class T> using NarrowOfFirst = BinaryBody<Op, T, Wide<T>, T>;
template <class Op, class T> using WideAccumulate = AccumulateBody<Op, Wide<T>, T, T>;

/// SEW 8, 16, 32: there is no element twice as wide as 64 bits.
template <template <class Op, class T> class Body, class Op>
std::array<ElementwiseKernel, 4> kernelsTo32(bool simd) {
  return {kernelOf<Body<Op, std::uint8_t>>(simd), kernelOf<Body<Op, std::uint16_t>>(simd), kernelOf<Body<Op, std::uint32_t>>(simd), nullptr};
}

/// Sign- or zero-extends to twice the width.
template <class T> FORERUN_INLINE Wide<T> zeroExtend(T a) { return a; }
template <class T> FORERUN_INLINE Wide<T> signExtend(T a) { return static_cast<Wide<T>>(static_cast<Signed<Wide<T>>>(static_cast<Signed<T>>(a))); }
template <bool isSigned, class T> FORERUN_INLINE Wide<T> extend(T a) { return isSigned ? signExtend(a) : zeroExtend(a); }

template <bool isSigned> struct WidenAdd { template <class T> FORERUN_INLINE auto apply(T a, T b) { return extend<isSigned>(a) + extend<isSigned>(b); } };
template <bool isSigned> struct WidenSub { template <class T> FORERUN_INLINE auto apply(T a, T b) { return extend<isSigned>(a) - extend<isSigned>(b); } };
template <bool isSigned> struct WideAdd { template <class W, class T> FORERUN_INLINE auto apply(W a, T b) { return a + extend<isSigned>(b); } };
template <bool isSigned> struct WideSub { template <class W, class T> FORERUN_INLINE auto apply(W a, T b) { return a - extend<isSigned>(b); } };

/// Products are computed in 64 bits, so that 16-bit operands do not overflow int.
template <bool aSigned, bool bSigned>
struct WidenMul {
  template <class T> FORERUN_INLINE auto apply(T a, T b) {
    return static_cast<Wide<T>>(static_cast<std::uint64_t>(extend<aSigned>(a)) * static_cast<std::uint64_t>(extend<bSigned>(b)));
  }
};
template <bool aSigned, bool bSigned>
struct WidenMultiplyAccumulate {
  template <class T> FORERUN_INLINE auto apply(T a, T b, Wide<T> d) { return static_cast<Wide<T>>(d + WidenMul<aSigned, bSigned>::apply(a, b)); }
};

/// The shift amount has one bit more than for the narrow width.
struct NarrowShift { template <class W, class T> FORERUN_INLINE auto apply(W a, T b) { return a >> (b & (8 * sizeof(W) - 1)); } };
struct NarrowShiftSigned { template <class W, class T> FORERUN_INLINE auto apply(W a, T b) { return static_cast<Signed<W>>(a) >> (b & (8 * sizeof(W) - 1)); } };

struct Extend { template <class T> FORERUN_INLINE T apply(T a) { return a; } };

template <class Op>
void addWidening(VectorOperations& table, const char* name, VectorKind kind) {
  VectorOperation o = elementwise(kind, kernelsTo32<WideOfBoth, Op>(table.simd()));
  o.vd = kWide;
  o.sewMask = kSew8To32;
  addForms(table, name, o, {kVV, kVX});
}

template <class Op>
void addWide(VectorOperations& table, const char* name) {
  VectorOperation o = elementwise(VectorKind::IntAlu, kernelsTo32<WideOfFirst, Op>(table.simd()));
  o.vd = o.vs2 = kWide;
  o.sewMask = kSew8To32;
  addForms(table, name, o, {kWV, kWX});
}

template <class Op>
void addNarrowing(VectorOperations& table, const char* name) {
  VectorOperation o = elementwise(VectorKind::IntAlu, kernelsTo32<NarrowOfFirst, Op>(table.simd()));
  o.vs2 = kWide;
  o.sewMask = kSew8To32;
  addForms(table, name, o, {kWV, kWX, kWI});
}

template <class Op>
void addAccumulate(VectorOperations& table, const char* name, std::initializer_list<FormSuffix> forms) {
  VectorOperation o = elementwise(VectorKind::IntMul, kernelsTo32<WideAccumulate, Op>(table.simd()));
  o.vd = kWide;
  o.readsDestination = true;
  o.sewMask = kSew8To32;
  addForms(table, name, o, forms);
}

void addExtend(VectorOperations& table, const char* name, std::int8_t shift, const std::array<ElementwiseKernel, 4>& kernels) {
  VectorOperation o = elementwise(VectorKind::IntAlu, kernels);
  o.vs1 = kNone;
  o.vs2 = {VectorWidth::Relative, shift};
  o.form = VectorForm::Unary;
  o.sewMask = static_cast<std::uint8_t>(kSew8To64 << -shift & kSew8To64);
  table.add(name, o);
}

template <class D, class A> ElementwiseKernel extendKernel(bool simd) { return kernelOf<UnaryBody<Extend, D, A>>(simd); }

}  // namespace

void addWideningOperations(VectorOperations& table) {
  addWidening<WidenAdd<false>>(table, "VWADDU", VectorKind::IntAlu);
  addWidening<WidenAdd<true>>(table, "VWADD", VectorKind::IntAlu);
  addWidening<WidenSub<false>>(table, "VWSUBU", VectorKind::IntAlu);
  addWidening<WidenSub<true>>(table, "VWSUB", VectorKind::IntAlu);
  addWide<WideAdd<false>>(table, "VWADDU");
  addWide<WideAdd<true>>(table, "VWADD");
  addWide<WideSub<false>>(table, "VWSUBU");
  addWide<WideSub<true>>(table, "VWSUB");
  addWidening<WidenMul<false, false>>(table, "VWMULU", VectorKind::IntMul);
  addWidening<WidenMul<true, true>>(table, "VWMUL", VectorKind::IntMul);
  addWidening<WidenMul<true, false>>(table, "VWMULSU", VectorKind::IntMul);  // vs2 signed
  // Accumulating forms name the signs of (vs1, vs2); kernels take (vs2, vs1).
  addAccumulate<WidenMultiplyAccumulate<false, false>>(table, "VWMACCU", {kMacVV, kMacVX});
  addAccumulate<WidenMultiplyAccumulate<true, true>>(table, "VWMACC", {kMacVV, kMacVX});
  addAccumulate<WidenMultiplyAccumulate<false, true>>(table, "VWMACCSU", {kMacVV, kMacVX});
  addAccumulate<WidenMultiplyAccumulate<true, false>>(table, "VWMACCUS", {kMacVX});
  addNarrowing<NarrowShift>(table, "VNSRL");
  addNarrowing<NarrowShiftSigned>(table, "VNSRA");

  const bool simd = table.simd();
  using u8 = std::uint8_t; using u16 = std::uint16_t; using u32 = std::uint32_t; using u64 = std::uint64_t;
  using s8 = std::int8_t; using s16 = std::int16_t; using s32 = std::int32_t; using s64 = std::int64_t;
  addExtend(table, "VZEXT_VF2", -1, {nullptr, extendKernel<u16, u8>(simd), extendKernel<u32, u16>(simd), extendKernel<u64, u32>(simd)});
  addExtend(table, "VZEXT_VF4", -2, {nullptr, nullptr, extendKernel<u32, u8>(simd), extendKernel<u64, u16>(simd)});
  addExtend(table, "VZEXT_VF8", -3, {nullptr, nullptr, nullptr, extendKernel<u64, u8>(simd)});
  addExtend(table, "VSEXT_VF2", -1, {nullptr, extendKernel<s16, s8>(simd), extendKernel<s32, s16>(simd), extendKernel<s64, s32>(simd)});
  addExtend(table, "VSEXT_VF4", -2, {nullptr, nullptr, extendKernel<s32, s8>(simd), extendKernel<s64, s16>(simd)});
  addExtend(table, "VSEXT_VF8", -3, {nullptr, nullptr, nullptr, extendKernel<s64, s8>(simd)});
}

}  // namespace forerun::sim::core
