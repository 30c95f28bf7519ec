//===- AddressSpace.cpp - the bytes of the machine -------------------------===//
// Backs every region of the address map with anonymous memory that the host commits page by page, on first touch.
#include "simulator/memory/AddressSpace.h"

#include "simulator/kernel/Error.h"

#include <sys/mman.h>
#include <string>
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
      throw Error(ErrorKind::BadConfig, "the host cannot map " + std::to_string(bytes) +
                                            " bytes for the target's memory; lower the sizes of the target");
    data_ = static_cast<std::uint8_t*>(mapped);
  }
  LazyBytes(LazyBytes&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
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
    throw Error(ErrorKind::BadConfig, std::string(what) + " has " + std::to_string(bytes) +
                                          " bytes; the address map has room for " + std::to_string(limit));
}

/// One kind of memory of all cores, core by core, and what was written of it.
struct TrackedMemory {
  TrackedMemory() = default;
  TrackedMemory(std::uint32_t cores, std::uint64_t bytesPerCore)
      : bytes(bytesPerCore),
        lines((bytesPerCore + kWrittenLineBytes - 1) / kWrittenLineBytes),
        data(cores * bytes),
        initialised(cores * bytes),
        writtenLines(cores * lines) {}

  Mapping of(Region region, std::uint32_t core, std::uint64_t base) const {
    return {region,
            core,
            base,
            bytes,
            data.data() + core * bytes,
            initialised.data() + core * bytes,
            writtenLines.data() + core * lines};
  }

  std::uint64_t bytes = 0, lines = 0;  ///< of a core
  LazyBytes data, initialised, writtenLines;
};

}  // namespace

struct AddressSpace::Impl {
  MemorySizes sizes;
  std::uint32_t teams = 0;
  TrackedMemory scratch, accumulator;
  std::vector<std::uint64_t> privateOffsets;  ///< of a team in the private memories of its core; then the bytes of all
  LazyBytes privates, program, global;
};

AddressSpace::AddressSpace(const MemorySizes& sizes) : impl_(std::make_unique<Impl>()) {
  requireAtMost("scratch", sizes.scratchBytes, kRemoteScratchStride);
  requireAtMost("accumulator", sizes.accumulatorBytes, kPrivateBase - kAccumulatorBase);
  for (std::uint64_t bytes : sizes.privateBytesPerTeam)
    requireAtMost("private memory of a team", bytes, kProgramBase - kPrivateBase);
  requireAtMost("number of cores times the stride of remote scratch", sizes.cores * kRemoteScratchStride,
                kGlobalBase - kRemoteScratchBase);
  requireAtMost("global memory", sizes.globalBytes, ~std::uint64_t{0} - kGlobalBase);

  impl_->sizes = sizes;
  impl_->teams = static_cast<std::uint32_t>(sizes.privateBytesPerTeam.size());
  impl_->scratch = TrackedMemory(sizes.cores, sizes.scratchBytes);
  impl_->accumulator = TrackedMemory(sizes.cores, sizes.accumulatorBytes);
  std::uint64_t privateBytes = 0;
  for (std::uint64_t bytes : sizes.privateBytesPerTeam) {
    impl_->privateOffsets.push_back(privateBytes);
    privateBytes += bytes;
  }
  impl_->privateOffsets.push_back(privateBytes);
  impl_->privates = LazyBytes(sizes.cores * privateBytes);
  impl_->program = LazyBytes(kProgramBytes);
  impl_->global = LazyBytes(sizes.globalBytes);
}

AddressSpace::~AddressSpace() = default;

Mapping AddressSpace::find(std::uint32_t core, std::uint32_t team, std::uint64_t address) const {
  const Impl& impl = *impl_;
  const MemorySizes& sizes = impl.sizes;
  auto inside = [address](std::uint64_t base, std::uint64_t bytes) {
    return address >= base && address - base < bytes;
  };

  if (inside(kGlobalBase, sizes.globalBytes))
    return {Region::Global, 0, kGlobalBase, sizes.globalBytes, impl.global.data(), nullptr};
  if (address >= kRemoteScratchBase && address < kGlobalBase) {
    std::uint64_t owner = (address - kRemoteScratchBase) / kRemoteScratchStride;
    std::uint64_t base = kRemoteScratchBase + owner * kRemoteScratchStride;
    if (owner >= sizes.cores || !inside(base, sizes.scratchBytes)) return {};
    return impl.scratch.of(Region::RemoteScratch, static_cast<std::uint32_t>(owner), base);
  }
  if (inside(kProgramBase, kProgramBytes))
    return {Region::Program, 0, kProgramBase, kProgramBytes, impl.program.data(), nullptr};
  if (core >= sizes.cores) return {};
  if (inside(kScratchBase, sizes.scratchBytes)) return impl.scratch.of(Region::Scratch, core, kScratchBase);
  if (inside(kAccumulatorBase, sizes.accumulatorBytes))
    return impl.accumulator.of(Region::Accumulator, core, kAccumulatorBase);
  if (team < impl.teams && inside(kPrivateBase, sizes.privateBytesPerTeam[team]))
    return {Region::Private,
            core,
            kPrivateBase,
            sizes.privateBytesPerTeam[team],
            impl.privates.data() + core * impl.privateOffsets.back() + impl.privateOffsets[team],
            nullptr};
  return {};
}

}  // namespace forerun::sim
