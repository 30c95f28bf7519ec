//===- Work.cpp - the least that a launch must do ---------------------------===//
// An observer of the interpreter without data. Distinct bytes are kept as bit sets over the elements of each global
// buffer.
#include "compiler/analysis/Work.h"

#include "compiler/dialect/layout/TargetAxes.h"
#include "compiler/interpreter/Rows.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace forerun::analysis {

namespace {

using interpreter::MapProgram;
using interpreter::Range;
using interpreter::Storage;
using interpreter::View;

/// Counting comes before every run and must stay short, whatever the kernel: about a second.
constexpr std::uint64_t kMaxOperations = 4'000'000;

/// A set of element indices with fast insertion of ranges.
class ElementSet {
 public:
  explicit ElementSet(std::int64_t elements) : words_(static_cast<std::size_t>(elements + 63) / 64) {}

  void insert(std::int64_t first, std::int64_t count) {
    auto at = static_cast<std::uint64_t>(first), left = static_cast<std::uint64_t>(count);
    while (left > 0) {
      const std::uint64_t bit = at % 64, n = std::min<std::uint64_t>(64 - bit, left);
      words_[at / 64] |= (n == 64 ? ~std::uint64_t{0} : ((std::uint64_t{1} << n) - 1)) << bit;
      at += n;
      left -= n;
    }
  }
  std::uint64_t size() const {
    std::uint64_t count = 0;
    for (std::uint64_t word : words_) count += static_cast<std::uint64_t>(std::popcount(word));
    return count;
  }

 private:
  std::vector<std::uint64_t> words_;
};

class WorkCounter : public interpreter::WorkObserver {
 public:
  explicit WorkCounter(LaunchWork& work) : work_(work) {}

  void access(const View& view, llvm::ArrayRef<Range> box, bool write) override {
    if (!view.isGlobal()) return;
    auto& sets = write ? written_ : read_;
    const auto found = sets.try_emplace(view.storage, view.storage->elements()).first;
    // Elements below a low edge are not in memory.
    const auto bounds = view.boundRanges();
    llvm::SmallVector<Range, 4> inside;
    for (unsigned d = 0; d < box.size(); ++d)
      inside.push_back({std::max(box[d].low, bounds[d].low), std::min(box[d].high, bounds[d].high)});
    llvm::cantFail(interpreter::forEachRow(inside, [&](llvm::ArrayRef<std::int64_t> index, std::int64_t count) {
      std::int64_t at = view.base();
      for (unsigned d = 0; d < index.size(); ++d) at += index[d] * view.stride(d);
      found->second.insert(at, count);
      return llvm::Error::success();
    }));
  }

  void matmul(ElementType type, std::int64_t m, std::int64_t n, std::int64_t k) override {
    work_.macs[type] += static_cast<std::uint64_t>(m) * static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(k);
    ++shapes_[{type, m, n, k}];
  }

  void map(const MapProgram& program, std::int64_t elements) override {
    for (const MapProgram::Step& step : program.steps)
      if (step.counts) work_.vectorOps[std::max(8u, step.widthBits)] += static_cast<std::uint64_t>(elements);
  }

  void reduce(ElementType type, std::int64_t elements) override {
    work_.vectorOps[isa::storageBits(type)] += static_cast<std::uint64_t>(elements);
  }

  void move(const View&, std::int64_t elements) override { work_.copies += elements > 0; }

  void finish() {
    for (const auto& [storage, set] : read_) work_.readBytes += isa::rowBytes(storage->type, set.size());
    for (const auto& [storage, set] : written_) work_.writtenBytes += isa::rowBytes(storage->type, set.size());
    for (const auto& [shape, count] : shapes_) {
      const auto& [type, m, n, k] = shape;
      work_.matmuls.push_back({m, n, k, count, type});
    }
  }

 private:
  LaunchWork& work_;
  std::map<std::shared_ptr<Storage>, ElementSet> read_, written_;
  std::map<std::tuple<ElementType, std::int64_t, std::int64_t, std::int64_t>, std::uint64_t> shapes_;
};

}  // namespace

llvm::FailureOr<LaunchWork> countWork(const interpreter::Launch& launch, const interpreter::Machine& machine) {
  LaunchWork work;
  interpreter::Launch copy = launch;
  work.kernel = copy.kernel.getName().str();
  work.grid = launch.grid;
  WorkCounter counter(work);
  interpreter::Options options;
  options.machine = machine;
  options.data = false;
  options.maxOperations = kMaxOperations;
  options.observer = &counter;
  if (llvm::failed(interpreter::Interpreter(options).runKernel(launch))) return llvm::failure();
  counter.finish();
  return work;
}

interpreter::Machine machineOf(const targets::TargetSpec& target) {
  interpreter::Machine machine;
  machine.cores = target.cores();
  machine.coresPerCluster = target.coresPerCluster;
  machine.teams = target.teamsPerCore();
  machine.computing = target.computingTeams();
  machine.perGroup = target.computingTeamsPerGroup();
  machine.lanes = static_cast<unsigned>(layout::axesOf(target).find(layout::Axis("lane"))->extent);
  return machine;
}

interpreter::Machine machineOf(const targets::HostSpec& target) {
  interpreter::Machine machine;
  machine.cores = machine.coresPerCluster = target.coreCount();
  machine.teams = machine.computing = machine.perGroup = target.teams;
  machine.lanes = targets::HostSpec::kLanes;
  return machine;
}

}  // namespace forerun::analysis
