//===- ParseModule.cpp - the text of a kernel file to a module --------------===//
// Keeps from MLIR's parser what it cannot refuse by itself.
#include "compiler/pipeline/Stages.h"

#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

namespace forerun::pipeline {

namespace {

/// MLIR's parser, verifier and printers call themselves for what stands in brackets, on the stack of the process.
constexpr unsigned kMaxNesting = 256;

/// Where brackets nest too deeply, or null.
const char* tooDeep(llvm::StringRef text) {
  unsigned depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '/':
        if (text.substr(i).starts_with("//")) i = std::min(text.find('\n', i), text.size());
        break;
      case '"':
        for (++i; i < text.size() && text[i] != '"' && text[i] != '\n';) i += text[i] == '\\' ? 2 : 1;
        break;
      case '-':
        i += text.substr(i).starts_with("->");
        break;
      case '(':
      case '[':
      case '{':
      case '<':
        if (++depth > kMaxNesting) return text.data() + i;
        break;
      case ')':
      case ']':
      case '}':
      case '>':
        depth -= depth != 0;
        break;
      default:
        break;
    }
  }
  return nullptr;
}

}  // namespace

mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::SourceMgr& sources, mlir::MLIRContext& context) {
  const unsigned id = sources.getMainFileID();
  const llvm::MemoryBuffer& buffer = *sources.getMemoryBuffer(id);
  if (const char* place = tooDeep(buffer.getBuffer())) {
    const auto [line, column] = sources.getLineAndColumn(llvm::SMLoc::getFromPointer(place), id);
    mlir::emitError(mlir::FileLineColLoc::get(&context, buffer.getBufferIdentifier(), line, column))
        << "expected at most " << kMaxNesting << " brackets and regions inside one another, found more; close some "
        << "before this one";
    return nullptr;
  }
  return mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
}

}  // namespace forerun::pipeline
