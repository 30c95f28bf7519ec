//===- AtomicHandlers.cpp - read-modify-write of single elements ------------===//
// Work items and teams follow each other here, so that every operation is one step by itself.
#include "compiler/interpreter/Handlers.h"
#include "compiler/interpreter/ReduceKinds.h"

#include <cstring>

namespace forerun::interpreter {

namespace {

ReduceKind combinationOf(tile::AtomicKind kind) {
  switch (kind) {
    case tile::AtomicKind::Min:
      return ReduceKind::Min;
    case tile::AtomicKind::Max:
      return ReduceKind::Max;
    case tile::AtomicKind::And:
      return ReduceKind::And;
    case tile::AtomicKind::Or:
      return ReduceKind::Or;
    case tile::AtomicKind::Xor:
      return ReduceKind::Xor;
    default:
      return ReduceKind::Add;
  }
}

/// A sum that other work items add to in no given order: as far off as all parts together allow, and their own radii.
void widenSum(Storage& storage, std::int64_t at, const Scalar& value) {
  storage.makeUncertain();
  storage.trackMagnitude();
  const auto i = static_cast<std::size_t>(at);
  const double unit = 2 * std::ldexp(1.0, -static_cast<int>(significandBits(storage.type)));
  auto bound = [&] { return unit * storage.terms[i] * storage.magnitude[i]; };
  const double carried = std::max(0.0, storage.radius[i] - bound()) + value.radius;
  storage.magnitude[i] += static_cast<float>(std::fabs(value.asDouble()));
  storage.terms[i] += 1;
  storage.radius[i] = static_cast<float>(carried + bound());
}

/// Reads the element as `old` and lets `update` change its bytes, unless only work is counted.
template <typename Op>
llvm::LogicalResult runAtomic(Execution& execution, Op op, llvm::function_ref<void(Storage&, std::int64_t)> update) {
  const View& view = execution.view(op.getBuffer());
  llvm::SmallVector<Range, 4> box;
  const auto at = elementAt(execution, op, view, op.getIndices(), box);
  if (!at || llvm::failed(execution.reads(op, view, box)) || llvm::failed(execution.writes(op, view, box)))
    return llvm::failure();
  Storage& storage = *view.storage;
  if (!storage.hasData()) {
    if (op.getOld().use_empty()) return llvm::success();
    return op.emitError() << "work cannot be counted: the value read here depends on computed data";
  }
  if (storage.firstUnwritten(*at, 1) >= 0)
    return op.emitError() << "reads an element that was never written; write it first";
  Scalar old;
  old.type = storage.type;
  loadColumn(storage.type, storage.element(*at), old.bytes, 1);
  old.radius = storage.radiusAt(*at);
  execution.set(op.getOld(), old);
  update(storage, *at);
  return llvm::success();
}

llvm::LogicalResult runRmw(Execution& execution, tile::AtomicRmwOp op) {
  const Scalar value = execution.scalar(op.getValue());
  return runAtomic(execution, op, [&](Storage& storage, std::int64_t at) {
    if (op.getKind() == tile::AtomicKind::Exchange) {
      storeColumn(storage.type, value.bytes, storage.element(at), 1);
      storage.noteWritten(at, value.radius);
      return;
    }
    if (isa::isFloat(storage.type) && execution.options.radii != Radii::None) widenSum(storage, at, value);
    dispatchCombination(combinationOf(op.getKind()), storage.type, [&]<ReduceKind kind, typename T>() {
      T old, added;
      loadColumn(storage.type, storage.element(at), &old, 1);
      std::memcpy(&added, value.bytes, sizeof(T));
      const T result = combineElements<kind, T>(storage.type, old, added);
      storeColumn(storage.type, &result, storage.element(at), 1);
    });
  });
}

llvm::LogicalResult runCas(Execution& execution, tile::CasOp op) {
  const std::int64_t expected = execution.integer(op.getExpected()), desired = execution.integer(op.getDesired());
  return runAtomic(execution, op, [&](Storage& storage, std::int64_t at) {
    if (isa::loadAsInt(storage.type, storage.element(at)) != expected) return;
    isa::storeFromInt(storage.type, storage.element(at), desired);
    storage.noteWritten(at, 0);
  });
}

}  // namespace

void addAtomicHandlers(HandlerTable& table) {
  addHandler(table, "tile.atomic_rmw", handler<tile::AtomicRmwOp, runRmw>);
  addHandler(table, "tile.cas", handler<tile::CasOp, runCas>);
}

}  // namespace forerun::interpreter
