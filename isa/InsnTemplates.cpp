//===- InsnTemplates.cpp - the table of inline assembly templates ----------===//
// Rows are generated from Instructions.td.
#include "isa/InsnTemplates.h"

#include <algorithm>

namespace forerun::isa {
namespace {
#include "isa/InsnTemplates.inc"
}  // namespace

std::span<const InsnTemplate> insnTemplates() { return kTemplates; }

const InsnTemplate* insnTemplate(std::string_view opName) {
  const auto* found = std::find_if(std::begin(kTemplates), std::end(kTemplates),
                                   [&](const InsnTemplate& t) { return t.opName == opName; });
  return found == std::end(kTemplates) ? nullptr : found;
}

}  // namespace forerun::isa
