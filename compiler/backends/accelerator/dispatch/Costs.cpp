//===- Costs.cpp - what variants cost on a target ---------------------------===//
// See Costs.h. The hart's rules are those of docs/machine-contract.md: a strip keeps its unit for as long as its bits
// take through the datapath, what is not contiguous goes an element a cycle, results come after their latency.
#include "compiler/backends/accelerator/dispatch/Costs.h"

#include "compiler/backends/accelerator/dispatch/Variants.h"
#include "targets/Derived.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace forerun::backends::accelerator {

namespace {

// Instructions that the code has beside the work itself, counted in its listings.
constexpr double kStepInstructions = 4;     ///< addresses, count and branch of a step
constexpr double kRowInstructions = 12;     ///< counts and branches of rows side by side, and
constexpr double kAddressInstructions = 4;  ///< what each of them has
constexpr double kLoopInstructions = 8;     ///< of a row that is a single strip
constexpr double kNumberedRow = 16;         ///< its position, from a number over several dimensions
constexpr double kFieldsOfDescriptor = 4;   ///< base, type, and those that are neither extent nor stride

double ceilDivide(double a, double b) { return std::ceil(a / b); }

}  // namespace

Costs::Costs(const targets::TargetSpec& target, const ComputeTeams& teams, unsigned sharing)
    : target_(target), teams_(teams), sharing_(std::max(sharing, 1u)) {
  unsigned first = 0;
  for (const targets::TeamSpec& team : target.teams) {
    if (teams.first < first + team.count && !team_) team_ = &team;
    first += team.count;
  }
  if (!team_) team_ = &target.teams.front();
}

double Costs::hertz(const std::string& clock) const {
  for (const targets::Clock& one : target_.clocks)
    if (one.name == clock) return static_cast<double>(one.hz);
  return 1;
}

double Costs::reference(const std::string& clock) const { return hertz(target_.reference) / hertz(clock); }

const targets::EngineSpec* Costs::engine(targets::EngineKind kind) const {
  for (const targets::EngineSpec& engine : target_.engines)
    if (engine.kind == kind && engine.count != 0) return &engine;
  return nullptr;
}

unsigned Costs::queues(targets::EngineKind kind) const {
  unsigned queues = 0;
  for (const targets::EngineSpec& engine : target_.engines)
    if (engine.kind == kind) queues += engine.count * engine.queues;
  return queues;
}

double Costs::walk(const Walk& w) const {
  const targets::HartLatencies& latency = team_->latencies;
  const double rows = w.sharesLanes ? w.rows : ceilDivide(w.rows, sharing_),
               columns = w.sharesLanes ? ceilDivide(w.columns, sharing_) : w.columns;
  const double memory = target_.scratch.latencyCycles;
  StripPlan plan = planStrips(w.shape, teams_, static_cast<std::int64_t>(columns),
                              w.oneStripAtATime || w.severalOuter ? 1 : static_cast<std::int64_t>(rows));
  if (w.oneStripAtATime) plan.rows = plan.columns = 1;
  if (plan.lanes.scalar()) {
    const double element =
        static_cast<double>(w.streams.size()) + w.operations + kStepInstructions + memory + w.depth * latency.fpAdd;
    return reference(team_->clock) * rows * (columns * element + kLoopInstructions + w.rowCycles);
  }
  const double width = plan.lanes.perGranule * static_cast<double>(teams_.vlenBits) / 64,
               strips = plan.rows * plan.columns;
  const double steps = std::max(1.0, ceilDivide(columns, width * plan.columns)), groups = ceilDivide(rows, plan.rows);
  const double elements = std::min(columns / steps, width);  // of a strip, on the average
  const bool scattered = std::ranges::any_of(w.streams, [](const Stream& stream) { return !stream.contiguous; });
  double loads = 0, stores = 0;
  for (const Stream& stream : w.streams)
    (stream.write ? stores : loads) +=
        stream.contiguous ? std::max(1.0, ceilDivide(elements * stream.bytes * 8, team_->datapathBits))
                          : elements * (w.sharesLanes ? bankConflicts(stream.strideBytes, w.streams.size()) : 1);
  const double arithmetic =
      w.operations * std::max(1.0, ceilDivide(elements * w.shape.widestBits, team_->datapathBits));
  const double instructions = strips * (static_cast<double>(w.streams.size()) + w.operations) + kStepInstructions;
  const double busy = std::max(strips * std::max({loads, stores, arithmetic}), instructions / team_->issue.total);
  // A strip's way from its loads to the start of its store. Contiguous operations chain group by group.
  const double chain = memory + w.depth * latency.vectorMul + arithmetic + (scattered ? 0 : std::max(loads, stores)) +
                       kStepInstructions / team_->issue.total;
  // Issue is in order: the next step's loads start behind this one's stores, unless LLVM unrolls a loop of single
  // strips.
  const double step = scattered && !w.unrolled ? busy + chain : std::max(busy, chain);
  // Ends of rows side by side overlap in part.
  const double ends = w.rowCycles * (1 + (plan.rows - 1) / 2.0);
  // Rows of one strip, walked one by one, are a loop that LLVM unrolls: what counts is the instructions.
  if (w.severalOuter && steps <= 1 && w.rowCycles == 0)
    return reference(team_->clock) *
           (groups * std::max(busy, (kLoopInstructions + kNumberedRow + instructions) / team_->issue.total) + chain);
  const double start =
      (w.unrolled ? kLoopInstructions : kRowInstructions + kAddressInstructions * plan.rows) / team_->issue.total;
  return reference(team_->clock) * groups * (steps * step + start + ends);
}

double Costs::bankConflicts(double strideBytes, std::size_t streams) const {
  // Lanes a row apart meet in banks / gcd(banks, row in bank widths) banks; every team has an access a cycle of each
  // stream.
  const targets::BankedMemorySpec& scratch = target_.scratch;
  const auto stride = static_cast<std::uint64_t>(strideBytes), width = std::uint64_t{scratch.bankWidthBytes};
  if (width == 0 || stride < width || stride % width != 0) return 1;
  const std::uint64_t banks = scratch.banks / std::gcd(std::uint64_t{scratch.banks}, stride / width);
  return std::max(1.0, sharing_ * static_cast<double>(streams) / static_cast<double>(banks * scratch.ports));
}

double Costs::command(const targets::EngineSpec& engine, double fields) const {
  // The leader writes the fields, an instruction each, and waits for the token; the others meet it at a barrier.
  const double meet = sharing_ > 1 ? 2.0 * target_.sync.barrierCycles : 0;
  return fields + engine.issueCycles + target_.sync.tokenCycles + meet + engine.startupCycles * reference(engine.clock);
}

double Costs::transfer(const Transfer& t) const {
  const targets::EngineSpec& engine = *this->engine(targets::EngineKind::Dma);
  const double clock = reference(engine.clock);
  const double bytes = t.elements * std::max(t.readBytes, t.writeBytes);
  auto port = [&](unsigned elementBytes, bool contiguous, unsigned width) {
    if (!contiguous) return t.elements;
    const double run = t.run * elementBytes, piece = std::min<double>(run, engine.burstBytes);
    return t.elements * elementBytes / piece * ceilDivide(piece, width);
  };
  const double ports = std::max(t.readBytes == 0 ? 0 : port(t.readBytes, t.readContiguous, engine.readBytesPerCycle),
                                port(t.writeBytes, t.writeContiguous, engine.writeBytesPerCycle));
  double stream = ports * clock, latency = 2.0 * target_.scratch.latencyCycles;
  if (t.global) {
    const double share =  // bytes a cycle a core
        targets::dramPeakBytesPerSecond(target_) / target_.cores() / hertz(target_.reference);
    if (share > 0) stream = std::max(stream, bytes / share);
    latency += target_.l2.latencyCycles + 2.0 * target_.noc.interfaceCycles + target_.dram.controllerCycles;
  }
  return command(engine, 2 * (kFieldsOfDescriptor + 2 * t.dimensions)) + stream + latency;
}

double Costs::product(double m, double n, double k, const std::string& type) const {
  const targets::EngineSpec* engine = this->engine(targets::EngineKind::Matrix);
  const targets::MatrixSpec& array = target_.matrix;
  double slower = 1;
  for (const targets::TypeRate& rate : array.typeRate)
    if (rate.type == type) slower = static_cast<double>(rate.denominator) / rate.numerator;
  const double clock = reference(engine->clock);
  const double loads = ceilDivide(std::min<double>(k, array.rows), array.loadRowsPerCycle),
               runs = std::max<double>(m, array.minRows) * std::max(slower, 1.0 / 64);
  const double blocks = ceilDivide(n, array.cols) * ceilDivide(k, array.rows);
  const double block = array.weightBuffers > 1 ? std::max(loads, runs) : loads + runs;
  // Of a block, the descriptors change in extents and addresses.
  const double issue = 2.0 * engine->issueCycles + 2 * kFieldsOfDescriptor;
  return command(*engine, 3 * (kFieldsOfDescriptor + 4)) + loads * clock + blocks * std::max(block * clock, issue) +
         (array.rows + array.cols) * clock;
}

double Costs::drain(double m, double n) const {
  const targets::EngineSpec* engine = this->engine(targets::EngineKind::Matrix);
  return command(*engine, 2 * (kFieldsOfDescriptor + 4)) +
         reference(engine->clock) * m * std::max(1.0, ceilDivide(n * 4, std::max(1u, engine->writeBytesPerCycle)));
}

double Costs::vectorProduct(double m, double n, double k, bool lanesContiguous, bool widens, const Shape& shape) const {
  const targets::HartLatencies& latency = team_->latencies;
  const bool shareRows = m >= sharing_;
  const double rows = std::min<double>(kProductRows, m);
  const double blocks = ceilDivide(shareRows ? ceilDivide(m, sharing_) : m, rows),
               columns = shareRows ? n : ceilDivide(n, sharing_);
  const bool scalar = teams_.vlenBits == 0 || !shape.vectorizable;
  const double width = scalar
                           ? 1
                           : std::clamp(std::exp2(std::ceil(std::log2(std::max(1.0, columns * 32 / teams_.vlenBits)))),
                                        1.0, 4.0) *
                                 teams_.vlenBits / 32,
               elements = std::min(width, columns);
  const double occupancy = scalar ? 1 : std::max(1.0, ceilDivide(elements * 32, team_->datapathBits));
  const double operations = rows + (widens ? 1 : 0);
  const double load = scalar || lanesContiguous ? occupancy : elements;
  const double instructions = rows * (widens ? 4 : 3) + 4;
  const double chain =
      target_.scratch.latencyCycles + (widens ? latency.fpConvert : 0) + (scalar ? latency.fpFma : latency.vectorFma);
  const double step = std::max({operations * occupancy, load, instructions / team_->issue.total}) + chain;
  return reference(team_->clock) * blocks * ceilDivide(columns, width) * (k * step + 2 * rows + kLoopInstructions);
}

double Costs::acrossLanes(unsigned bits) const {
  const targets::HartLatencies& latency = team_->latencies;
  const double lanes = std::max(1.0, static_cast<double>(team_->datapathBits) / bits);
  return latency.vectorReduce + team_->crossLaneCycles * std::ceil(std::log2(std::max(lanes, 1.0))) +
         latency.vectorSet * 2 + 4;
}

}  // namespace forerun::backends::accelerator
