//===- Columns.cpp - arrays of elements as the host computes on them --------===//
// Conversions between memory and columns.
#include "compiler/interpreter/Columns.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace forerun::interpreter {

void loadColumn(ElementType type, const void* memory, void* column, std::size_t count) {
  switch (type) {
    case ElementType::F16:
      return isa::halfToFloat(static_cast<const std::uint16_t*>(memory), static_cast<float*>(column), count);
    case ElementType::BF16:
      return isa::bfloatToFloat(static_cast<const std::uint16_t*>(memory), static_cast<float*>(column), count);
    case ElementType::F8E4M3FN:
    case ElementType::F8E5M2:
    case ElementType::F4E2M1FN:
    case ElementType::F8E8M0FNU:
      for (std::size_t i = 0; i < count; ++i)
        static_cast<float*>(column)[i] =
            static_cast<float>(isa::loadAsDouble(type, static_cast<const std::uint8_t*>(memory) + i));
      return;
    default:
      std::memcpy(column, memory, count * isa::storageBytes(type));
  }
}

void storeColumn(ElementType type, const void* column, void* memory, std::size_t count) {
  switch (type) {
    case ElementType::F16:
      return isa::floatToHalf(static_cast<const float*>(column), static_cast<std::uint16_t*>(memory), count);
    case ElementType::BF16:
      return isa::floatToBfloat(static_cast<const float*>(column), static_cast<std::uint16_t*>(memory), count);
    case ElementType::F8E4M3FN:
    case ElementType::F8E5M2:
    case ElementType::F4E2M1FN:
    case ElementType::F8E8M0FNU:
      for (std::size_t i = 0; i < count; ++i) {
        const float value = static_cast<const float*>(column)[i];
        auto* element = static_cast<std::uint8_t*>(memory) + i;
        isa::storeFromDouble(type, element, value);
        // An infinity in a column is one that was loaded: only conversions saturate.
        if (std::isinf(value) && type == ElementType::F8E5M2) *element = value < 0 ? 0xfc : 0x7c;
      }
      return;
    default:
      std::memcpy(memory, column, count * isa::storageBytes(type));
  }
}

void roundColumn(ElementType type, float* column, std::size_t count) {
  std::uint16_t bits[kColumnElements];
  for (std::size_t done = 0; done < count; done += kColumnElements) {
    const std::size_t n = std::min(kColumnElements, count - done);
    if (type == ElementType::F16) {
      isa::floatToHalf(column + done, bits, n);
      isa::halfToFloat(bits, column + done, n);
    } else if (type == ElementType::BF16) {
      isa::floatToBfloat(column + done, bits, n);
      isa::bfloatToFloat(bits, column + done, n);
    }
  }
}

void repeatFirst(Lane lane, void* column, std::size_t count) {
  auto repeat = [&](auto* values) { std::fill_n(values, count, values[0]); };
  switch (laneBytes(lane)) {
    case 1:
      return repeat(static_cast<std::uint8_t*>(column));
    case 2:
      return repeat(static_cast<std::uint16_t*>(column));
    case 4:
      return repeat(static_cast<std::uint32_t*>(column));
    default:
      return repeat(static_cast<std::uint64_t*>(column));
  }
}

double columnAsDouble(ElementType type, const void* column, std::size_t index) {
  switch (laneOf(type)) {
    case Lane::I8:
      return static_cast<const std::int8_t*>(column)[index];
    case Lane::I16:
      return static_cast<const std::int16_t*>(column)[index];
    case Lane::I32:
      return static_cast<const std::int32_t*>(column)[index];
    case Lane::I64:
      return static_cast<double>(static_cast<const std::int64_t*>(column)[index]);
    case Lane::F32:
      return static_cast<const float*>(column)[index];
    case Lane::F64:
      return static_cast<const double*>(column)[index];
  }
  return 0;
}

void setColumnFromDouble(ElementType type, void* column, std::size_t index, double value) {
  std::uint8_t memory[8] = {};
  isa::storeFromDouble(type, memory, value);
  loadColumn(type, memory, static_cast<std::uint8_t*>(column) + index * laneBytes(laneOf(type)), 1);
}

}  // namespace forerun::interpreter
