//===- PendingAccesses.h - asynchronous operations in flight ----------------===//
// The reference performs an asynchronous operation where it is issued; what a real machine might still be doing is kept
// here, and touching it before the wait is an error.
#pragma once

#include "compiler/interpreter/View.h"

#include <optional>
#include <string>
#include <vector>

namespace forerun::interpreter {

class PendingAccesses {
 public:
  struct Entry {
    std::uint64_t token = 0;
    llvm::SmallVector<View, 2> reads;
    View write;
    bool isMatmul = false;
    std::string place;  ///< "file:line" of the operation, for messages
  };

  std::uint64_t nextToken() { return ++lastToken_; }
  void add(Entry entry) { entries_.push_back(std::move(entry)); }
  /// False when no operation with this token is in flight.
  bool complete(std::uint64_t token);
  bool empty() const { return entries_.empty(); }
  const Entry& front() const { return entries_.front(); }
  void clear() { entries_.clear(); }

  /// Text that says which operation in flight is in the way, or nothing. `joinsMatmul`: the access is another product
  /// into the same accumulator window, which follows in order.
  std::optional<std::string> conflictOfRead(const View& view) const;
  std::optional<std::string> conflictOfWrite(const View& view, bool joinsMatmul = false) const;

 private:
  std::vector<Entry> entries_;
  std::uint64_t lastToken_ = 0;
};

}  // namespace forerun::interpreter
