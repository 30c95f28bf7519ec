//===- AddressSpace.cpp - the bytes of the machine -------------------------===//
// Backs every region of the address map with anonymous memory that the host commits page by page, on first touch.
#include "simulator/memory/AddressSpace.h"

#include "simulator/kernel/Error.h"

#include <string>
#include <sys/mman.h>
#include <utility>

namespace forerun::sim {

namespace {

/// Zero-filled host memory without a reservation: a 16 GiB region costs nothing until it is touched.
class LazyBytes {
 public:
  LazyBytes() = default;
  explicit LazyBytes(std::uint64_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;
    void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
      throw Error(ErrorKind::BadConfig, "the host cannot map " + std::to_string(bytes) + " bytes for the target's memory; lower the sizes of the target");
    data_ = static_cast<std::uint8_t*>(mapped);
  }
  LazyBytes(LazyBytes&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  LazyBytes& operator=(LazyBytes&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~LazyBytes() {
    if (data_) ::munmap(data_, bytes_);
  }

  std::uint8_t* data() const { return data_; }

 private:
  std::uint8_t* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

void requireAtMost(const char* what, std::uint64_t bytes, std::uint64_t limit) {
  if (bytes > limit)
    throw Error(ErrorKind::BadConfig, std::string(what) + " has " + std::to_string(bytes) + " bytes; the address map has room for " + std::to_string(limit));
}

}  // namespace

struct AddressSpace::Impl {
  MemorySizes sizes;
  std::uint32_t teams = 0;
  // Indexed by core; privates by core * teams + team.
  std::vector<LazyBytes> scratch, scratchShadow, accumulator, accumulatorShadow, privates;
  LazyBytes program, global;
};

AddressSpace::AddressSpace(const MemorySizes& sizes) : impl_(std::make_unique<Impl>()) {
  requireAtMost("scratch", sizes.scratchBytes, kRemoteScratchStride);
  requireAtMost("accumulator", sizes.accumulatorBytes, kPrivateBase - kAccumulatorBase);
  for (std::uint64_t bytes : sizes.privateBytesPerTeam) requireAtMost("private memory of a team", bytes, kProgramBase - kPrivateBase);
  requireAtMost("number of cores times the stride of remote scratch", sizes.cores * kRemoteScratchStride, kGlobalBase - kRemoteScratchBase);
  requireAtMost("global memory", sizes.globalBytes, ~std::uint64_t{0} - kGlobalBase);

  impl_->sizes = sizes;
  impl_->teams = static_cast<std::uint32_t>(sizes.privateBytesPerTeam.size());
  for (std::uint32_t core = 0; core < sizes.cores; ++core) {
    impl_->scratch.emplace_back(sizes.scratchBytes);
    impl_->scratchShadow.emplace_back(sizes.scratchBytes);
    impl_->accumulator.emplace_back(sizes.accumulatorBytes);
    impl_->accumulatorShadow.emplace_back(sizes.accumulatorBytes);
    for (std::uint64_t bytes : sizes.privateBytesPerTeam) impl_->privates.emplace_back(bytes);
  }
  impl_->program = LazyBytes(kProgramBytes);
  impl_->global = LazyBytes(sizes.globalBytes);
}

AddressSpace::~AddressSpace() = default;

Mapping AddressSpace::find(std::uint32_t core, std::uint32_t team, std::uint64_t address) const {
  const Impl& impl = *impl_;
  const MemorySizes& sizes = impl.sizes;
  auto inside = [address](std::uint64_t base, std::uint64_t bytes) { return address >= base && address - base < bytes; };

  if (inside(kGlobalBase, sizes.globalBytes)) return {Region::Global, 0, kGlobalBase, sizes.globalBytes, impl.global.data(), nullptr};
  if (address >= kRemoteScratchBase && address < kGlobalBase) {
    std::uint64_t owner = (address - kRemoteScratchBase) / kRemoteScratchStride;
    std::uint64_t base = kRemoteScratchBase + owner * kRemoteScratchStride;
    if (owner >= sizes.cores || !inside(base, sizes.scratchBytes)) return {};
    return {Region::RemoteScratch, static_cast<std::uint32_t>(owner), base, sizes.scratchBytes, impl.scratch[owner].data(), impl.scratchShadow[owner].data()};
  }
  if (inside(kProgramBase, kProgramBytes)) return {Region::Program, 0, kProgramBase, kProgramBytes, impl.program.data(), nullptr};
  if (core >= sizes.cores) return {};
  if (inside(kScratchBase, sizes.scratchBytes))
    return {Region::Scratch, core, kScratchBase, sizes.scratchBytes, impl.scratch[core].data(), impl.scratchShadow[core].data()};
  if (inside(kAccumulatorBase, sizes.accumulatorBytes))
    return {Region::Accumulator, core, kAccumulatorBase, sizes.accumulatorBytes, impl.accumulator[core].data(), impl.accumulatorShadow[core].data()};
  if (team < impl.teams && inside(kPrivateBase, sizes.privateBytesPerTeam[team]))
    return {Region::Private, core, kPrivateBase, sizes.privateBytesPerTeam[team], impl.privates[std::size_t{core} * impl.teams + team].data(), nullptr};
  return {};
}

}  // namespace forerun::sim
