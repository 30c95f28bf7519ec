//===- Uncertainty.h - how far a conforming result may lie from the reference ==//
// `--check` compares within a bound that follows from the program: each element carries a radius, 0 at inputs, that
// grows where the language leaves an order open and is carried on by what follows.
//
// Radius of a result, K being the products or elements in all, p the digits of the result's type, r radii of operands
// (factor 2: both sides may err):
// - matmul: 2 K 2^-24 sum |a||b| + sum ((|a|+ra)(|b|+rb) - |a||b|); with Radii::OrderedProducts 0 as long as no operand
//   has a radius
// - reduce and scan add, order any: 2 K 2^-p sum |x| + sum r; infinite where sum |x| overflows, as parts of it may
// - reduce and scan mul: prod (|x|+r) (1 + 2 K 2^-p) - prod |x| + K eta prod max(|x|+r, 1), eta the least positive
// number
//   (parts may underflow); infinite where the last product overflows
// - reduce and scan min, max: max r; argmin, argmax: the whole range when another candidate lies within the radii, else
// 0
// - map, scalar operations: sum over inputs of the larger change when that input moves by +-r, at least the change when
// all move together;
//   plus one unit in the last place of the result if any input has a radius. Exact for monotone bodies, else of first
//   order; integer results with radius 0 must be equal
// - copy, transpose: unchanged; with conversion plus one unit in the last place if r > 0
#pragma once

#include "compiler/interpreter/MapProgram.h"

#include <vector>

namespace forerun::interpreter {

/// Distance from |value| to the next number of the type (infinite for infinities and NaN); 1 for integers.
double unitInLastPlace(ElementType type, double value);

/// The greatest finite number of a float type.
double largestFinite(ElementType type);

/// Digits of the significand, implicit one included: 11, 8, 24, 53.
unsigned significandBits(ElementType type);

/// The registers of a running map program, with the radii of its sources: inputs, then captured values.
class MapColumns {
 public:
  explicit MapColumns(const MapProgram& program);

  void* at(unsigned reg) { return columns_.data() + offsets_[reg]; }
  float* radius(unsigned source) { return radii_.data() + source * kColumnElements; }
  /// Runs all steps over the first `count` elements.
  void run(std::size_t count);
  /// Radii of the outputs after `run(count)`; an empty vector stands for all 0. Outputs' columns hold something else
  /// afterwards.
  std::vector<std::vector<float>> outputRadii(std::size_t count);

 private:
  unsigned registerOf(unsigned source) const;
  /// Moves a source by sign * radius.
  void displace(unsigned source, double sign, std::size_t count);

  const MapProgram& program_;
  std::vector<std::size_t> offsets_;
  std::vector<std::uint8_t> columns_;
  std::vector<float> radii_;
};

}  // namespace forerun::interpreter
