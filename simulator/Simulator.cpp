//===- Simulator.cpp - the simulator as its users see it ----------------------===//
// Owns memory, program and chip; turns exceptions of the model into llvm::Error.
#include "simulator/Simulator.h"

#include "simulator/Chip.h"
#include "simulator/ProgramNeeds.h"
#include "simulator/core/Program.h"
#include "simulator/memory/AddressSpace.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>

namespace forerun::sim {

char SimulationError::ID = 0;

llvm::StringRef name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::IllegalProgram:
      return "illegal program";
    case ErrorKind::UnsupportedFeature:
      return "unsupported feature";
    case ErrorKind::BadConfig:
      return "bad target";
    case ErrorKind::Deadlock:
      return "deadlock";
    case ErrorKind::ModelBug:
      return "bug in the model";
    case ErrorKind::CycleLimit:
      return "limit reached";
  }
  return "error";
}

void SimulationError::log(llvm::raw_ostream& os) const {
  if (!details.sourceLocation.empty()) os << details.sourceLocation << ": ";
  os << name(details.kind);
  if (!details.component.empty()) os << " in " << details.component;
  if (details.cycle) os << ", cycle " << details.cycle;
  if (details.pc) os << ", pc 0x" << llvm::utohexstr(details.pc, true);
  if (!details.instruction.empty()) os << " (" << details.instruction << ")";
  os << ": " << details.what();
  if (!details.checkText.empty()) os << ": " << details.checkText;
}

struct Simulator::Impl {
  targets::TargetSpec target;
  Options options;
  std::unique_ptr<AddressSpace> space;
  std::optional<core::Program> program;
  std::unique_ptr<Chip> chip;
  std::uint64_t heap = kGlobalBase;

  std::uint64_t globalEnd() const { return kGlobalBase + target.dram.bytes; }
  Cycles quantum() const { return options.quantum ? options.quantum : std::max<Cycles>(target.quantumCycles, 1); }

  void load(core::Program loaded);
  Chip& readyChip();
  LaunchReport launch(const LaunchRequest& request);
  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment);
  std::uint8_t* global(std::uint64_t address, std::uint64_t bytes) const;
};

namespace {

/// Runs `f`; what it throws becomes an llvm::Error with a source line when the program has one.
template <typename F>
auto guarded(const std::optional<core::Program>& program, F f) -> llvm::Expected<decltype(f())> {
  try {
    return f();
  } catch (Error& error) {
    if (error.sourceLocation.empty() && error.pc && program) error.sourceLocation = program->sourceLocation(error.pc);
    if (error.failedCheck && program) error.checkText = program->checkText(*error.failedCheck);
    return llvm::make_error<SimulationError>(error);
  }
}

MemorySizes sizesOf(const targets::TargetSpec& target) {
  MemorySizes sizes;
  sizes.cores = target.cores();
  for (const targets::TeamSpec& team : target.teams)
    sizes.privateBytesPerTeam.insert(sizes.privateBytesPerTeam.end(), team.count, team.privateBytes);
  sizes.scratchBytes = std::uint64_t{target.scratch.banks} * target.scratch.bytesPerBank;
  sizes.accumulatorBytes = std::uint64_t{target.acc.banks} * target.acc.bytesPerBank;
  sizes.globalBytes = target.dram.bytes;
  return sizes;
}

}  // namespace

void Simulator::Impl::load(core::Program loaded) {
  if (loaded.note()) checkNeeds(*loaded.note(), target);
  loaded.loadInto(*space);
  program.emplace(std::move(loaded));
  if (chip) chip->setProgram(*program);
}

Chip& Simulator::Impl::readyChip() {
  if (!program) throw Error(ErrorKind::IllegalProgram, "no program is loaded");
  if (!chip) {
    ChipOptions chipOptions;
    chipOptions.maxCycles = options.maxCycles;
    chipOptions.quantum = quantum();
    chipOptions.checks = options.checks;
    if (options.output)
      chipOptions.output = [this](std::string_view text) { options.output(llvm::StringRef(text.data(), text.size())); };
    chip = options.mode == Mode::Timing ? makeTimedChip(target, *space, std::move(chipOptions))
                                        : makeFunctionalChip(target, *space, std::move(chipOptions));
    chip->setProgram(*program);
  }
  return *chip;
}

LaunchReport Simulator::Impl::launch(const LaunchRequest& request) {
  const auto begin = std::chrono::steady_clock::now();
  Chip& ready = readyChip();
  try {
    LaunchReport report = ready.launch(request);
    for (const MarkReport& mark : report.marks)
      if (!report.markNames.contains(mark.id))
        // NOLINTNEXTLINE(bugprone-unchecked-optional-access): readyChip() throws without a program
        if (std::string name = program->markName(mark.id); !name.empty()) report.markNames[mark.id] = std::move(name);
    report.quantum = options.mode == Mode::Timing ? quantum() : 0;
    report.hostSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return report;
  } catch (...) {
    chip.reset();  // what was in flight is lost; memory and program stay
    throw;
  }
}

std::uint64_t Simulator::Impl::allocate(std::uint64_t bytes, std::uint64_t alignment) {
  if (alignment == 0 || (alignment & (alignment - 1)))
    throw Error(ErrorKind::IllegalProgram, "alignment " + std::to_string(alignment) + " is not a power of two");
  const std::uint64_t address = (heap + alignment - 1) & ~(alignment - 1);
  if (address > globalEnd() || bytes > globalEnd() - address)
    throw Error(ErrorKind::IllegalProgram, "global memory of target " + target.name +
                                               " is full: " + std::to_string(bytes) + " bytes wanted, " +
                                               std::to_string(globalEnd() - std::min(heap, globalEnd())) + " left");
  heap = address + bytes;
  return address;
}

std::uint8_t* Simulator::Impl::global(std::uint64_t address, std::uint64_t bytes) const {
  if (address < kGlobalBase || address > globalEnd() || bytes > globalEnd() - address)
    throw Error(ErrorKind::IllegalProgram,
                std::to_string(bytes) + " bytes at 0x" + llvm::utohexstr(address, true) + " are not in global memory");
  if (bytes == 0) return nullptr;
  const Mapping mapping = space->find(0, 0, address);
  return mapping.data + (address - mapping.base);
}

Simulator::Simulator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Simulator::~Simulator() = default;

llvm::Expected<std::unique_ptr<Simulator>> Simulator::create(const targets::TargetSpec& target, Options options) {
  auto impl = std::make_unique<Impl>();
  impl->target = target;
  impl->options = std::move(options);
  return guarded(impl->program, [&] {
    impl->space = std::make_unique<AddressSpace>(sizesOf(impl->target));
    return std::unique_ptr<Simulator>(new Simulator(std::move(impl)));
  });
}

llvm::Error Simulator::load(const std::string& elfPath) {
  return guarded(std::nullopt,
                 [&] {
                   impl_->load(core::Program::fromFile(elfPath));
                   return true;
                 })
      .takeError();
}

llvm::Error Simulator::loadBytes(llvm::ArrayRef<std::uint8_t> elf, llvm::StringRef programName) {
  return guarded(std::nullopt,
                 [&] {
                   impl_->load(core::Program(elf, programName));
                   return true;
                 })
      .takeError();
}

llvm::Expected<std::uint64_t> Simulator::allocate(std::uint64_t bytes, std::uint64_t alignment) {
  return guarded(impl_->program, [&] { return impl_->allocate(bytes, alignment); });
}

std::uint64_t Simulator::allocationMark() const { return impl_->heap; }
void Simulator::releaseTo(std::uint64_t mark) { impl_->heap = std::min(impl_->heap, mark); }

llvm::Error Simulator::write(std::uint64_t address, llvm::ArrayRef<std::uint8_t> bytes) {
  return guarded(impl_->program,
                 [&] {
                   if (std::uint8_t* to = impl_->global(address, bytes.size()))
                     std::memcpy(to, bytes.data(), bytes.size());
                   return true;
                 })
      .takeError();
}

llvm::Error Simulator::read(std::uint64_t address, llvm::MutableArrayRef<std::uint8_t> bytes) const {
  return guarded(impl_->program,
                 [&] {
                   if (const std::uint8_t* from = impl_->global(address, bytes.size()))
                     std::memcpy(bytes.data(), from, bytes.size());
                   return true;
                 })
      .takeError();
}

llvm::Expected<LaunchReport> Simulator::launch(llvm::StringRef entry, std::array<std::uint64_t, 3> grid,
                                               llvm::ArrayRef<std::uint64_t> argumentWords) {
  return guarded(impl_->program, [&] {
    if (!impl_->program) throw Error(ErrorKind::IllegalProgram, "no program is loaded");
    const std::optional<std::uint64_t> address = impl_->program->symbol(entry);
    if (!address) throw Error(ErrorKind::IllegalProgram, "the program has no symbol '" + entry.str() + "'");
    LaunchRequest request;
    request.entry = *address;
    request.grid = grid;
    request.arguments = argumentWords.vec();
    return impl_->launch(request);
  });
}

llvm::Expected<LaunchReport> Simulator::run() {
  return guarded(impl_->program, [&] {
    if (!impl_->program) throw Error(ErrorKind::IllegalProgram, "no program is loaded");
    LaunchRequest request;
    request.entry = impl_->program->entry();
    request.plainStack = true;
    request.firstHartOnly = !impl_->program->note().has_value();
    return impl_->launch(request);
  });
}

const targets::TargetSpec& Simulator::target() const { return impl_->target; }

}  // namespace forerun::sim
