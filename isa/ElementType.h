//===- ElementType.h - element types and their codes -----------------------===//
// The types that descriptors, buffers and files share, with the code that descriptors carry.
#pragma once

#include "isa/FloatBits.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace forerun::isa {

/// Codes are part of the ISA (descriptor field `type`); append only.
enum class ElementType : std::uint8_t {
  I1 = 0,
  I8 = 1,
  I16 = 2,
  I32 = 3,
  I64 = 4,
  F16 = 5,
  BF16 = 6,
  F32 = 7,
  F64 = 8,
  F8E4M3FN = 9,
  F8E5M2 = 10,
  I4 = 11,
  F4E2M1FN = 12,
  F8E8M0FNU = 13
};
inline constexpr unsigned kElementTypeCount = 14;

/// Storage bits of one element (i1 is stored in 8 bits, i4 and f4E2M1FN in 4).
unsigned storageBits(ElementType type);
/// Bytes of one element that stands alone; 1 for the packed types.
inline unsigned storageBytes(ElementType type) { return (storageBits(type) + 7) / 8; }
/// True for types that lie two a byte in device memory, low nibble first; a row (dimension 0) begins at a whole byte.
inline bool isPacked(ElementType type) { return storageBits(type) == 4; }
/// Bytes of a row of `count` elements in device memory.
inline std::uint64_t rowBytes(ElementType type, std::uint64_t count) {
  return isPacked(type) ? (count + 1) / 2 : count * storageBytes(type);
}
bool isFloat(ElementType type);
bool isInteger(ElementType type);

/// MLIR spelling: "f16", "bf16", "i8", "f8E4M3FN"...
std::string_view name(ElementType type);
std::optional<ElementType> parseElementType(std::string_view name);
std::optional<ElementType> elementTypeFromCode(std::uint64_t code);

/// Reads one element as its exact f64 value (i64 rounds; NaNs keep their payload, made quiet), and as i64 (integers
/// sign-extended; i1 as 0 or 1; floats as storing to i64 does). An i1 is the low bit of its byte, a packed type the low
/// nibble; stores clear the bits above.
double loadAsDouble(ElementType type, const void* element);
std::int64_t loadAsInt(ElementType type, const void* element);

/// What a conversion makes of a number beyond the largest of an 8-bit or smaller float; other types ignore it.
enum class Overflow : std::uint8_t {
  Saturate,  ///< the largest number, infinities included
  NaN,       ///< infinity where the type has one, else NaN
};

/// Stores with one rounding to nearest even from the f64 value; overflow gives infinity (8-bit and smaller floats:
/// `overflow`); to integers: toward zero, saturating (i1 to 0 or 1), NaN gives 0. NaNs stored to floats keep what fits
/// of their payload; f4E2M1FN has none and gets 0. f8E8M0FNU rounds to the nearest power of two, the greater of
/// two that are; what is below the least, 0 too, gives the least, a negative number NaN.
void storeFromDouble(ElementType type, void* element, double value, Overflow overflow = Overflow::Saturate);
/// Stores the low bits (integers wrap; to floats: rounds once from the exact integer).
void storeFromInt(ElementType type, void* element, std::int64_t value, Overflow overflow = Overflow::Saturate);

/// Converts one element as tile.cast and DMA do: identical types copy bits; float -> float rounds once directly, a NaN
/// gives the canonical NaN; float -> int saturates toward zero, NaN to 0; int -> int wraps or sign-extends (i1
/// zero-extends); int -> float rounds once from the exact integer.
void convertElement(ElementType from, const void* source, ElementType to, void* destination,
                    Overflow overflow = Overflow::Saturate);

/// convertElement over `count` elements whose neighbours are the given bytes apart (0 and negative strides are fine).
/// Source and destination may be the same place or disjoint, not partly overlapping.
void convertElements(ElementType from, const void* source, std::ptrdiff_t sourceStrideBytes, ElementType to,
                     void* destination, std::ptrdiff_t destinationStrideBytes, std::size_t count);

// Contiguous conversions with vectorised loops; the scalar forms (halfToFloat, floatToHalf, ...) are in
// isa/FloatBits.h.
void halfToFloat(const std::uint16_t* source, float* destination, std::size_t count);
void floatToHalf(const float* source, std::uint16_t* destination, std::size_t count);
void bfloatToFloat(const std::uint16_t* source, float* destination, std::size_t count);
void floatToBfloat(const float* source, std::uint16_t* destination, std::size_t count);

}  // namespace forerun::isa
