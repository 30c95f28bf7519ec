//===- DmaIndex.cpp - gather and scatter of rows ----------------------------===//
// xdma.index: indices select along dimension 1 of the source (gather) or the destination (scatter); dimension 0 moves
// whole.
#include "simulator/dma/DmaFunction.h"
#include "simulator/dma/DmaRows.h"
#include "simulator/kernel/Error.h"

#include <algorithm>
#include <string>

namespace forerun::sim::dma {

namespace {

using isa::ElementType;

/// Indices of the rows [0, rows) as idx gives them; elements that idx does not have are -1.
std::vector<std::int64_t> readIndices(const EngineMemory& memory, const Descriptor& idx, std::int64_t rows) {
  if (idx.type != ElementType::I32 && idx.type != ElementType::I64)
    throw Error(ErrorKind::IllegalProgram,
                "xdma.index dIdx has element type " + std::string(isa::name(idx.type)) + "; indices are i32 or i64");
  Descriptor line = idx;
  line.extent[0] = std::min(line.extent[0], rows);
  for (unsigned d = 1; d < 4; ++d)
    if (line.extent[d] != 1) throw Error(ErrorKind::IllegalProgram, "xdma.index dIdx must have one dimension");
  const Ranges range = validRange(line);
  const StridedBox box = boxOf(line, range, "xdma.index dIdx");
  const HostBox host = memory.resolve(box, "xdma.index dIdx");
  memory.requireInitialised(box, host, "xdma.index dIdx");
  std::vector<std::int64_t> indices(static_cast<std::size_t>(rows), -1);
  if (box.empty()) return indices;
  for (std::int64_t i = range[0].begin; i < range[0].end; ++i)
    indices[static_cast<std::size_t>(i)] =
        isa::loadAsInt(idx.type, host.at(idx.base + static_cast<std::uint64_t>(i * idx.stride[0])));
  return indices;
}

void addElement(ElementType type, std::uint8_t* element, const std::uint8_t* addend) {
  if (isa::isInteger(type)) {
    auto sum = static_cast<std::uint64_t>(isa::loadAsInt(type, element)) +
               static_cast<std::uint64_t>(isa::loadAsInt(type, addend));
    isa::storeFromInt(type, element, static_cast<std::int64_t>(sum));
  } else {
    // Exact or innocuous in f64: 53 bits hold twice the precision of f32 and two bits more; f64 itself rounds here.
    isa::storeFromDouble(type, element, isa::loadAsDouble(type, element) + isa::loadAsDouble(type, addend));
  }
}

}  // namespace

DmaWork DmaFunction::index(const Command& command) {
  const Descriptor& dst = command.first;
  const Descriptor& src = command.second;
  const bool gather = command.indexMode == 0;
  if (command.indexMode > 2)
    throw Error(ErrorKind::IllegalProgram, "xdma.index with reserved mode " + std::to_string(command.indexMode));
  checkOperand(dst, "xdma.index dDst");
  checkOperand(src, "xdma.index dSrc");
  checkShape(command.third, "xdma.index dIdx");
  if (dst.multicast) throw Error(ErrorKind::UnsupportedFeature, "xdma.index cannot multicast");
  DmaWork work;
  const std::int64_t rows = gather ? dst.extent[1] : src.extent[1];
  work.rows = readIndices(memory_, command.third, rows);
  const std::vector<std::int64_t>& indices = work.rows;
  work.readBytes = static_cast<std::uint64_t>(rows) * isa::storageBytes(command.third.type);

  const Ranges dstRange = validRange(dst), srcRange = validRange(src);
  const StridedBox dstBox = boxOf(dst, dstRange, "xdma.index dDst"), srcBox = boxOf(src, srcRange, "xdma.index dSrc");
  if (dstBox.empty()) return work;
  const HostBox to = memory_.resolve(dstBox, "xdma.index dDst"), from = memory_.resolve(srcBox, "xdma.index dSrc");
  if (overlaps(memory_.canonical(srcBox), memory_.canonical(dstBox)))
    throw Error(ErrorKind::IllegalProgram, "xdma.index dSrc and dDst overlap");
  if (command.indexMode == 2 && (isa::isPacked(src.type) || isa::isPacked(dst.type)))
    throw Error(ErrorKind::UnsupportedFeature, "xdma.index with scatter_add takes elements of whole bytes");
  auto bytesOf = [](ElementType type, std::int64_t count) {
    return isa::rowBytes(type, static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0)));
  };
  const IndexRange columns{std::max(dstRange[0].begin, srcRange[0].begin), std::min(dstRange[0].end, srcRange[0].end)};
  auto rowBox = [](const Descriptor& d, std::int64_t i3, std::int64_t i2, std::int64_t i1, IndexRange r,
                   const char* role) { return boxOf(d, {r, {i1, i1 + 1}, {i2, i2 + 1}, {i3, i3 + 1}}, role); };
  auto rowOf = [](const Descriptor& d, const HostBox& host, std::int64_t i3, std::int64_t i2, std::int64_t i1,
                  std::int64_t begin) {
    return Row{d.type, host.at(d.base + static_cast<std::uint64_t>(offsetOf(d, i3, i2, i1, 0))), d.stride[0], begin};
  };

  if (gather) {
    const std::array<std::uint8_t, 8> fill = fillElement(src, dst.type);
    forEachRow(dstRange, [&](std::int64_t i3, std::int64_t i2, std::int64_t i1) {
      const std::int64_t row = indices[static_cast<std::size_t>(i1)];
      IndexRange present = columns;
      if (srcBox.empty() || present.size() == 0 || !contains(srcRange[1], row) || !contains(srcRange[2], i2) ||
          !contains(srcRange[3], i3))
        present = {dstRange[0].end, dstRange[0].end};
      auto target = [&](std::int64_t begin) { return rowOf(dst, to, i3, i2, i1, begin); };
      fillRow(fill, target(dstRange[0].begin), present.begin - dstRange[0].begin);
      if (present.size() > 0) {
        StridedBox box = rowBox(src, i3, i2, row, present, "xdma.index dSrc");
        HostBox host = memory_.resolve(box, "xdma.index dSrc");
        memory_.requireInitialised(box, host, "xdma.index dSrc");
        moveRow(rowOf(src, from, i3, i2, row, present.begin), target(present.begin), present.size());
        work.readBytes += bytesOf(src.type, present.size());
      }
      fillRow(fill, target(present.end), dstRange[0].end - present.end);
      work.writtenBytes += bytesOf(dst.type, dstRange[0].size());
    });
    memory_.markInitialised(dstBox, to);
    return work;
  }

  if (srcBox.empty() || columns.size() == 0) return work;
  memory_.requireInitialised(srcBox, from, "xdma.index dSrc");
  forEachRow(srcRange, [&](std::int64_t i3, std::int64_t i2, std::int64_t i1) {
    const std::int64_t row = indices[static_cast<std::size_t>(i1)];
    if (!contains(dstRange[1], row) || !contains(dstRange[2], i2) || !contains(dstRange[3], i3)) return;
    const StridedBox box = rowBox(dst, i3, i2, row, columns, "xdma.index dDst");
    const HostBox host = memory_.resolve(box, "xdma.index dDst");
    const Row target = rowOf(dst, to, i3, i2, row, columns.begin), source = rowOf(src, from, i3, i2, i1, columns.begin);
    if (command.indexMode == 1) {
      moveRow(source, target, columns.size());
    } else {
      memory_.requireInitialised(box, host, "xdma.index dDst with scatter_add");
      for (std::int64_t i = 0; i < columns.size(); ++i) {
        std::array<std::uint8_t, 8> addend{};
        isa::convertElement(src.type, source.at(i), dst.type, addend.data());
        addElement(dst.type, target.at(i), addend.data());
      }
    }
    memory_.markInitialised(box, host);
    work.readBytes += bytesOf(src.type, columns.size());
    work.writtenBytes += bytesOf(dst.type, columns.size());
  });
  return work;
}

}  // namespace forerun::sim::dma
