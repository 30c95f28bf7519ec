//===- HostArguments.h - what a host function is given ----------------------===//
// Matches --in and --out with the arguments of the entry function and makes the data: `tile.name`, `tile.input`,
// `tile.output` of docs/language.md.
#pragma once

#include "compiler/driver/CommandError.h"
#include "compiler/interpreter/Interpreter.h"
#include "compiler/runtime/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace forerun::driver {

struct HostArgument {
  std::string name;
  bool isScalar = false;
  bool isInput = false, isOutput = false;  ///< both: read and written
  interpreter::Scalar scalar;              ///< of scalars
  runtime::Tensor data;                    ///< of buffers: the input, or poison for a pure output
  std::string outputFile;                  ///< of --out; empty when none
  std::string expectedFile;                ///< of tile.expect: what the result must be equal to; empty when none
  runtime::Tensor expected;
};

/// `ins` and `outs` are "NAME=..." texts of the command line. Unknown names list the known ones. Fails with Usage for
/// names and BadInput for data. Output files are tried before anything runs. Files that the kernel file names lie
/// relative to `folder`.
llvm::Expected<std::vector<HostArgument>> makeHostArguments(mlir::func::FuncOp entry, llvm::StringRef folder,
                                                            llvm::ArrayRef<std::string> ins,
                                                            llvm::ArrayRef<std::string> outs);

/// Storages for a run: inputs hold copies of the data; pure outputs are unwritten (poisoned when `data`). One value an
/// argument.
std::vector<interpreter::RuntimeValue> makeRuntimeArguments(llvm::ArrayRef<HostArgument> arguments, bool data);

/// Contents of a storage as a tensor.
runtime::Tensor tensorOf(const interpreter::Storage& storage);

}  // namespace forerun::driver
