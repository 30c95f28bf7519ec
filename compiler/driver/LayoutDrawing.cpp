//===- LayoutDrawing.cpp - layouts in the terminal ----------------------------===//
// Tables that fit a terminal; what does not fit is left out and said.
#include "compiler/driver/LayoutDrawing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <set>
#include <vector>

namespace forerun::driver {

namespace {

using layout::Axis;
using layout::IndexRange;
using layout::Layout;
using layout::Point;

/// Coordinates of all replicas on one axis. Replica iterators have one axis each, so that the places are the product of
/// these.
std::vector<std::int64_t> valuesOn(llvm::ArrayRef<Point> places, Axis axis) {
  std::set<std::int64_t> values;
  for (const Point& place : places) values.insert(place.get(axis));
  return {values.begin(), values.end()};
}

std::string joined(llvm::ArrayRef<std::int64_t> values, llvm::StringRef separator) {
  return llvm::join(llvm::map_range(values, [](std::int64_t value) { return std::to_string(value); }), separator);
}

/// "5,9", "0-7", or "0,9,18..." for more than four.
std::string shortened(llvm::ArrayRef<std::int64_t> values) {
  if (values.size() > 2 && values.back() - values.front() + 1 == static_cast<std::int64_t>(values.size()))
    return std::to_string(values.front()) + "-" + std::to_string(values.back());
  return values.size() <= 4 ? joined(values, ",") : joined(values.take_front(3), ",") + "...";
}

/// Row-major index of the n-th element of the window.
llvm::SmallVector<std::int64_t, 6> indexIn(llvm::ArrayRef<IndexRange> window, std::int64_t n) {
  llvm::SmallVector<std::int64_t, 6> index(window.size());
  for (std::size_t d = window.size(); d-- > 0;) {
    const std::int64_t extent = window[d].second - window[d].first;
    index[d] = window[d].first + n % extent;
    n /= extent;
  }
  return index;
}

std::int64_t elementsOf(llvm::ArrayRef<IndexRange> window) {
  std::int64_t elements = 1;
  for (const IndexRange& range : window) elements *= range.second - range.first;
  return elements;
}

}  // namespace

void drawTable(llvm::raw_ostream& os, llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<IndexRange> window,
               const std::function<std::string(std::int64_t)>& cell, TableSize size) {
  const llvm::ArrayRef<IndexRange> outer = window.drop_back();
  const IndexRange across = window.back();
  const std::int64_t rows = elementsOf(outer), columns = across.second - across.first;
  const std::int64_t shownRows = std::min(rows, size.rows);

  std::vector<std::string> labels;
  std::size_t labelWidth = 0;
  for (std::int64_t row = 0; row < shownRows; ++row) {
    labels.push_back(joined(indexIn(outer, row), ","));
    labelWidth = std::max(labelWidth, labels.back().size());
  }
  // Columns are as wide as the widest cell of those that are shown; cells are asked for column by column until the line
  // is full.
  std::vector<std::vector<std::string>> cells;  // by column
  std::size_t width = std::to_string(across.second - 1).size();
  while (static_cast<std::int64_t>(cells.size()) < columns) {
    std::vector<std::string> column;
    std::size_t wider = width;
    const std::int64_t last = across.first + static_cast<std::int64_t>(cells.size());
    for (std::int64_t row = 0; row < shownRows; ++row) {
      llvm::SmallVector<std::int64_t, 6> index = indexIn(outer, row);
      index.push_back(last);
      std::int64_t x = 0;
      for (std::size_t d = 0; d < shape.size(); ++d) x = x * shape[d] + index[d];
      column.push_back(cell(x));
      wider = std::max(wider, column.back().size());
    }
    if (!cells.empty() && labelWidth + (cells.size() + 1) * (wider + 2) > size.columns) break;
    width = wider;
    cells.push_back(std::move(column));
  }

  const auto shownColumns = static_cast<std::int64_t>(cells.size());
  const auto right = [&](const std::string& text, std::size_t to) {
    os << std::string(to - std::min(to, text.size()), ' ') << text;
  };
  right("", labelWidth);
  for (std::int64_t column = 0; column < shownColumns; ++column)
    right(std::to_string(across.first + column), width + 2);
  os << '\n';
  for (std::int64_t row = 0; row < shownRows; ++row) {
    right(labels[static_cast<std::size_t>(row)], labelWidth);
    for (const std::vector<std::string>& column : cells) right(column[static_cast<std::size_t>(row)], width + 2);
    os << '\n';
  }
  if (shownRows == rows && shownColumns == columns) return;
  llvm::SmallVector<IndexRange, 6> rest(window);
  os << '(';
  if (shownRows < rows) {
    const auto next = indexIn(outer, shownRows);
    os << "rows from " << joined(next, ",");
    rest.front().first = next.front();
  }
  if (shownColumns < columns) {
    os << (shownRows < rows ? " and columns from " : "columns from ") << across.first + shownColumns;
    rest = llvm::SmallVector<IndexRange, 6>(window);
    rest.back().first += shownColumns;
  }
  os << " are left out; --window=";
  llvm::interleave(rest, os, [&](const IndexRange& r) { os << r.first << ':' << r.second; }, ",");
  os << " goes on)\n";
}

llvm::SmallVector<Axis, 4> drawnAxes(const Layout& layout) {
  llvm::SmallVector<Axis, 4> axes = layout.axes();
  if (axes.empty()) axes.push_back(Axis());
  return axes;
}

std::string describePlaces(const Layout& layout, std::int64_t x) {
  const llvm::SmallVector<Point, 2> places = layout.applyAll(x);
  std::string text;
  for (Axis axis : drawnAxes(layout)) {
    const std::vector<std::int64_t> values = valuesOn(places, axis);
    text += (text.empty() ? "" : ", ") + axis.name().str() + " ";
    text += values.size() == 1 ? std::to_string(values.front()) : "{" + joined(values, ", ") + "}";
  }
  return text;
}

std::string shortPlaces(const Layout& layout, std::int64_t x) {
  const llvm::SmallVector<Point, 2> places = layout.applyAll(x);
  std::string text;
  for (Axis axis : drawnAxes(layout)) text += (text.empty() ? "" : "/") + shortened(valuesOn(places, axis));
  return text;
}

void drawBankUse(llvm::raw_ostream& os, const layout::BankUse& use, const layout::BankGeometry& geometry) {
  const auto counted = [](std::int64_t count, const char* noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
  };
  os << counted(use.elements, "place") << " in " << counted(use.words, "word") << " of " << geometry.wordBytes
     << " bytes: " << counted(use.cycles, "cycle") << (use.cycles == use.fewestCycles ? ", no conflict\n" : "");
  if (use.cycles != use.fewestCycles) os << " because of bank conflicts, " << use.fewestCycles << " would do\n";
  os << "words of each bank:";
  constexpr std::size_t kMostBanks = 64;
  for (std::size_t bank = 0; bank < std::min(kMostBanks, use.perBank.size()); ++bank)
    os << (bank > 0 && bank % 16 == 0 ? "\n                   " : "") << ' ' << use.perBank[bank];
  if (use.perBank.size() > kMostBanks) os << "\n(banks from " << kMostBanks << " are left out)";
  os << '\n';
}

}  // namespace forerun::driver
