//===- VectorFixedPoint.cpp - saturating, averaging and rounding arithmetic --===//
// V 1.0, chapter 12; rounding by vxrm as in section 3.8.
#include "simulator/core/instructions/VectorKernels.h"
#include "simulator/core/instructions/VectorRegister.h"

#include <limits>

// clang-format off: one operation a line, as a table

namespace forerun::sim::core {

namespace {

enum : unsigned { kNearestUp = 0, kNearestEven = 1, kDown = 2, kToOdd = 3 };

/// What to add to v >> d, given the bit of weight 1/2, whether bits below it are set, and the lowest bit that stays.
template <class T> FORERUN_INLINE T roundingIncrement(unsigned vxrm, bool half, bool below, bool odd) {
  switch (vxrm) {
    case kNearestUp: return static_cast<T>(half);
    case kNearestEven: return static_cast<T>(half & (below | odd));
    case kDown: return 0;
    default: return static_cast<T>(!odd & (half | below));
  }
}

/// (v >> shift) rounded; T may be signed.
template <class T> FORERUN_INLINE T roundOff(T v, unsigned shift, unsigned vxrm) {
  using U = std::conditional_t<sizeof(T) == 16, unsigned __int128, std::make_unsigned_t<std::conditional_t<sizeof(T) == 16, int, T>>>;
  const T kept = static_cast<T>(v >> shift);
  const unsigned halfAt = shift ? shift - 1 : 0;
  const bool half = (shift != 0) & static_cast<bool>(static_cast<U>(v) >> halfAt & 1);
  const bool below = (static_cast<U>(v) & ((static_cast<U>(1) << halfAt) - 1)) != 0;
  return static_cast<T>(kept + roundingIncrement<T>(vxrm, half, below, kept & 1));
}

struct SaturatingAddUnsigned {
  template <class T> FORERUN_INLINE T apply(T a, T b, unsigned, T& saturated) {
    const T sum = static_cast<T>(a + b);
    const bool over = sum < a;
    saturated |= static_cast<T>(over);
    return over ? static_cast<T>(~T{0}) : sum;
  }
};
struct SaturatingSubUnsigned {
  template <class T> FORERUN_INLINE T apply(T a, T b, unsigned, T& saturated) {
    saturated |= static_cast<T>(a < b);
    return a < b ? T{0} : static_cast<T>(a - b);
  }
};
/// The bound on a's side.
template <class T> FORERUN_INLINE T bound(T a) {
  return static_cast<Signed<T>>(a) < 0 ? static_cast<T>(std::numeric_limits<Signed<T>>::min()) : static_cast<T>(std::numeric_limits<Signed<T>>::max());
}
struct SaturatingAdd {
  template <class T> FORERUN_INLINE T apply(T a, T b, unsigned, T& saturated) {
    const T sum = static_cast<T>(a + b);
    const bool over = static_cast<Signed<T>>(static_cast<T>((a ^ sum) & (b ^ sum))) < 0;
    saturated |= static_cast<T>(over);
    return over ? bound(a) : sum;
  }
};
struct SaturatingSub {
  template <class T> FORERUN_INLINE T apply(T a, T b, unsigned, T& saturated) {
    const T difference = static_cast<T>(a - b);
    const bool over = static_cast<Signed<T>>(static_cast<T>((a ^ b) & (a ^ difference))) < 0;
    saturated |= static_cast<T>(over);
    return over ? bound(a) : difference;
  }
};

// Averages avoid the extra bit: floor((a + b) / 2) from the common bits and half of the differing ones.
template <bool isSigned>
struct AveragingAdd {
  template <class T> FORERUN_INLINE T apply(T a, T b, unsigned vxrm, T&) {
    using S = std::conditional_t<isSigned, Signed<T>, T>;
    const T half = static_cast<T>(static_cast<S>(static_cast<T>(a ^ b)) >> 1);
    const T floor = static_cast<T>((a & b) + half);
    return static_cast<T>(floor + roundingIncrement<T>(vxrm, (a ^ b) & 1, false, floor & 1));
  }
};
template <bool isSigned>
struct AveragingSub {
  template <class T> FORERUN_INLINE T apply(T a, T b, unsigned vxrm, T&) {
    using S = std::conditional_t<isSigned, Signed<T>, T>;
    const T borrow = static_cast<T>(~a & b & 1);
    const T floor = static_cast<T>(static_cast<T>(static_cast<S>(a) >> 1) - static_cast<T>(static_cast<S>(b) >> 1) - borrow);
    return static_cast<T>(floor + roundingIncrement<T>(vxrm, (a ^ b) & 1, false, floor & 1));
  }
};

struct FractionalMultiply {
  template <class T> FORERUN_INLINE T apply(T a, T b, unsigned vxrm, T& saturated) {
    using S = Signed<T>;
    constexpr S least = std::numeric_limits<S>::min();
    const bool over = static_cast<S>(a) == least && static_cast<S>(b) == least;
    saturated |= static_cast<T>(over);
    const Wide<S> product = static_cast<Wide<S>>(static_cast<Wide<S>>(static_cast<S>(a)) * static_cast<S>(b));
    const T rounded = static_cast<T>(roundOff<Wide<S>>(product, 8 * sizeof(T) - 1, vxrm));
    return over ? static_cast<T>(std::numeric_limits<S>::max()) : rounded;
  }
};

struct ScalingShift { template <class T> FORERUN_INLINE T apply(T a, T b, unsigned vxrm, T&) { return roundOff<T>(a, b & (8 * sizeof(T) - 1), vxrm); } };
struct ScalingShiftSigned {
  template <class T> FORERUN_INLINE T apply(T a, T b, unsigned vxrm, T&) {
    return static_cast<T>(roundOff<Signed<T>>(static_cast<Signed<T>>(a), b & (8 * sizeof(T) - 1), vxrm));
  }
};

struct ClipUnsigned {
  template <class W, class T> FORERUN_INLINE T apply(W a, T b, unsigned vxrm, T& saturated) {
    const W rounded = roundOff<W>(a, b & (8 * sizeof(W) - 1), vxrm);
    const bool over = rounded > std::numeric_limits<T>::max();
    saturated |= static_cast<T>(over);
    return over ? std::numeric_limits<T>::max() : static_cast<T>(rounded);
  }
};
struct Clip {
  template <class W, class T> FORERUN_INLINE T apply(W a, T b, unsigned vxrm, T& saturated) {
    using S = Signed<T>;
    const Signed<W> rounded = roundOff<Signed<W>>(static_cast<Signed<W>>(a), b & (8 * sizeof(W) - 1), vxrm);
    const Signed<W> low = std::numeric_limits<S>::min(), high = std::numeric_limits<S>::max();
    const Signed<W> clipped = rounded < low ? low : rounded > high ? high : rounded;
    saturated |= static_cast<T>(clipped != rounded);
    return static_cast<T>(clipped);
  }
};

template <class Op, class T> using NarrowFixedPoint = FixedPointBody<Op, T, Wide<T>, T>;

template <class Op>
void addFixed(VectorOperations& table, const char* name, VectorKind kind, std::initializer_list<FormSuffix> forms) {
  VectorOperation o = elementwise(kind, kernelsBySew<SameFixedPoint, Op>(table.simd()));
  o.inactive = InactiveValue::Zero;
  addForms(table, name, o, forms);
}

template <class Op>
void addClip(VectorOperations& table, const char* name) {
  const bool simd = table.simd();
  VectorOperation o = elementwise(VectorKind::IntAlu, {kernelOf<NarrowFixedPoint<Op, std::uint8_t>>(simd), kernelOf<NarrowFixedPoint<Op, std::uint16_t>>(simd),
                                                       kernelOf<NarrowFixedPoint<Op, std::uint32_t>>(simd), nullptr});
  o.vs2 = kWide;
  o.sewMask = kSew8To32;
  o.inactive = InactiveValue::Zero;
  addForms(table, name, o, {kWV, kWX, kWI});
}

}  // namespace

void addFixedPointOperations(VectorOperations& table) {
  addFixed<SaturatingAddUnsigned>(table, "VSADDU", VectorKind::IntAlu, {kVV, kVX, kVI});
  addFixed<SaturatingAdd>(table, "VSADD", VectorKind::IntAlu, {kVV, kVX, kVI});
  addFixed<SaturatingSubUnsigned>(table, "VSSUBU", VectorKind::IntAlu, {kVV, kVX});
  addFixed<SaturatingSub>(table, "VSSUB", VectorKind::IntAlu, {kVV, kVX});
  addFixed<AveragingAdd<false>>(table, "VAADDU", VectorKind::IntAlu, {kVV, kVX});
  addFixed<AveragingAdd<true>>(table, "VAADD", VectorKind::IntAlu, {kVV, kVX});
  addFixed<AveragingSub<false>>(table, "VASUBU", VectorKind::IntAlu, {kVV, kVX});
  addFixed<AveragingSub<true>>(table, "VASUB", VectorKind::IntAlu, {kVV, kVX});
  addFixed<FractionalMultiply>(table, "VSMUL", VectorKind::IntMul, {kVV, kVX});
  addFixed<ScalingShift>(table, "VSSRL", VectorKind::IntAlu, {kVV, kVX, kVI});
  addFixed<ScalingShiftSigned>(table, "VSSRA", VectorKind::IntAlu, {kVV, kVX, kVI});
  addClip<ClipUnsigned>(table, "VNCLIPU");
  addClip<Clip>(table, "VNCLIP");
}

}  // namespace forerun::sim::core
