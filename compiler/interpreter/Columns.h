//===- Columns.h - arrays of elements as the host computes on them ----------===//
// Element-wise work is done an operation at a time over columns of up to kColumnElements elements. f16 and bf16
// elements are kept as the f32 of equal value.
#pragma once

#include "isa/ElementType.h"

#include <cstddef>
#include <cstdint>

namespace forerun::interpreter {

using isa::ElementType;

inline constexpr std::size_t kColumnElements = 1024;

/// Host type of an element in a column.
enum class Lane : std::uint8_t { I8, I16, I32, I64, F32, F64 };

/// i1 lives in I8 as 0 or 1.
constexpr Lane laneOf(ElementType type) {
  switch (type) {
    case ElementType::I1:
    case ElementType::I4:
    case ElementType::I8:
      return Lane::I8;
    case ElementType::I16:
      return Lane::I16;
    case ElementType::I32:
      return Lane::I32;
    case ElementType::I64:
      return Lane::I64;
    case ElementType::F64:
      return Lane::F64;
    default:
      return Lane::F32;
  }
}

constexpr std::size_t laneBytes(Lane lane) {
  switch (lane) {
    case Lane::I8:
      return 1;
    case Lane::I16:
      return 2;
    case Lane::I32:
    case Lane::F32:
      return 4;
    default:
      return 8;
  }
}

/// Converts `count` contiguous elements of memory into a column and back; exact in both directions for values of the
/// type.
void loadColumn(ElementType type, const void* memory, void* column, std::size_t count);
void storeColumn(ElementType type, const void* column, void* memory, std::size_t count);

/// Rounds the f32 values of a column to the nearest f16 or bf16.
void roundColumn(ElementType type, float* column, std::size_t count);

/// Repeats the first element of a column.
void repeatFirst(Lane lane, void* column, std::size_t count);

/// One element as f64 and back (for uncertainties and messages).
double columnAsDouble(ElementType type, const void* column, std::size_t index);
void setColumnFromDouble(ElementType type, void* column, std::size_t index, double value);

}  // namespace forerun::interpreter
