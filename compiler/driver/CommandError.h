//===- CommandError.h - why a command ends ----------------------------------===//
// Every failure of the forerun command carries the exit code that scripts see.
#pragma once

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace forerun::driver {

/// Documented in `forerun --help`; append only.
enum class ExitCode : int {
  Success = 0,
  CheckFailed = 1,
  Usage = 2,
  BadInput = 3,  ///< file, target, input data, output folder
  CompileError = 4,
  ProgramError = 5,  ///< the program did what the machine or the language forbids
  CycleLimit = 6,
  Internal = 70
};

class CommandError : public llvm::ErrorInfo<CommandError> {
 public:
  static char ID;
  CommandError(ExitCode code, std::string message) : code(code), message(std::move(message)) {}

  void log(llvm::raw_ostream& os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  ExitCode code;
  std::string message;  ///< empty when diagnostics have said it all
};

inline llvm::Error commandError(ExitCode code, const llvm::Twine& message) {
  return llvm::make_error<CommandError>(code, message.str());
}
/// The same error text with an exit code; success stays success.
llvm::Error withCode(ExitCode code, llvm::Error error);

}  // namespace forerun::driver
