//===- Gpu.cpp - keys, checks and figures of a GPU's target file ------------===//
// The GPU's counterpart of Schema, Validate and Derived.
#include "targets/Derived.h"
#include "targets/Problems.h"
#include "targets/Schema.h"

namespace forerun::targets {

void describe(Visitor& v, GpuSpec& spec) {
  static constexpr llvm::StringRef kKinds[] = {"gpu"};
  std::size_t kind = 0;
  v.choice({"kind", KeyClass::Arch, "", "what the file describes; a file without it describes an accelerator"}, kind,
           kKinds);
  v.text({"name", KeyClass::Label, "", "name of the target"}, spec.name);
  v.text({"description", KeyClass::Label, "", "one line for lists"}, spec.description);
  v.texts({"sources", KeyClass::Label, "", "where the numbers come from"}, spec.sources);
  v.text({"arch", KeyClass::Arch, "", "architecture as LLVM calls it: sm_80, ..."}, spec.arch);
  v.number({"ptxVersion", KeyClass::Arch, "", "PTX version of the text: major * 10 + minor"}, spec.ptxVersion);
  v.number({"warpSize", KeyClass::Arch, "threads", "threads of a warp: the lanes of a team"}, spec.warpSize);
  v.number({"warpsPerCta", KeyClass::Arch, "warps", "warps of a CTA: the teams of a core"}, spec.warpsPerCta);
  v.number({"maxThreads", KeyClass::Arch, "threads", "most threads of a CTA"}, spec.maxThreads);
  v.number({"sharedBytes", KeyClass::Arch, "bytes", "most shared memory of a CTA: the scratch of a core"},
           spec.sharedBytes);
}

std::vector<Problem> validate(const GpuSpec& spec) {
  std::vector<Problem> problems;
  if (spec.warpSize != 32)
    problems.push_back(
        {"warpSize", 0,
         std::to_string(spec.warpSize) + " is not known; matrix fragments are laid out for warps of 32"});
  if (spec.warpsPerCta == 0 || std::uint64_t{spec.warpsPerCta} * spec.warpSize > spec.maxThreads)
    problems.push_back({"warpsPerCta", 0,
                        std::to_string(spec.warpsPerCta) +
                            " warps do not fit maxThreads; write at least 1 and at most " +
                            std::to_string(spec.warpSize == 0 ? 0 : spec.maxThreads / spec.warpSize)});
  if (spec.sharedBytes == 0) problems.push_back({"sharedBytes", 0, "0; scratch buffers need some"});
  return problems;
}

std::vector<Figure> derive(const GpuSpec& spec) {
  return {{"threads", static_cast<double>(spec.warpsPerCta * spec.warpSize), "", "", "warpsPerCta * warpSize, a CTA"},
          {"teams", static_cast<double>(spec.warpsPerCta), "", "", "warpsPerCta, a CTA"},
          {"scratch", static_cast<double>(spec.sharedBytes), "", "B", "sharedBytes, a CTA"},
          {"code", 0, spec.arch + ", PTX " + std::to_string(spec.ptxVersion), "", "arch, ptxVersion"}};
}

}  // namespace forerun::targets
