//===- ConversionOps.cpp - conversions between element types ----------------===//
// Each rounds once, directly from source to target type; float to integer saturates and NaN gives 0 (the meaning of
// tile.cast).
#include "compiler/interpreter/ElementLoops.h"

#include <cstring>

namespace forerun::interpreter {

namespace {

constexpr unsigned kTypes = isa::kElementTypeCount;

/// Any pair, one element at a time, through the conversion that DMA and tile.cast share.
template <ElementType from, ElementType to>
void convertAny(const ElementCall& call) {
  constexpr std::size_t fromBytes = laneBytes(laneOf(from)), toBytes = laneBytes(laneOf(to));
  const auto* in = call.input<std::uint8_t>(0);
  auto* out = call.output<std::uint8_t>();
  // In place conversions to wider elements would overwrite what is still to be read; callers give distinct columns
  // then.
  for (std::size_t i = 0; i < call.count; ++i) {
    std::uint8_t source[8], target[8];
    storeColumn(from, in + i * fromBytes, source, 1);
    isa::convertElement(from, source, to, target);
    loadColumn(to, target, out + i * toBytes, 1);
  }
}

void copy4(const ElementCall& call) { std::memmove(call.out, call.in[0], call.count * 4); }

/// f32 to f16 or bf16: rows at a time.
template <ElementType to>
void roundFloat(const ElementCall& call) {
  std::memmove(call.out, call.in[0], call.count * sizeof(float));
  roundColumn(to, call.output<float>(), call.count);
}

template <typename From, typename To>
void convertPlain(const ElementCall& call) {
  const From* in = call.input<From>(0);
  To* out = call.output<To>();
  for (std::size_t i = 0; i < call.count; ++i) out[i] = static_cast<To>(in[i]);
}

template <ElementType from, ElementType to>
constexpr ElementFunction functionFor() {
  constexpr bool fromSmall = from == ElementType::F16 || from == ElementType::BF16,
                 toSmall = to == ElementType::F16 || to == ElementType::BF16;
  if constexpr (fromSmall && to == ElementType::F32)
    return copy4;
  else if constexpr ((fromSmall || from == ElementType::F32) && toSmall)
    return roundFloat<to>;
  else if constexpr ((fromSmall || from == ElementType::F32) && to == ElementType::F64)
    return convertPlain<float, double>;
  else if constexpr (from == ElementType::F64 && to == ElementType::F32)
    return convertPlain<double, float>;
  else if constexpr (from == ElementType::I32 && to == ElementType::F32)
    return convertPlain<std::int32_t, float>;
  else if constexpr (from == ElementType::I8 && to == ElementType::F32)
    return convertPlain<std::int8_t, float>;
  else if constexpr (from == ElementType::I32 && to == ElementType::I64)
    return convertPlain<std::int32_t, std::int64_t>;
  else if constexpr (from == ElementType::I64 && to == ElementType::I32)
    return convertPlain<std::int64_t, std::int32_t>;
  else
    return convertAny<from, to>;
}

template <unsigned... codes>
ElementFunction pickTarget(const ElementQuery& query, std::integer_sequence<unsigned, codes...>) {
  static constexpr ElementFunction table[] = {
      functionFor<static_cast<ElementType>(codes / kTypes), static_cast<ElementType>(codes % kTypes)>()...};
  return table[static_cast<unsigned>(query.operand) * kTypes + static_cast<unsigned>(query.result)];
}

ElementFunction convert(const ElementQuery& query) {
  return pickTarget(query, std::make_integer_sequence<unsigned, kTypes * kTypes>());
}

/// Extension of i1 counts as unsigned here; `arith.extsi` of i1 gives 0 or -1.
template <typename To>
void signExtendBit(const ElementCall& call) {
  for (std::size_t i = 0; i < call.count; ++i)
    call.output<To>()[i] = static_cast<To>(-(call.input<std::uint8_t>(0)[i] & 1));
}

ElementFunction signExtend(const ElementQuery& query) {
  if (query.operand != ElementType::I1) return isa::isInteger(query.operand) ? convert(query) : nullptr;
  switch (query.result) {
    case ElementType::I8:
      return signExtendBit<std::int8_t>;
    case ElementType::I16:
      return signExtendBit<std::int16_t>;
    case ElementType::I32:
      return signExtendBit<std::int32_t>;
    case ElementType::I64:
      return signExtendBit<std::int64_t>;
    default:
      return nullptr;
  }
}

/// Zero extension: widens the unsigned value.
template <typename From, typename To>
ElementFunction plain() {
  return convertPlain<From, To>;
}
ElementFunction zeroExtend(const ElementQuery& query) {
  auto to = [&]<typename From>(From) -> ElementFunction {
    switch (query.result) {
      case ElementType::I8:
        return plain<From, std::uint8_t>();
      case ElementType::I16:
        return plain<From, std::uint16_t>();
      case ElementType::I32:
        return plain<From, std::uint32_t>();
      case ElementType::I64:
        return plain<From, std::uint64_t>();
      default:
        return nullptr;
    }
  };
  switch (laneOf(query.operand)) {
    case Lane::I8:
      return to(std::uint8_t());
    case Lane::I16:
      return to(std::uint16_t());
    case Lane::I32:
      return to(std::uint32_t());
    default:
      return to(std::uint64_t());
  }
}

/// The low bits; i1 keeps one.
void lowBit(const ElementCall& call, std::size_t bytes) {
  for (std::size_t i = 0; i < call.count; ++i)
    call.output<std::uint8_t>()[i] = call.input<std::uint8_t>(0)[i * bytes] & 1;
}
template <std::size_t bytes>
void lowBitOf(const ElementCall& call) {
  lowBit(call, bytes);
}
ElementFunction truncate(const ElementQuery& query) {
  if (query.result != ElementType::I1) return convert(query);
  switch (laneBytes(laneOf(query.operand))) {
    case 1:
      return lowBitOf<1>;
    case 2:
      return lowBitOf<2>;
    case 4:
      return lowBitOf<4>;
    default:
      return lowBitOf<8>;
  }
}

/// Unsigned integers to floats and back: exact integers up to 64 bits, one rounding.
template <ElementType from, ElementType to>
void unsignedToFloat(const ElementCall& call) {
  constexpr std::size_t fromBytes = laneBytes(laneOf(from)), toBytes = laneBytes(laneOf(to));
  for (std::size_t i = 0; i < call.count; ++i) {
    std::uint64_t value = 0;
    std::memcpy(&value, call.input<std::uint8_t>(0) + i * fromBytes, fromBytes);
    // Above 2^63 halve, keeping the lost bit sticky; doubling the rounded result is exact.
    const bool large = value >> 63;
    const std::int64_t exact = static_cast<std::int64_t>(large ? (value >> 1) | (value & 1) : value);
    std::uint8_t target[8];
    isa::storeFromInt(to, target, exact);
    if (large) isa::storeFromDouble(to, target, 2 * isa::loadAsDouble(to, target));
    loadColumn(to, target, call.output<std::uint8_t>() + i * toBytes, 1);
  }
}
template <ElementType from>
ElementFunction unsignedFrom(ElementType to) {
  switch (to) {
    case ElementType::F16:
      return unsignedToFloat<from, ElementType::F16>;
    case ElementType::BF16:
      return unsignedToFloat<from, ElementType::BF16>;
    case ElementType::F32:
      return unsignedToFloat<from, ElementType::F32>;
    case ElementType::F64:
      return unsignedToFloat<from, ElementType::F64>;
    default:
      return nullptr;
  }
}
ElementFunction fromUnsigned(const ElementQuery& query) {
  switch (query.operand) {
    case ElementType::I1:
      return convert(query);
    case ElementType::I8:
      return unsignedFrom<ElementType::I8>(query.result);
    case ElementType::I16:
      return unsignedFrom<ElementType::I16>(query.result);
    case ElementType::I32:
      return unsignedFrom<ElementType::I32>(query.result);
    case ElementType::I64:
      return unsignedFrom<ElementType::I64>(query.result);
    default:
      return nullptr;
  }
}

/// Float to unsigned: toward zero, saturating, NaN gives 0.
template <typename From, typename To>
void floatToUnsignedLoop(const ElementCall& call) {
  constexpr double limit = 2.0 * static_cast<double>(std::uint64_t{1} << (sizeof(To) * 8 - 1));
  for (std::size_t i = 0; i < call.count; ++i) {
    const double value = call.input<From>(0)[i];
    call.output<To>()[i] = !(value > 0) ? To(0) : value >= limit ? static_cast<To>(~To(0)) : static_cast<To>(value);
  }
}
template <typename From>
ElementFunction unsignedFromFloat(ElementType to) {
  switch (to) {
    case ElementType::I8:
      return floatToUnsignedLoop<From, std::uint8_t>;
    case ElementType::I16:
      return floatToUnsignedLoop<From, std::uint16_t>;
    case ElementType::I32:
      return floatToUnsignedLoop<From, std::uint32_t>;
    case ElementType::I64:
      return floatToUnsignedLoop<From, std::uint64_t>;
    default:
      return nullptr;
  }
}
ElementFunction toUnsigned(const ElementQuery& query) {
  return query.operand == ElementType::F64 ? unsignedFromFloat<double>(query.result)
                                           : unsignedFromFloat<float>(query.result);
}

/// Same bits, other type.
template <ElementType from, ElementType to>
void reinterpret(const ElementCall& call) {
  std::uint8_t memory[kColumnElements * 8];
  storeColumn(from, call.in[0], memory, call.count);
  loadColumn(to, memory, call.out, call.count);
}
ElementFunction bitcast(const ElementQuery& query) {
  using enum ElementType;
  auto is = [&](ElementType from, ElementType to) { return query.operand == from && query.result == to; };
  if (is(F16, I16)) return reinterpret<F16, I16>;
  if (is(I16, F16)) return reinterpret<I16, F16>;
  if (is(BF16, I16)) return reinterpret<BF16, I16>;
  if (is(I16, BF16)) return reinterpret<I16, BF16>;
  if (is(F8E4M3FN, I8)) return reinterpret<F8E4M3FN, I8>;
  if (is(I8, F8E4M3FN)) return reinterpret<I8, F8E4M3FN>;
  if (is(F8E5M2, I8)) return reinterpret<F8E5M2, I8>;
  if (is(I8, F8E5M2)) return reinterpret<I8, F8E5M2>;
  if (is(F8E8M0FNU, I8)) return reinterpret<F8E8M0FNU, I8>;
  if (is(I8, F8E8M0FNU)) return reinterpret<I8, F8E8M0FNU>;
  if (is(F16, BF16)) return reinterpret<F16, BF16>;
  if (is(BF16, F16)) return reinterpret<BF16, F16>;
  if (is(F32, I32) || is(I32, F32)) return reinterpret<I32, I32>;
  if (is(F64, I64) || is(I64, F64)) return reinterpret<I64, I64>;
  return query.operand == query.result ? convert(query) : nullptr;
}

}  // namespace

void addConversionOps(ElementOpTable& table) {
  addElementOp(table, "tile.convert", {convert});
  addElementOp(table, "arith.extf", {convert});
  addElementOp(table, "arith.truncf", {convert});
  addElementOp(table, "arith.sitofp", {convert});
  addElementOp(table, "arith.fptosi", {convert});
  addElementOp(table, "arith.uitofp", {fromUnsigned});
  addElementOp(table, "arith.fptoui", {toUnsigned});
  addElementOp(table, "arith.extsi", {signExtend});
  addElementOp(table, "arith.extui", {zeroExtend});
  addElementOp(table, "arith.trunci", {truncate});
  addElementOp(table, "arith.index_cast", {signExtend});
  addElementOp(table, "arith.index_castui", {zeroExtend});
  addElementOp(table, "arith.bitcast", {bitcast, false, false});
}

}  // namespace forerun::interpreter
