//===- Trial.cpp - one text through the compiler -----------------------------===//
// The path of forerun compile, with diagnostics judged instead of printed.
#include "tests/fuzz/Trial.h"

#include "compiler/backends/lowering/Diagnosed.h"
#include "compiler/pipeline/AcceleratorPipeline.h"
#include "compiler/pipeline/NvptxPipeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/Diagnostics.h"

namespace forerun::fuzz {

namespace {

/// What says that something went wrong but not what the user can do.
constexpr llvm::StringRef kGeneric[] = {"pass failed",
                                        "Failures have been detected",
                                        "failed to legalize",
                                        "failed to convert",
                                        "without a diagnostic",
                                        "does not translate to LLVM IR",
                                        "cannot be converted to LLVM IR",
                                        "LLVM Translation failed"};
/// Dialects of which no operation stands in a kernel file: a complaint about one is about what the compiler made.
constexpr llvm::StringRef kInternal[] = {"'llvm.", "'xfr.", "'nvvm.", "'builtin.unrealized"};

struct Messages {
  std::vector<mlir::Diagnostic> errors;

  /// Nothing when there is a message for users.
  std::string complaint(bool parsed) const {
    if (errors.empty()) return "fails without a message";
    bool located = false;
    for (const mlir::Diagnostic& error : errors) {
      const std::string text = error.str();
      for (llvm::StringRef phrase : kGeneric)
        if (llvm::StringRef(text).contains(phrase)) return "says only: " + text;
      for (llvm::StringRef dialect : kInternal)
        if (parsed && llvm::StringRef(text).starts_with(dialect)) return "complains of its own code: " + text;
      located |= error.getLocation()->findInstanceOf<mlir::FileLineColLoc>() != nullptr;
    }
    return located ? "" : "says without a place: " + errors.front().str();
  }
};

}  // namespace

Trial::Trial() {
  mlir::DialectRegistry registry;
  pipeline::registerDialects(registry);
  context_ = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  context_->printOpOnDiagnostic(false);
  context_->loadAllAvailableDialects();
}

llvm::Expected<Trial> Trial::create() {
  Trial trial;
  for (const char* name : {"edge", "datacenter", "mtia2i", "sm_80"}) {
    auto target = targets::loadAny(name);
    if (!target) return target.takeError();
    trial.targets_.push_back(std::move(*target));
  }
  return trial;
}

mlir::OwningOpRef<mlir::ModuleOp> Trial::parse(llvm::StringRef text) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, "fuzz.mlir"), llvm::SMLoc());
  return pipeline::parse(sources, *context_);
}

bool Trial::parses(llvm::StringRef text) {
  mlir::ScopedDiagnosticHandler silent(context_.get(), [](mlir::Diagnostic&) {});
  return static_cast<bool>(parse(text));
}

std::string Trial::run(llvm::StringRef text, std::size_t target, bool allTheWay) {
  Messages messages;
  mlir::ScopedDiagnosticHandler handler(context_.get(), [&](mlir::Diagnostic& diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) messages.errors.push_back(std::move(diagnostic));
  });
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(text);
  if (!module) return messages.complaint(/*parsed=*/false);

  pipeline::PipelineOptions options;
  options.optimizationLevel = allTheWay ? 3 : 0;
  const bool isGpu = std::holds_alternative<targets::GpuSpec>(targets_[target]);
  options.stopAfter = !allTheWay ? pipeline::Stage::Ll : isGpu ? pipeline::Stage::Ptx : pipeline::Stage::Elf;
  auto artifact = std::visit(
      [&](const auto& spec) { return pipeline::runFromModule(*module, pipeline::Stage::Tile, spec, options); },
      targets_[target]);
  if (artifact) {
    if (!messages.errors.empty()) return "succeeds with an error: " + messages.errors.front().str();
    ++compiled;
    return "";
  }
  std::string complaint;
  llvm::handleAllErrors(
      artifact.takeError(), [&](const backends::Diagnosed&) { complaint = messages.complaint(/*parsed=*/true); },
      [&](const llvm::ErrorInfoBase& error) { complaint = "says without a place: " + error.message(); });
  return complaint;
}

}  // namespace forerun::fuzz
