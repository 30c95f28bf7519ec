//===- VectorFloatCompare.cpp - float operations that round nothing ---------===//
// Minimum, maximum, sign injection, comparisons, classify and the seven-bit estimates (V 1.0, sections 13.9 to 13.14).
// All work on the bits, so flags do not depend on which of the host's comparisons a compiler picks.
#include "simulator/core/instructions/VectorFloatKernels.h"
#include "simulator/core/instructions/VectorRegister.h"

#include <array>

// clang-format off: one operation a line, as a table

namespace forerun::sim::core {

namespace {

// Flags are elements, 0 or 1, so that loops stay in one element width.
template <class T> FORERUN_INLINE T isNan(T a) { return static_cast<T>(a & ~FormatOf<T>::signMask) > FormatOf<T>::infinity; }
template <class T> FORERUN_INLINE T isSignaling(T a) { return static_cast<T>(isNan(a) & static_cast<T>((a & FormatOf<T>::quietBit) == 0)); }
/// Orders numbers as signed integers; both zeros are 0.
template <class T> FORERUN_INLINE Signed<T> orderKey(T a) {
  const auto magnitude = static_cast<Signed<T>>(a & ~FormatOf<T>::signMask);
  return static_cast<Signed<T>>(a) < 0 ? static_cast<Signed<T>>(-magnitude) : magnitude;
}
/// The same with -0 below +0.
template <class T> FORERUN_INLINE Signed<T> strictKey(T a) {
  return static_cast<Signed<T>>(a) < 0 ? static_cast<Signed<T>>(~(a & ~FormatOf<T>::signMask)) : static_cast<Signed<T>>(a);
}

// Each returns the result and ORs into `invalid`.
template <bool wantMax>
struct MinMax {
  template <class T> FORERUN_INLINE T apply(T a, T b, T& invalid) {
    invalid |= static_cast<T>(isSignaling(a) | isSignaling(b));
    const T chosen = (strictKey(a) < strictKey(b)) != wantMax ? a : b;
    return isNan(a) ? (isNan(b) ? FormatOf<T>::canonicalNan : b) : (isNan(b) ? a : chosen);
  }
};
struct SignCopy {
  template <class T> FORERUN_INLINE T apply(T a, T b, T&) { return static_cast<T>((a & ~FormatOf<T>::signMask) | (b & FormatOf<T>::signMask)); }
};
struct SignNegate {
  template <class T> FORERUN_INLINE T apply(T a, T b, T&) { return static_cast<T>((a & ~FormatOf<T>::signMask) | (~b & FormatOf<T>::signMask)); }
};
struct SignXor { template <class T> FORERUN_INLINE T apply(T a, T b, T&) { return static_cast<T>(a ^ (b & FormatOf<T>::signMask)); } };

struct Equal {
  template <class T> FORERUN_INLINE bool apply(T a, T b, T& invalid) {
    invalid |= static_cast<T>(isSignaling(a) | isSignaling(b));
    const T nan = isNan(a) | isNan(b);
    return (orderKey(a) == orderKey(b)) & (nan == 0);
  }
};
struct NotEqual { template <class T> FORERUN_INLINE bool apply(T a, T b, T& invalid) { return !Equal::apply(a, b, invalid); } };
/// Ordering comparisons signal on quiet NaNs too.
template <bool orEqual, bool swapped>
struct Less {
  template <class T> FORERUN_INLINE bool apply(T a, T b, T& invalid) {
    const T nan = isNan(a) | isNan(b);
    invalid |= nan;
    const Signed<T> low = swapped ? orderKey(b) : orderKey(a), high = swapped ? orderKey(a) : orderKey(b);
    return (orEqual ? low <= high : low < high) & (nan == 0);
  }
};

template <class Op, class D, class T>
struct BitsBody {
  FORERUN_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState& state) {
    D* d = static_cast<D*>(dp);
    const T* a = static_cast<const T*>(ap);
    const T* b = static_cast<const T*>(bp);
    T invalid = 0;
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = static_cast<D>(Op::apply(a[i], b[i], invalid));
    if (invalid) state.flags |= fp::kInvalid;
  }
};

struct Classify { template <class T> static T slow(T a, fp::Rounding, std::uint8_t&) { return static_cast<T>(fp::classify<FormatOf<T>>(a)); } };

/// Seven bits of the significand of 1 / (1 + (i + 1/2) / 128), to nearest, as the specification's table has them.
constexpr std::array<std::uint8_t, 128> reciprocalTable() {
  std::array<std::uint8_t, 128> table{};
  for (unsigned i = 0; i < 128; ++i) {
    const unsigned denominator = 2 * i + 257;                                                     // 256 * (1 + (i + 1/2) / 128)
    table[i] = static_cast<std::uint8_t>((2 * 65536 + denominator) / (2 * denominator) - 128);  // 256 / x = 65536 / denominator
  }
  return table;
}
/// Likewise 1 / sqrt(x); index = lowest exponent bit, six bits of significand; even biased exponents stand for [2, 4).
constexpr std::array<std::uint8_t, 128> reciprocalRootTable() {
  std::array<std::uint8_t, 128> table{};
  for (unsigned i = 0; i < 128; ++i) {
    const unsigned x128 = (129 + 2 * (i % 64)) * (i < 64 ? 2 : 1);  // 128 x
    unsigned k = 128;                                               // largest with k - 1/2 <= 256 / sqrt(x)
    while ((2 * k + 1) * (2 * k + 1) * static_cast<std::uint64_t>(x128) <= 65536u * 512u) ++k;
    table[i] = static_cast<std::uint8_t>(k - 128);
  }
  return table;
}
constexpr std::array<std::uint8_t, 128> kReciprocal = reciprocalTable(), kReciprocalRoot = reciprocalRootTable();

/// Exponent and fraction with subnormals normalised: exponent may be 0 or negative then.
template <class T>
void normalise(T a, int& exponent, T& fraction) {
  using F = FormatOf<T>;
  exponent = static_cast<int>(a >> F::fractionBits) & F::maxBiased;
  fraction = a & F::fractionMask;
  if (exponent != 0) return;
  while (!(fraction >> (F::fractionBits - 1) & 1)) fraction = static_cast<T>(fraction << 1), --exponent;
  fraction = static_cast<T>(fraction << 1 & F::fractionMask);
}

struct ReciprocalEstimate {
  template <class T> static T slow(T a, fp::Rounding mode, std::uint8_t& flags) {
    using F = FormatOf<T>;
    const T sign = a & F::signMask;
    if (fp::isNan<F>(a)) return fp::propagateNan<F>(a, a, flags);
    if (fp::isInfinite<F>(a)) return sign;
    if (fp::isZero<F>(a)) {
      flags |= fp::kDivideByZero;
      return static_cast<T>(sign | F::infinity);
    }
    int exponent;
    T fraction;
    normalise<T>(a, exponent, fraction);
    if (exponent < -1) {  // the result is too large; which way it goes depends on the rounding mode alone
      flags |= fp::kOverflow | fp::kInexact;
      const bool largest = mode == fp::Rounding::TowardZero || (mode == fp::Rounding::Down && !sign) || (mode == fp::Rounding::Up && sign);
      return static_cast<T>(sign | (largest ? F::infinity - 1 : F::infinity));
    }
    int outExponent = 2 * F::bias - 1 - exponent;
    T out = static_cast<T>(static_cast<T>(kReciprocal[fraction >> (F::fractionBits - 7)]) << (F::fractionBits - 7));
    if (outExponent <= 0) {  // subnormal result: the implicit one becomes visible
      out = static_cast<T>((out >> 1 | F::quietBit) >> -outExponent);
      outExponent = 0;
    }
    return static_cast<T>(sign | static_cast<T>(static_cast<T>(outExponent) << F::fractionBits) | out);
  }
};

struct ReciprocalRootEstimate {
  template <class T> static T slow(T a, fp::Rounding, std::uint8_t& flags) {
    using F = FormatOf<T>;
    if (fp::isNan<F>(a)) return fp::propagateNan<F>(a, a, flags);
    if (fp::isZero<F>(a)) {
      flags |= fp::kDivideByZero;
      return static_cast<T>((a & F::signMask) | F::infinity);
    }
    if (fp::isNegative<F>(a)) return fp::invalid<F>(flags);
    if (fp::isInfinite<F>(a)) return 0;
    int exponent;
    T fraction;
    normalise<T>(a, exponent, fraction);
    const unsigned index = static_cast<unsigned>(exponent & 1) << 6 | static_cast<unsigned>(fraction >> (F::fractionBits - 6));
    const int outExponent = (3 * F::bias - 1 - exponent) / 2;
    return static_cast<T>(static_cast<T>(static_cast<T>(outExponent) << F::fractionBits) | static_cast<T>(static_cast<T>(kReciprocalRoot[index]) << (F::fractionBits - 7)));
  }
};

template <class Op, class T> using SameBits = BitsBody<Op, T, T>;
template <class Op, class T> using MaskBits = BitsBody<Op, std::uint8_t, T>;

VectorOperation bitsOperation(const std::array<ElementwiseKernel, 4>& kernels, VectorKind kind) {
  VectorOperation o = elementwise(kind, {});
  o.slowKernels = kernels;  // no use for the host's floats
  o.executor = executeFloat;
  o.floatingPoint = true;
  o.sewMask = kSew16To64;
  o.inactive = InactiveValue::FloatOne;
  return o;
}

template <template <class Op, class T> class Body, class Op>
std::array<ElementwiseKernel, 4> kernels16To64(bool simd) {
  return {nullptr, kernelOf<Body<Op, std::uint16_t>>(simd), kernelOf<Body<Op, std::uint32_t>>(simd), kernelOf<Body<Op, std::uint64_t>>(simd)};
}

template <class Op>
void addSame(VectorOperations& table, const char* name) {
  addForms(table, name, bitsOperation(kernels16To64<SameBits, Op>(table.simd()), VectorKind::FpAdd), {kVV, kVF});
}
template <class Op>
void addCompare(VectorOperations& table, const char* name, std::initializer_list<FormSuffix> forms) {
  VectorOperation o = bitsOperation(kernels16To64<MaskBits, Op>(table.simd()), VectorKind::FpAdd);
  o.vd = kBits;
  addForms(table, name, o, forms);
}
template <class Op>
void addUnary(VectorOperations& table, const char* name, VectorKind kind) {
  using u16 = std::uint16_t; using u32 = std::uint32_t; using u64 = std::uint64_t;
  VectorOperation o = bitsOperation({nullptr, slowKernel<Op, u16, u16, u16>, slowKernel<Op, u32, u32, u32>, slowKernel<Op, u64, u64, u64>}, kind);
  o.vs1 = kNone;
  o.form = VectorForm::Unary;
  table.add(name, o);
}

}  // namespace

void addFloatCompareOperations(VectorOperations& table) {
  addSame<MinMax<false>>(table, "VFMIN");
  addSame<MinMax<true>>(table, "VFMAX");
  addSame<SignCopy>(table, "VFSGNJ");
  addSame<SignNegate>(table, "VFSGNJN");
  addSame<SignXor>(table, "VFSGNJX");
  addCompare<Equal>(table, "VMFEQ", {kVV, kVF});
  addCompare<NotEqual>(table, "VMFNE", {kVV, kVF});
  addCompare<Less<false, false>>(table, "VMFLT", {kVV, kVF});
  addCompare<Less<true, false>>(table, "VMFLE", {kVV, kVF});
  addCompare<Less<false, true>>(table, "VMFGT", {kVF});
  addCompare<Less<true, true>>(table, "VMFGE", {kVF});
  addUnary<Classify>(table, "VFCLASS_V", VectorKind::FpAdd);
  addUnary<ReciprocalEstimate>(table, "VFREC7_V", VectorKind::FpEstimate);
  addUnary<ReciprocalRootEstimate>(table, "VFRSQRT7_V", VectorKind::FpEstimate);
}

}  // namespace forerun::sim::core
