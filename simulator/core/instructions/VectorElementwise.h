//===- VectorElementwise.h - drives element-wise kernels --------------------===//
// Masks, tails, vstart, scalar operands and mask destinations around kernels that know nothing of them.
#pragma once

#include "simulator/core/instructions/VectorOperation.h"

namespace forerun::sim::core {

/// Elements that are staged together: a multiple of 64, so that mask words are whole.
inline constexpr std::size_t kBlockElements = 256;

/// Runs `kernel` over the active elements from vstart to vl. `scalar` is the scalar operand, if there is one.
void runElementwise(VectorContext& context, const DecodedVector& decoded, ElementwiseKernel kernel,
                    std::uint64_t scalar, ElementwiseState& state);

/// VectorExecutor of integer and fixed-point operations.
void executeElementwise(VectorContext& context, const DecodedVector& decoded);

/// Scalar operand of the instruction: x register, immediate, or the float register unboxed to SEW.
std::uint64_t scalarOperand(const VectorContext& context, const DecodedVector& decoded);

/// 1 or 0 a byte from bits [first, first + n) of a mask register; `first` is a multiple of 64 and n at most
/// kBlockElements. May write up to 7 bytes past n.
void expandMask(std::uint8_t* bytes, const std::uint8_t* mask, std::size_t first, std::size_t n);
/// The inverse, for whole words: bytes past n count as 0.
std::uint64_t packMaskWord(const std::uint8_t* bytes);

/// Bit i of a mask register.
inline bool maskBit(const std::uint8_t* mask, std::size_t i) { return mask[i / 8] >> (i % 8) & 1; }

/// Fills n elements of 1 << log2Bytes bytes.
void fillElements(void* elements, unsigned log2Bytes, std::uint64_t value, std::size_t n);

}  // namespace forerun::sim::core
