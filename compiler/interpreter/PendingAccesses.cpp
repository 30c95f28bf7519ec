//===- PendingAccesses.cpp - asynchronous operations in flight --------------===//
// Linear search: kernels have a handful of operations in flight.
#include "compiler/interpreter/PendingAccesses.h"

#include <algorithm>

namespace forerun::interpreter {

bool PendingAccesses::complete(std::uint64_t token) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.token == token; });
  if (found == entries_.end()) return false;
  entries_.erase(found);
  return true;
}

std::optional<std::string> PendingAccesses::conflictOfRead(const View& view) const {
  for (const Entry& entry : entries_)
    if (entry.write.overlaps(view))
      return "reads what the asynchronous operation at " + entry.place +
             " is still writing; tile.wait for its token first";
  return std::nullopt;
}

std::optional<std::string> PendingAccesses::conflictOfWrite(const View& view, bool joinsMatmul) const {
  for (const Entry& entry : entries_) {
    if (entry.write.overlaps(view)) {
      if (joinsMatmul && entry.isMatmul) continue;
      return "writes what the asynchronous operation at " + entry.place +
             " is still writing; tile.wait for its token first";
    }
    for (const View& read : entry.reads)
      if (read.overlaps(view))
        return "writes what the asynchronous operation at " + entry.place +
               " is still reading; tile.wait for its token first";
  }
  return std::nullopt;
}

}  // namespace forerun::interpreter
