//===- Text.h - layouts as text --------------------------------------------===//
// Parser and printer of the notation that files, messages and the command line share:
//   [swizzle(M,B,S) of] S[(extents):(strides@axes)] [+ R[(extents):(strides@axes)]]... [+ value@axis]...
// A single extent and stride need no parentheses, `@m` may be left out, and so may `S[` `]`.
#pragma once

#include "compiler/dialect/layout/Layout.h"

#include <llvm/Support/raw_ostream.h>

#include <string>
#include <system_error>

namespace forerun::layout {

/// A layout that cannot be read; `column` counts characters of the text from 1.
class SyntaxError : public llvm::ErrorInfo<SyntaxError> {
 public:
  static char ID;
  SyntaxError(std::size_t column, std::string message) : column(column), message(std::move(message)) {}
  void log(llvm::raw_ostream& os) const override { os << "column " << column << ": " << message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  std::size_t column;
  std::string message;  ///< what was expected and found; what to do
};

/// Reads the whole text. Every error is a SyntaxError, those of Layout::make included, at the part that they are about.
llvm::Expected<Layout> parse(llvm::StringRef text);

/// parse(print(layout)) == layout.
std::string print(const Layout& layout);
llvm::raw_ostream& operator<<(llvm::raw_ostream& os, const Layout& layout);

}  // namespace forerun::layout
