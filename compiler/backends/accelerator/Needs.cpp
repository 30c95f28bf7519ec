//===- Needs.cpp - what a program says beside its code -----------------------===//
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

void addSection(llvm::Module& module, llvm::StringRef name, llvm::StringRef section,
                llvm::ArrayRef<std::uint8_t> contents, unsigned alignment) {
  llvm::Constant* bytes = llvm::ConstantDataArray::get(module.getContext(), contents);
  auto* global = new llvm::GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                          llvm::GlobalValue::InternalLinkage, bytes, name);
  global->setSection(section);
  global->setAlignment(llvm::Align(alignment));
  llvm::appendToUsed(module, {global});
}
}  // namespace

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
  addSection(module, "forerun.note", isa::kNoteSection, section, 4);

  llvm::NamedMDNode* metadata = module.getOrInsertNamedMetadata(kMetadataName);
  metadata->clearOperands();
  for (const std::string& need : needs)
    metadata->addOperand(llvm::MDNode::get(context, llvm::MDString::get(context, need)));
}

void addTexts(llvm::Module& module, llvm::StringRef section, llvm::ArrayRef<std::string> texts) {
  if (texts.empty()) return;
  std::vector<std::uint8_t> bytes;
  for (const std::string& text : texts) bytes.insert(bytes.end(), text.c_str(), text.c_str() + text.size() + 1);
  addSection(module, "forerun.texts", section, bytes, 1);
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
