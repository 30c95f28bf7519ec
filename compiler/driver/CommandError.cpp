//===- CommandError.cpp - why a command ends --------------------------------===//
// Conversion of library errors.
#include "compiler/driver/CommandError.h"

#include "compiler/backends/lowering/Diagnosed.h"

#include "llvm/Support/raw_ostream.h"

namespace forerun::driver {

char CommandError::ID = 0;

void CommandError::log(llvm::raw_ostream& os) const { os << message; }

llvm::Error withCode(ExitCode code, llvm::Error error) {
  if (!error || error.isA<CommandError>()) return error;
  if (error.isA<backends::Diagnosed>()) {
    llvm::consumeError(std::move(error));
    return commandError(code, "");
  }
  return commandError(code, llvm::toString(std::move(error)));
}

}  // namespace forerun::driver
