//===- Place.cpp - locations for people -------------------------------------===//
// See Place.h.
#include "compiler/dialect/Place.h"

#include "llvm/Support/Path.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace forerun::tile {

std::string place(mlir::Location location) {
  auto file = location->findInstanceOf<mlir::FileLineColLoc>();
  if (!file) return "an unknown place";
  return (llvm::sys::path::filename(file.getFilename().getValue()) + ":" + llvm::Twine(file.getLine()) + ":" +
          llvm::Twine(file.getColumn()))
      .str();
}

}  // namespace forerun::tile
