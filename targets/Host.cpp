//===- Host.cpp - keys, checks and figures of the host's target file --------===//
// The host's counterpart of Schema, Validate and Derived.
#include "targets/HostSpec.h"

#include "targets/Derived.h"
#include "targets/Problems.h"
#include "targets/Schema.h"

#include <algorithm>
#include <thread>

namespace forerun::targets {

namespace {
constexpr std::uint32_t kMostCores = 4096, kMostTeams = 1024;
}

std::uint32_t HostSpec::coreCount() const {
  return cores != 0 ? cores : std::max(1u, std::thread::hardware_concurrency());
}

void describe(Visitor& v, HostSpec& spec) {
  static constexpr llvm::StringRef kKinds[] = {"host"};
  std::size_t kind = 0;
  v.choice({"kind", KeyClass::Arch, "", "what the file describes; a file without it describes an accelerator"}, kind,
           kKinds);
  v.text({"name", KeyClass::Label, "", "name of the target"}, spec.name);
  v.text({"description", KeyClass::Label, "", "one line for lists"}, spec.description);
  v.number({"cores", KeyClass::Arch, "", "threads that execute work items; 0: as many as the computer has cores"},
           spec.cores);
  v.number({"teams", KeyClass::Arch, "", "teams of a core, which take turns on its thread"}, spec.teams);
}

std::vector<Problem> validate(const HostSpec& spec) {
  std::vector<Problem> problems;
  if (spec.cores > kMostCores)
    problems.push_back({"cores", 0, std::to_string(spec.cores) + "; write at most " + std::to_string(kMostCores)});
  if (spec.teams == 0 || spec.teams > kMostTeams)
    problems.push_back(
        {"teams", 0, std::to_string(spec.teams) + "; write at least 1 and at most " + std::to_string(kMostTeams)});
  return problems;
}

std::vector<Figure> derive(const HostSpec& spec) {
  return {{"cores", static_cast<double>(spec.coreCount()), "", "", "cores, or what this computer has"},
          {"teams", static_cast<double>(spec.teams), "", "", "teams, a core"}};
}

}  // namespace forerun::targets
