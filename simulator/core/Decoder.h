//===- Decoder.h - from bytes to named instructions ------------------------===//
// Standard RISC-V is decoded by LLVM's MC layer, Xfr by the generated decoder; both stand behind one class, with the
// disassembler.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace llvm {
class MCInst;
class MCRegisterInfo;
}  // namespace llvm

namespace forerun::sim::core {

/// One instruction. Valid until the next decode of the same Decoder.
struct MachineInstruction {
  std::uint32_t encoding = 0;        ///< 32-bit form (compressed ones expanded); what field extraction works on
  std::uint8_t length = 0;           ///< bytes in memory: 2 or 4
  bool xfr = false;                  ///< custom-0..3 space: decoded by isa/
  llvm::StringRef name;              ///< LLVM's MC name ("ADDI", "VFMACC_VV") of the 32-bit form; empty for Xfr
  const llvm::MCInst* mc = nullptr;  ///< of the 32-bit form; null for Xfr
};

/// Decodes RV64GCV with Zfh, Zvfh and the bf16 conversions, and Xfr.
class Decoder {
 public:
  Decoder();
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  /// Decodes the instruction at the start of `bytes` (at least 2). False when reserved, unknown or cut short.
  bool decode(std::span<const std::uint8_t> bytes, MachineInstruction& instruction);

  /// Assembly text of the instruction at `pc`; ".insn" with its bits when it does not decode.
  std::string disassemble(std::uint64_t pc, std::span<const std::uint8_t> bytes);

  const llvm::MCRegisterInfo& registers() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace forerun::sim::core
