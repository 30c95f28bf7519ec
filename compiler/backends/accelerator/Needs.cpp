//===- Needs.cpp - what a program needs of its target -----------------------===//
// See Needs.h.
#include "compiler/backends/accelerator/Needs.h"

#include "isa/ElfNote.h"
#include "isa/Encoding.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <algorithm>

namespace forerun::backends::accelerator {

namespace {
constexpr char kMetadataName[] = "forerun.needs";
}

void addNeeds(llvm::Module& module, std::vector<std::string> needs) {
  std::ranges::sort(needs);
  needs.erase(std::ranges::unique(needs).begin(), needs.end());

  isa::ElfNote note;
  note.major = isa::kVersionMajor;
  note.minor = isa::kVersionMinor;
  for (const std::string& need : needs) {
    const auto parsed = isa::parseNeed(need);
    assert(parsed && "the back end writes well-formed needs");
    note.needs.push_back(*parsed);
  }
  const std::vector<std::uint8_t> section = isa::buildNote(note);

  llvm::LLVMContext& context = module.getContext();
  llvm::Constant* bytes = llvm::ConstantDataArray::get(context, llvm::ArrayRef<std::uint8_t>(section));
  auto* global = new llvm::GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                          llvm::GlobalValue::InternalLinkage, bytes, "forerun.note");
  global->setSection(isa::kNoteSection);
  global->setAlignment(llvm::Align(4));
  llvm::appendToUsed(module, {global});

  llvm::NamedMDNode* metadata = module.getOrInsertNamedMetadata(kMetadataName);
  metadata->clearOperands();
  for (const std::string& need : needs)
    metadata->addOperand(llvm::MDNode::get(context, llvm::MDString::get(context, need)));
}

std::vector<std::string> readNeeds(const llvm::Module& module) {
  std::vector<std::string> needs;
  if (const llvm::NamedMDNode* metadata = module.getNamedMetadata(kMetadataName))
    for (const llvm::MDNode* node : metadata->operands())
      if (node->getNumOperands() == 1)
        if (const auto* text = llvm::dyn_cast<llvm::MDString>(node->getOperand(0)))
          needs.push_back(text->getString().str());
  return needs;
}

}  // namespace forerun::backends::accelerator
