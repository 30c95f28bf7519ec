//===- Program.h - an encoded program ---------------------------------------===//
// Reads a static RISC-V ELF: what to load, where to start, what it needs, and which source line an instruction comes
// from.
#pragma once

#include "isa/ElfNote.h"
#include "simulator/kernel/Error.h"
#include "simulator/memory/AddressSpace.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace forerun::sim::core {

class Program {
 public:
  /// Parses a copy of `bytes`; `name` stands in messages. Throws sim::Error(IllegalProgram): not an ELF, cut short, not
  /// a static little-endian RV64 executable, segments outside program memory, malformed ELF note.
  Program(llvm::ArrayRef<std::uint8_t> bytes, llvm::StringRef name);
  ~Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  /// Reads a file first; IllegalProgram when that fails.
  static Program fromFile(const std::string& path);

  /// Copies the segments into program memory, and zeros what they leave of their memory size.
  void loadInto(AddressSpace& space) const;

  std::uint64_t entry() const;
  /// Address of a function or object.
  std::optional<std::uint64_t> symbol(llvm::StringRef name) const;
  /// The note of .note.forerun; nullopt for a plain RISC-V program.
  const std::optional<isa::ElfNote>& note() const;
  /// What the program says of a failed check, "" when it says nothing.
  std::string checkText(const FailedCheck& check) const;
  /// The name of a profiled region, "" when the program gives none.
  std::string markName(std::uint64_t id) const;
  /// "file:line" of the instruction at `pc` from DWARF, "" when unknown. The line tables are parsed at the first call.
  std::string sourceLocation(std::uint64_t pc) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace forerun::sim::core
