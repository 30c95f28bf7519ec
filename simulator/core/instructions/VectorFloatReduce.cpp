//===- VectorFloatReduce.cpp - float reductions -----------------------------===//
// V 1.0, sections 14.3 and 14.4. Unordered sums add in element order too, which the specification allows.
#include "simulator/core/instructions/VectorHalf.h"
#include "simulator/core/instructions/VectorRegister.h"

#include <algorithm>
#include <cstring>

namespace forerun::sim::core {

namespace {

using fp::Rounding;

/// One element added at a time, rounded to T each; A is the element (T, or half as wide). Which NaN a sum carries on
/// the way does not show.
template <class T, class A>
struct SumBody {
  static constexpr bool needsSimd = false;
  FORERUN_INLINE void run(void* accumulator, const void* ap, const void*, std::size_t n, ElementwiseState&) {
    if (n == 0) return;
    T bits;
    std::memcpy(&bits, accumulator, sizeof(T));
    HostOf<T> sum = toHost(bits);
    const A* a = static_cast<const A*>(ap);
    for (std::size_t i = 0; i < n; ++i) sum += static_cast<HostOf<T>>(toHost(a[i]));
    bits = fromHost<T>(sum);
    std::memcpy(accumulator, &bits, sizeof(T));
  }
};

#if defined(__x86_64__)
/// f16 elements to an f32 sum.
struct HalfSumBody {
  FORERUN_SIMD_INLINE void run(void* accumulator, const void* ap, const void*, std::size_t n, ElementwiseState&) {
    if (n == 0) return;
    float sum;
    std::memcpy(&sum, accumulator, sizeof sum);
    const std::uint16_t* a = static_cast<const std::uint16_t*>(ap);
    for (std::size_t i = 0; i < n; i += kHalfLanes) {
      const std::size_t lanes = n - i < kHalfLanes ? n - i : kHalfLanes;
      std::uint16_t last[kHalfLanes];
      if (lanes < kHalfLanes) pad(last, a + i, lanes, kHalfOne);
      float values[kHalfLanes];
      _mm256_storeu_ps(values, loadLanes(lanes < kHalfLanes ? last : a + i));
      for (std::size_t k = 0; k < lanes; ++k) sum += values[k];
    }
    const std::uint32_t bits = fromHost<std::uint32_t>(sum);
    std::memcpy(accumulator, &bits, sizeof bits);
  }
};
#endif

template <class T, class A>
void slowSum(void* accumulator, const void* ap, const void*, std::size_t n, ElementwiseState& state) {
  T sum;
  std::memcpy(&sum, accumulator, sizeof(T));
  const A* a = static_cast<const A*>(ap);
  std::uint8_t flags = 0;
  const auto mode = static_cast<Rounding>(state.frm);
  for (std::size_t i = 0; i < n; ++i) {
    T element;
    if constexpr (sizeof(T) == sizeof(A))
      element = a[i];
    else
      element = fp::convert<FormatOf<T>, FormatOf<A>>(a[i], mode, flags);
    sum = fp::add<FormatOf<T>>(sum, element, mode, flags);
  }
  state.flags |= flags;
  std::memcpy(accumulator, &sum, sizeof(T));
}

template <class T, bool wantMax>
void minMax(void* accumulator, const void* ap, const void*, std::size_t n, ElementwiseState& state) {
  T result;
  std::memcpy(&result, accumulator, sizeof(T));
  const T* a = static_cast<const T*>(ap);
  std::uint8_t flags = 0;
  for (std::size_t i = 0; i < n; ++i) result = fp::minMax<FormatOf<T>>(result, a[i], wantMax, flags);
  state.flags |= flags;
  std::memcpy(accumulator, &result, sizeof(T));
}

/// Hands the active elements, in order, to `kernel`.
void reduceActive(VectorContext& c, const DecodedVector& d, ElementwiseKernel kernel, ElementwiseState& state) {
  VectorState& v = c.v;
  const unsigned sew = sewLog2Bytes(v.vtype);
  alignas(8) std::uint8_t accumulator[8];
  const unsigned resultBytes = 1u << (sew + d.vd.shift);
  std::memcpy(accumulator, v.reg(d.vs1.first), resultBytes);
  const std::uint8_t* source = v.reg(d.vs2.first);
  if (!d.masked) {
    kernel(accumulator, source, nullptr, v.vl, state);
  } else {
    alignas(8) std::uint8_t buffer[kBlockElements * 8];
    std::size_t filled = 0;
    for (std::size_t i = 0; i < v.vl; ++i) {
      if (!maskBit(v.reg(0), i)) continue;
      std::memcpy(buffer + (filled << sew), source + (i << sew), std::size_t{1} << sew);
      if (++filled == kBlockElements) {
        kernel(accumulator, buffer, nullptr, filled, state);
        filled = 0;
      }
    }
    kernel(accumulator, buffer, nullptr, filled, state);
  }
  std::memcpy(v.reg(d.vd.first), accumulator, resultBytes);
}

void executeFloatReduce(VectorContext& c, const DecodedVector& d) {
  if (c.v.vl == 0) return;
  const VectorOperation& o = operationOf(d);
  const unsigned sew = sewLog2Bytes(c.v.vtype);
  ElementwiseState state;
  state.frm = c.frm;
  if (o.kernels[sew] && c.frm < 4) {
    const HostFloatMode mode(c.frm, c.fflags);
    reduceActive(c, d, o.kernels[sew], state);
    state.flags |= mode.flags();
  } else {
    reduceActive(c, d, o.slowKernels[sew], state);
  }
  c.fflags |= static_cast<std::uint8_t>(state.flags);
}

}  // namespace

void addFloatReduceOperations(VectorOperations& table) {
  using u16 = std::uint16_t;
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  const bool simd = table.simd();
  VectorOperation o;
  o.form = VectorForm::VV;
  o.vd = o.vs1 = kScalar;
  o.vs2 = kSame;
  o.overlap = OverlapRule::Free;
  o.zeroVstart = true;
  o.floatingPoint = true;
  o.sewMask = kSew16To64;
  o.executor = executeFloatReduce;
  o.kernels = {nullptr, nullptr, fastKernelOf<SumBody<u32, u32>>(simd), fastKernelOf<SumBody<u64, u64>>(simd)};
  o.slowKernels = {nullptr, slowSum<u16, u16>, slowSum<u32, u32>, slowSum<u64, u64>};
  o.kind = VectorKind::ReduceOrdered;
  table.add("VFREDOSUM_VS", o);
  o.kind = VectorKind::Reduce;
  table.add("VFREDUSUM_VS", o);

  o.kernels = {};
  o.slowKernels = {nullptr, minMax<u16, false>, minMax<u32, false>, minMax<u64, false>};
  table.add("VFREDMIN_VS", o);
  o.slowKernels = {nullptr, minMax<u16, true>, minMax<u32, true>, minMax<u64, true>};
  table.add("VFREDMAX_VS", o);

  o.vd = o.vs1 = kWideScalar;
  o.sewMask = kSew16To32;
  o.kernels = {nullptr, FORERUN_HALF_KERNEL(simd, HalfSumBody), fastKernelOf<SumBody<u64, u32>>(simd), nullptr};
  o.slowKernels = {nullptr, slowSum<u32, u16>, slowSum<u64, u32>, nullptr};
  table.add("VFWREDUSUM_VS", o);
  o.kind = VectorKind::ReduceOrdered;
  table.add("VFWREDOSUM_VS", o);
}

}  // namespace forerun::sim::core
