//===- Program.h - compiled kernels that run in this process ----------------===//
// Links the code of a module into the process (LLVM's ORC) and runs work items on all cores.
#pragma once

#include "compiler/backends/host/Backend.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <optional>

namespace forerun::backends::host {

/// How a launch ended early: `stop` of Lowered::stops, and the number that its text stands for.
struct Stopped {
  std::size_t stop = 0;
  std::int64_t value = 0;
};

class Program {
 public:
  /// Compiles `module`, the IR of `emitLlvmIr`, for `cores` cores (at least 1). Fails when the code calls what no
  /// library provides.
  static llvm::Expected<std::unique_ptr<Program>> create(std::unique_ptr<llvm::Module> module,
                                                         std::unique_ptr<llvm::LLVMContext> context,
                                                         const Lowered& lowered, unsigned cores);
  virtual ~Program() = default;

  /// Runs the kernel for every work item of the grid; `arguments` as Abi.h says. The work items of a failing launch
  /// that come before the first failing one (x fastest) have ended. Fails when there is not enough memory.
  virtual llvm::Expected<std::optional<Stopped>> launch(llvm::StringRef kernel, std::array<std::int64_t, 3> grid,
                                                        llvm::ArrayRef<std::uint64_t> arguments) = 0;
};

}  // namespace forerun::backends::host
