//===- Schema.cpp - the table of keys --------------------------------------===//
// Names, units, meanings and places of all keys of a target file. docs/targets.md is generated from this.
#include "targets/Schema.h"

namespace forerun::targets {
namespace {

constexpr auto kLabel = KeyClass::Label;
constexpr auto kArch = KeyClass::Arch;
constexpr auto kTiming = KeyClass::Timing;

template <typename T, typename Item>
void walkList(Visitor& v, const KeyDoc& key, std::vector<T>& values, Item item) {
  const auto resize = [&](std::size_t size) { values.resize(size); };
  v.list(key, {values.size(), resize}, [&](std::size_t index) { item(values[index]); });
}

template <typename Enum>
void choice(Visitor& v, const KeyDoc& key, Enum& value, llvm::ArrayRef<llvm::StringRef> names) {
  auto index = static_cast<std::size_t>(value);
  v.choice(key, index, names);
  value = static_cast<Enum>(index);
}

void describeIssue(Visitor& v, IssueSlots& issue) {
  v.number({"total", kTiming, "instructions a cycle", "instructions that issue together, in order"}, issue.total);
  v.number({"scalar", kTiming, "instructions a cycle", "of them, scalar instructions"}, issue.scalar);
  v.number({"vector", kTiming, "instructions a cycle", "of them, vector instructions; 0 without a vector unit"},
           issue.vector);
  v.number({"load", kTiming, "instructions a cycle", "of them, loads"}, issue.load);
  v.number({"store", kTiming, "instructions a cycle", "of them, stores"}, issue.store);
  v.number({"engine", kTiming, "instructions a cycle", "of them, Xfr instructions"}, issue.engine);
}

constexpr LatencyKey kLatencies[] = {
    {{"alu", kTiming, "cycles", "integer add, shift, logic, compare"}, &HartLatencies::alu},
    {{"mul", kTiming, "cycles", "integer multiply"}, &HartLatencies::mul},
    {{"div", kTiming, "cycles", "integer divide and remainder; not pipelined"}, &HartLatencies::div},
    {{"fpAdd", kTiming, "cycles", "float add, subtract, compare, minimum, maximum"}, &HartLatencies::fpAdd},
    {{"fpMul", kTiming, "cycles", "float multiply"}, &HartLatencies::fpMul},
    {{"fpFma", kTiming, "cycles", "float multiply-add"}, &HartLatencies::fpFma},
    {{"fpDiv", kTiming, "cycles", "float divide and square root; not pipelined"}, &HartLatencies::fpDiv},
    {{"fpConvert", kTiming, "cycles", "float conversions and moves between register files"}, &HartLatencies::fpConvert},
    {{"branchTaken", kTiming, "cycles", "lost by a taken branch that was foreseen"}, &HartLatencies::branchTaken, true},
    {{"branchMiss", kTiming, "cycles", "lost by a branch that was not foreseen"}, &HartLatencies::branchMiss, true},
    {{"vectorAlu", kTiming, "cycles", "vector integer and logic, to the first element"}, &HartLatencies::vectorAlu},
    {{"vectorMul", kTiming, "cycles", "vector integer multiply, to the first element"}, &HartLatencies::vectorMul},
    {{"vectorFma", kTiming, "cycles", "vector float arithmetic, to the first element"}, &HartLatencies::vectorFma},
    {{"vectorDivPerElement", kTiming, "cycles", "vector divide and square root, for each datapath width of elements"},
     &HartLatencies::vectorDivPerElement},
    {{"vectorReduce", kTiming, "cycles", "vector reduction, beside its elements' occupancy"},
     &HartLatencies::vectorReduce},
    {{"vectorPermute", kTiming, "cycles", "slides, gathers and compresses, to the first element"},
     &HartLatencies::vectorPermute},
    {{"vectorSet", kTiming, "cycles", "vsetvli and its forms"}, &HartLatencies::vectorSet},
    {{"csr", kTiming, "cycles", "reads and writes of control registers"}, &HartLatencies::csr},
};

void describeTeam(Visitor& v, TeamSpec& team) {
  v.text({"name", kLabel, "", "what the harts are called in reports; unique"}, team.name);
  v.clock({"clock", kTiming, "", "clock domain of these harts"}, team.clock);
  v.number({"count", kArch, "", "harts of this kind in every core"}, team.count);
  v.number({"vlenBits", kArch, "bits",
            "bits of a vector register: a power of two from 128 to 65536, or 0 without a vector unit"},
           team.vlenBits);
  v.number({"datapathBits", kTiming, "bits",
            "vector bits processed a cycle: a power of two, at most vlenBits; 0 without a vector unit"},
           team.datapathBits);
  v.flag({"zvfh", kArch, "", "f16 vector arithmetic"}, team.zvfh);
  v.flag({"zvfbfmin", kArch, "", "bf16 vector conversions"}, team.zvfbfmin);
  v.group({"issue", kTiming, "", "issue slots"}, [&] { describeIssue(v, team.issue); });
  v.number({"privateBytes", kArch, "bytes", "private memory of each hart, mainly its stack"}, team.privateBytes);
  v.number({"privateCycles", kTiming, "cycles", "latency of a load from private or program memory"},
           team.privateCycles);
  v.number({"crossLaneCycles", kTiming, "cycles",
            "extra cycles of slides, gathers and reductions for each doubling of distance"},
           team.crossLaneCycles);
  v.number({"icacheBytes", kTiming, "bytes", "instruction cache of each hart; 0 = fetches never miss"},
           team.icacheBytes);
  v.number({"icacheLine", kTiming, "bytes", "its line: a power of two; 0 without a cache"}, team.icacheLine);
  v.number({"icacheMissCycles", kTiming, "cycles", "lost by a fetch that misses"}, team.icacheMissCycles);
  v.number({"icachePrefetchLines", kTiming, "lines",
            "following lines that a miss fetches ahead into a stream buffer; 0 = none"},
           team.icachePrefetchLines);
  v.group({"latencies", kTiming, "", "cycles from issue to result, by class"}, [&] {
    for (const LatencyKey& key : kLatencies) v.number(key.doc, team.latencies.*key.cycles);
  });
}

void describeEngine(Visitor& v, EngineSpec& engine) {
  static constexpr llvm::StringRef kKinds[] = {"dma", "matrix", "vector", "layout"};
  v.text({"name", kLabel, "", "what the engine is called in reports; unique"}, engine.name);
  choice(v, {"kind", kArch, "", "what it does"}, engine.kind, kKinds);
  v.clock({"clock", kTiming, "", "clock domain of the engine"}, engine.clock);
  v.number({"count", kArch, "", "engines of this entry in every core"}, engine.count);
  v.number({"queues", kArch, "", "command queues of each engine"}, engine.queues);
  v.number({"queueDepth", kTiming, "commands", "commands that a queue holds before the issuing hart stalls"},
           engine.queueDepth);
  v.number({"issueCycles", kTiming, "cycles", "hart cycles to hand a command over"}, engine.issueCycles);
  v.number({"startupCycles", kTiming, "cycles", "engine cycles from the head of the queue to the first request"},
           engine.startupCycles);
  v.number({"inFlight", kTiming, "bursts", "requests outstanding"}, engine.inFlight);
  v.number({"burstBytes", kTiming, "bytes", "largest contiguous piece that travels as one request: a power of two"},
           engine.burstBytes);
  v.number({"readBytesPerCycle", kTiming, "bytes a cycle", "port that reads local memory"}, engine.readBytesPerCycle);
  v.number({"writeBytesPerCycle", kTiming, "bytes a cycle", "port that writes local memory"},
           engine.writeBytesPerCycle);
}

void describeMatrix(Visitor& v, MatrixSpec& matrix) {
  static constexpr llvm::StringRef kDataflows[] = {"ws", "os", "dot"};
  v.number({"rows", kArch, "elements", "K elements held by the array"}, matrix.rows);
  v.number({"cols", kArch, "elements",
            "N elements held by the array; rows * cols multiply-adds a cycle for a type of rate 1"},
           matrix.cols);
  v.number({"depth", kTiming, "products",
            "products that a cell sums a cycle; divides rows. A sum passes rows / depth cells"},
           matrix.depth);
  choice(v, {"dataflow", kTiming, "", "ws: weights stay; os: sums stay; dot: a tree sums each column's products"},
         matrix.dataflow, kDataflows);
  v.number({"weightBuffers", kTiming, "", "weight tiles held: 2 let a load run behind a stream"}, matrix.weightBuffers);
  v.number({"minRows", kTiming, "rows", "a run takes at least this many rows' time"}, matrix.minRows);
  v.number({"loadRowsPerCycle", kTiming, "rows a cycle", "weight rows loaded a cycle"}, matrix.loadRowsPerCycle);
  walkList(
      v, {"typeRate", kArch, "", "element types and their multiply-add rates"}, matrix.typeRate, [&](TypeRate& rate) {
        v.text({"type", kArch, "", "element type: f16, bf16, i8, f32, f8E4M3FN, ..."}, rate.type);
        v.number({"numerator", kTiming, "", "rate over rows * cols multiply-adds a cycle, numerator"}, rate.numerator);
        v.number({"denominator", kTiming, "", "and denominator"}, rate.denominator);
      });
}

void describeBanks(Visitor& v, BankedMemorySpec& memory) {
  v.number({"banks", kTiming, "", "banks, interleaved by bankWidthBytes"}, memory.banks);
  v.number({"bytesPerBank", kArch, "bytes", "capacity of a bank"}, memory.bytesPerBank);
  v.number({"ports", kTiming, "accesses a cycle", "accesses that a bank serves a cycle"}, memory.ports);
  v.number({"bankWidthBytes", kTiming, "bytes", "width of one access and of the interleave: a power of two"},
           memory.bankWidthBytes);
  v.number({"latencyCycles", kTiming, "cycles", "from request to data, without conflicts; of the reference clock"},
           memory.latencyCycles);
}

void describeL2(Visitor& v, L2Spec& l2) {
  v.clock({"clock", kTiming, "", "clock domain of the slices"}, l2.clock);
  v.number({"slices", kTiming, "", "slices, interleaved by line"}, l2.slices);
  v.number({"bytes", kTiming, "bytes", "capacity of all slices, managed part included"}, l2.bytes);
  v.number({"ways", kTiming, "", "associativity"}, l2.ways);
  v.number({"line", kTiming, "bytes", "line: a power of two"}, l2.line);
  v.number({"mshrs", kTiming, "lines", "misses outstanding in a slice"}, l2.mshrs);
  v.number({"managedBytes", kArch, "bytes", "part reserved as software-managed memory"}, l2.managedBytes);
  v.number({"bytesPerCycle", kTiming, "bytes a cycle", "bandwidth of a slice"}, l2.bytesPerCycle);
  v.number({"latencyCycles", kTiming, "cycles", "of a hit, inside the slice"}, l2.latencyCycles);
}

void describeNoc(Visitor& v, NocSpec& noc) {
  static constexpr llvm::StringRef kTopologies[] = {"mesh", "torus", "ring", "crossbar"};
  choice(v, {"topology", kTiming, "", "how cores, L2 slices and DRAM channels are joined"}, noc.topology, kTopologies);
  v.clock({"clock", kTiming, "", "clock domain of routers and links"}, noc.clock);
  v.number({"columns", kTiming, "", "cores a row of a mesh or torus; 0 for ring and crossbar"}, noc.columns);
  v.number({"planes", kTiming, "", "parallel networks"}, noc.planes);
  v.number({"hopCycles", kTiming, "cycles", "latency of one router and link; of a crossbar, of the whole crossing"},
           noc.hopCycles);
  v.number({"linkBytesPerCycle", kTiming, "bytes a cycle", "width of a link, each way"}, noc.linkBytesPerCycle);
  v.number({"interfaceCycles", kTiming, "cycles", "to enter and to leave the network, each"}, noc.interfaceCycles);
}

void describeTimings(Visitor& v, DramTimings& t) {
  v.number({"tRCD", kTiming, "cycles", "activate to column command"}, t.tRCD);
  v.number({"tCL", kTiming, "cycles", "read command to data"}, t.tCL);
  v.number({"tCWL", kTiming, "cycles", "write command to data"}, t.tCWL);
  v.number({"tRP", kTiming, "cycles", "precharge to activate"}, t.tRP);
  v.number({"tRAS", kTiming, "cycles", "activate to precharge"}, t.tRAS);
  v.number({"tRRD_S", kTiming, "cycles", "activate to activate, other bank group"}, t.tRRD_S);
  v.number({"tRRD_L", kTiming, "cycles", "activate to activate, same bank group"}, t.tRRD_L);
  v.number({"tFAW", kTiming, "cycles", "window of at most four activates"}, t.tFAW);
  v.number({"tCCD_S", kTiming, "cycles", "column to column command, other bank group"}, t.tCCD_S);
  v.number({"tCCD_L", kTiming, "cycles", "column to column command, same bank group"}, t.tCCD_L);
  v.number({"tWR", kTiming, "cycles", "end of write data to precharge"}, t.tWR);
  v.number({"tWTR", kTiming, "cycles", "end of write data to read command"}, t.tWTR);
  v.number({"tRTW", kTiming, "cycles", "read command to write command"}, t.tRTW);
  v.number({"tRFC", kTiming, "cycles", "refresh"}, t.tRFC);
  v.number({"tREFI", kTiming, "cycles", "between refreshes"}, t.tREFI);
}

void describeDram(Visitor& v, DramSpec& dram) {
  static constexpr llvm::StringRef kModels[] = {"command", "burst"};
  v.text({"kind", kLabel, "", "what the memory is: LPDDR5, HBM3, DDR4, ..."}, dram.kind);
  choice(v, {"model", kTiming, "", "command: every command obeys the timing set; burst: latency and bandwidth only"},
         dram.model, kModels);
  v.clock({"clock", kTiming, "", "command clock; timings count its cycles"}, dram.clock);
  v.number({"bytes", kArch, "bytes", "capacity of all channels"}, dram.bytes);
  v.number({"channels", kTiming, "", "independent channels"}, dram.channels);
  v.number({"ranks", kTiming, "", "ranks a channel: a power of two"}, dram.ranks);
  v.number({"bankGroups", kTiming, "", "bank groups a rank: a power of two"}, dram.bankGroups);
  v.number({"banksPerGroup", kTiming, "", "banks a group: a power of two"}, dram.banksPerGroup);
  v.number({"busBytes", kTiming, "bytes", "data bus of a channel: a power of two"}, dram.busBytes);
  v.number({"dataRate", kTiming, "transfers a cycle", "bus transfers a command clock cycle"}, dram.dataRate);
  v.number({"burstLength", kTiming, "transfers", "transfers a column command: a power of two"}, dram.burstLength);
  v.number({"rowBytes", kTiming, "bytes", "row of one bank of one channel: a power of two"}, dram.rowBytes);
  v.number({"interleaveBytes", kTiming, "bytes",
            "neighbouring pieces of this size lie in different channels: a power of two, at least a burst"},
           dram.interleaveBytes);
  v.text({"mapping", kTiming, "",
          "parts of an address in a channel from high to low, joined by '-': row, bank, group, column (and rank when "
          "there are several); "
          "a last part xor mixes the row into bank and group"},
         dram.mapping);
  v.number({"controllerCycles", kTiming, "cycles", "fixed latency of a request in the controller"},
           dram.controllerCycles);
  v.group({"timings", kTiming, "", "timing set, in command clock cycles"}, [&] { describeTimings(v, dram.timings); });
}

}  // namespace

llvm::ArrayRef<LatencyKey> latencyKeys() { return kLatencies; }

void describe(Visitor& v, TargetSpec& spec) {
  v.text({"name", kLabel, "", "name of the target"}, spec.name);
  v.text({"description", kLabel, "", "one line for lists"}, spec.description);
  v.texts({"sources", kLabel, "", "where the numbers come from"}, spec.sources);
  walkList(v, {"clocks", kTiming, "", "clock domains; conversion between them is exact, rounded up"}, spec.clocks,
           [&](Clock& clock) {
             v.text({"name", kLabel, "", "name that units refer to; unique"}, clock.name);
             v.number({"hz", kTiming, "Hz", "frequency"}, clock.hz);
           });
  v.clock({"reference", kTiming, "", "clock in which reports count cycles"}, spec.reference);
  v.number({"chips", kArch, "", "chips"}, spec.chips);
  v.number({"clusters", kArch, "", "clusters a chip"}, spec.clusters);
  v.number({"coresPerCluster", kArch, "", "cores a cluster"}, spec.coresPerCluster);
  walkList(v, {"teams", kArch, "", "kinds of harts in every core"}, spec.teams,
           [&](TeamSpec& team) { describeTeam(v, team); });
  v.number({"teamsPerGroup", kArch, "",
            "teams of a group, which code may join apart from the rest of the core; teams that are not whole groups "
            "are one"},
           spec.teamsPerGroup);
  walkList(v, {"engines", kArch, "", "engines in every core"}, spec.engines,
           [&](EngineSpec& engine) { describeEngine(v, engine); });
  v.group({"matrix", kArch, "", "the matrix array of every matrix engine"}, [&] { describeMatrix(v, spec.matrix); });
  v.group({"acc", kArch, "", "accumulator memory of a core"}, [&] { describeBanks(v, spec.acc); });
  v.group({"scratch", kArch, "", "scratchpad of a core"}, [&] {
    describeBanks(v, spec.scratch);
    v.number({"partitions", kTiming, "", "parts that each hold whole banks; divides banks"}, spec.scratch.partitions);
    v.number({"stridePenaltyBytes", kTiming, "bytes", "strides above this halve an engine's bandwidth; 0 = none"},
             spec.scratch.stridePenaltyBytes);
  });
  v.optionalGroup({"l2", kTiming, "", "cache between the network and DRAM, or none"}, spec.l2.present,
                  [&] { describeL2(v, spec.l2); });
  v.group({"noc", kTiming, "", "network on chip"}, [&] { describeNoc(v, spec.noc); });
  v.group({"dram", kArch, "", "global memory"}, [&] { describeDram(v, spec.dram); });
  v.group({"sync", kArch, "", "sync unit of a core"}, [&] {
    v.number({"barriers", kArch, "", "barriers"}, spec.sync.barriers);
    v.number({"semaphores", kArch, "", "semaphores"}, spec.sync.semaphores);
    v.number({"barrierCycles", kTiming, "cycles", "from the last arrival to the waiting hart; of the reference clock"},
             spec.sync.barrierCycles);
    v.number({"semaphoreCycles", kTiming, "cycles",
              "from the add to the waiting hart, without the network; of the reference clock"},
             spec.sync.semaphoreCycles);
    v.number({"tokenCycles", kTiming, "cycles", "from retirement to the waiting hart; of the reference clock"},
             spec.sync.tokenCycles);
  });
  v.group({"launch", kArch, "", "command processor"}, [&] {
    v.flag({"dynamic", kTiming, "",
            "work items go to the core that asks first, instead of core c getting items c, c + cores, ..."},
           spec.launch.dynamic);
    v.number({"latencyCycles", kTiming, "cycles", "from the launch to the first fetch; of the reference clock"},
             spec.launch.latencyCycles);
    v.number({"nextItemCycles", kTiming, "cycles", "xnext; of the reference clock"}, spec.launch.nextItemCycles);
  });
  v.number({"quantumCycles", kTiming, "cycles",
            "how far harts run ahead of each other in the model; of the reference clock"},
           spec.quantumCycles);
}

}  // namespace forerun::targets
