//===- Npy.h - NumPy's array files ------------------------------------------===//
// Inputs and outputs of runs as .npy files (format versions 1, 2 and 3), with messages that say what was found and what
// to do.
#pragma once

#include "compiler/runtime/Tensor.h"

#include "llvm/ADT/StringRef.h"

namespace forerun::runtime {

/// `descr` strings: bool '|b1', int8 '|i1', int16 '<i2', int32 '<i4', int64 '<i8', float16 '<f2', float32 '<f4',
/// float64 '<f8'. Unsigned integers are read as the integers of their width. Types that NumPy lacks are written as
/// ml_dtypes does: raw bytes, bf16 as '<V2', the 8-bit floats as '|V1' (read them back with
/// `np.load(f).view(ml_dtypes.bfloat16)`).

/// Reads `path` as elements of `type` with extents `shape` (-1: any). Errors name the file, what was expected, what was
/// found and a remedy. Fortran order, big-endian data, structured types and files that are cut short are refused.
llvm::Expected<Tensor> readNpy(llvm::StringRef path, ElementType type, llvm::ArrayRef<std::int64_t> shape);

/// The same, of contents in memory; `path` is for messages.
llvm::Expected<Tensor> parseNpy(llvm::StringRef path, llvm::StringRef contents, ElementType type,
                                llvm::ArrayRef<std::int64_t> shape);

/// File contents: version 1 header, row-major, little-endian.
std::string formatNpy(const Tensor& tensor);

/// Writes in one step (AtomicFile.h).
llvm::Error writeNpy(llvm::StringRef path, const Tensor& tensor);

}  // namespace forerun::runtime
