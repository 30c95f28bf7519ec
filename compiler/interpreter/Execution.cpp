//===- Execution.cpp - the state of a running function ----------------------===//
// Dispatch by operation name, resolved once an operation kind.
#include "compiler/interpreter/Execution.h"

#include "compiler/interpreter/Handlers.h"

#include "llvm/Support/Path.h"
#include "mlir/IR/Diagnostics.h"

#include <cassert>

namespace forerun::interpreter {

void addHandler(HandlerTable& table, llvm::StringRef name, OpHandler handler) {
  const bool inserted = table.try_emplace(name, handler).second;
  assert(inserted && "an operation is listed twice");
  (void)inserted;
}

namespace {

const HandlerTable& handlers() {
  static const HandlerTable table = [] {
    HandlerTable result;
    addMemoryHandlers(result);
    addComputeHandlers(result);
    addCollectHandlers(result);
    addAtomicHandlers(result);
    addOrderHandlers(result);
    addControlHandlers(result);
    addStructureHandlers(result);
    addScopeHandlers(result);
    addRoleHandlers(result);
    addHandler(result, "arith.constant", runConstant);
    return result;
  }();
  return table;
}

}  // namespace

llvm::LogicalResult Execution::runBlock(mlir::Block& block) {
  for (mlir::Operation& op : block.without_terminator())
    if (llvm::failed(runOperation(&op))) return llvm::failure();
  return llvm::success();
}

llvm::LogicalResult Execution::runOperation(mlir::Operation* op) {
  if (++*operations_ > options.maxOperations && options.maxOperations > 0)
    return op->emitError() << "stopped after " << options.maxOperations << " operations";
  Handler& handler = handlers_[op->getName()];
  if (!handler) {
    const llvm::StringRef name = op->getName().getStringRef();
    if (const auto found = handlers().find(name); found != handlers().end())
      handler = found->second;
    else if (elementOps().contains(name))
      handler = runScalarOp;
    else
      return op->emitError() << "the interpreter does not know '" << name
                             << "'; map bodies need --tile-expand-semantics first, and kernels hold tile, arith, math "
                                "and scf operations only";
  }
  return handler(*this, op);
}

const RuntimeValue& Execution::get(mlir::Value value) const {
  const auto found = values_.find(value);
  assert(found != values_.end() && "a value is used before it is computed: the verifier excludes this");
  return found->second;
}

std::int64_t Execution::integer(mlir::OpFoldResult value) const {
  if (auto attribute = llvm::dyn_cast<mlir::Attribute>(value)) return llvm::cast<mlir::IntegerAttr>(attribute).getInt();
  return integer(llvm::cast<mlir::Value>(value));
}

llvm::LogicalResult Execution::reads(mlir::Operation* op, const View& view, llvm::ArrayRef<Range> box) {
  if (auto conflict = pending->conflictOfRead(view)) return op->emitError() << *conflict;
  if (options.observer) options.observer->access(view, box, false);
  return llvm::success();
}

llvm::LogicalResult Execution::writes(mlir::Operation* op, const View& view, llvm::ArrayRef<Range> box,
                                      bool joinsMatmul) {
  if (auto conflict = pending->conflictOfWrite(view, joinsMatmul)) return op->emitError() << *conflict;
  if (options.observer) options.observer->access(view, box, true);
  if (!options.data && view.storage->hasData()) view.storage->dropData();
  return llvm::success();
}

llvm::LogicalResult Execution::check(mlir::Operation* op, llvm::Error error) {
  if (!error) return llvm::success();
  return op->emitError() << llvm::toString(std::move(error));
}

Token Execution::issue(mlir::Operation* op, llvm::ArrayRef<View> reads, const View& write, bool isMatmul) {
  PendingAccesses::Entry entry;
  entry.token = pending->nextToken();
  const Token token{entry.token};
  entry.reads.assign(reads.begin(), reads.end());
  entry.write = write;
  entry.isMatmul = isMatmul;
  entry.place = placeOf(op->getLoc());
  pending->add(std::move(entry));
  return token;
}

std::optional<ElementType> elementTypeOf(mlir::Type type) {
  if (type.isIndex()) return ElementType::I64;
  if (type.isInteger(1)) return ElementType::I1;
  if (type.isInteger(4)) return ElementType::I4;
  if (type.isInteger(8)) return ElementType::I8;
  if (type.isInteger(16)) return ElementType::I16;
  if (type.isInteger(32)) return ElementType::I32;
  if (type.isInteger(64)) return ElementType::I64;
  if (type.isF16()) return ElementType::F16;
  if (type.isBF16()) return ElementType::BF16;
  if (type.isF32()) return ElementType::F32;
  if (type.isF64()) return ElementType::F64;
  if (llvm::isa<mlir::Float8E4M3FNType>(type)) return ElementType::F8E4M3FN;
  if (llvm::isa<mlir::Float8E5M2Type>(type)) return ElementType::F8E5M2;
  if (llvm::isa<mlir::Float4E2M1FNType>(type)) return ElementType::F4E2M1FN;
  if (llvm::isa<mlir::Float8E8M0FNUType>(type)) return ElementType::F8E8M0FNU;
  return std::nullopt;
}

Space spaceOf(tile::Space space) {
  switch (space) {
    case tile::Space::Global:
      return Space::Global;
    case tile::Space::Scratch:
      return Space::Scratch;
    case tile::Space::Acc:
      return Space::Acc;
    case tile::Space::Reg:
      return Space::Reg;
  }
  return Space::Global;
}

std::string placeOf(mlir::Location location) {
  if (auto file = location->findInstanceOf<mlir::FileLineColLoc>())
    return (llvm::sys::path::filename(file.getFilename().getValue()) + ":" + llvm::Twine(file.getLine())).str();
  return "an unknown place";
}

}  // namespace forerun::interpreter
