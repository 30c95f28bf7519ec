//===- EngineMemory.cpp - checked memory access of engines ------------------===//
// Checks run once a command, by runs of bytes.
#include "simulator/scratchpad/EngineMemory.h"

#include "simulator/kernel/Error.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace forerun::sim {

namespace {

std::string hex(std::uint64_t value) { return "0x" + llvm::utohexstr(value, /*LowerCase=*/true); }

const char* regionName(Region region) {
  switch (region) {
    case Region::Scratch:
      return "scratch";
    case Region::Accumulator:
      return "accumulator memory";
    case Region::Private:
      return "private memory";
    case Region::Program:
      return "program memory";
    case Region::RemoteScratch:
      return "another core's scratch";
    case Region::Global:
      return "global memory";
    case Region::Unmapped:
      break;
  }
  return "unmapped memory";
}

/// Calls f(offset from box.first) for every run.
template <typename F>
void forEachRun(const StridedBox& box, F f) {
  if (box.empty()) return;
  std::array<std::uint64_t, 4> n{1, 1, 1, 1}, s{};
  for (unsigned d = 0; d < box.dimensions; ++d) n[d] = box.count[d], s[d] = box.stride[d];
  for (std::uint64_t i3 = 0; i3 < n[3]; ++i3)
    for (std::uint64_t i2 = 0; i2 < n[2]; ++i2)
      for (std::uint64_t i1 = 0; i1 < n[1]; ++i1)
        for (std::uint64_t i0 = 0; i0 < n[0]; ++i0) f(i3 * s[3] + i2 * s[2] + i1 * s[1] + i0 * s[0]);
}

/// Calls f(line, begin, end) for each line of [begin, end) of which not every byte is known to be written; offsets into
/// the mapping, cut at both ends.
template <typename F>
void forEachOpenLine(const Mapping& mapping, std::uint64_t begin, std::uint64_t end, F f) {
  for (std::uint64_t line = begin / kWrittenLineBytes; line * kWrittenLineBytes < end; ++line)
    if (!mapping.writtenLines[line])
      f(line, std::max(begin, line * kWrittenLineBytes), std::min(end, (line + 1) * kWrittenLineBytes));
}

}  // namespace

HostBox EngineMemory::resolve(const StridedBox& box, const char* role) const {
  HostBox host;
  if (box.empty()) return host;
  host.mapping = space_.find(core_, 0, box.first);
  host.first = box.first;
  const Mapping& m = host.mapping;
  if (m.region == Region::Unmapped || m.region == Region::Private || m.region == Region::Program)
    throw Error(ErrorKind::IllegalProgram, std::string(role) + " starts at " + hex(box.first) + ", which is " +
                                               regionName(m.region) +
                                               "; engines reach scratch, accumulator and global memory");
  std::uint64_t limit = m.base + m.bytes;
  if (box.end() > limit)
    throw Error(ErrorKind::IllegalProgram, std::string(role) + " covers " + hex(box.first) + " to " + hex(box.end()) +
                                               " and leaves " + regionName(m.region) + ", which ends at " + hex(limit));
  host.data = m.data + (box.first - m.base);
  if (m.initialised) host.initialised = m.initialised + (box.first - m.base);
  return host;
}

HostBox EngineMemory::resolve(const StridedBox& box, Region region, const char* role) const {
  HostBox host = resolve(box, role);
  if (box.empty() || host.mapping.region == region) return host;
  if (region == Region::Scratch && host.mapping.region == Region::RemoteScratch && host.mapping.core == core_)
    return host;
  throw Error(ErrorKind::IllegalProgram, std::string(role) + " is at " + hex(box.first) + " in " +
                                             regionName(host.mapping.region) + "; it must be in this core's " +
                                             regionName(region));
}

void EngineMemory::requireInitialised(const StridedBox& box, const HostBox& host, const char* role) const {
  if (!checkInitialised_ || !host.initialised) return;
  const Mapping& m = host.mapping;
  forEachRun(box, [&](std::uint64_t offset) {
    const std::uint64_t run = box.first - m.base + offset;
    forEachOpenLine(m, run, run + box.runBytes, [&](std::uint64_t line, std::uint64_t begin, std::uint64_t end) {
      if (const void* hole = std::memchr(m.initialised + begin, 0, end - begin))
        throw Error(
            ErrorKind::IllegalProgram,
            std::string(role) + " reads " + regionName(m.region) + " at " +
                hex(m.base + static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(hole) - m.initialised)) +
                ", which was never written");
      const std::uint64_t first = line * kWrittenLineBytes, length = std::min(kWrittenLineBytes, m.bytes - first);
      m.writtenLines[line] = std::memchr(m.initialised + first, 0, length) == nullptr;
    });
  });
}

void EngineMemory::markInitialised(const StridedBox& box, const HostBox& host) const {
  if (!host.initialised) return;
  const Mapping& m = host.mapping;
  forEachRun(box, [&](std::uint64_t offset) {
    const std::uint64_t run = box.first - m.base + offset;
    forEachOpenLine(m, run, run + box.runBytes, [&](std::uint64_t line, std::uint64_t begin, std::uint64_t end) {
      std::memset(m.initialised + begin, 1, end - begin);
      if (end - begin == kWrittenLineBytes) m.writtenLines[line] = 1;
    });
  });
}

std::uint32_t EngineMemory::ownerOf(std::uint64_t canonicalAddress) const {
  std::uint64_t owner = cores_;
  if (canonicalAddress >= kCanonicalAccumulator) {
    owner = (canonicalAddress - kCanonicalAccumulator) >> 32;
  } else if (canonicalAddress >= kRemoteScratchBase && canonicalAddress < kGlobalBase) {
    owner = (canonicalAddress - kRemoteScratchBase) / kRemoteScratchStride;
  }
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(owner, cores_));
}

std::uint64_t EngineMemory::canonical(std::uint32_t core, std::uint64_t address) {
  if (address >= kScratchBase && address < kAccumulatorBase)
    return kRemoteScratchBase + core * kRemoteScratchStride + (address - kScratchBase);
  if (address >= kAccumulatorBase && address < kPrivateBase)
    return kCanonicalAccumulator + (std::uint64_t{core} << 32) + (address - kAccumulatorBase);
  return address;
}

}  // namespace forerun::sim
