//===- Compressed.h - 16-bit encodings as their 32-bit equivalents ----------===//
// The C extension adds no behaviour; expanding it once leaves a single set of semantics.
#pragma once

#include <cstdint>
#include <optional>

namespace forerun::sim::core {

/// The 32-bit RV64 encoding that a compressed instruction stands for; nullopt when reserved.
std::optional<std::uint32_t> expandCompressed(std::uint16_t encoding);

}  // namespace forerun::sim::core
