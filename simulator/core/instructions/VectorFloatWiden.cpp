//===- VectorFloatWiden.cpp - widening float arithmetic ---------------------===//
// Sums, products and multiply-add of elements twice as narrow as the result (V 1.0, sections 13.3, 13.5, 13.7;
// Zvfbfwma). One rounding each.
#include "simulator/core/instructions/VectorHalf.h"
#include "simulator/core/instructions/VectorRegister.h"

// clang-format off: one operation a line, as a table

namespace forerun::sim::core {

namespace {

using fp::Rounding;

/// Exact conversion to the wide format in integers; signalling NaNs raise invalid.
template <class T> Wide<T> widen(T a, std::uint8_t& flags) { return fp::convert<FormatOf<Wide<T>>, FormatOf<T>>(a, Rounding::NearestEven, flags); }

struct Add {
  template <class H> FORERUN_INLINE H fast(H a, H b) { return a + b; }
#if defined(__x86_64__)
  FORERUN_SIMD_INLINE __m256 lanes(__m256 a, __m256 b) { return a + b; }
#endif
  template <class F> static typename F::Bits soft(typename F::Bits a, typename F::Bits b, Rounding mode, std::uint8_t& flags) { return fp::add<F>(a, b, mode, flags); }
};
struct Sub {
  template <class H> FORERUN_INLINE H fast(H a, H b) { return a - b; }
#if defined(__x86_64__)
  FORERUN_SIMD_INLINE __m256 lanes(__m256 a, __m256 b) { return a - b; }
#endif
  template <class F> static typename F::Bits soft(typename F::Bits a, typename F::Bits b, Rounding mode, std::uint8_t& flags) { return fp::sub<F>(a, b, mode, flags); }
};
struct Mul {
  template <class H> FORERUN_INLINE H fast(H a, H b) { return a * b; }
#if defined(__x86_64__)
  FORERUN_SIMD_INLINE __m256 lanes(__m256 a, __m256 b) { return a * b; }
#endif
  template <class F> static typename F::Bits soft(typename F::Bits a, typename F::Bits b, Rounding mode, std::uint8_t& flags) { return fp::mul<F>(a, b, mode, flags); }
};

/// Both sources narrow.
template <class Op>
struct Both {
  template <class T> static Wide<T> slow(T a, T b, Rounding mode, std::uint8_t& flags) {
    const Wide<T> x = widen(a, flags), y = widen(b, flags);
    return Op::template soft<FormatOf<Wide<T>>>(x, y, mode, flags);
  }
};
/// vs2 wide.
template <class Op>
struct Second {
  template <class T> static Wide<T> slow(Wide<T> a, T b, Rounding mode, std::uint8_t& flags) {
    return Op::template soft<FormatOf<Wide<T>>>(a, widen(b, flags), mode, flags);
  }
};

template <class Op, class T, bool wideFirst>
struct WideningBody {
  static constexpr bool needsSimd = false;
  FORERUN_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState&) {
    using A = std::conditional_t<wideFirst, Wide<T>, T>;
    using H = HostOf<Wide<T>>;
    Wide<T>* d = static_cast<Wide<T>*>(dp);
    const A* a = static_cast<const A*>(ap);
    const T* b = static_cast<const T*>(bp);
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = fromHost<Wide<T>>(Op::fast(static_cast<H>(toHost(a[i])), static_cast<H>(toHost(b[i]))));
  }
};

/// +-(vs1 * vs2) +- vd.
template <bool negateProduct, bool negateAddend>
struct Fma {
  template <class T> static Wide<T> slow(T a, T b, Wide<T> d, Rounding mode, std::uint8_t& flags) {
    using F = FormatOf<Wide<T>>;
    const Wide<T> x = widen(a, flags) ^ (negateProduct ? F::signMask : Wide<T>{0});
    return fp::fma<F>(x, widen(b, flags), d ^ (negateAddend ? F::signMask : Wide<T>{0}), mode, flags);
  }
};

/// The product is exact in the wide format (22 bits of 24, 48 of 53, and far from its subnormals), so a multiplication and an addition round once; the
/// multiplication also raises invalid for infinity times zero whatever the addend is. The build must not contract them: see CMakeLists.txt.
template <bool negateProduct, bool negateAddend, class T>
struct WideningFmaBody {
  static constexpr bool needsSimd = false;
  FORERUN_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState&) {
    using H = HostOf<Wide<T>>;
    Wide<T>* d = static_cast<Wide<T>*>(dp);
    const T* a = static_cast<const T*>(ap);
    const T* b = static_cast<const T*>(bp);
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) {
      const H product = static_cast<H>(toHost(a[i])) * static_cast<H>(toHost(b[i])), addend = toHost(d[i]);
      d[i] = fromHost<Wide<T>>((negateProduct ? -product : product) + (negateAddend ? -addend : addend));
    }
  }
};

#if defined(__x86_64__)
/// f16 steps of HalfBody; A is u16, or u32 where vs2 is wide.
template <class Op, class A>
struct HalfWidening {
  FORERUN_SIMD_INLINE void step(std::uint32_t* d, const A* a, const std::uint16_t* b) { storeLanes(d, Op::lanes(loadLanes(a), loadLanes(b))); }
};
template <bool negateProduct, bool negateAddend>
struct HalfWideningFma {
  FORERUN_SIMD_INLINE void step(std::uint32_t* d, const std::uint16_t* a, const std::uint16_t* b) {
    const __m256 sign = _mm256_set1_ps(-0.0f);
    __m256 product = _mm256_mul_ps(loadLanes(a), loadLanes(b)), addend = loadLanes(d);
    if constexpr (negateProduct) product = _mm256_xor_ps(product, sign);
    if constexpr (negateAddend) addend = _mm256_xor_ps(addend, sign);
    storeLanes(d, _mm256_add_ps(product, addend));
  }
};
#endif

/// bf16 * bf16 + f32: products may be subnormal in f32, so this one is fused.
struct BfloatFma {
  static std::uint32_t widenBits(std::uint16_t a, std::uint8_t& flags) { return fp::convert<fp::F32, fp::BF16>(a, Rounding::NearestEven, flags); }
  static std::uint32_t slow(std::uint16_t a, std::uint16_t b, std::uint32_t d, Rounding mode, std::uint8_t& flags) {
    const std::uint32_t x = widenBits(a, flags), y = widenBits(b, flags);
    return fp::fma<fp::F32>(x, y, d, mode, flags);
  }
};
struct BfloatFmaBody {
  static constexpr bool needsSimd = true;
  FORERUN_INLINE float toFloat(std::uint16_t a) { return __builtin_bit_cast(float, static_cast<std::uint32_t>(a) << 16); }
  FORERUN_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState& state) {
    constexpr std::size_t kChunk = 512;
    std::uint32_t* d = static_cast<std::uint32_t*>(dp);
    const std::uint16_t* a = static_cast<const std::uint16_t*>(ap);
    const std::uint16_t* b = static_cast<const std::uint16_t*>(bp);
    for (; n > 0;) {
      const std::size_t chunk = n < kChunk ? n : kChunk;
      std::uint32_t nan = 0;
      for (std::size_t i = 0; i < chunk; ++i) nan |= (d[i] & 0x7fffffffu) > 0x7f800000u;
      if (nan) [[unlikely]] {
        slowKernel<BfloatFma, std::uint32_t, std::uint16_t, std::uint16_t>(d, a, b, chunk, state);
      } else {
        FORERUN_INDEPENDENT
        for (std::size_t i = 0; i < chunk; ++i) d[i] = fromHost<std::uint32_t>(__builtin_fmaf(toFloat(a[i]), toFloat(b[i]), toHost(d[i])));
      }
      a += chunk, b += chunk, d += chunk, n -= chunk;
    }
  }
};

VectorOperation wideningOperation(VectorKind kind) {
  VectorOperation o = elementwise(kind, {});
  o.executor = executeFloat;
  o.floatingPoint = true;
  o.sewMask = kSew16To32;
  o.vd = kWide;
  o.inactive = InactiveValue::FloatOne;
  return o;
}

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class Op>
void addBoth(VectorOperations& table, const char* name, VectorKind kind) {
  using Half [[maybe_unused]] = HalfBody<HalfWidening<Op, u16>, u32, u16, u16, true, false>;
  VectorOperation o = wideningOperation(kind);
  o.kernels = {nullptr, FORERUN_HALF_KERNEL(table.simd(), Half), fastKernelOf<WideningBody<Op, u32, false>>(table.simd()), nullptr};
  o.slowKernels = {nullptr, slowKernel<Both<Op>, u32, u16, u16>, slowKernel<Both<Op>, u64, u32, u32>, nullptr};
  addForms(table, name, o, {kVV, kVF});
}
template <class Op>
void addSecond(VectorOperations& table, const char* name) {
  using Half [[maybe_unused]] = HalfBody<HalfWidening<Op, u32>, u32, u32, u16, true, false>;
  VectorOperation o = wideningOperation(VectorKind::FpAdd);
  o.vs2 = kWide;
  o.kernels = {nullptr, FORERUN_HALF_KERNEL(table.simd(), Half), fastKernelOf<WideningBody<Op, u32, true>>(table.simd()), nullptr};
  o.slowKernels = {nullptr, slowKernel<Second<Op>, u32, u32, u16>, slowKernel<Second<Op>, u64, u64, u32>, nullptr};
  addForms(table, name, o, {kWV, kWF});
}
template <bool negateProduct, bool negateAddend>
void addFma(VectorOperations& table, const char* name) {
  using Op = Fma<negateProduct, negateAddend>;
  VectorOperation o = wideningOperation(VectorKind::FpFma);
  o.readsDestination = true;
  using Half [[maybe_unused]] = HalfBody<HalfWideningFma<negateProduct, negateAddend>, u32, u16, u16, true, true>;
  o.kernels = {nullptr, FORERUN_HALF_KERNEL(table.simd(), Half),
               fastKernelOf<WideningFmaBody<negateProduct, negateAddend, u32>>(table.simd()), nullptr};
  o.slowKernels = {nullptr, slowKernel<Op, u32, u16, u16>, slowKernel<Op, u64, u32, u32>, nullptr};
  addForms(table, name, o, {kMacVV, kMacVF});
}

}  // namespace

void addFloatWideningOperations(VectorOperations& table) {
  addBoth<Add>(table, "VFWADD", VectorKind::FpAdd);
  addBoth<Sub>(table, "VFWSUB", VectorKind::FpAdd);
  addBoth<Mul>(table, "VFWMUL", VectorKind::FpMul);
  addSecond<Add>(table, "VFWADD");
  addSecond<Sub>(table, "VFWSUB");
  addFma<false, false>(table, "VFWMACC");
  addFma<true, true>(table, "VFWNMACC");
  addFma<false, true>(table, "VFWMSAC");
  addFma<true, false>(table, "VFWNMSAC");

  VectorOperation bfloat = wideningOperation(VectorKind::FpFma);
  bfloat.sewMask = kSew16;
  bfloat.bfloat = true;
  bfloat.readsDestination = true;
  bfloat.kernels = {nullptr, fastKernelOf<BfloatFmaBody>(table.simd()), nullptr, nullptr};
  bfloat.slowKernels = {nullptr, slowKernel<BfloatFma, u32, u16, u16>, nullptr, nullptr};
  addForms(table, "VFWMACCBF16", bfloat, {kMacVV, kMacVF});
}

}  // namespace forerun::sim::core
