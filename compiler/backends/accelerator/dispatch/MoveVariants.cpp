//===- MoveVariants.cpp - ways to move elements ------------------------------===//
// Copies, casts, fills, transposes and gathers: by an engine, or by the harts.
#include "compiler/backends/accelerator/dispatch/Judge.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

constexpr llvm::StringLiteral kPacked = "two elements share a byte, which the DMA engine takes apart",
                              kSaturates = "it saturates; convert between buffers in scratch with tile.cast";

/// What engines, which saturate, do not convert as asked.
bool overflows(Operation* op) {
  return llvm::TypeSwitch<Operation*, bool>(op)
      .Case<tile::CopyOp, tile::CopyAsyncOp, tile::CastOp>(
          [](auto move) { return move.getOverflow() != tile::Overflow::Saturate; })
      .Default(false);
}

/// The DMA engine converts everything; LLVM's code for harts does not.
std::string whyHartsDoNotConvert(Type from, Type to) {
  if (tile::isPacked(from) || tile::isPacked(to)) return kPacked.str();
  if (from == to) return "";
  if (tile::isSmallFloat(from) || tile::isSmallFloat(to)) return "harts do not convert 8-bit floats in memory";
  auto wide = [](Type type) { return type.isInteger(32) || type.isInteger(64); };
  if ((to.isBF16() && (wide(from) || from.isF64())) || (to.isF16() && from.isInteger(64)))
    return "LLVM rounds this conversion twice on RISC-V";
  return "";
}

constexpr llvm::StringLiteral kGlobalSide = "one side is global memory, which harts would read a line at a time";

/// Neighbouring elements that a command finds side by side.
double runOf(Value buffer) {
  const ArrayRef<std::int64_t> shape = bufferType(buffer).getShape();
  const bool dense =
      isWholeOrLeadingIndex(buffer) && bufferType(buffer).isOnChip() && !bufferType(rootOf(buffer)).getLayout();
  return dense ? elementsOf(shape) : static_cast<double>(shape.back());
}

/// All of `dst`, in runs of its rows, from elements like those of `src`.
Transfer transferBetween(Value src, Value dst) {
  const tile::BufferType from = bufferType(src), to = bufferType(dst);
  Transfer transfer;
  transfer.elements = elementsOf(to.getShape());
  transfer.run = static_cast<double>(to.getShape().back());
  transfer.readBytes = storageBytes(from.getElementType());
  transfer.writeBytes = storageBytes(to.getElementType());
  transfer.readContiguous = isContiguous(src);
  transfer.writeContiguous = isContiguous(dst);
  transfer.global = from.isGlobal() || to.isGlobal();
  transfer.dimensions = static_cast<unsigned>(to.getRank());
  return transfer;
}

}  // namespace

Candidates Judge::copy(Operation* op, Value src, Value dst) const {
  const tile::BufferType from = bufferType(src), to = bufferType(dst);
  const unsigned fromBytes = storageBytes(from.getElementType()), toBytes = storageBytes(to.getElementType());
  const bool async = llvm::isa<tile::CopyAsyncOp>(op);
  Transfer transfer = transferBetween(src, dst);
  transfer.run = std::min(runOf(src), runOf(dst));
  Candidates candidates{byDma("xdma.copy", transfer)};
  if (overflows(op)) refuse(candidates.front(), kSaturates);

  if (!async && from.getSpace() == tile::Space::Acc) {
    Candidate drain;
    drain.name = kMatrix;
    drain.emits = "xmm.store";
    if (to.getSpace() != tile::Space::Scratch)
      drain.refusal = "it drains into scratch only";
    else if (from.getRank() != 2)
      drain.refusal = "it drains two dimensions";
    else if (tile::isPacked(to.getElementType()))
      drain.refusal = kPacked;
    else if (overflows(op))
      drain.refusal = kSaturates;
    if (!costs_.engine(targets::EngineKind::Matrix) || target_.matrix.rows == 0)
      drain.refusal = "the target has no matrix unit";
    else if (from.getRank() == 2)
      drain.cycles = costs_.drain(static_cast<double>(from.getShape()[0]), static_cast<double>(from.getShape()[1]));
    candidates.push_back(std::move(drain));
  }

  Walk walk = walkOver(to.getShape(), splitFor(to.getShape(), costs_.sharing()));
  walk.streams = {{fromBytes, false, transfer.readContiguous}, {toBytes, true, transfer.writeContiguous}};
  walk.operations = walk.depth = from.getElementType() == to.getElementType() ? 0 : 1;
  walk.shape.note(from.getElementType());
  walk.shape.note(to.getElementType());
  for (Candidate candidate : {onLanes(kVector, "vle, vse", walk), onScalars(walk)}) {
    if (async) refuse(candidate, "harts copy at once; an asynchronous copy is a command");
    if (transfer.global) refuse(candidate, kGlobalSide);
    refuse(candidate, whyHartsDoNotConvert(from.getElementType(), to.getElementType()));
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

Candidates Judge::fill(tile::FillOp op) const {
  const tile::BufferType to = op.getDst().getType();
  Transfer transfer;
  const unsigned bytes = storageBytes(to.getElementType());
  // `?` extents: of a size that is not known, all in one command.
  transfer.elements = to.isGlobal() ? 0 : elementsOf(to.getShape());
  transfer.run = std::max(1.0, runOf(op.getDst()));
  transfer.writeBytes = bytes;
  transfer.writeContiguous = isContiguous(op.getDst());
  transfer.global = to.isGlobal();
  transfer.dimensions = static_cast<unsigned>(to.getRank());
  Candidates candidates{byDma("xdma.copy", transfer)};
  Walk walk;
  if (!to.isGlobal()) walk = walkOver(to.getShape(), splitFor(to.getShape(), costs_.sharing()));
  walk.streams = {{bytes, true, transfer.writeContiguous}};
  walk.shape.note(to.getElementType());
  for (Candidate candidate : {onLanes(kVector, "vse", walk), onScalars(walk)}) {
    if (to.isGlobal()) refuse(candidate, kGlobalSide);
    if (tile::isPacked(to.getElementType())) refuse(candidate, kPacked);
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

Candidate Judge::transposeWords(tile::TransposeOp op) const {
  const tile::BufferType to = op.getDst().getType();
  const ArrayRef<std::int64_t> shape = to.getShape();
  const unsigned bytes = storageBytes(to.getElementType()), fields = 8 / bytes;
  Walk walk;
  walk.columns = static_cast<double>(shape.back());
  walk.rows = elementsOf(shape) / std::max(1.0, walk.columns) / fields;
  walk.streams.assign(fields, {bytes, true, true});
  walk.streams.push_back({8, false, false});
  // A word narrows to 32, 16 and 8 bits, each time half as wide.
  walk.operations = fields * (2 - bytes / 4.0);
  walk.depth = std::log2(fields);
  walk.oneStripAtATime = true;
  walk.rowCycles = costs_.team().latencies.branchMiss;  // the loop over its strips ends against the prediction
  walk.shape.note(IntegerType::get(op.getContext(), 64));
  walk.shape.liveValues = 3;
  Candidate candidate = onLanes(kWords, "vlse of words, vnsrl, vse", walk);
  if (to.getRank() != 2 || op.getPermutation().front() != 1)
    refuse(candidate, "it exchanges two dimensions of two");
  else if (fields == 1)
    refuse(candidate, "a word holds one element");
  else if (!isContiguous(op.getSrc()) || !isContiguous(op.getDst()) || bufferType(rootOf(op.getSrc())).getLayout() ||
           !isWholeOrLeadingIndex(op.getSrc()) || !isWholeOrLeadingIndex(op.getDst()))
    refuse(candidate, "words are aligned in whole buffers without a layout only");
  else if (shape.front() % (fields * costs_.sharing()) != 0 || shape.front() / costs_.sharing() < fields)
    refuse(candidate, "rows of the source are not whole words for each team");
  return candidate;
}

Candidates Judge::transpose(tile::TransposeOp op) const {
  const tile::BufferType to = op.getDst().getType();
  const unsigned bytes = storageBytes(to.getElementType());
  const bool keepsRows = op.getPermutation().back() == to.getRank() - 1;
  Transfer transfer = transferBetween(op.getSrc(), op.getDst());
  transfer.readContiguous &= keepsRows;
  Candidates candidates{byDma("xdma.copy", transfer)};
  Walk walk = walkOver(to.getShape(), splitFor(to.getShape(), costs_.sharing()));
  walk.streams = {{bytes, false, transfer.readContiguous, rowBytes(op.getSrc())},
                  {bytes, true, transfer.writeContiguous, rowBytes(op.getDst())}};
  walk.shape.note(to.getElementType());
  for (Candidate candidate :
       {onLanes(kVector, keepsRows ? "vle, vse" : "vlse, vse", walk), transposeWords(op), onScalars(walk)}) {
    if (transfer.global) refuse(candidate, kGlobalSide);
    if (tile::isPacked(to.getElementType())) refuse(candidate, kPacked);
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

Candidates Judge::gather(tile::GatherOp op) const {
  const tile::BufferType index = op.getIndices().getType(), out = op.getOutput().getType();
  const ArrayRef<std::int64_t> shape = out.getShape();
  const unsigned bytes = storageBytes(out.getElementType()), indexBytes = storageBytes(index.getElementType());
  const bool rowIndices = out.getRank() == 2 && op.getDim() == 0 && index.getShape()[1] == 1;

  Transfer transfer = transferBetween(op.getSrc(), op.getOutput());
  transfer.dimensions = 3;  // of three descriptors with two
  Candidate engine = byDma("xdma.index", transfer);
  if (!rowIndices)
    refuse(engine, "its indices number rows: one an output row, along dimension 0 of two");
  else if (!index.isOnChip() || out.isGlobal())
    refuse(engine, "it reads indices and writes rows on chip");

  const auto lane = static_cast<std::size_t>(splitFor(shape, costs_.sharing()).lane());
  const bool uniform = index.getShape()[lane] == 1 && shape[lane] != 1;
  Walk rows = walkOver(shape, splitFor(shape, costs_.sharing()));
  rows.streams = {{bytes, false, transfer.readContiguous}, {bytes, true, transfer.writeContiguous}};
  rows.rowCycles = target_.scratch.latencyCycles + 4;  // the index, its address and the branch around rows outside
  rows.operations = 4;                                 // the mask of a row outside, and what it selects
  rows.depth = 3;
  rows.shape.liveValues = 3;
  rows.shape.note(IntegerType::get(op.getContext(), bytes * 8));
  Candidate byRows = onLanes(kRows, "vle, vse a row", rows);
  if (!uniform) refuse(byRows, "elements of a row have indices of their own");

  Walk lanes = rows;
  const bool across = uniform && out.getRank() == 2;
  if (across) {
    lanes = walkOver(shape, {Split::Strided, 2, shape[0], shape[1]});
    lanes.shape = rows.shape;
  }
  lanes.streams = {{indexBytes, false, true},
                   {bytes, false, false},
                   {bytes, true, !across && transfer.writeContiguous, rowBytes(op.getOutput())}};
  lanes.rowCycles = 0;
  lanes.operations = 4;
  lanes.depth = 4;
  lanes.shape.note(IntegerType::get(op.getContext(), 64));  // addresses
  Candidates candidates{engine, byRows, onLanes(kIndexed, "vluxei", lanes), onScalars(rows)};
  if (tile::isPacked(out.getElementType()))
    for (Candidate& candidate : llvm::drop_begin(candidates)) refuse(candidate, kPacked);
  return candidates;
}

}  // namespace forerun::backends::accelerator
