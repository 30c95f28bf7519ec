//===- Error.h - the one error type of the model --------------------------===//
// Every refusal of the simulator is thrown as this; the facade turns it into a message.
#pragma once

#include "simulator/kernel/Cycles.h"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace forerun::sim {

enum class ErrorKind { IllegalProgram, UnsupportedFeature, BadConfig, Deadlock, ModelBug, CycleLimit };

/// What xtrap says.
struct FailedCheck {
  std::uint64_t number = 0;
  std::int64_t value = 0;  ///< that the program found
};

/// Stops the simulation. Thrown at the first violation; fields that are not known stay at their defaults and are filled
/// in on the way up.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind(kind) {}

  ErrorKind kind;
  std::string component;       ///< e.g. "core 3 team 0", "core 3 dma 1"
  Cycles cycle = 0;            ///< when it happened
  std::uint64_t pc = 0;        ///< 0 when no instruction is at fault
  std::string instruction;     ///< disassembly at pc, when known
  std::string sourceLocation;  ///< file:line of the kernel source, from DWARF, when known
  std::optional<FailedCheck> failedCheck;
  std::string checkText;  ///< what the program says of the failed check, when it says something
};

}  // namespace forerun::sim
