//===- HartCode.cpp - what LLVM is told about the harts of a target --------===//
// See HartCode.h.
#include "compiler/backends/accelerator/HartCode.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

#include <algorithm>

namespace forerun::backends::accelerator {

namespace {

/// Takes in `count` more teams of a kind, which follow those before them.
void join(ComputeTeams& teams, const targets::TeamSpec& team, unsigned count) {
  const unsigned registerCycles =
      team.datapathBits == 0 ? 1 : std::max(1u, (team.vlenBits + team.datapathBits - 1) / team.datapathBits);
  const bool first = teams.count == 0;
  teams.latencyCycles = std::max(teams.latencyCycles, team.latencies.vectorFma);
  teams.registerCycles = first ? registerCycles : std::min(teams.registerCycles, registerCycles);
  teams.vlenBits = first ? team.vlenBits : std::min(teams.vlenBits, team.vlenBits);
  teams.zvfh = team.zvfh && (first || teams.zvfh);
  teams.zvfbfmin = team.zvfbfmin && (first || teams.zvfbfmin);
  teams.count += count;
}

}  // namespace

ComputeTeams computeTeams(const targets::TargetSpec& target) {
  ComputeTeams result;
  const bool anyVector =
      std::ranges::any_of(target.teams, [](const auto& team) { return team.vlenBits != 0 && team.count != 0; });
  bool open = true;  // the run of computing teams must be contiguous in team ids
  for (const targets::TeamSpec& team : target.teams) {
    const bool computes = !anyVector || team.vlenBits != 0;
    if (computes && team.count != 0 && open) {
      if (result.count == 0) result.first = result.coreTeams;
      join(result, team, team.count);
    } else if (result.count != 0) {
      open = false;
    }
    result.coreTeams += team.count;
  }
  return result;
}

ComputeTeams teamsOf(const targets::TargetSpec& target, unsigned low, unsigned high) {
  ComputeTeams result;
  result.first = low;
  for (const targets::TeamSpec& team : target.teams) {
    const unsigned begin = std::max(low, result.coreTeams), end = std::min(high, result.coreTeams + team.count);
    if (begin < end) join(result, team, end - begin);
    result.coreTeams += team.count;
  }
  return result;
}

std::string hartFeatures(const ComputeTeams& teams, UsedTypes used) {
  std::string features = "+m,+a,+f,+d,+c,+zicsr,+zifencei";
  features += ",-short-forward-branch-ialu";  // the tuning's: a branch over one move, which a hart mispredicts
  if (used.half) features += ",+zfh";
  if (teams.vlenBits != 0) {
    // LLVM knows VLEN up to 65536; more would only be less precise.
    features += ",+v,+zvl" + std::to_string(std::min(teams.vlenBits, 65536u)) + "b";
    if (used.half && teams.zvfh) features += ",+zvfh";
    if (used.bfloat && teams.zvfbfmin) features += ",+zfbfmin,+zvfbfmin";
  }
  return features;
}

std::vector<std::string> hartNeeds(const ComputeTeams& teams, UsedTypes used) {
  std::vector<std::string> needs;
  if (teams.vlenBits != 0) {
    needs.push_back("v");
    needs.push_back("vlen>=" + std::to_string(teams.vlenBits));
    if (used.half && teams.zvfh) needs.push_back("zvfh");
    if (used.bfloat && teams.zvfbfmin) needs.push_back("zvfbfmin");
  }
  return needs;
}

llvm::Triple hartTriple() { return llvm::Triple("riscv64-unknown-elf"); }

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createHartMachine(llvm::StringRef features,
                                                                       unsigned optimizationLevel) {
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTarget();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmPrinter();
  LLVMInitializeRISCVAsmParser();
  const llvm::Triple triple = hartTriple();
  std::string message;
  const llvm::Target* llvmTarget = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!llvmTarget) return llvm::createStringError("LLVM has no RISC-V code generator: %s", message.c_str());
  llvm::TargetOptions options;
  options.MCOptions.ABIName = kHartAbi;
  options.FunctionSections = true;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // the language contracts only where it is written
  const auto level =
      llvm::CodeGenOpt::getLevel(static_cast<int>(optimizationLevel)).value_or(llvm::CodeGenOptLevel::Default);
  std::unique_ptr<llvm::TargetMachine> machine(llvmTarget->createTargetMachine(
      triple, "generic-rv64", features, options, llvm::Reloc::Static, llvm::CodeModel::Small, level));
  if (!machine)
    return llvm::createStringError("LLVM made no RISC-V target machine for features '%s'", features.str().c_str());
  return machine;
}

}  // namespace forerun::backends::accelerator
