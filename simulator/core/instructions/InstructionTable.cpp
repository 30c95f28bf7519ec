//===- InstructionTable.cpp - the scalar instructions by name ---------------===//
// Collects the groups; a name registered twice is a bug of ours.
#include "simulator/core/instructions/InstructionTable.h"

#include "simulator/kernel/Error.h"

namespace forerun::sim::core {

InstructionTable::InstructionTable() {
  addIntegerInstructions(*this);
  addMultiplyInstructions(*this);
  addBranchInstructions(*this);
  addMemoryInstructions(*this);
  addAtomicInstructions(*this);
  addFloatInstructions(*this);
  addFloatConvertInstructions(*this);
  addSystemInstructions(*this);
}

const InstructionRecipe* InstructionTable::find(llvm::StringRef mcName) const {
  const auto found = recipes_.find(mcName);
  return found == recipes_.end() ? nullptr : &found->second;
}

void InstructionTable::add(llvm::StringRef mcName, const InstructionRecipe& recipe) {
  if (!recipes_.try_emplace(mcName, recipe).second)
    throw Error(ErrorKind::ModelBug, "instruction " + mcName.str() + " is registered twice");
}

}  // namespace forerun::sim::core
