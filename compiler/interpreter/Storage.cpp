//===- Storage.cpp - the bytes of one allocated buffer ----------------------===//
// Allocation and valid extents by prefix.
#include "compiler/interpreter/Storage.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace forerun::interpreter {

Index ValidExtents::get(llvm::ArrayRef<std::int64_t> prefix) const {
  Index result = whole_;
  const Index* best = nullptr;
  std::size_t bestLength = 0;
  for (const auto& [key, extents] : byPrefix_) {
    const std::size_t common = std::min(key.size(), prefix.size());
    if (!std::equal(key.begin(), key.begin() + common, prefix.begin())) continue;
    if (key.size() <= prefix.size()) {
      if (!best || key.size() > bestLength) best = &extents, bestLength = key.size();
    } else {
      // The window spans several indices with extents of their own.
      for (std::size_t d = key.size(); d < result.size(); ++d) result[d] = std::min(result[d], extents[d]);
    }
  }
  if (best)
    for (std::size_t d = bestLength; d < result.size(); ++d) result[d] = (*best)[d];
  return result;
}

void ValidExtents::setWhole(llvm::ArrayRef<std::int64_t> extents) {
  whole_.assign(extents.begin(), extents.end());
  byPrefix_.clear();
}

void ValidExtents::setAt(llvm::ArrayRef<std::int64_t> prefix, llvm::ArrayRef<std::int64_t> extents) {
  // Longer prefixes below this one are overwritten by it.
  for (auto it = byPrefix_.begin(); it != byPrefix_.end();) {
    const bool below = it->first.size() > prefix.size() && std::equal(prefix.begin(), prefix.end(), it->first.begin());
    it = below ? byPrefix_.erase(it) : std::next(it);
  }
  byPrefix_[std::vector<std::int64_t>(prefix.begin(), prefix.end())] = Index(extents);
}

Storage::Storage(ElementType type, llvm::ArrayRef<std::int64_t> shape, Space space, bool data)
    : type(type), shape(shape), space(space), valid(shape), data_(data) {
  strides_.assign(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 0;) {
    strides_[d] = elements_;
    elements_ *= shape[d];
  }
  if (!data) return;
  bytes.resize(static_cast<std::size_t>(elements_) * elementBytes());
  written.resize(static_cast<std::size_t>(elements_));
}

std::int64_t Storage::firstUnwritten(std::int64_t first, std::int64_t count) const {
  if (written.empty() || count == 0) return -1;
  const void* hit = std::memchr(written.data() + first, 0, static_cast<std::size_t>(count));
  return hit ? static_cast<const std::uint8_t*>(hit) - written.data() : -1;
}

void Storage::makeUncertain() {
  if (radius.empty()) radius.assign(static_cast<std::size_t>(elements_), 0.0f);
}

void Storage::noteWritten(std::int64_t at, float elementRadius) {
  if (!written.empty()) written[static_cast<std::size_t>(at)] = 1;
  resetMagnitude(at, 1);
  if (elementRadius == 0 && !isUncertain()) return;
  makeUncertain();
  radius[static_cast<std::size_t>(at)] = elementRadius;
}

void Storage::trackMagnitude() {
  if (!magnitude.empty()) return;
  magnitude.assign(static_cast<std::size_t>(elements_), 0.0f);
  terms.assign(static_cast<std::size_t>(elements_), 0.0f);
  resetMagnitude(0, elements_);
}

void Storage::resetMagnitude(std::int64_t first, std::int64_t count) {
  if (magnitude.empty()) return;
  for (std::int64_t i = first; i < first + count; ++i) {
    magnitude[static_cast<std::size_t>(i)] =
        static_cast<float>(std::fabs(isa::loadAsDouble(type, bytes.data() + i * elementBytes())));
    terms[static_cast<std::size_t>(i)] = 0;
  }
}

}  // namespace forerun::interpreter
