//===- VectorMask.cpp - operations on mask registers ------------------------===//
// Logic, population count, find first, set before / including / only first, iota and element index (V 1.0, chapter 15).
#include "simulator/core/instructions/VectorElementwise.h"

#include <bit>
#include <cstring>

namespace forerun::sim::core {

namespace {

std::uint64_t loadWord(const std::uint8_t* mask, std::size_t word) {
  std::uint64_t bits;
  std::memcpy(&bits, mask + 8 * word, 8);
  return bits;
}
void storeWord(std::uint8_t* mask, std::size_t word, std::uint64_t bits) { std::memcpy(mask + 8 * word, &bits, 8); }

/// Bits of word `word` that lie in [begin, end).
std::uint64_t rangeBits(std::size_t word, std::size_t begin, std::size_t end) {
  const std::size_t first = 64 * word;
  std::uint64_t bits = ~std::uint64_t{0};
  if (begin > first) bits = begin - first >= 64 ? 0 : bits << (begin - first);
  if (end < first + 64) bits &= end <= first ? 0 : ~std::uint64_t{0} >> (first + 64 - end);
  return bits;
}

enum class Logic : int { And, Nand, AndNot, Xor, Or, Nor, OrNot, Xnor };

std::uint64_t apply(Logic logic, std::uint64_t a, std::uint64_t b) {
  switch (logic) {
    case Logic::And:
      return a & b;
    case Logic::Nand:
      return ~(a & b);
    case Logic::AndNot:
      return a & ~b;
    case Logic::Xor:
      return a ^ b;
    case Logic::Or:
      return a | b;
    case Logic::Nor:
      return ~(a | b);
    case Logic::OrNot:
      return a | ~b;
    case Logic::Xnor:
      return ~(a ^ b);
  }
  return 0;
}

void executeLogic(VectorContext& c, const DecodedVector& d) {
  VectorState& v = c.v;
  const auto logic = static_cast<Logic>(operationOf(d).variant);
  std::uint8_t* destination = v.reg(d.vd.first);
  const std::uint8_t *a = v.reg(d.vs2.first), *b = v.reg(d.vs1.first);
  for (std::size_t word = v.vstart / 64; 64 * word < v.vl; ++word) {
    const std::uint64_t write = rangeBits(word, v.vstart, v.vl);
    storeWord(destination, word,
              (loadWord(destination, word) & ~write) | (apply(logic, loadWord(a, word), loadWord(b, word)) & write));
  }
}

/// Active source bits of a word.
std::uint64_t activeBits(VectorState& v, const DecodedVector& d, std::size_t word) {
  return rangeBits(word, 0, v.vl) & (d.masked ? loadWord(v.reg(0), word) : ~std::uint64_t{0});
}

void executePopulationCount(VectorContext& c, const DecodedVector& d) {
  std::uint64_t count = 0;
  for (std::size_t word = 0; 64 * word < c.v.vl; ++word)
    count += std::popcount(loadWord(c.v.reg(d.vs2.first), word) & activeBits(c.v, d, word));
  if (d.xWritten > 0) c.x[d.xWritten] = count;
}

/// Index of the first active bit that is set, -1 when there is none.
std::int64_t firstSet(VectorState& v, const DecodedVector& d) {
  for (std::size_t word = 0; 64 * word < v.vl; ++word)
    if (std::uint64_t bits = loadWord(v.reg(d.vs2.first), word) & activeBits(v, d, word))
      return static_cast<std::int64_t>(64 * word + std::countr_zero(bits));
  return -1;
}

void executeFindFirst(VectorContext& c, const DecodedVector& d) {
  const std::int64_t first = firstSet(c.v, d);
  if (d.xWritten > 0) c.x[d.xWritten] = static_cast<std::uint64_t>(first);
}

enum class SetFirst : int { Before, Including, Only };

void executeSetFirst(VectorContext& c, const DecodedVector& d) {
  VectorState& v = c.v;
  const auto mode = static_cast<SetFirst>(operationOf(d).variant);
  const std::int64_t first = firstSet(v, d);
  // Bits [low, high) are set.
  std::size_t low = 0, high = first < 0 ? v.vl : static_cast<std::size_t>(first);
  if (first >= 0 && mode != SetFirst::Before) ++high;
  if (mode == SetFirst::Only) low = first < 0 ? high : high - 1;
  for (std::size_t word = 0; 64 * word < v.vl; ++word) {
    const std::uint64_t write = activeBits(v, d, word);
    std::uint8_t* destination = v.reg(d.vd.first);
    storeWord(destination, word,
              (loadWord(destination, word) & ~write) | (low < high ? rangeBits(word, low, high) & write : 0));
  }
}

template <class T>
void iota(VectorContext& c, const DecodedVector& d) {
  VectorState& v = c.v;
  T* destination = reinterpret_cast<T*>(v.reg(d.vd.first));
  const std::uint8_t *source = v.reg(d.vs2.first), *mask = v.reg(0);
  T count = 0;
  for (std::size_t i = 0; i < v.vl; ++i) {
    if (d.masked && !maskBit(mask, i)) continue;
    destination[i] = count;
    count = static_cast<T>(count + maskBit(source, i));
  }
}

template <class T>
void elementIndex(VectorContext& c, const DecodedVector& d) {
  VectorState& v = c.v;
  T* destination = reinterpret_cast<T*>(v.reg(d.vd.first));
  const std::uint8_t* mask = v.reg(0);
  const std::size_t begin = v.vstart, end = v.vl;
  if (!d.masked) {
    for (std::size_t i = begin; i < end; ++i) destination[i] = static_cast<T>(i);
    return;
  }
  for (std::size_t i = begin; i < end; ++i)
    if (maskBit(mask, i)) destination[i] = static_cast<T>(i);
}

}  // namespace

void addMaskOperations(VectorOperations& table) {
  VectorOperation o;
  o.kind = VectorKind::Mask;
  o.vd = o.vs2 = o.vs1 = kBits;
  o.form = VectorForm::VV;
  o.executor = executeLogic;
  const std::pair<const char*, Logic> logic[] = {
      {"VMAND_MM", Logic::And}, {"VMNAND_MM", Logic::Nand}, {"VMANDN_MM", Logic::AndNot}, {"VMXOR_MM", Logic::Xor},
      {"VMOR_MM", Logic::Or},   {"VMNOR_MM", Logic::Nor},   {"VMORN_MM", Logic::OrNot},   {"VMXNOR_MM", Logic::Xnor}};
  for (const auto& [name, which] : logic) {
    o.variant = static_cast<int>(which);
    table.add(name, o);
  }

  o.vs1 = kNone;
  o.zeroVstart = true;
  o.overlap = OverlapRule::Never;
  o.form = VectorForm::Unary;
  o.executor = executeSetFirst;
  const std::pair<const char*, SetFirst> setFirst[] = {
      {"VMSBF_M", SetFirst::Before}, {"VMSIF_M", SetFirst::Including}, {"VMSOF_M", SetFirst::Only}};
  for (const auto& [name, which] : setFirst) {
    o.variant = static_cast<int>(which);
    table.add(name, o);
  }

  o.vd = kSame;
  o.executor = executeBySew;
  o.bySew = {iota<std::uint8_t>, iota<std::uint16_t>, iota<std::uint32_t>, iota<std::uint64_t>};
  table.add("VIOTA_M", o);

  VectorOperation count;
  count.kind = VectorKind::Mask;
  count.vs2 = kBits;
  count.form = VectorForm::ToX;
  count.zeroVstart = true;
  count.executor = executePopulationCount;
  table.add("VCPOP_M", count);
  count.executor = executeFindFirst;
  table.add("VFIRST_M", count);

  VectorOperation index;
  index.kind = VectorKind::Mask;
  index.vd = kSame;
  index.form = VectorForm::Nullary;
  index.executor = executeBySew;
  index.bySew = {elementIndex<std::uint8_t>, elementIndex<std::uint16_t>, elementIndex<std::uint32_t>,
                 elementIndex<std::uint64_t>};
  table.add("VID_V", index);
}

}  // namespace forerun::sim::core
