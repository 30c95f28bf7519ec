//===- VectorPermute.cpp - slides, gathers, compress, scalar and whole moves -===//
// V 1.0, chapter 16.
#include "simulator/core/instructions/VectorRegister.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace forerun::sim::core {

namespace {

template <class T>
T* elements(VectorState& v, const VectorGroup& g) {
  return reinterpret_cast<T*>(v.reg(g.first));
}

/// to[i] = value(i) for the active i from `begin` to vl, in ascending order.
template <class T, class Value>
void forActive(VectorState& v, const DecodedVector& d, T* to, std::size_t begin, Value value) {
  const std::size_t end = v.vl;
  if (!d.masked) {
    for (std::size_t i = begin; i < end; ++i) to[i] = value(i);
    return;
  }
  const std::uint8_t* mask = v.reg(0);
  for (std::size_t i = begin; i < end; ++i)
    if (maskBit(mask, i)) to[i] = value(i);
}

template <class T>
void slideUp(VectorContext& c, const DecodedVector& d) {
  VectorState& v = c.v;
  const std::uint64_t offset = scalarOperand(c, d);
  const std::size_t begin = std::max<std::uint64_t>(v.vstart, offset), end = v.vl;
  if (begin >= end) return;
  T* to = elements<T>(v, d.vd);
  const T* from = elements<T>(v, d.vs2);
  if (!d.masked) {
    std::memcpy(to + begin, from + begin - offset, (end - begin) * sizeof(T));
    return;
  }
  forActive(v, d, to, begin, [=](std::size_t i) { return from[i - offset]; });
}

template <class T>
void slideDown(VectorContext& c, const DecodedVector& d) {
  VectorState& v = c.v;
  const std::uint64_t offset = scalarOperand(c, d), limit = vlmax(v.vlenBits, v.vtype);
  const std::size_t begin = v.vstart, end = v.vl;
  if (begin >= end) return;
  T* to = elements<T>(v, d.vd);
  const T* from = elements<T>(v, d.vs2);
  // Elements from `zeros` on come from beyond the group.
  const std::size_t zeros = offset >= limit ? begin : std::clamp<std::size_t>(limit - offset, begin, end);
  if (!d.masked) {
    if (zeros > begin) std::memmove(to + begin, from + begin + offset, (zeros - begin) * sizeof(T));
    std::fill(to + zeros, to + end, T{0});
    return;
  }
  forActive(v, d, to, begin, [=](std::size_t i) { return i < zeros ? from[i + offset] : T{0}; });
}

template <class T>
void slideOneUp(VectorContext& c, const DecodedVector& d) {
  VectorState& v = c.v;
  T* to = elements<T>(v, d.vd);
  const T* from = elements<T>(v, d.vs2);
  const auto scalar = static_cast<T>(scalarOperand(c, d));
  forActive(v, d, to, v.vstart, [=](std::size_t i) { return i == 0 ? scalar : from[i - 1]; });
}

template <class T>
void slideOneDown(VectorContext& c, const DecodedVector& d) {
  VectorState& v = c.v;
  const std::size_t begin = v.vstart, last = v.vl - 1;
  if (begin >= v.vl) return;
  T* to = elements<T>(v, d.vd);
  const T* from = elements<T>(v, d.vs2);
  const auto scalar = static_cast<T>(scalarOperand(c, d));
  if (!d.masked) {
    std::memmove(to + begin, from + begin + 1, (last - begin) * sizeof(T));
    to[last] = scalar;
    return;
  }
  forActive(v, d, to, begin, [=](std::size_t i) { return i == last ? scalar : from[i + 1]; });
}

template <class T, class Index>
void gather(VectorContext& c, const DecodedVector& d) {
  VectorState& v = c.v;
  const std::uint64_t limit = vlmax(v.vlenBits, v.vtype);
  T* to = elements<T>(v, d.vd);
  const T* from = elements<T>(v, d.vs2);
  const Index* indices = elements<Index>(v, d.vs1);
  forActive(v, d, to, v.vstart, [=](std::size_t i) { return indices[i] < limit ? from[indices[i]] : T{0}; });
}
template <class T>
void gatherSame(VectorContext& c, const DecodedVector& d) {
  gather<T, T>(c, d);
}
template <class T>
void gather16(VectorContext& c, const DecodedVector& d) {
  gather<T, std::uint16_t>(c, d);
}

/// vrgather.vx and .vi: one element to all.
template <class T>
void gatherScalar(VectorContext& c, const DecodedVector& d) {
  VectorState& v = c.v;
  const std::uint64_t index = scalarOperand(c, d);
  T* to = elements<T>(v, d.vd);
  const T value = index < vlmax(v.vlenBits, v.vtype) ? elements<T>(v, d.vs2)[index] : T{0};
  forActive(v, d, to, v.vstart, [=](std::size_t) { return value; });
}

template <class T>
void compress(VectorContext& c, const DecodedVector& d) {
  VectorState& v = c.v;
  T* to = elements<T>(v, d.vd);
  const T* from = elements<T>(v, d.vs2);
  const std::uint8_t* mask = v.reg(d.vs1.first);
  const std::size_t end = v.vl;
  for (std::size_t i = 0; i < end; ++i)
    if (maskBit(mask, i)) *to++ = from[i];
}

template <class T>
void extractX(VectorContext& c, const DecodedVector& d) {
  if (d.xWritten > 0)
    c.x[d.xWritten] = static_cast<std::uint64_t>(
        static_cast<std::int64_t>(static_cast<std::make_signed_t<T>>(*elements<T>(c.v, d.vs2))));
}

template <class T>
void extractF(VectorContext& c, const DecodedVector& d) {
  std::uint64_t boxed = ~std::uint64_t{0};
  std::memcpy(&boxed, c.v.reg(d.vs2.first), sizeof(T));
  c.f[d.fWritten] = boxed;
}

template <class T>
void insert(VectorContext& c, const DecodedVector& d) {
  if (c.v.vstart < c.v.vl) *elements<T>(c.v, d.vd) = static_cast<T>(scalarOperand(c, d));
}

/// vmv1r.v and its kin: nothing but vstart, in elements of SEW, limits the copy.
void executeWholeMove(VectorContext& c, const DecodedVector& d) {
  VectorState& v = c.v;
  const std::size_t bytes = std::size_t{operationOf(d).registers} * v.vlenBytes();
  const std::size_t begin = v.vstart << sewLog2Bytes(v.vtype);
  if (begin < bytes) std::memmove(v.reg(d.vd.first) + begin, v.reg(d.vs2.first) + begin, bytes - begin);
}

// NOLINTBEGIN(bugprone-macro-parentheses): a template's name takes none
#define FORERUN_BY_SEW(function) \
  {function<std::uint8_t>, function<std::uint16_t>, function<std::uint32_t>, function<std::uint64_t>}
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace

void addPermuteOperations(VectorOperations& table) {
  VectorOperation o;
  o.kind = VectorKind::Permute;
  o.vd = o.vs2 = o.vs1 = kSame;
  o.executor = executeBySew;

  VectorOperation up = o;
  up.overlap = OverlapRule::Never;
  up.bySew = FORERUN_BY_SEW(slideUp);
  addForms(table, "VSLIDEUP", up, {kVX, kVI});
  up.bySew = FORERUN_BY_SEW(slideOneUp);
  addForms(table, "VSLIDE1UP", up, {kVX});
  up.sewMask = kSew16To64;
  up.floatingPoint = true;
  addForms(table, "VFSLIDE1UP", up, {kVF});

  VectorOperation down = o;
  down.bySew = FORERUN_BY_SEW(slideDown);
  addForms(table, "VSLIDEDOWN", down, {kVX, kVI});
  down.bySew = FORERUN_BY_SEW(slideOneDown);
  addForms(table, "VSLIDE1DOWN", down, {kVX});
  down.sewMask = kSew16To64;
  down.floatingPoint = true;
  addForms(table, "VFSLIDE1DOWN", down, {kVF});

  VectorOperation gathers = o;
  gathers.overlap = OverlapRule::Never;
  gathers.bySew = FORERUN_BY_SEW(gatherSame);
  addForms(table, "VRGATHER", gathers, {kVV});
  gathers.bySew = FORERUN_BY_SEW(gatherScalar);
  addForms(table, "VRGATHER", gathers, {kVX, kVI});
  gathers.vs1 = {VectorWidth::Fixed, 1};
  gathers.bySew = FORERUN_BY_SEW(gather16);
  addForms(table, "VRGATHEREI16", gathers, {kVV});

  VectorOperation compresses = o;
  compresses.overlap = OverlapRule::Never;
  compresses.vs1 = kBits;
  compresses.zeroVstart = true;
  compresses.bySew = FORERUN_BY_SEW(compress);
  compresses.form = VectorForm::VV;
  table.add("VCOMPRESS_VM", compresses);

  VectorOperation move;
  move.kind = VectorKind::Move;
  move.executor = executeBySew;
  move.overlap = OverlapRule::Free;
  move.vs2 = kScalar;
  move.form = VectorForm::ToX;
  move.bySew = FORERUN_BY_SEW(extractX);
  table.add("VMV_X_S", move);
  move.sewMask = kSew16To64;
  move.floatingPoint = true;
  move.form = VectorForm::ToF;
  move.bySew = FORERUN_BY_SEW(extractF);
  table.add("VFMV_F_S", move);
  move.bySew = FORERUN_BY_SEW(insert);
  move.vs2 = kNone;
  move.vd = kScalar;
  move.form = VectorForm::InsertF;
  table.add("VFMV_S_F", move);
  move.sewMask = kSew8To64;
  move.floatingPoint = false;
  move.form = VectorForm::InsertX;
  table.add("VMV_S_X", move);

  VectorOperation whole;
  whole.kind = VectorKind::Move;
  whole.executor = executeWholeMove;
  whole.overlap = OverlapRule::Free;
  whole.vd = whole.vs2 = {VectorWidth::Whole, 0};
  whole.form = VectorForm::Unary;
  for (unsigned registers : {1u, 2u, 4u, 8u}) {
    whole.registers = static_cast<std::uint8_t>(registers);
    table.add("VMV" + std::to_string(registers) + "R_V", whole);
  }
}

}  // namespace forerun::sim::core
