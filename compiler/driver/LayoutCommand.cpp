//===- LayoutCommand.cpp - forerun layout ---------------------------------------===//
// Draws a layout: who holds which element, and what an access costs in the banks of a target.
#include "compiler/dialect/layout/Canonical.h"
#include "compiler/dialect/layout/TargetAxes.h"
#include "compiler/dialect/layout/Text.h"
#include "compiler/driver/CommandLine.h"
#include "compiler/driver/Commands.h"
#include "compiler/driver/LayoutDrawing.h"
#include "isa/ElementType.h"
#include "targets/Load.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

namespace forerun::driver {

namespace {

using namespace forerun::layout;
using Shape = llvm::SmallVector<std::int64_t, 6>;
using Window = llvm::SmallVector<IndexRange, 6>;

constexpr OptionSpec kOptions[] = {
    {"shape", OptionSpec::Value::Required, "8x16", "shape of the tile (default: the extents of S)"},
    {"at", OptionSpec::Value::Required, "I,J", "who holds this element, instead of a table"},
    {"window", OptionSpec::Value::Required, "A:B,C:D", "draw this part of the tile"},
    {"target", OptionSpec::Value::Required, "T", "check axes and extents against a target file"},
    {"set", OptionSpec::Value::Required, "KEY=VALUE", "override a key of the target", true},
    {"type", OptionSpec::Value::Required, "TYPE", "element type, e.g. f16 (default f32): size of lanes and addresses"},
    {"access", OptionSpec::Value::Required, "A:B,C:D",
     "bank conflicts when these elements of scratch are accessed at once (needs --target)"},
    {"help", OptionSpec::Value::None, "", "this text"},
};

constexpr const char* kUsage =
    "Usage: forerun layout LAYOUT [options]\n"
    "LAYOUT is [swizzle(M,B,S) of] S[(extents):(strides@axes)] [+ R[...]] [+ offset@axis], e.g.\n"
    "  forerun layout 'S[(8,4,2):(4@lane,1@lane,1)]' --shape=8x8 --target=edge\n"
    "  forerun layout 'swizzle(3,3,3) of S[(8,64):(64,1)]' --access=0:8,0:8 --type=f16 --target=edge\n\n";

/// Numbers between separators, or a usage error that names the option.
llvm::Expected<Shape> numbers(llvm::StringRef option, llvm::StringRef text, llvm::StringRef separator,
                              llvm::StringRef example) {
  Shape result;
  llvm::SmallVector<llvm::StringRef, 6> parts;
  text.split(parts, separator);
  for (llvm::StringRef part : parts) {
    std::int64_t value = 0;
    if (part.trim().getAsInteger(10, value) || value < 0)
      return commandError(ExitCode::Usage,
                          "--" + option + " needs non-negative integers as in " + example + ", found '" + text + "'");
    result.push_back(value);
  }
  return result;
}

/// "0:8,3" as half-open ranges.
llvm::Expected<Window> ranges(llvm::StringRef option, llvm::StringRef text, llvm::ArrayRef<std::int64_t> shape) {
  Window window;
  llvm::SmallVector<llvm::StringRef, 6> parts;
  text.split(parts, ",");
  for (llvm::StringRef part : parts) {
    auto bounds = numbers(option, part, ":", "0:8,3");
    if (!bounds) return bounds.takeError();
    if (bounds->size() > 2)
      return commandError(ExitCode::Usage, "--" + option + " needs ranges as in 0:8,3, found '" + text + "'");
    window.push_back({bounds->front(), bounds->size() == 2 ? bounds->back() : bounds->front() + 1});
  }
  if (llvm::Error error = checkWindow(shape, window))
    return commandError(ExitCode::Usage, "--" + option + "=" + text + ": " + llvm::toString(std::move(error)));
  return window;
}

llvm::Expected<Layout> readLayout(llvm::StringRef text) {
  llvm::Expected<Layout> parsed = parse(text);
  if (parsed) return parsed;
  return llvm::handleErrors(parsed.takeError(), [&](const SyntaxError& error) {
    return commandError(ExitCode::BadInput, "layout, column " + llvm::Twine(error.column) + ": " + error.message +
                                                "\n  " + text + "\n  " + std::string(error.column - 1, ' ') + "^");
  });
}

void printHeader(const Layout& layout, llvm::ArrayRef<std::int64_t> shape, const AxisSet* axes) {
  llvm::raw_ostream& os = llvm::outs();
  os << layout << '\n';
  if (const Layout canonical = canonicalize(layout); !(canonical == layout)) os << "canonical: " << canonical << '\n';
  os << "shape " << describeShape(shape) << ", " << layout.size() << " element" << (layout.size() == 1 ? "" : "s");
  if (layout.replicaCount() > 1) os << " in " << layout.replicaCount() << " places each";
  if (isInjective(layout) == Distinct::No) os << "; some share a place";
  os << "\naxes:";
  llvm::StringRef separator = " ";
  for (Axis axis : drawnAxes(layout)) {
    const Range range = layout.range(axis);
    os << std::exchange(separator, ", ") << axis.name() << ' ' << range.low << " to " << range.high;
    if (const AxisInfo* info = axes ? axes->find(axis) : nullptr; info && info->extent > 0)
      os << " of " << info->extent;
  }
  os << '\n';
}

}  // namespace

llvm::Error layoutCommand(CommandArguments args) {
  auto parsed = parseArguments(kOptions, args);
  if (!parsed) return parsed.takeError();
  if (parsed->has("help")) {
    llvm::outs() << kUsage << describeOptions(kOptions);
    return llvm::Error::success();
  }
  if (parsed->positional.size() != 1)
    return commandError(ExitCode::Usage, "expected one layout, found " + llvm::Twine(parsed->positional.size()) +
                                             "; usage: forerun layout LAYOUT [options]");
  auto layout = readLayout(parsed->positional[0]);
  if (!layout) return layout.takeError();

  Shape shape;
  if (auto text = parsed->get("shape")) {
    auto extents = numbers("shape", *text, "x", "8x16");
    if (!extents) return extents.takeError();
    shape = *extents;
  } else {
    for (const Iterator& iterator : layout->shard()) shape.push_back(iterator.extent);
    if (shape.empty()) shape.push_back(1);
  }
  if (llvm::Error error = checkShape(*layout, shape)) return withCode(ExitCode::BadInput, std::move(error));

  const std::string typeName = parsed->get("type").value_or("f32");
  const auto type = isa::parseElementType(typeName);
  if (!type)
    return commandError(ExitCode::Usage,
                        "--type: unknown element type '" + typeName + "'; write f32, f16, bf16, i8...");
  const unsigned bits = isa::storageBits(*type);

  std::optional<AxisSet> axes;
  std::optional<BankGeometry> banks;
  if (auto name = parsed->get("target")) {
    auto loaded = targets::loadAny(*name, parsed->all("set"));
    if (!loaded) return withCode(ExitCode::BadInput, loaded.takeError());
    if (auto* accelerator = std::get_if<targets::TargetSpec>(&*loaded))
      axes = axesOf(*accelerator, bits);
    else if (auto* gpu = std::get_if<targets::GpuSpec>(&*loaded))
      axes = axesOf(*gpu);
    else
      axes = axesOf(std::get<targets::HostSpec>(*loaded));
    banks = std::visit([](const auto& spec) { return scratchBanks(spec); }, *loaded);
    if (llvm::Error error = verify(*layout, *axes))
      return commandError(ExitCode::BadInput, "target '" + *name + "': " + llvm::toString(std::move(error)));
  } else if (parsed->has("set")) {
    return commandError(ExitCode::Usage, "--set changes a target file; name it with --target=T");
  }

  if (auto at = parsed->get("at")) {
    auto indices = numbers("at", *at, ",", "7,15");
    if (!indices) return indices.takeError();
    auto x = flatten(*indices, shape);
    if (!x) return commandError(ExitCode::Usage, "--at=" + *at + ": " + llvm::toString(x.takeError()));
    printHeader(*layout, shape, axes ? &*axes : nullptr);
    llvm::outs() << '(' << *at << ") is at " << describePlaces(*layout, *x) << '\n';
    return llvm::Error::success();
  }

  Window window;
  for (std::int64_t extent : shape) window.push_back({0, extent});
  for (const char* option : {"window", "access"})
    if (auto text = parsed->get(option)) {
      auto wanted = ranges(option, *text, shape);
      if (!wanted) return wanted.takeError();
      window = *wanted;
    }
  if (!parsed->has("access")) {
    printHeader(*layout, shape, axes ? &*axes : nullptr);
    llvm::outs() << "cells: "
                 << llvm::join(llvm::map_range(drawnAxes(*layout), [](Axis axis) { return axis.name().str(); }), "/")
                 << "\n\n";
    drawTable(llvm::outs(), shape, window, [&](std::int64_t x) { return shortPlaces(*layout, x); });
    return llvm::Error::success();
  }

  if (!banks) return commandError(ExitCode::Usage, "--access needs the banks of a target: add --target=T");
  auto use = bankUse({*layout, shape}, window, bits, *banks);
  if (!use)
    return commandError(ExitCode::BadInput,
                        "--access=" + *parsed->get("access") + ": " + llvm::toString(use.takeError()));
  printHeader(*layout, shape, &*axes);
  llvm::outs() << "access of " << *parsed->get("access") << " as " << typeName << " in scratch of "
               << *parsed->get("target") << ", " << banks->banks << " banks, " << banks->ports << " port"
               << (banks->ports == 1 ? "" : "s") << " each\n";
  drawBankUse(llvm::outs(), *use, *banks);
  llvm::outs() << "cells: bank\n\n";
  drawTable(llvm::outs(), shape, window,
            [&](std::int64_t x) { return std::to_string(bankOf(layout->apply(x).get(Axis()), bits, *banks)); });
  return llvm::Error::success();
}

}  // namespace forerun::driver
