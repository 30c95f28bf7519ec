//===- ElementType.h - element types and their codes -----------------------===//
// The types that descriptors, buffers and files share, with the code that descriptors carry.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace forerun::isa {

/// Codes are part of the ISA (descriptor field `type`); append only.
enum class ElementType : std::uint8_t { I1 = 0, I8 = 1, I16 = 2, I32 = 3, I64 = 4, F16 = 5, BF16 = 6, F32 = 7, F64 = 8, F8E4M3FN = 9, F8E5M2 = 10, I4 = 11 };
inline constexpr unsigned kElementTypeCount = 12;

/// Storage bits of one element (i1 is stored in 8 bits, i4 in 4).
unsigned storageBits(ElementType type);
inline unsigned storageBytes(ElementType type) { return (storageBits(type) + 7) / 8; }
bool isFloat(ElementType type);
bool isInteger(ElementType type);

/// MLIR spelling: "f16", "bf16", "i8", "f8E4M3FN"...
std::string_view name(ElementType type);
std::optional<ElementType> parseElementType(std::string_view name);
std::optional<ElementType> elementTypeFromCode(std::uint64_t code);

/// Reads one element as f64 bits-exact value (floats, i1..i32 exactly; i64 rounds), and as i64 (integers sign-extended; i1 as 0 or 1).
double loadAsDouble(ElementType type, const void* element);
std::int64_t loadAsInt(ElementType type, const void* element);

/// Stores with one rounding to nearest even from the f64 value; overflow gives infinity (f8E4M3FN and f8E5M2 saturate); to integers: toward zero,
/// saturating, NaN gives 0.
void storeFromDouble(ElementType type, void* element, double value);
/// Stores the low bits (integers wrap; to floats: rounds once from the exact integer).
void storeFromInt(ElementType type, void* element, std::int64_t value);

/// Converts one element as tile.cast and DMA do: identical types copy bits; float -> float rounds once directly; float -> int saturates toward zero, NaN to 0;
/// int -> int wraps or sign-extends (i1 zero-extends); int -> float rounds once from the exact integer.
void convertElement(ElementType from, const void* source, ElementType to, void* destination);

/// Raw scalar conversions (IEEE, nearest even).
float halfToFloat(std::uint16_t bits);
std::uint16_t floatToHalf(float value);
std::uint16_t doubleToHalf(double value);
float bfloatToFloat(std::uint16_t bits);
std::uint16_t floatToBfloat(float value);
std::uint16_t doubleToBfloat(double value);

}  // namespace forerun::isa
