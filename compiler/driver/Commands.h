//===- Commands.h - the subcommands of forerun -------------------------------===//
// One function a subcommand; main holds the explicit list.
#pragma once

#include "compiler/driver/CommandError.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace forerun::driver {

using CommandArguments = llvm::ArrayRef<llvm::StringRef>;

llvm::Error runCommand(CommandArguments args);
llvm::Error interpretCommand(CommandArguments args);
llvm::Error compileCommand(CommandArguments args);
llvm::Error simCommand(CommandArguments args);
llvm::Error disasmCommand(CommandArguments args);
llvm::Error targetsCommand(CommandArguments args);
llvm::Error isaCommand(CommandArguments args);
llvm::Error layoutCommand(CommandArguments args);

}  // namespace forerun::driver
