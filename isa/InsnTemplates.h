//===- InsnTemplates.h - Xfr operations as LLVM inline assembly ------------===//
// What the lowering of the xfr dialect needs to know of an instruction, as a table.
#pragma once

#include "isa/Encoding.h"

#include <span>
#include <string_view>

namespace forerun::isa {

struct InsnInput {
  std::string_view name;  ///< of the operation's operand or attribute
  bool isRegister;        ///< i64 operand; else an i32 attribute, to be passed as a constant
};

/// Operation `opName` lowers to one call of inline assembly with side effects: text, constraints, inputs in this order,
/// and an i64 result if it has one.
struct InsnTemplate {
  Opcode opcode;
  std::string_view opName;       ///< "xfr.dma_copy"
  std::string_view text;         ///< ".insn r4 0x2b, 0, 0, $0, ${3:z}, x${1:c}, x${2:c}"
  std::string_view constraints;  ///< "=r,i,i,rJ,~{memory}"
  std::span<const InsnInput> inputs;
  bool hasResult, noReturn;
};

std::span<const InsnTemplate> insnTemplates();
/// Null when no instruction has this operation name.
const InsnTemplate* insnTemplate(std::string_view opName);

}  // namespace forerun::isa
