//===- Diagnosed.h - an error that diagnostics have explained ---------------===//
// A stage that failed has reported located diagnostics; who turns its error into a message need not say more.
#pragma once

#include "llvm/Support/Error.h"

#include <string>

namespace forerun::backends {

class Diagnosed : public llvm::ErrorInfo<Diagnosed> {
 public:
  static char ID;
  explicit Diagnosed(std::string stage) : stage(std::move(stage)) {}

  void log(llvm::raw_ostream& os) const override;  ///< "STAGE failed"
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  std::string stage;
};

}  // namespace forerun::backends
