//===- TargetSpec.h - one accelerator, as its target file describes it ------===//
// Plain data. Every number that describes hardware comes from targets/*.yaml through here; nothing is computed or
// defaulted in this header.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace forerun::targets {

/// Exact clock in Hz. All `...Cycles` and `...BytesPerCycle` keys of a unit are in the unit's own clock domain;
/// `toReference` converts.
struct Clock {
  std::string name;
  std::uint64_t hz = 0;
};

struct IssueSlots {  ///< instructions a cycle, in order
  std::uint32_t total = 1, scalar = 1, vector = 1, load = 1, store = 1, engine = 1;
};

struct HartLatencies {  ///< cycles from issue to result, by class
  std::uint32_t alu = 1, mul = 3, div = 20, fpAdd = 4, fpMul = 4, fpFma = 4, fpDiv = 16, fpConvert = 3, branchTaken = 2,
                branchMiss = 6;
  std::uint32_t vectorAlu = 3, vectorMul = 4, vectorFma = 5, vectorDivPerElement = 8, vectorReduce = 8,
                vectorPermute = 4, vectorSet = 1, csr = 2;
};

struct TeamSpec {  ///< `count` identical harts of every core
  std::string name;
  std::string clock;
  std::uint32_t count = 0;
  std::uint32_t vlenBits = 0;      ///< 0 = no vector unit
  std::uint32_t datapathBits = 0;  ///< vector bits processed a cycle
  bool zvfh = false, zvfbfmin = false;
  IssueSlots issue;
  std::uint64_t privateBytes = 0;
  std::uint32_t privateCycles = 0;    ///< load latency of private and program memory (tightly coupled)
  std::uint32_t crossLaneCycles = 0;  ///< extra cycles of slides, gathers, reductions a log2 step
  std::uint32_t icacheBytes = 0, icacheLine = 0, icacheMissCycles = 0;
  std::uint32_t icachePrefetchLines = 0;  ///< lines of its stream buffer
  HartLatencies latencies;
};

enum class EngineKind { Dma, Matrix, Vector, Layout };

struct EngineSpec {
  std::string name;
  EngineKind kind = EngineKind::Dma;
  std::string clock;
  std::uint32_t count = 0;          ///< engines of this kind in a core
  std::uint32_t queues = 1;         ///< queues of each engine
  std::uint32_t queueDepth = 0;     ///< commands
  std::uint32_t issueCycles = 0;    ///< hart cycles to hand a command over
  std::uint32_t startupCycles = 0;  ///< engine cycles from head of queue to first request
  std::uint32_t inFlight = 0;       ///< bursts outstanding
  std::uint32_t burstBytes = 0;     ///< largest contiguous piece that travels as one request
  std::uint32_t readBytesPerCycle = 0, writeBytesPerCycle = 0;  ///< local ports
};

enum class Dataflow { WeightStationary, OutputStationary, Dot };

struct TypeRate {  ///< relative multiply-add rate: f16 1, i8 2, f32 1/4 ... as a rational
  std::string type;
  std::uint32_t numerator = 1, denominator = 1;
};

struct MatrixSpec {
  std::uint32_t rows = 0;   ///< K elements held
  std::uint32_t cols = 0;   ///< N elements held
  std::uint32_t depth = 1;  ///< products summed a cell a cycle (dot) : MACs a cycle = rows * cols * (rate of type)
  Dataflow dataflow = Dataflow::WeightStationary;
  std::uint32_t weightBuffers = 2;
  std::uint32_t minRows = 1;  ///< a run streams at least this many rows' time
  std::uint32_t loadRowsPerCycle = 1;
  std::vector<TypeRate> typeRate;
};

struct BankedMemorySpec {
  std::uint32_t banks = 0;
  std::uint64_t bytesPerBank = 0;
  std::uint32_t ports = 1;           ///< accesses a bank a cycle
  std::uint32_t bankWidthBytes = 0;  ///< interleave and width of one access
  std::uint32_t latencyCycles = 0;
  std::uint32_t partitions = 1;
  std::uint32_t stridePenaltyBytes = 0;  ///< strides above this halve an engine's bandwidth; 0 = none
};

struct L2Spec {
  bool present = false;
  std::uint32_t slices = 0;
  std::uint64_t bytes = 0;  ///< all slices
  std::uint32_t ways = 0, line = 0, mshrs = 0;
  std::uint64_t managedBytes = 0;   ///< reserved as software-managed memory, taken from `bytes`
  std::uint32_t bytesPerCycle = 0;  ///< a slice
  std::uint32_t latencyCycles = 0;
  std::string clock;
};

enum class Topology { Mesh, Torus, Ring, Crossbar };

struct NocSpec {
  Topology topology = Topology::Mesh;
  std::string clock;
  std::uint32_t columns = 0;  ///< mesh, torus: cores a row
  std::uint32_t planes = 1;
  std::uint32_t hopCycles = 0, linkBytesPerCycle = 0, interfaceCycles = 0;
};

struct DramTimings {  ///< in DRAM clock cycles
  std::uint32_t tRCD = 0, tCL = 0, tCWL = 0, tRP = 0, tRAS = 0, tRRD_S = 0, tRRD_L = 0, tFAW = 0, tCCD_S = 0,
                tCCD_L = 0, tWR = 0, tWTR = 0, tRTW = 0, tRFC = 0, tREFI = 0;
};

struct DramSpec {
  std::string kind;  ///< "LPDDR5", "HBM3", "DDR4"...: a label
  enum class Model { Command, Burst } model = Model::Command;
  std::string clock;  ///< command clock; data moves at dataRate transfers a clock
  std::uint64_t bytes = 0;
  std::uint32_t channels = 0, ranks = 1, bankGroups = 0, banksPerGroup = 0;
  std::uint32_t busBytes = 0;          ///< data bus width of a channel
  std::uint32_t dataRate = 2;          ///< transfers a clock
  std::uint32_t burstLength = 0;       ///< transfers a burst
  std::uint32_t rowBytes = 0;          ///< of one bank of one channel
  std::uint32_t interleaveBytes = 0;   ///< channel interleave
  std::string mapping;                 ///< order of address parts from high to low, e.g. "row-bank-group-column"
  std::uint32_t controllerCycles = 0;  ///< fixed latency a request
  DramTimings timings;
};

struct SyncSpec {
  std::uint32_t barriers = 0, semaphores = 0;
  std::uint32_t barrierCycles = 0, semaphoreCycles = 0, tokenCycles = 0;
};

struct LaunchSpec {
  bool dynamic = false;
  std::uint32_t latencyCycles = 0;   ///< from the command processor to the first fetch
  std::uint32_t nextItemCycles = 0;  ///< xnext
};

struct TargetSpec {
  std::string name, description;
  std::vector<std::string> sources;  ///< where the numbers come from
  std::string path;                  ///< file it was read from
  std::vector<Clock> clocks;
  std::string reference;  ///< clock in which reports count cycles
  std::uint32_t chips = 1, clusters = 1, coresPerCluster = 0;
  std::vector<TeamSpec> teams;
  std::uint32_t teamsPerGroup = 0;  ///< that code may join apart from the other teams of a core
  std::vector<EngineSpec> engines;
  MatrixSpec matrix;
  BankedMemorySpec acc, scratch;
  L2Spec l2;
  NocSpec noc;
  DramSpec dram;
  SyncSpec sync;
  LaunchSpec launch;
  std::uint32_t quantumCycles = 0;  ///< how far harts run ahead of each other

  std::uint32_t cores() const { return clusters * coresPerCluster; }
  std::uint32_t teamsPerCore() const;
  /// Teams of a core that compute: the first that have a vector unit and follow each other, all where none has one.
  std::uint32_t computingTeams() const;
  /// Of a group, when `count` teams are a core's: all where they are not whole groups.
  std::uint32_t groupTeams(std::uint32_t count) const;
  std::uint32_t computingTeamsPerGroup() const { return groupTeams(computingTeams()); }
  std::uint64_t hz(const std::string& clock) const;
  std::uint64_t referenceHz() const { return hz(reference); }
  /// cycles of `clock` as reference cycles, exact rational, rounded up.
  std::uint64_t toReference(std::uint64_t cycles, const std::string& clock) const;
};

}  // namespace forerun::targets
