//===- Needs.h - what a program says beside its code ------------------------===//
// What it needs of its target and what its checks mean: written into the LLVM module as the sections of
// docs/machine-contract.md, so that every later stage carries them.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
}  // namespace llvm

namespace forerun::backends::accelerator {

/// Adds the note section, with the needs sorted and each once, and named metadata that `readNeeds` reads back. `needs`
/// are well-formed.
void addNeeds(llvm::Module& module, std::vector<std::string> needs);
std::vector<std::string> readNeeds(const llvm::Module& module);

/// Adds a section of NUL-terminated texts; none without texts.
void addTexts(llvm::Module& module, llvm::StringRef section, llvm::ArrayRef<std::string> texts);

}  // namespace forerun::backends::accelerator
