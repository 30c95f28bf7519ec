//===- Program.cpp - compiled kernels that run in this process --------------===//
// ORC links the object; work items are dealt to one thread a core in order, so that the first that fails is known.
#include "compiler/backends/host/execution/Program.h"

#include "compiler/backends/host/HostCode.h"
#include "compiler/backends/host/execution/Core.h"
#include "compiler/backends/host/execution/Sorting.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>

namespace forerun::backends::host {

namespace {

namespace orc = llvm::orc;

/// What compiled kernels may call: the runtime's own, and what LLVM makes calls of on CPUs without the instruction,
/// with the same result.
orc::SymbolMap knownSymbols(orc::LLJIT& jit) {
  orc::SymbolMap symbols;
  auto add = [&](llvm::StringRef name, auto* function) {
    symbols[jit.mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(function), llvm::JITSymbolFlags::Exported};
  };
  add(kStopFunction, &Core::stop);
  add(kTogetherFunction, &Core::together);
  add(kWaitFunction, &Core::wait);
  add(kSortFunction, &sortLine);
  add("memcpy", static_cast<void* (*)(void*, const void*, std::size_t)>(&std::memcpy));
  add("memmove", static_cast<void* (*)(void*, const void*, std::size_t)>(&std::memmove));
  add("memset", static_cast<void* (*)(void*, int, std::size_t)>(&std::memset));
  add("fma", static_cast<double (*)(double, double, double)>(&::fma));
  add("fmaf", &::fmaf);
  return symbols;
}

class JitProgram final : public Program {
 public:
  JitProgram(std::unique_ptr<orc::LLJIT> jit, llvm::StringMap<std::int64_t> arenaBytes, unsigned cores)
      : jit_(std::move(jit)), arenaBytes_(std::move(arenaBytes)), cores_(cores) {}

  llvm::Expected<std::optional<Stopped>> launch(llvm::StringRef kernel, std::array<std::int64_t, 3> grid,
                                                llvm::ArrayRef<std::uint64_t> arguments) override {
    auto entry = jit_->lookup(kernel);
    if (!entry) return entry.takeError();
    const auto function = entry->toPtr<Kernel>();
    const std::int64_t items = grid[0] * grid[1] * grid[2];
    const auto threads = static_cast<std::size_t>(std::min<std::int64_t>(cores_, items));
    const auto arena = static_cast<std::size_t>(arenaBytes_.lookup(kernel));
    try {
      while (workers_.size() < threads)
        workers_.push_back(std::make_unique<Core>(static_cast<std::int64_t>(workers_.size()), cores_));
      for (std::size_t i = 0; i < threads; ++i) workers_[i]->reserve(arena);
    } catch (const std::bad_alloc&) {
      return llvm::createStringError("kernel @%s needs %zu bytes of on-chip memory a core, more than this computer has",
                                     kernel.str().c_str(), arena);
    }

    std::atomic<std::int64_t> next{0};
    std::mutex failing;
    std::int64_t failed = items;  // first work item that stopped
    std::optional<Stopped> result;
    auto work = [&](Core& core) {
      for (;;) {
        const std::int64_t item = next.fetch_add(1, std::memory_order_relaxed);
        if (item >= items) return;
        const std::int64_t ids[3] = {item % grid[0], item / grid[0] % grid[1], item / grid[0] / grid[1]};
        if (core.run(function, arguments.data(), ids)) continue;
        next.store(items, std::memory_order_relaxed);
        const std::lock_guard lock(failing);
        if (item < failed) result = Stopped{static_cast<std::size_t>(core.stopNumber()), core.stopValue()};
        failed = std::min(failed, item);
        return;
      }
    };
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work, std::ref(*workers_[i]));
    if (threads > 0) work(*workers_[0]);
    for (std::thread& other : others) other.join();
    return result;
  }

 private:
  std::unique_ptr<orc::LLJIT> jit_;
  llvm::StringMap<std::int64_t> arenaBytes_;
  unsigned cores_;
  std::vector<std::unique_ptr<Core>> workers_;
};

}  // namespace

llvm::Expected<std::unique_ptr<Program>> Program::create(std::unique_ptr<llvm::Module> module,
                                                         std::unique_ptr<llvm::LLVMContext> context,
                                                         const Lowered& lowered, unsigned cores) {
  orc::ThreadSafeModule owned(std::move(module), std::move(context));  // the module goes before its context
  auto machine = hostMachine(/*optimizationLevel=*/3);
  if (!machine) return machine.takeError();
  auto jit = orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*machine))
                 .setLinkProcessSymbolsByDefault(false)
                 .setPlatformSetUp(orc::setUpInactivePlatform)  // kernels have nothing to initialise
                 .create();
  if (!jit) return jit.takeError();
  if (llvm::Error error = (*jit)->getMainJITDylib().define(orc::absoluteSymbols(knownSymbols(**jit))))
    return std::move(error);
  if (llvm::Error error = (*jit)->addIRModule(std::move(owned))) return std::move(error);
  // Compiles, and finds what is missing, before anything runs. The session tells more than the error of a look-up.
  std::string problems;
  (*jit)->getExecutionSession().setErrorReporter(
      [&](llvm::Error error) { problems += (problems.empty() ? "" : "; ") + llvm::toString(std::move(error)); });
  for (const auto& kernel : lowered.arenaBytes)
    if (auto address = (*jit)->lookup(kernel.getKey()); !address) {
      const std::string text = llvm::toString(address.takeError());
      return llvm::createStringError("the kernels cannot be linked for this CPU: " +
                                     (problems.empty() ? text : problems));
    }
  (*jit)->getExecutionSession().setErrorReporter([](llvm::Error error) { llvm::consumeError(std::move(error)); });
  return std::make_unique<JitProgram>(std::move(*jit), lowered.arenaBytes, cores);
}

}  // namespace forerun::backends::host
