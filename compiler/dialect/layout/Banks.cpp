//===- Banks.cpp - what an access costs in a banked memory -----------------===//
// Collects the words of a window and counts them by bank.
#include "compiler/dialect/layout/Banks.h"

#include "compiler/dialect/layout/Arithmetic.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

namespace forerun::layout {

std::int64_t bankOf(std::int64_t address, unsigned elementBits, const BankGeometry& geometry) {
  return address * elementBits / 8 / geometry.wordBytes % geometry.banks;
}

llvm::Expected<BankUse> bankUse(Shaped view, llvm::ArrayRef<IndexRange> window, unsigned elementBits,
                                const BankGeometry& geometry) {
  constexpr std::int64_t kMostPlaces = std::int64_t{1} << 22;
  if (llvm::Error error = checkShape(view.layout, view.shape)) return error;
  if (llvm::Error error = checkWindow(view.shape, window)) return error;
  std::int64_t elements = 1;
  for (const IndexRange& range : window) elements *= range.second - range.first;
  for (Axis axis : view.layout.axes())
    if (axis != Axis())
      return llvm::createStringError("bank conflicts are those of addresses, and this layout uses axis '" +
                                     axis.name() + "'; expected a layout of axis m alone");
  if (view.layout.linearRange(Axis()).low < 0)
    return llvm::createStringError("expected addresses from 0, found " +
                                   llvm::Twine(view.layout.linearRange(Axis()).low) + "; add an offset");
  if (multiply(elements, view.layout.replicaCount()) > kMostPlaces)
    return llvm::createStringError("the access touches more than " + llvm::Twine(kMostPlaces) +
                                   " places; expected what the memory serves at once, name a smaller window");

  std::vector<std::int64_t> words;
  llvm::SmallVector<std::int64_t, 6> index;
  for (const IndexRange& range : window) index.push_back(range.first);
  for (std::int64_t n = 0; n < elements; ++n) {
    std::int64_t x = 0;
    for (std::size_t d = 0; d < window.size(); ++d) x = x * view.shape[d] + index[d];
    for (const Point& place : view.layout.applyAll(x)) {
      const std::int64_t bit = multiply(place.get(Axis()), elementBits);
      for (std::int64_t word = bit / 8 / geometry.wordBytes; word <= (bit + elementBits - 1) / 8 / geometry.wordBytes;
           ++word)
        words.push_back(word);
    }
    for (std::size_t d = window.size(); d-- > 0;) {
      if (++index[d] < window[d].second) break;
      index[d] = window[d].first;
    }
  }
  llvm::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());

  BankUse use;
  use.elements = elements * view.layout.replicaCount();
  use.words = static_cast<std::int64_t>(words.size());
  use.perBank.resize(static_cast<std::size_t>(geometry.banks));
  for (std::int64_t word : words) ++use.perBank[static_cast<std::size_t>(word % geometry.banks)];
  use.cycles = llvm::divideCeilSigned(*llvm::max_element(use.perBank), geometry.ports);
  use.fewestCycles = llvm::divideCeilSigned(use.words, geometry.banks * geometry.ports);
  return use;
}

}  // namespace forerun::layout
