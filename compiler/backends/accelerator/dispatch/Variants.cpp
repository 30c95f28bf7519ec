//===- Variants.cpp - the variants of primitives on the accelerator ---------===//
// The list of operations and who executes the variant that one has; the variants themselves stand by groups of
// operations in files of their own.
#include "compiler/backends/accelerator/dispatch/Variants.h"

#include "compiler/backends/accelerator/dispatch/Judge.h"
#include "compiler/backends/lowering/Buffers.h"
#include "compiler/dialect/layout/Strides.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace forerun::backends::accelerator {

Engine engineOf(Operation* op) {
  if (!op->hasTrait<tile::Primitive>()) return Engine::None;
  const llvm::StringRef variant = tile::variantOf(op);
  if (variant == kDma) return Engine::Dma;
  return variant == kMatrix ? Engine::Matrix : Engine::None;
}

Candidates candidatesOf(Operation* op, const targets::TargetSpec& target, const ComputeTeams& teams, unsigned sharing) {
  const Judge judge(target, teams, sharing);
  return llvm::TypeSwitch<Operation*, Candidates>(op)
      .Case<tile::CopyOp, tile::CopyAsyncOp, tile::CastOp>(
          [&](auto copy) { return judge.copy(copy, copy.getSrc(), copy.getDst()); })
      .Case([&](tile::FillOp fill) { return judge.fill(fill); })
      .Case([&](tile::TransposeOp transpose) { return judge.transpose(transpose); })
      .Case([&](tile::GatherOp gather) { return judge.gather(gather); })
      .Case([&](tile::MapOp map) { return judge.map(map); })
      .Case([&](tile::ReduceOp reduce) { return judge.reduce(reduce); })
      .Case([&](tile::ScanOp scan) { return judge.scan(scan); })
      .Case<tile::MatmulOp, tile::MatmulAsyncOp>([&](auto product) {
        return judge.matmul(product, product.getA(), product.getB(), product.getAcc(), product.getTransposeA(),
                            product.getTransposeB());
      })
      .Case([&](tile::ScatterOp) { return Judge::only(kVector, "vle, vse or vloxei, vsoxei"); })
      .Case([&](tile::HistogramOp) { return Judge::only(kScalar, "amoadd"); })
      .Case<tile::SortOp, tile::TopkOp>([&](Operation*) { return Judge::only(kVector, "vle, comparisons, vse"); })
      .Default([](Operation*) { return Candidates(); });
}

Candidates Judge::only(llvm::StringRef name, llvm::StringRef emits) {
  Candidate candidate;
  candidate.name = name;
  candidate.emits = emits;
  return {candidate};
}

tile::BufferType bufferType(Value buffer) { return cast<tile::BufferType>(buffer.getType()); }

double rowBytes(Value buffer) {
  const tile::BufferType root = bufferType(rootOf(buffer));
  auto given = dyn_cast_if_present<tile::LayoutAttr>(root.getLayout());
  const std::int64_t bytes = storageBytes(root.getElementType());
  if (!given || root.getRank() < 2) return static_cast<double>(root.getShape().back() * bytes);
  llvm::Expected<layout::Strides> strides = layout::stridesOf({given.getValue(), root.getShape()});
  if (strides) return static_cast<double>(strides->strides[strides->strides.size() - 2] * bytes);
  llvm::consumeError(strides.takeError());
  return 0;
}

double elementsOf(ArrayRef<std::int64_t> shape) {
  double count = 1;
  for (std::int64_t extent : shape) count *= static_cast<double>(extent);
  return count;
}

Walk walkOver(ArrayRef<std::int64_t> shape, std::int64_t lane, bool sharesLanes) {
  Walk walk;
  walk.columns = static_cast<double>(shape[static_cast<std::size_t>(lane)]);
  walk.rows = elementsOf(shape) / std::max(1.0, walk.columns);
  walk.sharesLanes = sharesLanes;
  return walk;
}

Walk walkOver(ArrayRef<std::int64_t> shape, const Split& split) {
  Walk walk = walkOver(shape, split.lane(), split.sharesLanes());
  walk.severalOuter = shape.size() > 2;
  return walk;
}

bool isContiguous(Value buffer) {
  const tile::BufferType root = bufferType(rootOf(buffer));
  auto given = dyn_cast_if_present<tile::LayoutAttr>(root.getLayout());
  if (!given) return true;
  llvm::Expected<layout::Strides> strides = layout::stridesOf({given.getValue(), root.getShape()});
  if (strides) return strides->strides.back() == 1;
  llvm::consumeError(strides.takeError());  // reported where the buffer is placed
  return false;
}

std::string Judge::whyNoLanes(const Shape& shape) const {
  const ComputeTeams& teams = costs_.teams();
  if (teams.vlenBits == 0) return "the teams that execute it have no vector unit";
  if (!shape.vectorizable) return "it combines elements in a fixed order";
  if (shape.half && !teams.zvfh) return "the vector units do not compute f16 (zvfh)";
  if (shape.bfloat && !teams.zvfbfmin) return "the vector units do not convert bf16 (zvfbfmin)";
  return "";
}

Candidate Judge::onLanes(llvm::StringRef name, llvm::StringRef emits, const Walk& walk) const {
  Candidate candidate;
  candidate.name = name;
  candidate.emits = emits;
  candidate.refusal = whyNoLanes(walk.shape);
  candidate.cycles = costs_.walk(walk);
  return candidate;
}

Candidate Judge::onScalars(Walk walk) const {
  walk.shape.vectorizable = false;
  Candidate candidate;
  candidate.name = kScalar;
  candidate.emits = "scalar loads and stores";
  candidate.cycles = costs_.walk(walk);
  candidate.plainLoop = true;
  return candidate;
}

Candidate Judge::byDma(llvm::StringRef emits, const Transfer& transfer) const {
  Candidate candidate;
  candidate.name = kDma;
  candidate.emits = emits;
  const auto queues = static_cast<std::int64_t>(costs_.queues(targets::EngineKind::Dma));
  if (queues == 0) {
    candidate.refusal = "the target has no DMA engine";
    return candidate;
  }
  candidate.options.push_back({kQueueOption, "the queue that it goes through", 0, queues - 1});
  candidate.cycles = costs_.transfer(transfer);
  if (transfer.dimensions > 4) {
    candidate.refusal = "DMA commands walk at most 4 dimensions; take slices of lower rank in a loop";
    candidate.mendable = true;
  }
  return candidate;
}

}  // namespace forerun::backends::accelerator
