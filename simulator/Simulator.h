//===- Simulator.h - the simulator as its users see it ----------------------===//
// Load an encoded program and a target, place data in global memory, launch, read results and the report. No SystemC
// here, so that the compiler driver and foreign programs can use it.
#pragma once

#include "simulator/Report.h"
#include "simulator/kernel/Error.h"
#include "targets/TargetSpec.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace forerun::sim {

enum class Mode : std::uint8_t {
  Functional,  ///< right results, no time: reports have cycles 0
  Timing       ///< results and cycles
};

struct Options {
  Mode mode = Mode::Timing;
  Cycles maxCycles =
      0;  ///< reference cycles a launch may take (functional mode: instructions a hart may retire); 0 = no limit
  Cycles quantum = 0;  ///< cycles that harts run ahead; 0 = the target's quantumCycles
  bool checks = true;  ///< races and uninitialised reads; bounds are always checked
  std::function<void(llvm::StringRef)>
      output;  ///< called with text of host calls as it is written; the report has it too
};

/// A refusal of the model as an llvm::Error: what happened, where and when.
class SimulationError : public llvm::ErrorInfo<SimulationError> {
 public:
  static char ID;
  explicit SimulationError(Error details) : details(std::move(details)) {}

  /// "core 3 team 0, cycle 120, gemm.mlir:12: `vle16.v v8, (a0)`: message".
  void log(llvm::raw_ostream& os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  Error details;  ///< kind, component, cycle, pc, instruction, sourceLocation, what()
};

/// "illegal program", "deadlock"...
llvm::StringRef name(ErrorKind kind);

/// One chip with its memory. Launches follow each other on it; memory keeps its contents between them. Simulators may
/// follow each other in a process, and several may exist, but timing-mode launches must not run at the same time in one
/// process (SystemC).
class Simulator {
 public:
  /// BadConfig when the target cannot be modelled.
  static llvm::Expected<std::unique_ptr<Simulator>> create(const targets::TargetSpec& target, Options options);
  ~Simulator();

  /// Loads an ELF program (replaces an earlier one). Fails when it is cut short, of another machine or version, or
  /// needs a feature that the target lacks.
  llvm::Error load(const std::string& elfPath);
  llvm::Error loadBytes(llvm::ArrayRef<std::uint8_t> elf, llvm::StringRef name = "program");

  /// Global memory of the target, by machine address. Allocations live as long as the simulator unless released.
  llvm::Expected<std::uint64_t> allocate(std::uint64_t bytes, std::uint64_t alignment = 256);
  /// Gives back everything allocated after `mark` was taken by `allocationMark`.
  std::uint64_t allocationMark() const;
  void releaseTo(std::uint64_t mark);
  llvm::Error write(std::uint64_t address, llvm::ArrayRef<std::uint8_t> bytes);
  llvm::Error read(std::uint64_t address, llvm::MutableArrayRef<std::uint8_t> bytes) const;

  /// Starts every hart at `entry` with an argument block of these words (docs/machine-contract.md), runs to the end.
  llvm::Expected<LaunchReport> launch(llvm::StringRef entry, std::array<std::uint64_t, 3> grid,
                                      llvm::ArrayRef<std::uint64_t> argumentWords);
  /// Runs a plain program from its ELF entry: on the first hart when it has no .note.forerun, on all harts when it has.
  llvm::Expected<LaunchReport> run();

  const targets::TargetSpec& target() const;

 private:
  struct Impl;
  explicit Simulator(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace forerun::sim
