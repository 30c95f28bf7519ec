//===- HostArguments.cpp - what a host function is given --------------------===//
// Inputs first, then the shapes of outputs, which may name dimensions of inputs.
#include "compiler/driver/HostArguments.h"

#include "compiler/driver/CommandLine.h"
#include "compiler/runtime/AtomicFile.h"
#include "compiler/runtime/InputSpec.h"
#include "compiler/runtime/Npy.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace forerun::driver {

namespace {

class ArgumentMaker {
 public:
  ArgumentMaker(mlir::func::FuncOp entry, llvm::StringRef folder)
      : entry_(entry), folder_(folder), arguments_(entry.getNumArguments()) {
    for (unsigned i = 0; i < arguments_.size(); ++i) {
      auto name = entry.getArgAttrOfType<mlir::StringAttr>(i, "tile.name");
      arguments_[i].name = name ? name.str() : "arg" + std::to_string(i);
      arguments_[i].isScalar = !llvm::isa<tile::BufferType>(entry.getArgument(i).getType());
    }
  }

  llvm::Expected<std::vector<HostArgument>> make(llvm::ArrayRef<std::string> ins, llvm::ArrayRef<std::string> outs) {
    std::vector<std::string> given(arguments_.size());
    for (const std::string& text : ins) {
      llvm::Expected<std::pair<unsigned, llvm::StringRef>> assignment = assign("in", text);
      if (!assignment) return assignment.takeError();
      given[assignment->first] = assignment->second.str();
    }
    for (const std::string& text : outs) {
      llvm::Expected<std::pair<unsigned, llvm::StringRef>> assignment = assign("out", text);
      if (!assignment) return assignment.takeError();
      HostArgument& argument = arguments_[assignment->first];
      if (argument.isScalar)
        return commandError(ExitCode::Usage, "--out " + argument.name + ": is a scalar; only buffers are outputs");
      if (llvm::Error error = withCode(ExitCode::BadInput, runtime::checkWritable(assignment->second)))
        return std::move(error);
      argument.outputFile = assignment->second.str();
    }
    for (unsigned i = 0; i < arguments_.size(); ++i)
      if (llvm::Error error = makeInput(i, given[i])) return std::move(error);
    for (unsigned i = 0; i < arguments_.size(); ++i)
      if (llvm::Error error = makeOutput(i)) return std::move(error);
    for (unsigned i = 0; ins.empty() && i < arguments_.size(); ++i)
      if (llvm::Error error = loadExpected(i)) return std::move(error);
    return std::move(arguments_);
  }

 private:
  llvm::Expected<std::pair<unsigned, llvm::StringRef>> assign(llvm::StringRef option, llvm::StringRef text) {
    auto split = splitAssignment(option, text);
    if (!split) return split.takeError();
    for (unsigned i = 0; i < arguments_.size(); ++i)
      if (arguments_[i].name == split->first) return std::make_pair(i, split->second);
    std::string known;
    for (const HostArgument& argument : arguments_) known += (known.empty() ? "" : ", ") + argument.name;
    return commandError(ExitCode::Usage, "--" + option + " " + text + ": function '" + entry_.getName() +
                                             "' has no argument '" + split->first +
                                             "'; known: " + (known.empty() ? "none" : known));
  }

  llvm::StringRef attribute(unsigned i, llvm::StringRef name) {
    auto value = entry_.getArgAttrOfType<mlir::StringAttr>(i, name);
    return value ? value.getValue() : llvm::StringRef();
  }

  llvm::Error bad(unsigned i, const llvm::Twine& message) {
    return commandError(ExitCode::BadInput, "argument '" + arguments_[i].name + "': " + message);
  }

  llvm::Error makeInput(unsigned i, llvm::StringRef given) {
    HostArgument& argument = arguments_[i];
    const llvm::StringRef text = given.empty() ? attribute(i, "tile.input") : given;
    if (text.empty()) {
      if (!attribute(i, "tile.output").empty()) return llvm::Error::success();
      return commandError(
          ExitCode::Usage,
          "argument '" + argument.name + "' has no default input; give --in " + argument.name +
              (argument.isScalar ? "=VALUE" : "=randn:128x256:seed=1 or --in " + argument.name + "=file.npy"));
    }
    argument.isInput = true;
    if (argument.isScalar) return makeScalar(i, text);
    const auto type = llvm::cast<tile::BufferType>(entry_.getArgument(i).getType());
    const auto element = interpreter::elementTypeOf(type.getElementType());
    if (!element) return bad(i, "its element type is not bound to a parameter value");
    std::vector<std::int64_t> shape;
    for (std::int64_t extent : type.getShape()) shape.push_back(extent == mlir::ShapedType::kDynamic ? -1 : extent);
    auto spec = runtime::InputSpec::parse(text);
    if (!spec) return bad(i, llvm::toString(spec.takeError()));
    if (given.empty() && spec->kind == runtime::InputSpec::Kind::File) spec->path = besideKernel(spec->path);
    // A specification without a shape takes the default input's.
    if (!spec->shape && spec->kind != runtime::InputSpec::Kind::File && !given.empty()) {
      auto fallback = runtime::InputSpec::parse(attribute(i, "tile.input"));
      if (fallback)
        spec->shape = fallback->shape;
      else
        llvm::consumeError(fallback.takeError());
    }
    auto tensor = runtime::materialise(*spec, "argument '" + argument.name + "'", *element, shape);
    if (!tensor) return withCode(ExitCode::BadInput, tensor.takeError());
    argument.data = std::move(*tensor);
    argument.isOutput = !attribute(i, "tile.output").empty() || !argument.outputFile.empty();
    return llvm::Error::success();
  }

  llvm::Error makeScalar(unsigned i, llvm::StringRef text) {
    const mlir::Type type = entry_.getArgument(i).getType();
    const auto element = interpreter::elementTypeOf(type);
    if (!element) return bad(i, "host functions take buffers and scalars");
    std::uint8_t memory[8] = {};
    std::int64_t integer = 0;
    double real = 0;
    if (isa::isInteger(*element) && !text.getAsInteger(0, integer))
      isa::storeFromInt(*element, memory, integer);
    else if (isa::isFloat(*element) && !text.getAsDouble(real))
      isa::storeFromDouble(*element, memory, real);
    else
      return bad(i, "'" + text + "' is not a number of type " + isa::name(*element));
    arguments_[i].scalar.type = *element;
    interpreter::loadColumn(*element, memory, arguments_[i].scalar.bytes, 1);
    return llvm::Error::success();
  }

  /// "dim(a,0)xdim(b,1)xf16", "128x256", "?x?" is not allowed.
  llvm::Error makeOutput(unsigned i) {
    HostArgument& argument = arguments_[i];
    llvm::StringRef text = attribute(i, "tile.output");
    if (argument.isScalar || argument.isInput) return llvm::Error::success();
    const auto type = llvm::cast<tile::BufferType>(entry_.getArgument(i).getType());
    const auto element = interpreter::elementTypeOf(type.getElementType());
    if (!element) return bad(i, "its element type is not bound to a parameter value");
    std::vector<std::int64_t> shape;
    llvm::StringRef rest = text;
    while (!rest.empty()) {
      std::int64_t extent = 0;
      if (rest.consume_front("dim(")) {
        auto [inside, after] = rest.split(')');
        auto [name, dim] = inside.split(',');
        unsigned d = 0;
        const auto source = std::find_if(arguments_.begin(), arguments_.end(),
                                         [&, name = name](const HostArgument& a) { return a.name == name.trim(); });
        if (source == arguments_.end() || source->isScalar || !source->isInput || dim.trim().getAsInteger(10, d) ||
            d >= source->data.shape.size())
          return bad(i, "tile.output \"" + text + "\": dim(" + inside + ") names no dimension of an input");
        extent = source->data.shape[d];
        rest = after;
      } else if (rest.front() >= '0' && rest.front() <= '9') {
        if (rest.consumeInteger(10, extent)) return bad(i, "tile.output \"" + text + "\" is not a shape");
      } else {
        const auto named = isa::parseElementType(std::string_view(rest.data(), rest.size()));
        if (!named || *named != *element)
          return bad(i, "tile.output \"" + text + "\": expected element type " + isa::name(*element) + ", found '" +
                            rest + "'");
        break;
      }
      shape.push_back(extent);
      if (!rest.empty() && !rest.consume_front("x"))
        return bad(i, "tile.output \"" + text + "\" is not a shape; write e.g. 128x256 or dim(a,0)x256");
    }
    bool fits = shape.size() == type.getShape().size();
    for (std::size_t d = 0; fits && d < shape.size(); ++d)
      fits = type.getShape()[d] == mlir::ShapedType::kDynamic || type.getShape()[d] == shape[d];
    if (!fits) {
      std::vector<std::int64_t> declared;
      for (std::int64_t extent : type.getShape())
        declared.push_back(extent == mlir::ShapedType::kDynamic ? -1 : extent);
      return bad(i, "tile.output gives shape " + runtime::describe(*element, shape) + ", its type is " +
                        runtime::describe(*element, declared));
    }
    if (llvm::Error error = withCode(ExitCode::BadInput, runtime::elementCount(*element, shape).takeError()))
      return error;
    argument.isOutput = true;
    argument.data = runtime::Tensor(*element, shape);
    argument.data.poison();
    return llvm::Error::success();
  }

  /// tile.expect holds for the default inputs; with others there is nothing to expect.
  llvm::Error loadExpected(unsigned i) {
    HostArgument& argument = arguments_[i];
    const llvm::StringRef file = attribute(i, "tile.expect");
    if (file.empty() || !argument.isOutput) return llvm::Error::success();
    argument.expectedFile = besideKernel(file);
    auto tensor = runtime::readNpy(argument.expectedFile, argument.data.type, argument.data.shape);
    if (!tensor) return bad(i, llvm::toString(tensor.takeError()));
    argument.expected = std::move(*tensor);
    return llvm::Error::success();
  }

  /// Where a file that the kernel file names lies.
  std::string besideKernel(llvm::StringRef file) const {
    if (folder_.empty() || llvm::sys::path::is_absolute(file)) return file.str();
    llvm::SmallString<128> path(folder_);
    llvm::sys::path::append(path, file);
    return path.str().str();
  }

  mlir::func::FuncOp entry_;
  llvm::StringRef folder_;
  std::vector<HostArgument> arguments_;
};

}  // namespace

llvm::Expected<std::vector<HostArgument>> makeHostArguments(mlir::func::FuncOp entry, llvm::StringRef folder,
                                                            llvm::ArrayRef<std::string> ins,
                                                            llvm::ArrayRef<std::string> outs) {
  return ArgumentMaker(entry, folder).make(ins, outs);
}

std::vector<interpreter::RuntimeValue> makeRuntimeArguments(llvm::ArrayRef<HostArgument> arguments, bool data) {
  std::vector<interpreter::RuntimeValue> values;
  for (const HostArgument& argument : arguments) {
    if (argument.isScalar) {
      values.push_back(argument.scalar);
      continue;
    }
    const interpreter::Index shape(argument.data.shape.begin(), argument.data.shape.end());
    auto storage = std::make_shared<interpreter::Storage>(argument.data.type, shape, interpreter::Space::Global,
                                                          data || argument.isInput);
    storage->name = argument.name;
    if (storage->hasData()) std::copy(argument.data.bytes.begin(), argument.data.bytes.end(), storage->bytes.begin());
    if (argument.isInput) storage->markAllWritten();
    values.push_back(interpreter::View::of(std::move(storage)));
  }
  return values;
}

runtime::Tensor tensorOf(const interpreter::Storage& storage) {
  runtime::Tensor tensor(storage.type, std::vector<std::int64_t>(storage.shape.begin(), storage.shape.end()));
  tensor.bytes = storage.bytes;
  return tensor;
}

}  // namespace forerun::driver
