//===- Load.h - target files by path or name -------------------------------===//
// The way in: read, override, check.
#pragma once

#include "targets/GpuSpec.h"
#include "targets/HostSpec.h"
#include "targets/TargetSpec.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <string>
#include <variant>
#include <vector>

namespace forerun::targets {

/// Where the targets of this build lie: <source tree>/targets, fixed at configure time.
std::string defaultFolder();

/// Names of the *.yaml files in a folder, sorted; empty when there is no such folder.
std::vector<std::string> knownTargets(llvm::StringRef folder = "");
/// Those of them that are accelerators.
std::vector<std::string> knownAccelerators(llvm::StringRef folder = "");

/// Loads `pathOrName`: a path if it ends in .yaml or holds a separator, else NAME.yaml in `folder` (default:
/// defaultFolder()). Overrides are "key.path=value", applied in order before the target is checked. The error holds one
/// line a problem: "file:line: key: what is wrong; what to do", or "--set key=value: ..." when an override is at fault.
using AnyTarget = std::variant<TargetSpec, GpuSpec, HostSpec>;
llvm::Expected<AnyTarget> loadAny(llvm::StringRef pathOrName, llvm::ArrayRef<std::string> overrides = {},
                                  llvm::StringRef folder = "");

/// As loadAny, for those who need an accelerator; another kind is an error that says so.
llvm::Expected<TargetSpec> load(llvm::StringRef pathOrName, llvm::ArrayRef<std::string> overrides = {},
                                llvm::StringRef folder = "");

/// As load, from text; `file` is used in messages.
llvm::Expected<TargetSpec> loadText(llvm::StringRef text, llvm::StringRef file,
                                    llvm::ArrayRef<std::string> overrides = {});

}  // namespace forerun::targets
