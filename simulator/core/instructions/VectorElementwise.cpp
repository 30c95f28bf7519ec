//===- VectorElementwise.cpp - drives element-wise kernels ------------------===//
// The fast path hands whole register groups to the kernel; masks, scalars and the like go block by block through small
// buffers.
#include "simulator/core/instructions/VectorElementwise.h"

#include "simulator/core/instructions/VectorKernels.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace forerun::sim::core {

void expandMask(std::uint8_t* bytes, const std::uint8_t* mask, std::size_t first, std::size_t n) {
  mask += first / 8;
  for (std::size_t i = 0; i < n; i += 8) {
    // Spread eight bits to eight bytes: bit k moves to bit 8k.
    const std::uint64_t low = mask[i / 8] & 0x7f, high = mask[i / 8] >> 7;
    const std::uint64_t spread = (low * 0x0002040810204081u & 0x0101010101010101u) | high << 56;
    std::memcpy(bytes + i, &spread, 8);
  }
}

std::uint64_t packMaskWord(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
#if defined(__x86_64__)
  for (unsigned i = 0; i < 4; ++i) {
    const __m128i sixteen = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * i));
    word |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(_mm_slli_epi16(sixteen, 7)))) << 16 * i;
  }
  return word;
#endif
  for (unsigned i = 0; i < 8; ++i) {
    std::uint64_t eight;
    std::memcpy(&eight, bytes + 8 * i, 8);
    word |= (eight * 0x0102040810204080u >> 56) << 8 * i;
  }
  return word;
}

void fillElements(void* elements, unsigned log2Bytes, std::uint64_t value, std::size_t n) {
  switch (log2Bytes) {
    case 0:
      std::fill_n(static_cast<std::uint8_t*>(elements), n, static_cast<std::uint8_t>(value));
      break;
    case 1:
      std::fill_n(static_cast<std::uint16_t*>(elements), n, static_cast<std::uint16_t>(value));
      break;
    case 2:
      std::fill_n(static_cast<std::uint32_t*>(elements), n, static_cast<std::uint32_t>(value));
      break;
    default:
      std::fill_n(static_cast<std::uint64_t*>(elements), n, value);
      break;
  }
}

namespace {

/// d[i] = a[i] where the byte b[i] is set.
template <class T>
struct BlendBody {
  FORERUN_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState&) {
    T* d = static_cast<T*>(dp);
    const T* a = static_cast<const T*>(ap);
    const std::uint8_t* active = static_cast<const std::uint8_t*>(bp);
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = active[i] ? a[i] : d[i];
  }
};
/// d[i] = b[i] ? a[i] : state.fill.
template <class T>
struct FilterBody {
  FORERUN_INLINE void run(void* dp, const void* ap, const void* bp, std::size_t n, ElementwiseState& state) {
    T* d = static_cast<T*>(dp);
    const T* a = static_cast<const T*>(ap);
    const std::uint8_t* active = static_cast<const std::uint8_t*>(bp);
    const T fill = static_cast<T>(state.fill);
    FORERUN_INDEPENDENT
    for (std::size_t i = 0; i < n; ++i) d[i] = active[i] ? a[i] : fill;
  }
};

/// One kernel an element size.
template <template <class T> class Body>
std::array<ElementwiseKernel, 4> kernelsBySize() {
  const bool simd = hostHasSimd();
  return {kernelOf<Body<std::uint8_t>>(simd), kernelOf<Body<std::uint16_t>>(simd), kernelOf<Body<std::uint32_t>>(simd),
          kernelOf<Body<std::uint64_t>>(simd)};
}

void blend(void* d, const void* from, const std::uint8_t* active, unsigned log2Bytes, std::size_t n) {
  static const std::array<ElementwiseKernel, 4> kernels = kernelsBySize<BlendBody>();
  ElementwiseState state;
  kernels[log2Bytes](d, from, active, n, state);
}

void maskedCopy(void* d, const void* from, const std::uint8_t* active, unsigned log2Bytes, std::uint64_t value,
                std::size_t n) {
  static const std::array<ElementwiseKernel, 4> kernels = kernelsBySize<FilterBody>();
  ElementwiseState state;
  state.fill = value;
  kernels[log2Bytes](d, from, active, n, state);
}

/// What replaces an inactive source element of this width. Eight-bit elements are no floats.
std::uint64_t inactiveBits(InactiveValue value, unsigned log2Bytes) {
  if (value == InactiveValue::Zero) return 0;
  return log2Bytes == 1 ? 0x3c00u : log2Bytes == 2 ? 0x3f800000u : 0x3ff0000000000000u;
}

/// log2 of the element bytes of a group.
unsigned log2BytesOf(const VectorGroup& group, unsigned sewLog2) {
  return group.width == VectorWidth::Fixed ? group.shift : sewLog2 + group.shift;
}

/// A kernel must not see a destination that partly overlaps a source: true when the same registers hold elements of
/// another width.
bool needsStaging(const VectorGroup& destination, const VectorGroup& source, std::uint64_t vtype) {
  if (!source.used() || destination.elementBits(vtype) == source.elementBits(vtype)) return false;
  return destination.first < source.first + source.registerCount(vtype) &&
         source.first < destination.first + destination.registerCount(vtype);
}

using Block = std::array<std::uint8_t, kBlockElements * 8 + 8>;

/// One source operand, block by block.
struct Source {
  const std::uint8_t* data = nullptr;  ///< element 0; null for scalars, which fill `buffer`, and for absent operands
  unsigned log2Bytes = 0;
  bool stage = false;
  alignas(32) Block buffer;
  alignas(32) Block filtered;  ///< scalars with a mask

  const void* block(std::size_t first, std::size_t n, const std::uint8_t* active, InactiveValue inactive) {
    if (!data && !(active && inactive != InactiveValue::AsIs)) return buffer.data();
    if (!data) {
      maskedCopy(filtered.data(), buffer.data(), active, log2Bytes, inactiveBits(inactive, log2Bytes), n);
      return filtered.data();
    }
    const std::uint8_t* from = data + (first << log2Bytes);
    if (active && inactive != InactiveValue::AsIs) {
      maskedCopy(buffer.data(), from, active, log2Bytes, inactiveBits(inactive, log2Bytes), n);
      return buffer.data();
    }
    if (!stage) return from;
    std::memcpy(buffer.data(), from, n << log2Bytes);
    return buffer.data();
  }
};

/// Elements of the block at `first` that take part: below vstart and masked-off ones are 0.
void activeBytes(std::uint8_t* active, const DecodedVector& d, VectorState& v, std::size_t first, std::size_t n) {
  if (d.masked)
    expandMask(active, v.reg(0), first, n);
  else
    std::memset(active, 1, n);
  if (v.vstart > first) std::memset(active, 0, std::min<std::size_t>(n, v.vstart - first));
}

/// Writes the bits of a block of a mask destination.
void storeMaskBlock(std::uint8_t* mask, std::size_t first, std::uint8_t* results, std::uint8_t* active, std::size_t n) {
  std::memset(active + n, 0, kBlockElements - n);
  std::memset(results + n, 0, kBlockElements - n);
  for (std::size_t i = 0; i < n; i += 64) {
    std::uint64_t word;
    std::uint8_t* where = mask + (first + i) / 8;
    std::memcpy(&word, where, 8);
    const std::uint64_t activeWord = packMaskWord(active + i), resultWord = packMaskWord(results + i);
    word = (word & ~activeWord) | (resultWord & activeWord);
    std::memcpy(where, &word, 8);
  }
}

}  // namespace

std::uint64_t scalarOperand(const VectorContext& c, const DecodedVector& d) {
  if (d.xRead1 >= 0) return c.x[d.xRead1];
  if (d.fRead < 0) return static_cast<std::uint64_t>(d.immediate);
  const std::uint64_t raw = c.f[d.fRead];
  switch (sewLog2Bytes(c.v.vtype)) {  // a value that is not NaN-boxed reads as the canonical NaN
    case 1:
      return raw >> 16 == 0xffffffffffffu ? raw : operationOf(d).bfloat ? 0x7fc0u : 0x7e00u;
    case 2:
      return raw >> 32 == 0xffffffffu ? raw : 0x7fc00000u;
    default:
      return raw;
  }
}

namespace {

bool isScalarForm(const DecodedVector& d, const VectorOperation& o) {
  return !d.vs1.used() && (d.xRead1 >= 0 || d.fRead >= 0 || o.form == VectorForm::VI || o.form == VectorForm::SplatI);
}

/// Whole groups, or blocks of them when there is a scalar operand to spread.
void runDirect(VectorContext& c, const DecodedVector& d, ElementwiseKernel kernel, std::uint64_t scalar,
               ElementwiseState& state) {
  VectorState& v = c.v;
  const std::size_t begin = v.vstart, end = v.vl;
  const unsigned sewLog2 = sewLog2Bytes(v.vtype);
  const unsigned dLog2 = sewLog2 + d.vd.shift, aLog2 = sewLog2 + d.vs2.shift, bLog2 = sewLog2 + d.vs1.shift;
  std::uint8_t* destination = v.reg(d.vd.first);
  const std::uint8_t* a = v.reg(d.vs2.first);
  if (!isScalarForm(d, operationOf(d))) {
    kernel(destination + (begin << dLog2), a + (begin << aLog2), v.reg(d.vs1.first) + (begin << bLog2), end - begin,
           state);
    return;
  }
  alignas(32) Block splat;
  fillElements(splat.data(), sewLog2, scalar, std::min(end - begin, kBlockElements));
  for (std::size_t first = begin; first < end; first += kBlockElements)
    kernel(destination + (first << dLog2), a + (first << aLog2), splat.data(), std::min(kBlockElements, end - first),
           state);
}

}  // namespace

bool runsDirectly(const DecodedVector& d, const VectorOperation& o, std::uint64_t vtype) {
  const auto plain = [](const VectorGroup& g) { return !g.used() || g.width == VectorWidth::Relative; };
  return !d.masked && !o.carry && d.vd.used() && plain(d.vd) && plain(d.vs1) && plain(d.vs2) &&
         !needsStaging(d.vd, d.vs1, vtype) && !needsStaging(d.vd, d.vs2, vtype);
}

void runElementwise(VectorContext& c, const DecodedVector& d, ElementwiseKernel kernel, std::uint64_t scalar,
                    ElementwiseState& state) {
  VectorState& v = c.v;
  const std::size_t begin = v.vstart, end = v.vl;
  if (begin >= end) return;
  if (d.direct) {
    runDirect(c, d, kernel, scalar, state);
    return;
  }
  const VectorOperation& o = operationOf(d);
  const unsigned sewLog2 = sewLog2Bytes(v.vtype);
  const bool toMask = d.vd.width == VectorWidth::Mask;
  const unsigned dLog2 = toMask ? 0 : log2BytesOf(d.vd, sewLog2);
  std::uint8_t* destination = v.reg(d.vd.first);

  Source a, b;
  const bool hasA = d.vs2.used(), hasB = d.vs1.used();
  if (hasA) {
    a.data = v.reg(d.vs2.first);
    a.log2Bytes = log2BytesOf(d.vs2, sewLog2);
    a.stage = needsStaging(d.vd, d.vs2, v.vtype);
  }
  if (hasB) {
    b.data = v.reg(d.vs1.first);
    b.log2Bytes = log2BytesOf(d.vs1, sewLog2);
    b.stage = needsStaging(d.vd, d.vs1, v.vtype);
  }
  const bool scalarForm = isScalarForm(d, o);
  if (scalarForm) {
    b.log2Bytes = sewLog2;
    fillElements(b.buffer.data(), sewLog2, scalar, std::min(end, kBlockElements));
  }

  alignas(32) Block result;
  alignas(32) std::array<std::uint8_t, kBlockElements + 8> active, carry;
  for (std::size_t first = begin & ~(kBlockElements - 1); first < end; first += kBlockElements) {
    const std::size_t n = std::min(kBlockElements, end - first);
    const bool partial = d.masked || first < begin;
    if (partial || toMask) activeBytes(active.data(), d, v, first, n);
    if (o.carry) {
      if (d.readsV0)
        expandMask(carry.data(), v.reg(0), first, n);
      else
        carry.fill(0);
      state.carry = carry.data();
    }
    const std::uint8_t* filter = partial ? active.data() : nullptr;
    const void* aBlock = hasA ? a.block(first, n, filter, o.inactive) : nullptr;
    const void* bBlock = hasB || scalarForm ? b.block(first, n, filter, o.inactive) : nullptr;
    std::uint8_t* dBlock = destination + (first << dLog2);
    if (toMask) {
      kernel(result.data(), aBlock, bBlock, n, state);
      storeMaskBlock(destination, first, result.data(), active.data(), n);
    } else if (partial) {
      if (d.readsDestination) {
        if (o.inactive != InactiveValue::AsIs)
          maskedCopy(result.data(), dBlock, active.data(), dLog2, inactiveBits(o.inactive, dLog2), n);
        else
          std::memcpy(result.data(), dBlock, n << dLog2);
      }
      kernel(result.data(), aBlock, bBlock, n, state);
      blend(dBlock, result.data(), active.data(), dLog2, n);
    } else {
      kernel(dBlock, aBlock, bBlock, n, state);
    }
  }
}

void executeElementwise(VectorContext& c, const DecodedVector& d) {
  ElementwiseState state;
  state.vxrm = c.v.vxrm;
  runElementwise(c, d, operationOf(d).kernels[sewLog2Bytes(c.v.vtype)], scalarOperand(c, d), state);
  c.v.vxsat |= state.saturated;
}

}  // namespace forerun::sim::core
