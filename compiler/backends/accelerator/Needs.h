//===- Needs.h - what a program needs of its target -------------------------===//
// Written into the LLVM module as the ELF note of docs/machine-contract.md, so that every later stage carries it.
#pragma once

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

}  // namespace forerun::backends::accelerator
