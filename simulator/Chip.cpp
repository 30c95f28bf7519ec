//===- Chip.cpp - composition of a chip, without time ------------------------------===//
// Builds cores from the target and gathers reports.
#include "simulator/Chip.h"

#include <cstring>
#include <map>

namespace forerun::sim {
namespace {

constexpr std::uint64_t kSmallestStackBytes = 1024;  ///< what a launch leaves below the arguments at least

}  // namespace

Chip::~Chip() = default;

Chip::Chip(const targets::TargetSpec& target, AddressSpace& space, ChipOptions options, core::HartMode mode)
    : target_(target),
      space_(space),
      options_(std::move(options)),
      mode_(mode),
      cores_(target.cores()),
      teamsPerCore_(target.teamsPerCore()) {
  for (std::uint32_t core = 0; core < cores_; ++core) {
    memories_.push_back(std::make_unique<EngineMemory>(space, core, cores_, options_.checks));
    if (options_.checks && mode == core::HartMode::Timed)
      races_.push_back(std::make_unique<RaceTracker>(
          EngineMemory::canonical(core, kScratchBase), target.scratch.banks * target.scratch.bytesPerBank,
          EngineMemory::canonical(core, kAccumulatorBase), target.acc.banks * target.acc.bytesPerBank));
  }
}

void Chip::makeEngines(const std::vector<engine::CoreTiming>& timing) {
  for (std::uint32_t core = 0; core < cores_; ++core)
    engines_.push_back(std::make_unique<engine::CoreEngines>(target_, *memories_[core], timing[core], *this, races_));
}

void Chip::setProgram(const core::Program& program) {
  harts_.clear();
  codes_.clear();
  const bool allowXfr = program.note().has_value();
  for (const targets::TeamSpec& team : target_.teams)
    codes_.push_back(std::make_unique<core::CodeCache>(space_, team, mode_, allowXfr));
  for (std::uint32_t core = 0; core < cores_; ++core) {
    std::uint32_t number = 0;
    for (std::size_t t = 0; t < target_.teams.size(); ++t) {
      const targets::TeamSpec& team = target_.teams[t];
      for (std::uint32_t i = 0; i < team.count; ++i, ++number) {
        const HartId id{core, number};
        harts_.push_back(
            {id,
             &team,
             codes_[t].get(),
             std::make_unique<core::Hart>(id, team, core::ClockRatio{target_.hz(team.clock), target_.referenceHz()},
                                          space_, *this, *codes_[t]),
             {},
             false});
      }
    }
  }
}

void Chip::beginLaunch(const LaunchRequest& request) {
  if (harts_.empty()) throw Error(ErrorKind::IllegalProgram, "no program is loaded");
  state_ = std::make_unique<LaunchState>(target_, request, options_.output);
  workItems_ = std::make_unique<sync::WorkItems>(target_.launch, cores_, teamsPerCore_, state_->items());
  syncs_.clear();
  for (std::uint32_t core = 0; core < cores_; ++core)
    syncs_.push_back({sync::Barriers(target_.sync), sync::Semaphores(target_.sync)});
  woken_.clear();
}

void Chip::startHarts(Cycles at) {
  const LaunchRequest& request = state_->request();
  for (HartSlot& slot : harts_) {
    slot.waitsFor.clear();
    if (!state_->takesPart(slot.id)) continue;
    const std::uint64_t top = (kPrivateBase + slot.team->privateBytes) & ~std::uint64_t{15};
    // Arguments of a kernel, or argc = 0 with the empty argv, envp and auxiliary vector of a plain program; the stack
    // grows below.
    const std::vector<std::uint64_t> block = request.plainStack ? std::vector<std::uint64_t>(8, 0) : request.arguments;
    const std::uint64_t bytes = block.size() * sizeof(std::uint64_t);
    if (bytes + kSmallestStackBytes > slot.team->privateBytes)
      throw Error(ErrorKind::BadConfig, "private memory of team " + slot.team->name + " (" +
                                            std::to_string(slot.team->privateBytes) + " bytes) has no room for " +
                                            std::to_string(bytes) +
                                            " bytes of arguments and a stack; raise privateBytes");
    const std::uint64_t sp = (top - bytes) & ~std::uint64_t{15};
    const Mapping mapping = space_.find(slot.id.core, slot.id.team, sp);
    if (bytes != 0) std::memcpy(mapping.data + (sp - mapping.base), block.data(), bytes);
    slot.hart->start({request.entry, request.plainStack ? 0 : sp, request.plainStack ? 0 : bytes, sp}, at);
  }
}

std::uint64_t Chip::identity(HartId hart, std::uint32_t which) const {
  auto queuesOf = [this](targets::EngineKind kind) {
    std::uint64_t queues = 0;
    for (const targets::EngineSpec& engine : target_.engines)
      if (engine.kind == kind) queues += std::uint64_t{engine.count} * engine.queues;
    return queues;
  };
  switch (which) {  // numbers: Identity in isa/Instructions.td
    case 0:
      return hart.team;
    case 1:
      return hart.core;
    case 2:
      return 0;
    case 3:
      return teamsPerCore_;
    case 4:
      return cores_;
    case 5:
      return target_.clusters;
    case 6:
      return state_->items();
    case 7:
      return harts_[std::size_t{hart.core} * teamsPerCore_ + hart.team].team->vlenBits;
    case 8:
      return std::uint64_t{target_.scratch.banks} * target_.scratch.bytesPerBank;
    case 9:
      return std::uint64_t{target_.acc.banks} * target_.acc.bytesPerBank;
    case 10:
      return target_.matrix.rows;
    case 11:
      return target_.matrix.cols;
    case 12:
      return queuesOf(targets::EngineKind::Dma);
    case 13:
      return queuesOf(targets::EngineKind::Matrix);
    default:
      throw Error(ErrorKind::IllegalProgram, "xid of reserved number " + std::to_string(which));
  }
}

void Chip::write(HartId hart, int fd, std::string_view text) { state_->write(text); }

void Chip::exited(HartId hart, std::uint64_t code, Cycles now) { state_->exited(hart, code); }

Chip::CoreSync& Chip::sync(std::uint32_t core) {
  if (core >= cores_)
    throw Error(ErrorKind::IllegalProgram,
                "core " + std::to_string(core) + " does not exist; the chip has " + std::to_string(cores_) + " cores");
  return syncs_[core];
}

void Chip::locate(Error& error, const std::string& component, std::uint64_t pc, Cycles now) {
  if (error.component.empty()) error.component = component;
  if (error.cycle == 0) error.cycle = now;
  if (error.pc == 0 && pc != 0) {
    error.pc = pc;
    error.instruction = codes_.front()->disassemble(pc);
  }
}

void Chip::failDeadlock(Cycles now) {
  std::string text = "nothing can happen any more:";
  std::size_t shown = 0, more = 0;
  auto add = [&](const std::string& line) {
    if (shown < 16) {
      text += "\n  " + line;
      ++shown;
    } else {
      ++more;
    }
  };
  std::uint64_t pc = 0;
  std::vector<sync::Waiting> waiting;
  for (HartSlot& slot : harts_)
    if (state_->takesPart(slot.id) && slot.hart->status() != core::HartStatus::Exited) {
      if (!pc) pc = slot.hart->pc();
      if (!slot.waitsFor.empty())
        add("core " + std::to_string(slot.id.core) + " team " + std::to_string(slot.id.team) + " waits for " +
            slot.waitsFor);
    }
  for (CoreSync& sync : syncs_) {
    sync.barriers.describe(waiting);
    sync.semaphores.describe(waiting);
  }
  for (const sync::Waiting& wait : waiting)
    add("core " + std::to_string(wait.hart.core) + " team " + std::to_string(wait.hart.team) + " waits for " +
        wait.reason);
  for (const auto& engines : engines_)
    for (const std::string& line : engines->describeWaits()) add(line);
  if (more) text += "\n  and " + std::to_string(more) + " more";
  Error error(ErrorKind::Deadlock, text);
  locate(error, "chip", pc, now);
  throw error;
}

LaunchReport Chip::endLaunch(Cycles cycles) {
  LaunchReport report;
  state_->fill(report);
  report.timed = mode_ == core::HartMode::Timed;
  report.cycles = cycles;
  report.clockHz = target_.referenceHz();
  report.seconds = static_cast<double>(cycles) / static_cast<double>(report.clockHz);
  double peakMacCycles = 0;
  std::map<std::string, std::vector<std::uint32_t>> coresThatWarn;  // one line a warning, however many cores give it
  for (std::uint32_t core = 0; core < cores_; ++core) {
    const auto& engines = engines_[core];
    for (std::string& warning : engines->takeUnobserved()) coresThatWarn[std::move(warning)].push_back(core);
    for (const auto& engine : engines->engines())
      if (auto* unit = dynamic_cast<matrix::MatrixEngine*>(engine.get())) {
        const matrix::MatrixTotals totals = unit->takeTotals();
        report.matrix.macs += totals.macs;
        peakMacCycles += totals.peakMacCycles;
      }
  }
  for (const auto& [warning, cores] : coresThatWarn)
    report.warnings.push_back("core " + std::to_string(cores.front()) +
                              (cores.size() > 1 ? " and " + std::to_string(cores.size() - 1) + " more" : "") + ", " +
                              warning);
  // Peak of all units of the chip, a reference cycle, for the mix of types that ran (f16's rate, or the first's, when
  // nothing ran).
  double unitsPerReferenceCycle = 0;
  for (const targets::EngineSpec& engine : target_.engines)
    if (engine.kind == targets::EngineKind::Matrix)
      unitsPerReferenceCycle += static_cast<double>(engine.count) * static_cast<double>(target_.hz(engine.clock)) /
                                static_cast<double>(target_.referenceHz());
  unitsPerReferenceCycle *= cores_;
  const double cells = static_cast<double>(target_.matrix.rows) * target_.matrix.cols;
  report.matrix.peakMacsPerCycle =
      (peakMacCycles > 0 ? static_cast<double>(report.matrix.macs) / peakMacCycles : cells) * unitsPerReferenceCycle;
  if (cycles && report.matrix.macs)
    report.matrix.utilisation = peakMacCycles / (static_cast<double>(cycles) * unitsPerReferenceCycle);
  for (const HartSlot& slot : harts_)
    if (state_->takesPart(slot.id)) report.instructions += slot.hart->instructions();
  return report;
}

}  // namespace forerun::sim
