//===- Trial.cpp - one text through the compiler -----------------------------===//
// The paths of forerun compile and interpret, with diagnostics judged instead of printed.
#include "tests/fuzz/Trial.h"

#include "compiler/backends/lowering/Diagnosed.h"
#include "compiler/driver/HostArguments.h"
#include "compiler/interpreter/Interpreter.h"
#include "compiler/pipeline/AcceleratorPipeline.h"
#include "compiler/pipeline/HostPipeline.h"
#include "compiler/pipeline/NvptxPipeline.h"
#include "compiler/runtime/InputSpec.h"

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

constexpr std::uint64_t kMaxOperations = 3000;  ///< of the interpreter; one may be a product of large tiles
constexpr std::int64_t kMaxElements = 1 << 20;  ///< of an argument

/// Data for every argument, the extents that are open being small; nothing when there would be too much, or when an
/// argument is of no type that a run may give.
std::optional<std::vector<interpreter::RuntimeValue>> smallArguments(mlir::func::FuncOp function) {
  std::vector<driver::HostArgument> arguments;
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    driver::HostArgument argument;
    const auto buffer = llvm::dyn_cast<tile::BufferType>(type);
    const auto element = interpreter::elementTypeOf(buffer ? buffer.getElementType() : type);
    if (!element || (buffer && !buffer.isGlobal())) return std::nullopt;
    argument.isScalar = !buffer;
    argument.scalar = interpreter::Scalar::ofInt(static_cast<std::int64_t>(number), *element);
    if (buffer) {
      std::int64_t elements = 1;
      std::vector<std::int64_t> shape;
      for (std::int64_t extent : buffer.getShape()) {
        shape.push_back(extent == mlir::ShapedType::kDynamic ? 33 : extent);
        if (shape.back() > kMaxElements / elements) return std::nullopt;
        elements *= shape.back();
      }
      argument.isInput = true;
      argument.data = llvm::cantFail(
          runtime::materialise(llvm::cantFail(runtime::InputSpec::parse("special:seed=1")), "input", *element, shape));
    }
    arguments.push_back(std::move(argument));
  }
  return driver::makeRuntimeArguments(arguments, /*data=*/true);
}

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
  for (const char* name : {"edge", "datacenter", "mtia2i", "sm_80", "host"}) {
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

llvm::Error Trial::compile(mlir::ModuleOp module, const targets::AnyTarget& target, bool allTheWay) {
  pipeline::PipelineOptions options;
  options.optimizationLevel = allTheWay ? 3 : 0;
  const bool isGpu = std::holds_alternative<targets::GpuSpec>(target);
  options.stopAfter = !allTheWay ? pipeline::Stage::Ll : isGpu ? pipeline::Stage::Ptx : pipeline::Stage::Elf;
  return std::visit(
      [&](const auto& spec) {
        return pipeline::runFromModule(module, pipeline::Stage::Tile, spec, options).takeError();
      },
      target);
}

llvm::Error Trial::interpret(mlir::ModuleOp module) {
  if (llvm::failed(pipeline::bindParams(module, {})) || llvm::failed(pipeline::expandSemantics(module)))
    return llvm::make_error<backends::Diagnosed>("stage 'expanded'");
  interpreter::Options options;
  options.machine = {.cores = 2, .coresPerCluster = 2, .teams = 4, .computing = 4, .perGroup = 2, .lanes = 4};
  options.maxOperations = kMaxOperations;
  options.radii = interpreter::Radii::All;
  for (mlir::func::FuncOp function : module.getOps<mlir::func::FuncOp>()) {
    if (function.isExternal()) continue;
    auto arguments = smallArguments(function);
    if (!arguments) continue;
    interpreter::Interpreter machine(options);
    if (llvm::failed(machine.runHost(function, *arguments,
                                     [&](const interpreter::Launch& launch) { return machine.runKernel(launch); })))
      return llvm::make_error<backends::Diagnosed>("the interpreter");
  }
  return llvm::Error::success();
}

std::string Trial::run(llvm::StringRef text, std::size_t way, bool allTheWay) {
  Messages messages;
  mlir::ScopedDiagnosticHandler handler(context_.get(), [&](mlir::Diagnostic& diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) messages.errors.push_back(std::move(diagnostic));
  });
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(text);
  if (!module) return messages.complaint(/*parsed=*/false);
  llvm::Error error = way < targets_.size() ? compile(*module, targets_[way], allTheWay) : interpret(*module);
  if (!error) {
    if (!messages.errors.empty()) return "succeeds with an error: " + messages.errors.front().str();
    ++finished;
    return "";
  }
  std::string complaint;
  llvm::handleAllErrors(
      std::move(error), [&](const backends::Diagnosed&) { complaint = messages.complaint(/*parsed=*/true); },
      [&](const llvm::ErrorInfoBase& other) { complaint = "says without a place: " + other.message(); });
  return complaint;
}

}  // namespace forerun::fuzz
