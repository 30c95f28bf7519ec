//===- VectorTestHart.h - vector state with an assembler, for tests ---------===//
// Holds registers and a little memory, turns mnemonics or words into instructions and runs them without a hart.
#pragma once

#include "simulator/core/instructions/Vector.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/MC/MCInst.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class MCInstrInfo;
class MCRegisterInfo;
}  // namespace llvm

namespace forerun::sim::core {

/// LLVM's MC layer for RV64 with the vector extensions that the model has.
class VectorTarget {
 public:
  VectorTarget();
  ~VectorTarget();
  const llvm::MCInstrInfo& instructions() const;
  const llvm::MCRegisterInfo& registers() const;
  /// The instruction in `word`, if it decodes.
  std::optional<llvm::MCInst> disassemble(std::uint32_t word) const;
  std::uint32_t encode(const llvm::MCInst& inst) const;
  std::string print(const llvm::MCInst& inst) const;
  /// One line of assembly to its word; fails the test when it is not valid.
  std::uint32_t assemble(const std::string& line) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Shared by all tests of a binary.
const VectorTarget& vectorTarget();

/// Registers and memory.
class VectorTestHart {
 public:
  static constexpr std::uint64_t kMemory = kGlobalBase;
  static constexpr std::uint64_t kMemoryBytes = 1 << 20;

  /// `simd` false: only kernels that any host has.
  explicit VectorTestHart(std::uint32_t vlenBits, bool simd = true);

  VectorState v;
  std::uint64_t x[32] = {};
  std::uint64_t f[32] = {};
  std::uint8_t frm = 0, fflags = 0;
  std::vector<MemoryRun> runs;

  /// Executes one instruction word or line of assembly. Throws sim::Error as execute() does; std::runtime_error when it
  /// is no vector instruction.
  void run(std::uint32_t word);
  void run(const std::string& assembly) { run(vectorTarget().assemble(assembly)); }

  /// Element i of register group `number`.
  template <class T>
  T& element(unsigned number, std::size_t i) {
    return reinterpret_cast<T*>(v.reg(number))[i];
  }
  /// Host pointer to the memory at kMemory.
  std::uint8_t* memory() { return mapping_.data; }
  HartMemory& hartMemory() { return memory_; }

 private:
  AddressSpace space_;
  Mapping mapping_;
  HartMemory memory_;
  bool simd_;
};

}  // namespace forerun::sim::core
