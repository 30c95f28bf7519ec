//===- TextChecks.h - what MLIR's parser cannot be given --------------------===//
// Faults of a text on which the parser itself fails: they are found before it runs.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace forerun::pipeline {

struct TextFault {
  const char* place;  ///< in the text
  std::string message;
};

/// The first of: brackets that nest deeper than a recursive parser's stack takes; a value that is used before the text
/// defines it, which structured code never needs. MLIR makes such uses refer to whatever defines the name later, block
/// arguments included, and when parsing fails it destroys those first and then writes to them through their uses.
std::optional<TextFault> findFault(llvm::StringRef text);

}  // namespace forerun::pipeline
