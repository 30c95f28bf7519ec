//===- ProgramNeeds.cpp - may this target run this program? -----------------------===//
// Needs are names with numbers; a target offers the numbers below.
#include "simulator/ProgramNeeds.h"

#include "isa/ElementType.h"
#include "isa/Encoding.h"
#include "simulator/kernel/Error.h"

#include <algorithm>
#include <optional>
#include <string>

namespace forerun::sim {

namespace {

/// What the target has of `name`: 0 or 1 for features, else the number; nullopt for names that this version does not
/// know.
std::optional<std::uint64_t> offered(const std::string& name, const targets::TargetSpec& target) {
  auto anyTeam = [&](auto predicate) { return std::any_of(target.teams.begin(), target.teams.end(), predicate); };
  auto anyEngine = [&](targets::EngineKind kind) {
    return std::any_of(target.engines.begin(), target.engines.end(),
                       [kind](const targets::EngineSpec& e) { return e.kind == kind && e.count > 0; });
  };
  if (name == "v") return anyTeam([](const targets::TeamSpec& t) { return t.vlenBits > 0; });
  if (name == "zvfh") return anyTeam([](const targets::TeamSpec& t) { return t.vlenBits > 0 && t.zvfh; });
  if (name == "zvfbfmin") return anyTeam([](const targets::TeamSpec& t) { return t.vlenBits > 0 && t.zvfbfmin; });
  if (name == "vlen") {
    std::uint64_t least = 0;  // of the harts with a vector unit
    for (const targets::TeamSpec& team : target.teams)
      if (team.vlenBits) least = least ? std::min<std::uint64_t>(least, team.vlenBits) : team.vlenBits;
    return least;
  }
  if (name == "xfr.dma") return anyEngine(targets::EngineKind::Dma);
  if (name == "xfr.matrix") return anyEngine(targets::EngineKind::Matrix);
  if (name == "xfr.vector" || name == "xfr.layout") return 0;  // not modelled
  if (name == "teams") return target.teamsPerCore();
  if (name == "cores") return target.cores();
  if (name == "scratch") return std::uint64_t{target.scratch.banks} * target.scratch.bytesPerBank;
  if (name == "acc") return std::uint64_t{target.acc.banks} * target.acc.bytesPerBank;
  if (name == "matrix.rows") return target.matrix.rows;
  if (name == "matrix.cols") return target.matrix.cols;
  if (name == "barriers") return target.sync.barriers;
  if (name == "semaphores") return target.sync.semaphores;
  if (name.starts_with("matrix.")) {
    const std::string type = name.substr(7);
    if (!isa::parseElementType(type)) return std::nullopt;
    return std::any_of(target.matrix.typeRate.begin(), target.matrix.typeRate.end(),
                       [&](const targets::TypeRate& rate) { return rate.type == type && rate.numerator > 0; });
  }
  return std::nullopt;
}

}  // namespace

void checkNeeds(const isa::ElfNote& note, const targets::TargetSpec& target) {
  if (note.major != isa::kVersionMajor || note.minor > isa::kVersionMinor)
    throw Error(ErrorKind::IllegalProgram, "the program is encoded for Xfr " + std::to_string(note.major) + "." +
                                               std::to_string(note.minor) + "; this simulator executes " +
                                               std::to_string(isa::kVersionMajor) + "." +
                                               std::to_string(isa::kVersionMinor));
  for (const isa::Need& need : note.needs) {
    const std::optional<std::uint64_t> has = offered(need.name, target);
    bool met = has.has_value();
    if (met) switch (need.relation) {
        case isa::Need::Relation::Present:
          met = *has > 0;
          break;
        case isa::Need::Relation::AtLeast:
          met = *has >= need.value;
          break;
        case isa::Need::Relation::Equal:
          met = *has == need.value;
          break;
      }
    if (met) continue;
    std::string message = "the program needs " + isa::toString(need) + ", which target " + target.name + " lacks";
    if (has && need.relation != isa::Need::Relation::Present) message += " (it has " + std::to_string(*has) + ")";
    throw Error(ErrorKind::UnsupportedFeature, message + "; compile it for this target, or choose another one");
  }
}

}  // namespace forerun::sim
