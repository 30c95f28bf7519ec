//===- Validate.cpp - values out of range and keys that contradict ---------===//
// What holds for every target that the compiler and the model can use. Each check names the key to change.
#include "targets/Problems.h"
#include "targets/Schema.h"

#include "isa/ElementType.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>

#include <algorithm>
#include <bit>

namespace forerun::targets {
namespace {

constexpr std::uint64_t kRegionBytes = std::uint64_t{256}
                                       << 20;  // of scratch, acc and private memory in the address map
constexpr std::uint64_t kMaxCores = 3840;      // remote scratch windows below global memory
constexpr std::uint64_t kMaxQueues = 127;      // queue numbers lie in the top byte of a token that is not negative
constexpr std::uint64_t kMaxDramBytes = std::uint64_t{1} << 46;

class Checker {
 public:
  explicit Checker(const TargetSpec& spec) : spec_(spec) {}

  std::vector<Problem> run() {
    identity();
    clocks();
    for (std::size_t i = 0; i < spec_.teams.size(); ++i) team(spec_.teams[i], "teams." + std::to_string(i) + ".");
    for (std::size_t i = 0; i < spec_.engines.size(); ++i)
      engine(spec_.engines[i], "engines." + std::to_string(i) + ".");
    engines();
    matrix();
    const bool acc = banks(spec_.acc, "acc."), scratch = banks(spec_.scratch, "scratch.");
    if (acc && scratch) memories();
    if (spec_.l2.present) l2();
    noc();
    dram();
    require(spec_.sync.barriers >= 1, "sync.barriers", "0; a core needs at least 1");
    require(spec_.sync.semaphores >= 1, "sync.semaphores", "0; a core needs at least 1");
    require(spec_.quantumCycles >= 1, "quantumCycles", "0; harts cannot advance: write at least 1");
    return std::move(problems_);
  }

 private:
  /// Returns `holds`, so that what follows from a bad value is not reported as well.
  bool require(bool holds, const std::string& path, const std::string& message) {
    if (!holds) problems_.push_back({path, 0, message});
    return holds;
  }
  static std::string show(std::uint64_t value) { return std::to_string(value); }
  bool atLeast(std::uint64_t value, std::uint64_t least, const std::string& path) {
    return require(value >= least, path, show(value) + " is too small; write at least " + show(least));
  }
  bool powerOfTwo(std::uint64_t value, const std::string& path) {
    return require(std::has_single_bit(value), path, show(value) + " is not a power of two; write one");
  }
  void clockName(const std::string& name, const std::string& path) {
    std::vector<std::string> names;
    names.reserve(spec_.clocks.size());
    for (const Clock& clock : spec_.clocks) names.push_back(clock.name);
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    const std::string nearest = suggestion(name, names);
    require(false, path,
            "clock '" + name + "' is not among clocks" +
                (nearest.empty() ? "; write one of " + llvm::join(names, ", ") : nearest));
  }

  void identity() {
    require(!spec_.name.empty() && std::all_of(spec_.name.begin(), spec_.name.end(),
                                               [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; }),
            "name", "'" + spec_.name + "' is not a name; write letters, digits, - and _");
    atLeast(spec_.chips, 1, "chips");
    atLeast(spec_.clusters, 1, "clusters");
    atLeast(spec_.coresPerCluster, 1, "coresPerCluster");
    const std::uint64_t cores = std::uint64_t{spec_.clusters} * spec_.coresPerCluster;
    require(cores <= kMaxCores, "coresPerCluster",
            show(cores) + " cores do not fit the address map; write clusters * coresPerCluster of at most " +
                show(kMaxCores));
  }

  void clocks() {
    require(!spec_.clocks.empty(), "clocks", "empty; write at least one clock domain");
    llvm::StringSet<> names;
    for (std::size_t i = 0; i < spec_.clocks.size(); ++i) {
      const std::string path = "clocks." + std::to_string(i) + ".";
      require(names.insert(spec_.clocks[i].name).second, path + "name",
              "'" + spec_.clocks[i].name + "' is taken; choose another name");
      require(!spec_.clocks[i].name.empty(), path + "name", "empty; name the clock");
      require(spec_.clocks[i].hz >= 1 && spec_.clocks[i].hz <= 1000000000000, path + "hz",
              show(spec_.clocks[i].hz) + " is out of range; write 1 Hz to 1000 GHz");
    }
    clockName(spec_.reference, "reference");
  }

  void team(const TeamSpec& t, const std::string& p) {
    require(!t.name.empty() && teamNames_.insert(t.name).second, p + "name",
            "'" + t.name + "' is empty or taken; choose another name");
    clockName(t.clock, p + "clock");
    atLeast(t.count, 1, p + "count");
    if (t.vlenBits == 0) {
      require(t.datapathBits == 0, p + "datapathBits",
              show(t.datapathBits) + " without a vector unit; write 0, or give vlenBits");
      require(!t.zvfh, p + "zvfh", "true without a vector unit; write false, or give vlenBits");
      require(!t.zvfbfmin, p + "zvfbfmin", "true without a vector unit; write false, or give vlenBits");
      require(t.issue.vector == 0, p + "issue.vector",
              show(t.issue.vector) + " without a vector unit; write 0, or give vlenBits");
    } else {
      const bool vlen =
          require(std::has_single_bit(t.vlenBits) && t.vlenBits >= 128 && t.vlenBits <= 65536, p + "vlenBits",
                  show(t.vlenBits) + " is not a power of two from 128 to 65536; write one, or 0 for no vector unit");
      const bool datapath = require(std::has_single_bit(t.datapathBits) && t.datapathBits >= 64, p + "datapathBits",
                                    show(t.datapathBits) + " is not a power of two of at least 64; write one");
      require(!vlen || !datapath || t.datapathBits <= t.vlenBits, p + "datapathBits",
              show(t.datapathBits) + " is wider than vlenBits (" + show(t.vlenBits) + "); make it at most as wide");
      atLeast(t.issue.vector, 1, p + "issue.vector");
    }
    atLeast(t.issue.total, 1, p + "issue.total");
    const std::pair<const char*, std::uint32_t> slots[] = {{"scalar", t.issue.scalar},
                                                           {"vector", t.issue.vector},
                                                           {"load", t.issue.load},
                                                           {"store", t.issue.store},
                                                           {"engine", t.issue.engine}};
    for (const auto& [name, count] : slots) {
      require(count <= t.issue.total, p + "issue." + name,
              show(count) + " is more than issue.total (" + show(t.issue.total) + "); make it at most that");
      if (llvm::StringRef(name) != "vector") atLeast(count, 1, p + "issue." + name);
    }
    require(t.privateBytes >= 4096 && t.privateBytes <= kRegionBytes && t.privateBytes % 16 == 0, p + "privateBytes",
            show(t.privateBytes) + " is not a multiple of 16 from 4 KiB to 256 MiB; write one");
    atLeast(t.privateCycles, 1, p + "privateCycles");
    if (t.icacheBytes == 0) {
      require(t.icacheLine == 0, p + "icacheLine",
              show(t.icacheLine) + " without a cache; write 0, or give icacheBytes");
      require(t.icachePrefetchLines == 0, p + "icachePrefetchLines",
              show(t.icachePrefetchLines) + " without a cache; write 0, or give icacheBytes");
    } else {
      const bool line = require(std::has_single_bit(t.icacheLine) && t.icacheLine >= 8, p + "icacheLine",
                                show(t.icacheLine) + " is not a power of two of at least 8; write one");
      require(!line || t.icacheBytes % t.icacheLine == 0, p + "icacheBytes",
              show(t.icacheBytes) + " is not a multiple of icacheLine (" + show(t.icacheLine) + "); make it one");
      require(t.icachePrefetchLines <= 64, p + "icachePrefetchLines",
              show(t.icachePrefetchLines) + " is more than the model keeps; write at most 64");
    }
    latencies(t.latencies, p + "latencies.");
  }

  void latencies(const HartLatencies& l, const std::string& p) {
    for (const LatencyKey& key : latencyKeys())
      if (!key.mayBeZero) atLeast(l.*key.cycles, 1, p + key.doc.name);
  }

  void engine(const EngineSpec& e, const std::string& p) {
    require(!e.name.empty() && engineNames_.insert(e.name).second, p + "name",
            "'" + e.name + "' is empty or taken; choose another name");
    clockName(e.clock, p + "clock");
    atLeast(e.count, 1, p + "count");
    atLeast(e.queues, 1, p + "queues");
    atLeast(e.queueDepth, 1, p + "queueDepth");
    atLeast(e.inFlight, 1, p + "inFlight");
    powerOfTwo(e.burstBytes, p + "burstBytes");
    atLeast(e.readBytesPerCycle, 1, p + "readBytesPerCycle");
    atLeast(e.writeBytesPerCycle, 1, p + "writeBytesPerCycle");
  }

  void engines() {
    std::uint64_t queues = 0;
    unsigned matrices = 0;
    require(!spec_.teams.empty(), "teams", "empty; a core needs harts");
    for (std::size_t i = 0; i < spec_.engines.size(); ++i) {
      const EngineSpec& e = spec_.engines[i];
      queues += std::uint64_t{e.count} * e.queues;
      if (e.kind == EngineKind::Matrix && ++matrices > 1)
        require(false, "engines." + std::to_string(i) + ".kind", "a second matrix entry; use count of the first");
    }
    require(matrices >= 1, "engines", "no entry of kind matrix; the matrix array belongs to one");
    require(queues <= kMaxQueues, "engines",
            show(queues) + " queues a core; tokens name at most " + show(kMaxQueues) + ": lower count or queues");
    require(spec_.teamsPerCore() <= 256, "teams", show(spec_.teamsPerCore()) + " harts a core; at most 256");
    atLeast(spec_.teamsPerGroup, 1, "teamsPerGroup");
  }

  void matrix() {
    const MatrixSpec& m = spec_.matrix;
    atLeast(m.rows, 1, "matrix.rows");
    atLeast(m.cols, 1, "matrix.cols");
    require(m.depth >= 1 && m.depth <= std::max(m.rows, 1u) && m.rows % std::max(m.depth, 1u) == 0, "matrix.depth",
            show(m.depth) + " does not divide rows (" + show(m.rows) + "); write a divisor");
    atLeast(m.weightBuffers, 1, "matrix.weightBuffers");
    atLeast(m.minRows, 1, "matrix.minRows");
    require(m.loadRowsPerCycle >= 1 && m.loadRowsPerCycle <= m.rows, "matrix.loadRowsPerCycle",
            show(m.loadRowsPerCycle) + " is not from 1 to rows (" + show(m.rows) + "); write such a number");
    require(!m.typeRate.empty(), "matrix.typeRate", "empty; write the element types that the array multiplies");
    llvm::StringSet<> types;
    for (std::size_t i = 0; i < m.typeRate.size(); ++i) {
      const TypeRate& rate = m.typeRate[i];
      const std::string p = "matrix.typeRate." + std::to_string(i) + ".";
      std::vector<std::string> known;
      known.reserve(isa::kElementTypeCount);
      for (unsigned code = 0; code < isa::kElementTypeCount; ++code)
        known.emplace_back(isa::name(static_cast<isa::ElementType>(code)));
      const std::string nearest = suggestion(rate.type, known);
      require(isa::parseElementType(rate.type).has_value(), p + "type",
              "'" + rate.type + "' is not an element type" +
                  (nearest.empty() ? "; write one of " + llvm::join(known, ", ") : nearest));
      require(types.insert(rate.type).second, p + "type", "'" + rate.type + "' is given twice; keep one");
      atLeast(rate.numerator, 1, p + "numerator");
      atLeast(rate.denominator, 1, p + "denominator");
    }
  }

  bool banks(const BankedMemorySpec& m, const std::string& p) {
    bool fine = atLeast(m.banks, 1, p + "banks");
    atLeast(m.ports, 1, p + "ports");
    fine = powerOfTwo(m.bankWidthBytes, p + "bankWidthBytes") && fine;
    atLeast(m.latencyCycles, 1, p + "latencyCycles");
    return fine &&
           require(m.bytesPerBank >= 1 && m.bytesPerBank % m.bankWidthBytes == 0, p + "bytesPerBank",
                   show(m.bytesPerBank) + " is not a multiple of bankWidthBytes (" + show(m.bankWidthBytes) +
                       "); make it one") &&
           require(m.bytesPerBank <= kRegionBytes / m.banks, p + "bytesPerBank",
                   "the memory is larger than the 256 MiB of its address range; make it smaller");
  }

  void memories() {
    const BankedMemorySpec& s = spec_.scratch;
    require(s.partitions >= 1 && s.banks % std::max(s.partitions, 1u) == 0, "scratch.partitions",
            show(s.partitions) + " does not divide banks (" + show(s.banks) + "); write a divisor");
    const MatrixSpec& m = spec_.matrix;
    std::uint64_t widest = 1;
    for (const TypeRate& rate : m.typeRate)
      if (const auto type = isa::parseElementType(rate.type))
        widest = std::max<std::uint64_t>(widest, isa::storageBytes(*type));
    const std::uint64_t tile = std::uint64_t{m.rows} * m.cols * widest,
                        rowBlock = std::uint64_t{std::max(m.minRows, m.cols)} * m.rows * widest;
    const std::uint64_t scratch = s.banks * s.bytesPerBank, acc = spec_.acc.banks * spec_.acc.bytesPerBank;
    require(scratch >= tile + rowBlock, "scratch.bytesPerBank",
            "scratch of " + show(scratch) +
                " bytes is smaller than one weight tile and one row block of the matrix array (" +
                show(tile + rowBlock) + " bytes); make it larger or the array smaller");
    const std::uint64_t output = std::uint64_t{std::max(m.minRows, m.cols)} * m.cols * 4;
    require(acc >= output, "acc.bytesPerBank",
            "acc of " + show(acc) + " bytes is smaller than one output tile of the matrix array (" + show(output) +
                " bytes); make it larger or the array smaller");
  }

  void l2() {
    const L2Spec& l2 = spec_.l2;
    clockName(l2.clock, "l2.clock");
    atLeast(l2.mshrs, 1, "l2.mshrs");
    atLeast(l2.bytesPerCycle, 1, "l2.bytesPerCycle");
    bool fine = atLeast(l2.slices, 1, "l2.slices");
    fine = atLeast(l2.ways, 1, "l2.ways") && fine;
    fine = powerOfTwo(l2.line, "l2.line") && atLeast(l2.line, 32, "l2.line") && fine;
    fine = require(l2.managedBytes <= l2.bytes, "l2.managedBytes",
                   show(l2.managedBytes) + " is more than l2.bytes (" + show(l2.bytes) + "); make it at most that") &&
           fine;
    const std::uint64_t set = std::uint64_t{l2.slices} * l2.ways * l2.line;
    require(!fine || (l2.bytes > 0 && (l2.bytes - l2.managedBytes) % set == 0), "l2.bytes",
            "the cached part, " + show(l2.bytes - std::min(l2.managedBytes, l2.bytes)) +
                " bytes, is not a multiple of slices * ways * line (" + show(set) +
                "); change bytes, managedBytes or the shape");
  }

  void noc() {
    const NocSpec& n = spec_.noc;
    clockName(n.clock, "noc.clock");
    const bool grid = n.topology == Topology::Mesh || n.topology == Topology::Torus;
    if (grid)
      require(n.columns >= 1 && spec_.cores() % std::max(n.columns, 1u) == 0, "noc.columns",
              show(n.columns) + " does not divide the " + show(spec_.cores()) + " cores into rows; write a divisor");
    else
      require(n.columns == 0, "noc.columns", show(n.columns) + " for a topology without rows; write 0");
    atLeast(n.planes, 1, "noc.planes");
    atLeast(n.hopCycles, 1, "noc.hopCycles");
    atLeast(n.linkBytesPerCycle, 1, "noc.linkBytesPerCycle");
  }

  void dram() {
    const DramSpec& d = spec_.dram;
    clockName(d.clock, "dram.clock");
    atLeast(d.channels, 1, "dram.channels");
    atLeast(d.dataRate, 1, "dram.dataRate");
    const std::pair<const char*, std::uint64_t> powers[] = {{"ranks", d.ranks},
                                                            {"bankGroups", d.bankGroups},
                                                            {"banksPerGroup", d.banksPerGroup},
                                                            {"busBytes", d.busBytes},
                                                            {"burstLength", d.burstLength},
                                                            {"rowBytes", d.rowBytes},
                                                            {"interleaveBytes", d.interleaveBytes}};
    bool shaped = d.channels >= 1;
    for (const auto& [name, value] : powers) {
      powerOfTwo(value, std::string("dram.") + name);
      shaped = shaped && std::has_single_bit(value);
    }
    if (!shaped) return;
    const std::uint64_t burst = std::uint64_t{d.busBytes} * d.burstLength;
    require(d.burstLength % std::max(d.dataRate, 1u) == 0, "dram.burstLength",
            show(d.burstLength) + " transfers do not take whole cycles at dataRate " + show(d.dataRate) +
                "; make it a multiple");
    require(d.rowBytes >= burst, "dram.rowBytes",
            show(d.rowBytes) + " is smaller than a burst (" + show(burst) + " bytes); make it at least that");
    require(d.interleaveBytes >= burst, "dram.interleaveBytes",
            show(d.interleaveBytes) + " is smaller than a burst (" + show(burst) + " bytes); make it at least that");
    const auto rowsOfAll =
        static_cast<unsigned __int128>(d.channels) * d.ranks * d.bankGroups * d.banksPerGroup * d.rowBytes;
    require(d.bytes >= 1 && d.bytes <= kMaxDramBytes && d.bytes % rowsOfAll == 0, "dram.bytes",
            show(d.bytes) + " is not a whole number of rows in every bank (" +
                show(static_cast<std::uint64_t>(rowsOfAll)) + " bytes) of at most 64 TiB; change it or the shape");
    require(!spec_.l2.present || spec_.l2.line >= burst, "l2.line",
            show(spec_.l2.line) + " is smaller than a DRAM burst (" + show(burst) + " bytes); make it at least that");
    mapping();
    timings();
  }

  void mapping() {
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(spec_.dram.mapping).split(parts, '-');
    if (!parts.empty() && parts.back() == "xor") parts.pop_back();
    llvm::StringSet<> seen;
    const bool ranked = spec_.dram.ranks > 1;
    bool fine = true;
    for (const llvm::StringRef part : parts)
      fine = fine && (part == "row" || part == "bank" || part == "group" || part == "column" || part == "rank") &&
             seen.insert(part).second;
    for (const char* part : {"row", "bank", "group", "column"}) fine = fine && seen.contains(part);
    require(fine && (!ranked || seen.contains("rank")), "dram.mapping",
            "'" + spec_.dram.mapping +
                "' does not place every part once; write row, bank, group and column (and rank, when there are "
                "several) from high to low, joined by '-', with an optional last part xor");
  }

  void timings() {
    const DramTimings& t = spec_.dram.timings;
    const std::string p = "dram.timings.";
    const std::pair<const char*, std::uint32_t> all[] = {{"tRCD", t.tRCD},     {"tCL", t.tCL},   {"tCWL", t.tCWL},
                                                         {"tRP", t.tRP},       {"tRAS", t.tRAS}, {"tRRD_S", t.tRRD_S},
                                                         {"tCCD_S", t.tCCD_S}, {"tRTW", t.tRTW}, {"tREFI", t.tREFI}};
    for (const auto& [name, cycles] : all) atLeast(cycles, 1, p + name);
    const auto order = [&](std::uint32_t larger, const char* largerName, std::uint32_t smaller,
                           const char* smallerName) {
      require(larger >= smaller, p + largerName,
              show(larger) + " is less than " + smallerName + " (" + show(smaller) + "); make it at least that");
    };
    order(t.tRAS, "tRAS", t.tRCD, "tRCD");
    order(t.tRRD_L, "tRRD_L", t.tRRD_S, "tRRD_S");
    order(t.tFAW, "tFAW", t.tRRD_S, "tRRD_S");
    order(t.tCCD_L, "tCCD_L", t.tCCD_S, "tCCD_S");
    require(t.tREFI > t.tRFC + t.tRP, p + "tREFI",
            show(t.tREFI) + " is not longer than tRFC + tRP (" + show(t.tRFC + t.tRP) +
                "): nothing but refresh would run; make it longer");
  }

  const TargetSpec& spec_;
  std::vector<Problem> problems_;
  llvm::StringSet<> teamNames_, engineNames_;
};

}  // namespace

std::vector<Problem> validate(const TargetSpec& spec) { return Checker(spec).run(); }

}  // namespace forerun::targets
