//===- DmaFunction.cpp - what DMA commands move -----------------------------===//
// Rows of dimension 0 move as fill, elements, fill; whole rows go through the vectorised conversions.
#include "simulator/dma/DmaFunction.h"

#include "simulator/dma/DmaRows.h"
#include "simulator/kernel/Error.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace forerun::sim::dma {

std::vector<StridedBox> destinations(const Descriptor& descriptor, const StridedBox& box, std::uint32_t core,
                                     std::uint32_t cores) {
  if (descriptor.multicast == 0 || box.empty()) return {box};
  std::vector<StridedBox> boxes;
  const std::uint64_t own = EngineMemory::canonical(core, box.first);
  if (own < kRemoteScratchBase + core * kRemoteScratchStride ||
      own >= kRemoteScratchBase + (core + 1) * kRemoteScratchStride)
    throw Error(ErrorKind::IllegalProgram, "xdma dDst with multicast must be in this core's scratch");
  for (std::uint64_t mask = descriptor.multicast; mask; mask &= mask - 1) {
    const auto target = static_cast<std::uint32_t>(std::countr_zero(mask));
    if (target >= cores)
      throw Error(ErrorKind::IllegalProgram, "xdma dDst multicasts to core " + std::to_string(target) +
                                                 "; the chip has " + std::to_string(cores) + " cores");
    boxes.push_back(box.movedTo(own - core * kRemoteScratchStride + target * kRemoteScratchStride));
  }
  return boxes;
}

Ranges copySourceRange(const Descriptor& destination, const Descriptor& source) {
  Ranges range = validRange(source), target = validRange(destination);
  for (unsigned d = 0; d < 4; ++d)
    range[d] = {std::max(range[d].begin, target[d].begin), std::min(range[d].end, target[d].end)};
  return range;
}

DmaWork DmaFunction::execute(const Command& command) {
  return command.kind == CommandKind::DmaIndex ? index(command) : copy(command);
}

namespace {

/// Bytes of the elements of a range, none shared with others.
std::uint64_t bytesIn(isa::ElementType type, const Ranges& range) {
  std::uint64_t bytes = isa::rowBytes(type, static_cast<std::uint64_t>(range[0].size()));
  for (unsigned d = 1; d < 4; ++d) bytes *= static_cast<std::uint64_t>(range[d].size());
  return bytes;
}

}  // namespace

DmaWork DmaFunction::copy(const Command& command) {
  const Descriptor& dst = command.first;
  const Descriptor& src = command.second;
  checkOperand(dst, "xdma.copy dDst");
  checkOperand(src, "xdma.copy dSrc");
  const Ranges dstRange = validRange(dst), srcRange = copySourceRange(dst, src);
  const StridedBox dstBox = boxOf(dst, dstRange, "xdma.copy dDst");
  DmaWork work;
  if (dstBox.empty()) return work;
  const StridedBox srcBox = boxOf(src, srcRange, "xdma.copy dSrc");
  const HostBox from = memory_.resolve(srcBox, "xdma.copy dSrc");
  memory_.requireInitialised(srcBox, from, "xdma.copy dSrc");

  work.readBytes = srcBox.empty() ? 0 : bytesIn(src.type, srcRange);

  const std::array<std::uint8_t, 8> fill = fillElement(src, dst.type);

  // A copy within one memory whose parts touch reads everything before it writes: stage the source.
  const std::vector<StridedBox> targets = destinations(dst, dstBox, memory_.core(), memory_.cores());
  Descriptor source = src;
  std::uint8_t* sourceBase = srcBox.empty() ? nullptr : from.data - static_cast<std::int64_t>(from.first - src.base);
  bool aliased = false;
  for (const StridedBox& target : targets) aliased |= overlaps(memory_.canonical(srcBox), memory_.canonical(target));
  if (aliased) {
    // Rows one after the other, each from element 0 on.
    const auto bytes = static_cast<std::int64_t>(isa::rowBytes(src.type, static_cast<std::uint64_t>(srcRange[0].end)));
    source.stride = {isa::isPacked(src.type) ? 0 : isa::storageBytes(src.type), bytes, bytes * srcRange[1].size(),
                     bytes * srcRange[1].size() * srcRange[2].size()};
    staging_.resize(static_cast<std::size_t>(source.stride[3] * srcRange[3].size()));
    std::uint8_t* staged =
        staging_.data() - offsetOf(source, srcRange[3].begin, srcRange[2].begin, srcRange[1].begin, 0);
    forEachRow(srcRange, [&](std::int64_t i3, std::int64_t i2, std::int64_t i1) {
      moveRow({src.type, sourceBase + offsetOf(src, i3, i2, i1, 0), src.stride[0], srcRange[0].begin},
              {src.type, staged + offsetOf(source, i3, i2, i1, 0), source.stride[0], srcRange[0].begin},
              srcRange[0].size());
    });
    sourceBase = staged;
  }

  for (const StridedBox& targetBox : targets) {
    const HostBox to = memory_.resolve(targetBox, "xdma.copy dDst");
    std::uint8_t* targetBase = to.data - static_cast<std::int64_t>(dstBox.first - dst.base);
    forEachRow(dstRange, [&](std::int64_t i3, std::int64_t i2, std::int64_t i1) {
      auto rowFrom = [&](std::int64_t begin) {
        return Row{dst.type, targetBase + offsetOf(dst, i3, i2, i1, 0), dst.stride[0], begin};
      };
      const IndexRange whole = dstRange[0];
      IndexRange present = srcRange[0];
      if (srcBox.empty() || !contains(srcRange[3], i3) || !contains(srcRange[2], i2) || !contains(srcRange[1], i1))
        present = {whole.end, whole.end};
      auto fillTo = [&](std::int64_t begin, std::int64_t end) { fillRow(fill, rowFrom(begin), end - begin); };
      fillTo(whole.begin, present.begin);
      if (present.size() > 0)
        moveRow({src.type, sourceBase + offsetOf(source, i3, i2, i1, 0), source.stride[0], present.begin},
                rowFrom(present.begin), present.size());
      fillTo(std::max(present.end, whole.begin), whole.end);
    });
    memory_.markInitialised(targetBox, to);
    work.writtenBytes += bytesIn(dst.type, dstRange);
  }
  return work;
}

}  // namespace forerun::sim::dma
