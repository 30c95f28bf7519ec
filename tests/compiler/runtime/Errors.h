//===- Errors.h - error texts in tests --------------------------------------===//
// The message of a failed Expected, for comparison with what the user should read.
#pragma once

#include "llvm/Support/Error.h"

#include <string>

template <typename T>
std::string messageOf(llvm::Expected<T> result) {
  return result ? "(no error)" : llvm::toString(result.takeError());
}
