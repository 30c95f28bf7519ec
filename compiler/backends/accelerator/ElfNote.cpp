//===- ElfNote.cpp - the .note.forerun section of a program ----------------===//
// See ElfNote.h.
#include "compiler/backends/accelerator/ElfNote.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Endian.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <algorithm>

namespace forerun::backends::accelerator {

namespace {

void appendWord(std::string& bytes, std::uint32_t value) {
  char word[4];
  llvm::support::endian::write32le(word, value);
  bytes.append(word, 4);
}

void padToWord(std::string& bytes) { bytes.resize((bytes.size() + 3) & ~std::size_t{3}, '\0'); }

}  // namespace

void addNeeds(llvm::Module& module, std::vector<std::string> needs) {
  std::ranges::sort(needs);
  needs.erase(std::ranges::unique(needs).begin(), needs.end());

  std::string descriptor;
  appendWord(descriptor, kIsaMajor);
  appendWord(descriptor, kIsaMinor);
  for (const std::string& need : needs) descriptor.append(need.c_str(), need.size() + 1);

  std::string note;
  appendWord(note, sizeof "Forerun");
  appendWord(note, static_cast<std::uint32_t>(descriptor.size()));
  appendWord(note, 1);
  note.append("Forerun", sizeof "Forerun");
  padToWord(note);
  note += descriptor;
  padToWord(note);

  llvm::LLVMContext& context = module.getContext();
  llvm::Constant* bytes = llvm::ConstantDataArray::getString(context, note, /*AddNull=*/false);
  auto* global = new llvm::GlobalVariable(module, bytes->getType(), /*isConstant=*/true, llvm::GlobalValue::InternalLinkage, bytes, "forerun.note");
  global->setSection(".note.forerun");
  global->setAlignment(llvm::Align(4));
  llvm::appendToUsed(module, {global});

  llvm::NamedMDNode* metadata = module.getOrInsertNamedMetadata(kNeedsMetadata);
  metadata->clearOperands();
  for (const std::string& need : needs) metadata->addOperand(llvm::MDNode::get(context, llvm::MDString::get(context, need)));
}

std::vector<std::string> readNeeds(const llvm::Module& module) {
  std::vector<std::string> needs;
  if (const llvm::NamedMDNode* metadata = module.getNamedMetadata(kNeedsMetadata))
    for (const llvm::MDNode* node : metadata->operands())
      if (node->getNumOperands() == 1)
        if (const auto* text = llvm::dyn_cast<llvm::MDString>(node->getOperand(0))) needs.push_back(text->getString().str());
  return needs;
}

}  // namespace forerun::backends::accelerator
