//===- Disassembler.h - one instruction at a time ---------------------------------===//
// LLVM's disassembler for RISC-V with every ratified extension, ours for the custom opcodes.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>

namespace forerun::driver {

struct DisassembledInstruction {
  std::uint32_t word = 0;
  unsigned bytes = 4;  ///< 2 or 4
  std::string text;    ///< ".4byte 0x..." when it does not decode
};

class Disassembler {
 public:
  static llvm::Expected<std::unique_ptr<Disassembler>> create();
  ~Disassembler();

  /// The instruction at the front of `code`, which is not empty.
  DisassembledInstruction at(llvm::StringRef code, std::uint64_t address) const;

 private:
  struct Impl;
  explicit Disassembler(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace forerun::driver
