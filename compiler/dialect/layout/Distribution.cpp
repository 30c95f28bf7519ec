//===- Distribution.cpp - who holds an element -----------------------------===//
// See Distribution.h.
#include "compiler/dialect/layout/Distribution.h"

#include "compiler/dialect/layout/Grouping.h"

#include <llvm/ADT/STLExtras.h>

namespace forerun::layout {

namespace {

bool isMemory(Axis axis) { return axis == Axis(); }

llvm::SmallVector<Coordinate, 2> teamOffset(const Layout& layout) {
  llvm::SmallVector<Coordinate, 2> offset(layout.offset());
  llvm::erase_if(offset, [](const Coordinate& c) { return isMemory(c.axis); });
  return offset;
}

Iterators teamReplicas(const Layout& layout) {
  Iterators replicas(layout.replicas());
  llvm::erase_if(replicas, [](const Iterator& i) { return isMemory(i.axis); });
  return replicas;
}

}  // namespace

Layout distribution(const Layout& layout) {
  Iterators shard(layout.shard());
  for (Iterator& iterator : shard)
    if (isMemory(iterator.axis)) iterator.stride = 0;
  // Ranges only shrink, and of distinct replicas on several axes those on some are distinct.
  return llvm::cantFail(Layout::make(std::move(shard), teamReplicas(layout), teamOffset(layout)));
}

llvm::Expected<Layout> reduced(Shaped view, llvm::ArrayRef<std::int64_t> dims) {
  llvm::Expected<Grouped> grouped = group(view.layout, view.shape);
  if (!grouped) return grouped.takeError();
  Iterators shard, replicas = teamReplicas(view.layout);
  for (unsigned d = 0; d < view.shape.size(); ++d) {
    const llvm::ArrayRef<Iterator> iterators = grouped->dimension(d);
    if (!llvm::is_contained(dims, static_cast<std::int64_t>(d))) {
      llvm::append_range(shard, iterators);
      continue;
    }
    for (const Iterator& iterator : iterators)
      if (!isMemory(iterator.axis) && iterator.stride != 0) replicas.push_back(iterator);
  }
  llvm::SmallVector<Iterator*, 6> memory;
  for (Iterator& iterator : shard)
    if (isMemory(iterator.axis)) memory.push_back(&iterator);
  llvm::sort(memory, [](const Iterator* a, const Iterator* b) {
    return std::pair(std::abs(a->stride), a) < std::pair(std::abs(b->stride), b);
  });
  std::int64_t packed = 1;
  for (Iterator* iterator : memory) {
    iterator->stride = packed;
    packed *= iterator->extent;
  }
  return Layout::make(std::move(shard), std::move(replicas), teamOffset(view.layout));
}

}  // namespace forerun::layout
