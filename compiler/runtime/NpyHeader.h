//===- NpyHeader.h - the dictionary in a .npy file --------------------------===//
// The header of a .npy file is a Python dictionary literal; this reads the share of the syntax that NumPy writes.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace forerun::runtime {

struct NpyHeader {
  std::string descr;
  bool fortranOrder = false;
  std::vector<std::int64_t> shape;
};

/// Fails with what was expected when the text is not a dictionary with exactly descr, fortran_order and shape.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef text);

}  // namespace forerun::runtime
