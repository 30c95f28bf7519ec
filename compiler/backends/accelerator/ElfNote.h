//===- ElfNote.h - the .note.forerun section of a program ------------------===//
// What a program needs of its target, in the form that docs/machine-contract.md fixes; written into the LLVM module so that every later stage carries it.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
}  // namespace llvm

namespace forerun::backends::accelerator {

inline constexpr unsigned kIsaMajor = 1, kIsaMinor = 0;
inline constexpr char kNeedsMetadata[] = "forerun.needs";

/// Sorts, removes doubles, adds the note section and the named metadata that `readNeeds` reads back.
void addNeeds(llvm::Module& module, std::vector<std::string> needs);
std::vector<std::string> readNeeds(const llvm::Module& module);

}  // namespace forerun::backends::accelerator
