//===- VectorFloat.cpp - single-width float arithmetic ----------------------===//
// Add, multiply, divide, square root, fused multiply-add in f16, f32 and f64 (V 1.0, sections 13.2, 13.4, 13.6, 13.8).
#include "simulator/core/instructions/VectorHalf.h"
#include "simulator/core/instructions/VectorRegister.h"

#include <cmath>
#include <cstring>

// clang-format off: one operation a line, as a table

namespace forerun::sim::core {

namespace {

using fp::Rounding;

#if defined(__x86_64__)
#define FORERUN_LANES(expression) FORERUN_SIMD_INLINE __m256 lanes(__m256 a, __m256 b) { return expression; }
#define FORERUN_LANES_UNARY(expression) FORERUN_SIMD_INLINE __m256 lanes(__m256 a) { return expression; }
#else
#define FORERUN_LANES(expression)
#define FORERUN_LANES_UNARY(expression)
#endif

struct Add {
  template <class H> FORERUN_INLINE H fast(H a, H b) { return a + b; }
  FORERUN_LANES(a + b)
  template <class T> static T slow(T a, T b, Rounding mode, std::uint8_t& flags) { return fp::add<FormatOf<T>>(a, b, mode, flags); }
};
struct Sub {
  template <class H> FORERUN_INLINE H fast(H a, H b) { return a - b; }
  FORERUN_LANES(a - b)
  template <class T> static T slow(T a, T b, Rounding mode, std::uint8_t& flags) { return fp::sub<FormatOf<T>>(a, b, mode, flags); }
};
struct ReverseSub {
  template <class H> FORERUN_INLINE H fast(H a, H b) { return b - a; }
  FORERUN_LANES(b - a)
  template <class T> static T slow(T a, T b, Rounding mode, std::uint8_t& flags) { return fp::sub<FormatOf<T>>(b, a, mode, flags); }
};
struct Mul {
  template <class H> FORERUN_INLINE H fast(H a, H b) { return a * b; }
  FORERUN_LANES(a * b)
  template <class T> static T slow(T a, T b, Rounding mode, std::uint8_t& flags) { return fp::mul<FormatOf<T>>(a, b, mode, flags); }
};
struct Div {
  template <class H> FORERUN_INLINE H fast(H a, H b) { return a / b; }
  FORERUN_LANES(a / b)
  template <class T> static T slow(T a, T b, Rounding mode, std::uint8_t& flags) { return fp::div<FormatOf<T>>(a, b, mode, flags); }
};
struct ReverseDiv {
  template <class H> FORERUN_INLINE H fast(H a, H b) { return b / a; }
  FORERUN_LANES(b / a)
  template <class T> static T slow(T a, T b, Rounding mode, std::uint8_t& flags) { return fp::div<FormatOf<T>>(b, a, mode, flags); }
};
struct Sqrt {
  FORERUN_INLINE float fast(float a) { return __builtin_sqrtf(a); }
  FORERUN_INLINE double fast(double a) { return __builtin_sqrt(a); }
  FORERUN_LANES_UNARY(_mm256_sqrt_ps(a))
  template <class T> static T slow(T a, Rounding mode, std::uint8_t& flags) { return fp::sqrt<FormatOf<T>>(a, mode, flags); }
};

template <class Op, class T>
struct FloatBinaryBody {
  static constexpr bool needsSimd = false;
  FORERUN_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState&) {
    T* d = static_cast<T*>(dp);
    const T* a = static_cast<const T*>(ap);
    const T* b = static_cast<const T*>(bp);
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = fromHost<T>(Op::fast(toHost(a[i]), toHost(b[i])));
  }
};
/// Square roots. The optimiser knows when a root is a NaN and would test the operand instead, with a comparison that signals on quiet NaNs; so NaNs are
/// replaced in a second pass that it cannot connect with the first.
template <class Op, class T>
struct FloatUnaryBody {
  static constexpr bool needsSimd = false;
  FORERUN_INLINE void run(void* dp, const void* ap, const void*, std::size_t n, ElementwiseState&) {
    T* d = static_cast<T*>(dp);
    const T* a = static_cast<const T*>(ap);
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = __builtin_bit_cast(T, Op::fast(toHost(a[i])));
    __asm__ volatile("" : : : "memory");
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = fromHost<T>(toHost(d[i]));
  }
};

#if defined(__x86_64__)
/// f16 steps of HalfBody.
template <class Op>
struct HalfBinary {
  FORERUN_SIMD_INLINE void step(std::uint16_t* d, const std::uint16_t* a, const std::uint16_t* b) { storeLanes(d, Op::lanes(loadLanes(a), loadLanes(b))); }
};
template <class Op>
struct HalfUnary {
  FORERUN_SIMD_INLINE void step(std::uint16_t* d, const std::uint16_t* a, const std::uint16_t*) {
    __m256 result = Op::lanes(loadLanes(a));
    __asm__("" : "+x"(result));  // as in FloatUnaryBody
    storeLanes(d, result);
  }
};
#endif

/// +-(x * y) +- z, where z is vd (accumulate) or vs2 (add), the other of which is a factor beside vs1.
template <bool negateProduct, bool negateAddend, bool addsVs2>
struct Fma {
  static constexpr bool negatesProduct = negateProduct, negatesAddend = negateAddend, addsDestination = !addsVs2;
  template <class T> FORERUN_INLINE T factor(T a, T d) { return addsVs2 ? d : a; }
  template <class T> FORERUN_INLINE T addend(T a, T d) { return addsVs2 ? a : d; }
  template <class H> FORERUN_INLINE H signedFactor(H x) { return negateProduct ? -x : x; }
  template <class H> FORERUN_INLINE H signedAddend(H z) { return negateAddend ? -z : z; }

  template <class T> static T slow(T a, T b, T d, Rounding mode, std::uint8_t& flags) {
    using F = FormatOf<T>;
    const T x = static_cast<T>(factor(a, d) ^ (negateProduct ? F::signMask : T{0})), z = static_cast<T>(addend(a, d) ^ (negateAddend ? F::signMask : T{0}));
    return fp::fma<F>(x, b, z, mode, flags);
  }
};

FORERUN_INLINE float fused(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
FORERUN_INLINE double fused(double x, double y, double z) { return __builtin_fma(x, y, z); }

/// Infinity times zero raises invalid even when the addend is a quiet NaN; hosts differ there. Called when some addend is a NaN.
template <class Op, class T>
void invalidDespiteNan(const T* a, const T* b, const T* d, std::size_t n, ElementwiseState& state) {
  using F = FormatOf<T>;
  for (std::size_t i = 0; i < n; ++i) {
    const T x = Op::factor(a[i], d[i]), y = b[i];
    if ((fp::isInfinite<F>(x) && fp::isZero<F>(y)) || (fp::isZero<F>(x) && fp::isInfinite<F>(y))) state.flags |= fp::kInvalid;
  }
}

template <class Op, class T>
struct FmaBody {
  static constexpr bool needsSimd = true;
  FORERUN_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState& state) {
    constexpr std::size_t kChunk = 512;
    T* d = static_cast<T*>(dp);
    const T* a = static_cast<const T*>(ap);
    const T* b = static_cast<const T*>(bp);
    for (; n > 0;) {
      const std::size_t chunk = n < kChunk ? n : kChunk;
      T nan = 0;
      for (std::size_t i = 0; i < chunk; ++i) nan |= static_cast<T>(toHost(Op::addend(a[i], d[i])) != toHost(Op::addend(a[i], d[i])));
      if (nan) [[unlikely]] invalidDespiteNan<Op, T>(a, b, d, chunk, state);
      FORERUN_INDEPENDENT
      for (std::size_t i = 0; i < chunk; ++i)
        d[i] = fromHost<T>(fused(Op::signedFactor(toHost(Op::factor(a[i], d[i]))), toHost(b[i]), Op::signedAddend(toHost(Op::addend(a[i], d[i])))));
      a += chunk, b += chunk, d += chunk, n -= chunk;
    }
  }
};

#if defined(__x86_64__)
/// f16: the product is exact in f64 (22 bits). The sum p + c is inexact there only if it spans more than 53 bits; p's lowest bit is then 53 or more places
/// below the leading bit of the sum, and as p has 22 bits it is smaller than 2^-30 of c. So the sum lies within 2^-29 of the f16 number c and far from any
/// tie (2^-12 away), on either side of it: rounding again to f16 gives the same as rounding once, in every mode. Sums that are not zero or normal and
/// finite in f16 go to the slow kernel, whose flags know about subnormals; the others are rounded to 11 bits by adding and subtracting 1.5 * 2^(e+42)
/// with the sum's sign, which keeps the direction of directed modes.
template <class Op>
struct HalfFmaBody {
  FORERUN_SIMD_INLINE __m256d sum(__m128 x, __m128 y, __m128 z) {
    return _mm256_add_pd(_mm256_mul_pd(_mm256_cvtps_pd(x), _mm256_cvtps_pd(y)), _mm256_cvtps_pd(z));
  }
  /// All four zero, or normal and finite in f16. Compares bits: which of the host's comparisons a compiler picks, and so whether NaNs raise, is open.
  FORERUN_SIMD_INLINE bool ordinary(__m256d s) {
    const __m256i magnitude = _mm256_castpd_si256(_mm256_andnot_pd(_mm256_set1_pd(-0.0), s));
    const __m256i least = _mm256_castpd_si256(_mm256_set1_pd(0x1p-14)), largest = _mm256_castpd_si256(_mm256_set1_pd(65504.0));
    const __m256i outside = _mm256_or_si256(_mm256_cmpgt_epi64(least, magnitude), _mm256_cmpgt_epi64(magnitude, largest));
    return _mm256_testc_si256(_mm256_cmpeq_epi64(magnitude, _mm256_setzero_si256()), outside);
  }
  FORERUN_SIMD_INLINE __m128 round(__m256d s) {
    const __m256d sign = _mm256_and_pd(_mm256_set1_pd(-0.0), s);
    const __m256i exponent = _mm256_and_si256(_mm256_castpd_si256(s), _mm256_set1_epi64x(0x7ff0000000000000));
    const __m256i magnitude = _mm256_or_si256(_mm256_add_epi64(exponent, _mm256_set1_epi64x(std::int64_t{42} << 52)), _mm256_set1_epi64x(0x0008000000000000));
    const __m256d magic = _mm256_or_pd(_mm256_castsi256_pd(magnitude), sign);
    const __m256d rounded = _mm256_sub_pd(_mm256_add_pd(s, magic), magic);
    // A zero keeps its own sign; that of the difference depends on the rounding mode.
    return _mm256_cvtpd_ps(_mm256_or_pd(_mm256_andnot_pd(_mm256_set1_pd(-0.0), rounded), sign));
  }
  FORERUN_SIMD_INLINE void step(std::uint16_t* d, const std::uint16_t* a, const std::uint16_t* b, ElementwiseState& state) {
    const __m256 sign = _mm256_set1_ps(-0.0f), y = loadLanes(b);
    __m256 x = loadLanes(Op::addsDestination ? a : d), z = loadLanes(Op::addsDestination ? d : a);
    if constexpr (Op::negatesProduct) x = _mm256_xor_ps(x, sign);
    if constexpr (Op::negatesAddend) z = _mm256_xor_ps(z, sign);
    const __m256d low = sum(_mm256_castps256_ps128(x), _mm256_castps256_ps128(y), _mm256_castps256_ps128(z));
    const __m256d high = sum(_mm256_extractf128_ps(x, 1), _mm256_extractf128_ps(y, 1), _mm256_extractf128_ps(z, 1));
    if (!ordinary(low) || !ordinary(high)) [[unlikely]] {
      slowKernel<Op, std::uint16_t, std::uint16_t, std::uint16_t>(d, a, b, kHalfLanes, state);
      return;
    }
    storeLanes(d, _mm256_set_m128(round(high), round(low)));
  }
  FORERUN_SIMD_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState& state) {
    std::uint16_t* d = static_cast<std::uint16_t*>(dp);
    const std::uint16_t* a = static_cast<const std::uint16_t*>(ap);
    const std::uint16_t* b = static_cast<const std::uint16_t*>(bp);
    std::size_t i = 0;
    for (; i + kHalfLanes <= n; i += kHalfLanes) step(d + i, a + i, b + i, state);
    if (i == n) return;
    std::uint16_t dLast[kHalfLanes], aLast[kHalfLanes], bLast[kHalfLanes];
    pad(dLast, d + i, n - i, kHalfOne);
    pad(aLast, a + i, n - i, kHalfOne);
    pad(bLast, b + i, n - i, kHalfOne);
    step(dLast, aLast, bLast, state);
    for (std::size_t k = 0; i + k < n; ++k) d[i + k] = dLast[k];
  }
};
#endif

template <class Op, class T> constexpr ElementwiseKernel kSlow = &slowKernel<Op, T, T, T>;

VectorOperation floatOperation(VectorKind kind) {
  VectorOperation o = elementwise(kind, {});
  o.executor = executeFloat;
  o.floatingPoint = true;
  o.sewMask = kSew16To64;
  o.inactive = InactiveValue::FloatOne;
  return o;
}

template <template <class Op, class T> class Body, class Op>
VectorOperation arithmetic(VectorOperations& table, VectorKind kind, ElementwiseKernel half) {
  VectorOperation o = floatOperation(kind);
  const bool simd = table.simd();
  o.kernels = {nullptr, half, fastKernelOf<Body<Op, std::uint32_t>>(simd), fastKernelOf<Body<Op, std::uint64_t>>(simd)};
  o.slowKernels = {nullptr, kSlow<Op, std::uint16_t>, kSlow<Op, std::uint32_t>, kSlow<Op, std::uint64_t>};
  return o;
}

template <class Op>
VectorOperation binary(VectorOperations& table, VectorKind kind) {
  using Half [[maybe_unused]] = HalfBody<HalfBinary<Op>, std::uint16_t, std::uint16_t, std::uint16_t, true, false>;
  return arithmetic<FloatBinaryBody, Op>(table, kind, FORERUN_HALF_KERNEL(table.simd(), Half));
}

template <class Op>
void addFma(VectorOperations& table, const char* name) {
  VectorOperation o = floatOperation(VectorKind::FpFma);
  const bool simd = table.simd();
  o.kernels = {nullptr, FORERUN_HALF_KERNEL(simd, HalfFmaBody<Op>), fastKernelOf<FmaBody<Op, std::uint32_t>>(simd), fastKernelOf<FmaBody<Op, std::uint64_t>>(simd)};
  o.slowKernels = {nullptr, kSlow<Op, std::uint16_t>, kSlow<Op, std::uint32_t>, kSlow<Op, std::uint64_t>};
  o.readsDestination = true;
  addForms(table, name, o, {kMacVV, kMacVF});
}

}  // namespace

void addFloatOperations(VectorOperations& table) {
  addForms(table, "VFADD", binary<Add>(table, VectorKind::FpAdd), {kVV, kVF});
  addForms(table, "VFSUB", binary<Sub>(table, VectorKind::FpAdd), {kVV, kVF});
  addForms(table, "VFRSUB", binary<ReverseSub>(table, VectorKind::FpAdd), {kVF});
  addForms(table, "VFMUL", binary<Mul>(table, VectorKind::FpMul), {kVV, kVF});
  addForms(table, "VFDIV", binary<Div>(table, VectorKind::FpDiv), {kVV, kVF});
  addForms(table, "VFRDIV", binary<ReverseDiv>(table, VectorKind::FpDiv), {kVF});
  using HalfSqrt [[maybe_unused]] = HalfBody<HalfUnary<Sqrt>, std::uint16_t, std::uint16_t, std::uint16_t, false, false>;
  addForms(table, "VFSQRT", arithmetic<FloatUnaryBody, Sqrt>(table, VectorKind::FpDiv, FORERUN_HALF_KERNEL(table.simd(), HalfSqrt)), {{"V", VectorForm::Unary}});

  addFma<Fma<false, false, false>>(table, "VFMACC");
  addFma<Fma<true, true, false>>(table, "VFNMACC");
  addFma<Fma<false, true, false>>(table, "VFMSAC");
  addFma<Fma<true, false, false>>(table, "VFNMSAC");
  addFma<Fma<false, false, true>>(table, "VFMADD");
  addFma<Fma<true, true, true>>(table, "VFNMADD");
  addFma<Fma<false, true, true>>(table, "VFMSUB");
  addFma<Fma<true, false, true>>(table, "VFNMSUB");
}

}  // namespace forerun::sim::core
