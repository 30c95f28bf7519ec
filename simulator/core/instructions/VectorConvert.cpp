//===- VectorConvert.cpp - float and integer conversions --------------------===//
// V 1.0, sections 13.17 to 13.19, Zvfhmin and Zvfbfmin.
#include "simulator/core/instructions/VectorHalf.h"
#include "simulator/core/instructions/VectorRegister.h"

#include <limits>

// clang-format off: one operation a line, as a table

namespace forerun::sim::core {

namespace {

using fp::Rounding;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Float F to an integer of the width of D.
template <class D, class F, bool isSigned, bool towardZero>
struct FloatToInt {
  static D slow(typename F::Bits a, Rounding mode, std::uint8_t& flags) {
    return static_cast<D>(fp::toInteger<F>(a, 8 * sizeof(D), isSigned, towardZero ? Rounding::TowardZero : mode, flags));
  }
};
template <class F, class A, bool isSigned>
struct IntToFloat {
  static typename F::Bits slow(A a, Rounding mode, std::uint8_t& flags) {
    if constexpr (isSigned) return fp::fromInt<F>(static_cast<Signed<A>>(a), mode, flags);
    else return fp::fromUnsigned<F>(a, false, mode, flags);
  }
};
template <class To, class From>
struct FloatToFloat {
  static typename To::Bits slow(typename From::Bits a, Rounding mode, std::uint8_t& flags) { return fp::convert<To, From>(a, mode, flags); }
};
/// Round to odd: truncate, and set the last bit when anything was lost.
template <class To, class From>
struct FloatToFloatOdd {
  static typename To::Bits slow(typename From::Bits a, Rounding, std::uint8_t& flags) {
    std::uint8_t raised = 0;
    const auto result = fp::convert<To, From>(a, Rounding::TowardZero, raised);
    flags |= raised;
    return static_cast<typename To::Bits>(result | (raised & fp::kInexact ? 1 : 0));
  }
};

// Fast kernels for the conversions that compiled code is full of.

template <class D, class A>
struct HostFloatBody {
  static constexpr bool needsSimd = false;
  FORERUN_INLINE void run(void* dp, const void* ap, const void*, std::size_t n, ElementwiseState&) {
    D* d = static_cast<D*>(dp);
    const A* a = static_cast<const A*>(ap);
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = fromHost<D>(static_cast<HostOf<D>>(toHost(a[i])));
  }
};
/// Signed 32-bit (or sign-extended narrower) integers have one host instruction that rounds by the host's mode.
template <class D, class A>
struct HostIntBody {
  static constexpr bool needsSimd = false;
  FORERUN_INLINE void run(void* dp, const void* ap, const void*, std::size_t n, ElementwiseState&) {
    D* d = static_cast<D*>(dp);
    const A* a = static_cast<const A*>(ap);
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = fromHost<D>(static_cast<HostOf<D>>(static_cast<std::int32_t>(a[i])));
  }
};
#if defined(__x86_64__)
/// Steps of HalfBody.
struct HalfToSingle {
  FORERUN_SIMD_INLINE void step(u32* d, const u16* a, const u16*) { storeLanes(d, loadLanes(a)); }
};
struct SingleToHalf {
  FORERUN_SIMD_INLINE void step(u16* d, const u32* a, const u16*) { storeLanes(d, loadLanes(a)); }
};
struct IntToHalf {
  FORERUN_SIMD_INLINE __m256i load(const std::int16_t* a) { return _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a))); }
  FORERUN_SIMD_INLINE __m256i load(const std::int8_t* a) { return _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(a))); }
  FORERUN_SIMD_INLINE __m256i load(const u8* a) { return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(a))); }
  template <class A> FORERUN_SIMD_INLINE void step(u16* d, const A* a, const u16*) { storeLanes(d, _mm256_cvtepi32_ps(load(a))); }
};
#endif
template <class Step, class D, class A> using HalfConvert = HalfBody<Step, D, A, u16, false, false>;

/// f32 or f64 to int32. Values that do not fit raise invalid on the host too but saturate differently, so a chunk that has one goes to the slow kernel.
template <class A, bool towardZero>
struct ToInt32Body {
  static constexpr bool needsSimd = true;
  FORERUN_INLINE void run(void* dp, const void* ap, const void*, std::size_t n, ElementwiseState& state) {
    constexpr std::size_t kChunk = 256;
    using H = HostOf<A>;
    u32* d = static_cast<u32*>(dp);
    const A* a = static_cast<const A*>(ap);
    // No rounding leaves [-2^31, 2^31 - 1] from strictly inside this range.
    constexpr H limit = 2147483520.0f;
    for (; n > 0;) {
      const std::size_t chunk = n < kChunk ? n : kChunk;
      A outside = 0;
      for (std::size_t i = 0; i < chunk; ++i) {
        // Compared as bits, so that NaNs raise nothing here.
        outside |= static_cast<A>(static_cast<A>(a[i] & ~FormatOf<A>::signMask) > __builtin_bit_cast(A, limit));
      }
      if (outside) [[unlikely]] {
        slowKernel<FloatToInt<u32, FormatOf<A>, true, towardZero>, u32, A, A>(d, a, nullptr, chunk, state);
      } else {
        FORERUN_INDEPENDENT
        for (std::size_t i = 0; i < chunk; ++i) {
          H value = toHost(a[i]);
          if constexpr (!towardZero) value = sizeof(H) == 4 ? static_cast<H>(__builtin_rintf(static_cast<float>(value))) : static_cast<H>(__builtin_rint(value));
          d[i] = static_cast<u32>(static_cast<std::int32_t>(value));
        }
      }
      a += chunk, d += chunk, n -= chunk;
    }
  }
};

/// f32 to bf16, to nearest even, for chunks whose values stay zero or normal; the rest and the other modes go to the slow kernel.
struct ToBfloatBody {
  static constexpr bool needsSimd = false;
  FORERUN_INLINE void run(void* dp, const void* ap, const void*, std::size_t n, ElementwiseState& state) {
    constexpr std::size_t kChunk = 256;
    u16* d = static_cast<u16*>(dp);
    const u32* a = static_cast<const u32*>(ap);
    for (; n > 0;) {
      const std::size_t chunk = n < kChunk ? n : kChunk;
      u32 odd = state.frm != 0, lost = 0;
      for (std::size_t i = 0; i < chunk; ++i) {
        const u32 magnitude = a[i] & 0x7fffffffu;
        odd |= static_cast<u32>(magnitude != 0) & static_cast<u32>(magnitude - 0x00800000u > 0x7f7f0000u - 0x00800000u);
        lost |= a[i];
      }
      if (odd) [[unlikely]] {
        slowKernel<FloatToFloat<fp::BF16, fp::F32>, u16, u32, u32>(d, a, nullptr, chunk, state);
      } else {
        FORERUN_INDEPENDENT
        for (std::size_t i = 0; i < chunk; ++i) d[i] = static_cast<u16>((a[i] + 0x7fffu + (a[i] >> 16 & 1)) >> 16);
        if (lost & 0xffffu) state.flags |= fp::kInexact;
      }
      a += chunk, d += chunk, n -= chunk;
    }
  }
};
struct FromBfloatBody {
  static constexpr bool needsSimd = false;
  FORERUN_INLINE void run(void* dp, const void* ap, const void*, std::size_t n, ElementwiseState& state) {
    u32* d = static_cast<u32*>(dp);
    const u16* a = static_cast<const u16*>(ap);
    u32 nan = 0;
    for (std::size_t i = 0; i < n; ++i) nan |= static_cast<u32>((a[i] & 0x7fffu) > 0x7f80u);
    if (nan) [[unlikely]] return slowKernel<FloatToFloat<fp::F32, fp::BF16>, u32, u16, u16>(d, a, nullptr, n, state);
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = static_cast<u32>(a[i]) << 16;
  }
};

using Kernels = std::array<ElementwiseKernel, 4>;

void addConvert(VectorOperations& table, const char* name, OperandWidth vd, OperandWidth vs2, const Kernels& slow, const Kernels& fast, InactiveValue inactive,
                bool bfloat = false) {
  VectorOperation o = elementwise(VectorKind::Convert, fast);
  o.slowKernels = slow;
  o.executor = executeFloat;
  o.floatingPoint = true;
  o.form = VectorForm::Unary;
  o.vs1 = kNone;
  o.vd = vd;
  o.vs2 = vs2;
  o.inactive = inactive;
  o.bfloat = bfloat;
  o.sewMask = 0;
  for (unsigned sew = 0; sew < 4; ++sew) o.sewMask |= static_cast<std::uint8_t>((slow[sew] != nullptr) << sew);
  table.add(name, o);
}

template <class Op, class D, class A> constexpr ElementwiseKernel kSlow = &slowKernel<Op, D, A, A>;
template <class D, class F, bool isSigned, bool towardZero>
constexpr ElementwiseKernel kToInt = kSlow<FloatToInt<D, F, isSigned, towardZero>, D, typename F::Bits>;
template <class F, class A, bool isSigned> constexpr ElementwiseKernel kFromInt = kSlow<IntToFloat<F, A, isSigned>, typename F::Bits, A>;

template <bool isSigned, bool towardZero>
void addToInt(VectorOperations& table, const std::string& suffix) {
  const bool simd = table.simd();
  const Kernels none{};
  Kernels fast{}, fastNarrow{};
  if constexpr (isSigned) {
    fast[2] = fastKernelOf<ToInt32Body<u32, towardZero>>(simd);
    fastNarrow[2] = fastKernelOf<ToInt32Body<u64, towardZero>>(simd);
  }
  addConvert(table, ("VFCVT_" + suffix + "_F_V").c_str(), kSame, kSame,
             {nullptr, kToInt<u16, fp::F16, isSigned, towardZero>, kToInt<u32, fp::F32, isSigned, towardZero>, kToInt<u64, fp::F64, isSigned, towardZero>}, fast,
             InactiveValue::FloatOne);
  addConvert(table, ("VFWCVT_" + suffix + "_F_V").c_str(), kWide, kSame,
             {nullptr, kToInt<u32, fp::F16, isSigned, towardZero>, kToInt<u64, fp::F32, isSigned, towardZero>, nullptr}, none, InactiveValue::FloatOne);
  addConvert(table, ("VFNCVT_" + suffix + "_F_W").c_str(), kSame, kWide,
             {kToInt<u8, fp::F16, isSigned, towardZero>, kToInt<u16, fp::F32, isSigned, towardZero>, kToInt<u32, fp::F64, isSigned, towardZero>, nullptr},
             fastNarrow, InactiveValue::FloatOne);
}

}  // namespace

void addConvertOperations(VectorOperations& table) {
  const bool simd = table.simd();
  const Kernels none{};
  addToInt<false, false>(table, "XU");
  addToInt<true, false>(table, "X");
  addToInt<false, true>(table, "RTZ_XU");
  addToInt<true, true>(table, "RTZ_X");

  const auto zero = InactiveValue::Zero, one = InactiveValue::FloatOne;
  addConvert(table, "VFCVT_F_XU_V", kSame, kSame, {nullptr, kFromInt<fp::F16, u16, false>, kFromInt<fp::F32, u32, false>, kFromInt<fp::F64, u64, false>}, none, zero);
  addConvert(table, "VFCVT_F_X_V", kSame, kSame, {nullptr, kFromInt<fp::F16, u16, true>, kFromInt<fp::F32, u32, true>, kFromInt<fp::F64, u64, true>},
             {nullptr, FORERUN_HALF_KERNEL(simd, HalfConvert<IntToHalf, u16, std::int16_t>), fastKernelOf<HostIntBody<u32, std::int32_t>>(simd), nullptr}, zero);
  addConvert(table, "VFWCVT_F_XU_V", kWide, kSame, {kFromInt<fp::F16, u8, false>, kFromInt<fp::F32, u16, false>, kFromInt<fp::F64, u32, false>, nullptr},
             {FORERUN_HALF_KERNEL(simd, HalfConvert<IntToHalf, u16, u8>), fastKernelOf<HostIntBody<u32, u16>>(simd), nullptr, nullptr}, zero);
  addConvert(table, "VFWCVT_F_X_V", kWide, kSame, {kFromInt<fp::F16, u8, true>, kFromInt<fp::F32, u16, true>, kFromInt<fp::F64, u32, true>, nullptr},
             {FORERUN_HALF_KERNEL(simd, HalfConvert<IntToHalf, u16, std::int8_t>), fastKernelOf<HostIntBody<u32, std::int16_t>>(simd),
              fastKernelOf<HostIntBody<u64, std::int32_t>>(simd), nullptr}, zero);
  addConvert(table, "VFNCVT_F_XU_W", kSame, kWide, {nullptr, kFromInt<fp::F16, u32, false>, kFromInt<fp::F32, u64, false>, nullptr}, none, zero);
  addConvert(table, "VFNCVT_F_X_W", kSame, kWide, {nullptr, kFromInt<fp::F16, u32, true>, kFromInt<fp::F32, u64, true>, nullptr}, none, zero);

  addConvert(table, "VFWCVT_F_F_V", kWide, kSame, {nullptr, kSlow<FloatToFloat<fp::F32, fp::F16>, u32, u16>, kSlow<FloatToFloat<fp::F64, fp::F32>, u64, u32>, nullptr},
             {nullptr, FORERUN_HALF_KERNEL(simd, HalfConvert<HalfToSingle, u32, u16>), fastKernelOf<HostFloatBody<u64, u32>>(simd), nullptr}, one);
  addConvert(table, "VFNCVT_F_F_W", kSame, kWide, {nullptr, kSlow<FloatToFloat<fp::F16, fp::F32>, u16, u32>, kSlow<FloatToFloat<fp::F32, fp::F64>, u32, u64>, nullptr},
             {nullptr, FORERUN_HALF_KERNEL(simd, HalfConvert<SingleToHalf, u16, u32>), fastKernelOf<HostFloatBody<u32, u64>>(simd), nullptr}, one);
  addConvert(table, "VFNCVT_ROD_F_F_W", kSame, kWide,
             {nullptr, kSlow<FloatToFloatOdd<fp::F16, fp::F32>, u16, u32>, kSlow<FloatToFloatOdd<fp::F32, fp::F64>, u32, u64>, nullptr}, none, one);
  addConvert(table, "VFWCVTBF16_F_F_V", kWide, kSame, {nullptr, kSlow<FloatToFloat<fp::F32, fp::BF16>, u32, u16>, nullptr, nullptr},
             {nullptr, fastKernelOf<FromBfloatBody>(simd), nullptr, nullptr}, zero, true);
  addConvert(table, "VFNCVTBF16_F_F_W", kSame, kWide, {nullptr, kSlow<FloatToFloat<fp::BF16, fp::F32>, u16, u32>, nullptr, nullptr},
             {nullptr, fastKernelOf<ToBfloatBody>(simd), nullptr, nullptr}, one, true);
}

}  // namespace forerun::sim::core
