//===- Place.h - locations for people ---------------------------------------===//
// What explanations print beside each operation.
#pragma once

#include "mlir/IR/Location.h"

#include <string>

namespace forerun::tile {

/// "gemm.mlir:12:5", without the folder; "an unknown place" where there is no file.
std::string place(mlir::Location location);

}  // namespace forerun::tile
