//===- LayoutDrawing.h - layouts in the terminal ------------------------------===//
// Who holds which element, as text: single elements, tables, and the bank conflicts of an access.
#pragma once

#include "compiler/dialect/layout/Banks.h"

#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <string>

namespace forerun::driver {

/// Most that a table takes; what is left out is said below it.
struct TableSize {
  std::size_t columns = 100;  ///< characters
  std::int64_t rows = 32;
};

/// Row-major table of a window of `shape`: the last dimension runs to the right, those before it down, with their
/// indices. `cell` gives the text of a flat coordinate.
void drawTable(llvm::raw_ostream& os, llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<layout::IndexRange> window,
               const std::function<std::string(std::int64_t)>& cell, TableSize size = {});

/// The layout's axes, m when it has none.
llvm::SmallVector<layout::Axis, 4> drawnAxes(const layout::Layout& layout);
/// "lane 4, warp {5, 9}, m 0": all places of element x.
std::string describePlaces(const layout::Layout& layout, std::int64_t x);
/// "4/5,9/0": the same in the order of drawnAxes, as short as a table needs it.
std::string shortPlaces(const layout::Layout& layout, std::int64_t x);

/// Elements, words and cycles of an access, and the words of each bank.
void drawBankUse(llvm::raw_ostream& os, const layout::BankUse& use, const layout::BankGeometry& geometry);

}  // namespace forerun::driver
