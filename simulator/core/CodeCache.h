//===- CodeCache.h - decoded basic blocks -----------------------------------===//
// Turns program bytes into ops once an address; shared by all harts of the same team kind, because nothing in it
// belongs to a hart.
#pragma once

#include "simulator/core/Decoder.h"
#include "simulator/core/Op.h"
#include "simulator/core/instructions/InstructionTable.h"
#include "simulator/memory/AddressSpace.h"
#include "targets/TargetSpec.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace forerun::sim::core {

struct DecodedVector;

enum class HartMode : std::uint8_t { Functional, Timed };

class CodeCache {
 public:
  /// `team` gives latencies, slots, vector unit and instruction cache. `allowXfr`: the program carries the ELF note
  /// (docs/machine-contract.md).
  CodeCache(AddressSpace& space, const targets::TeamSpec& team, HartMode mode, bool allowXfr);
  ~CodeCache();

  /// Ops that begin at `pc`, decoded now if need be. Throws sim::Error: IllegalProgram outside program memory or for an
  /// illegal instruction, UnsupportedFeature for one that the team lacks; then `pc` and `instruction` of the error are
  /// set.
  const Op* find(std::uint64_t pc);
  /// As find when it was looked up lately, else null.
  const Op* recent(std::uint64_t pc) const {
    const Recent& r = recent_[pc / 2 % recent_.size()];
    return r.pc == pc ? r.ops : nullptr;
  }
  /// Forgets everything (fence.i). All ops handed out before become invalid; `generation` changes.
  void flush();
  std::uint64_t generation() const { return generation_; }

  /// Assembly text of the instruction at `pc`, for messages.
  std::string disassemble(std::uint64_t pc);

  HartMode mode() const { return mode_; }
  const targets::TeamSpec& team() const { return team_; }

 private:
  struct Recent {
    std::uint64_t pc = 1;  // never a pc
    const Op* ops = nullptr;
  };
  struct Block {
    std::unique_ptr<Op[]> ops;
  };

  const Op* build(std::uint64_t pc);
  void decodeInstruction(std::uint64_t pc, Op& op, bool& endsBlock);
  void decodeScalar(const InstructionRecipe& recipe, std::uint32_t encoding, std::uint64_t pc, Op& op) const;
  bool decodeVectorOp(const MachineInstruction& instruction, Op& op);
  bool decodeXfr(std::uint32_t encoding, Op& op, bool& endsBlock);
  std::uint32_t latencyOf(LatencyClass latency) const;
  std::span<const std::uint8_t> bytesAt(std::uint64_t pc) const;
  void addFetches(std::uint64_t pc, unsigned length, std::uint64_t& lastLine, unsigned index,
                  std::vector<Op>& ops) const;

  AddressSpace& space_;
  targets::TeamSpec team_;
  HartMode mode_;
  bool allowXfr_;
  std::uint64_t fullRoom_;
  Decoder decoder_;
  InstructionTable table_;
  std::unordered_map<std::uint64_t, Block> blocks_;
  std::array<Recent, 4096> recent_{};
  std::deque<std::unique_ptr<DecodedVector>> vectors_;
  std::uint64_t generation_ = 0;
};

}  // namespace forerun::sim::core
