//===- Banks.h - what an access costs in a banked memory -------------------===//
// Bank conflicts of elements that are accessed together.
#pragma once

#include "compiler/dialect/layout/Grouping.h"

#include <vector>

namespace forerun::layout {

/// Word w of the memory, `wordBytes` wide, is in bank w % banks; a bank serves `ports` words a cycle.
struct BankGeometry {
  std::int64_t banks = 1;
  std::int64_t wordBytes = 1;
  std::int64_t ports = 1;
};

struct BankUse {
  std::int64_t elements = 0;          ///< places accessed, replicas included
  std::int64_t words = 0;             ///< different words
  std::vector<std::int64_t> perBank;  ///< words that each bank serves
  std::int64_t cycles = 0;            ///< until the busiest bank has served its words
  std::int64_t fewestCycles = 0;      ///< the same, were the words spread evenly
};

/// The words that the window's elements touch, each once however many elements share it. The layout's addresses count
/// elements of `elementBits` from the start of the memory. Fails on windows outside the shape, of more than 2^22
/// places, on layouts of other axes than `m` and on addresses below 0.
llvm::Expected<BankUse> bankUse(Shaped view, llvm::ArrayRef<IndexRange> window, unsigned elementBits,
                                const BankGeometry& geometry);

/// Bank of the first byte of the element at `address`, counted in elements.
std::int64_t bankOf(std::int64_t address, unsigned elementBits, const BankGeometry& geometry);

}  // namespace forerun::layout
