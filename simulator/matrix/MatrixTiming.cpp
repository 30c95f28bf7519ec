//===- MatrixTiming.cpp - closed forms of the matrix unit --------------------===//
// The rate of a pair of operand types.
#include "simulator/matrix/MatrixTiming.h"

namespace forerun::sim::matrix {

Rate rateOf(const targets::MatrixSpec& spec, isa::ElementType a, isa::ElementType b) {
  Rate slowest;
  for (isa::ElementType type : {a, b})
    for (const targets::TypeRate& rate : spec.typeRate) {
      if (rate.type != isa::name(type) || rate.numerator == 0) continue;
      const bool slower = slowest.numerator == 0 || std::uint64_t{rate.numerator} * slowest.denominator <
                                                        std::uint64_t{slowest.numerator} * rate.denominator;
      if (slower) slowest = {rate.numerator, rate.denominator};
    }
  return slowest;
}

}  // namespace forerun::sim::matrix
