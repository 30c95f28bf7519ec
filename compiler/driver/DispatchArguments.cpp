//===- DispatchArguments.cpp - how variants are chosen, from the command line ===//
// See DispatchArguments.h.
#include "compiler/driver/DispatchArguments.h"

#include "llvm/Support/raw_ostream.h"

namespace forerun::driver {

bool choosesVariants(const Arguments& arguments) {
  return arguments.has(kExplainDispatch.name) || arguments.has(kStrict.name) || arguments.has(kPrefer.name);
}

llvm::Expected<backends::DispatchOptions> dispatchOptions(const Arguments& arguments) {
  backends::DispatchOptions options;
  if (arguments.has(kExplainDispatch.name)) options.explain = &llvm::errs();
  options.strict = arguments.has(kStrict.name);
  for (llvm::StringRef text : arguments.all(kPrefer.name)) {
    auto preference = splitAssignment(kPrefer.name, text);
    if (!preference) return preference.takeError();
    llvm::StringRef operation = preference->first;
    operation.consume_front("tile.");
    options.preferences.push_back({operation.str(), preference->second.str()});
  }
  return options;
}

}  // namespace forerun::driver
