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
  v.number({"warpsPerGroup", KeyClass::Arch, "warps", "warps of a warpgroup: the teams of a group"},
           spec.warpsPerGroup);
  v.number({"warpsPerCta", KeyClass::Arch, "warps", "warps of a CTA: the teams of a core"}, spec.warpsPerCta);
  v.number({"maxThreads", KeyClass::Arch, "threads", "most threads of a CTA"}, spec.maxThreads);
  v.number({"sharedBytes", KeyClass::Arch, "bytes", "most shared memory of a CTA: the scratch of a core"},
           spec.sharedBytes);
  v.number({"sharedBanks", KeyClass::Arch, "banks", "banks of shared memory"}, spec.sharedBanks);
  v.number({"sharedBankWidthBytes", KeyClass::Arch, "bytes", "bytes that a bank serves in a cycle"},
           spec.sharedBankWidthBytes);
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
  if (spec.warpsPerGroup == 0) problems.push_back({"warpsPerGroup", 0, "0; a group holds at least one warp"});
  if (spec.sharedBytes == 0) problems.push_back({"sharedBytes", 0, "0; scratch buffers need some"});
  if (spec.sharedBanks == 0) problems.push_back({"sharedBanks", 0, "0; shared memory has at least one bank"});
  if (spec.sharedBankWidthBytes == 0)
    problems.push_back({"sharedBankWidthBytes", 0, "0; a bank serves at least one byte a cycle"});
  return problems;
}

std::vector<Figure> derive(const GpuSpec& spec) {
  return {{"threads", static_cast<double>(spec.warpsPerCta * spec.warpSize), "", "", "warpsPerCta * warpSize, a CTA"},
          {"teams", static_cast<double>(spec.warpsPerCta), "", "", "warpsPerCta, a CTA"},
          {"groups", static_cast<double>(spec.warpsPerCta) / spec.warpsPerGroup, "", "",
           "warpsPerCta / warpsPerGroup, a CTA"},
          {"scratch", static_cast<double>(spec.sharedBytes), "", "B", "sharedBytes, a CTA"},
          {"scratch row", static_cast<double>(spec.sharedBanks) * spec.sharedBankWidthBytes, "", "B/cycle",
           "sharedBanks * sharedBankWidthBytes"},
          {"code", 0, spec.arch + ", PTX " + std::to_string(spec.ptxVersion), "", "arch, ptxVersion"}};
}

}  // namespace forerun::targets
