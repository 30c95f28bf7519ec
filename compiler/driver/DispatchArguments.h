//===- DispatchArguments.h - how variants are chosen, from the command line ===//
// The options that the commands which compile share.
#pragma once

#include "compiler/backends/lowering/Dispatch.h"
#include "compiler/driver/CommandLine.h"

namespace forerun::driver {

inline constexpr OptionSpec kExplainDispatch{
    "explain-dispatch", OptionSpec::Value::None, "",
    "say on standard error which variant carries out each operation, what it costs, and why others do not apply"};
inline constexpr OptionSpec kStrict{"strict", OptionSpec::Value::None, "",
                                    "refuse a plain loop where the kernel can be written for a cheaper variant"};
inline constexpr OptionSpec kPrefer{"prefer", OptionSpec::Value::Required, "OP=VARIANT",
                                    "take that variant where it applies and the kernel names none, e.g. reduce=across",
                                    true};

/// True when one of them is given.
bool choosesVariants(const Arguments& arguments);
/// Usage errors for preferences that are not of that form. Explanations go to standard error.
llvm::Expected<backends::DispatchOptions> dispatchOptions(const Arguments& arguments);

}  // namespace forerun::driver
