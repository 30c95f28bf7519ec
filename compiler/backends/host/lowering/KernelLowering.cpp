//===- KernelLowering.cpp - the walk over a kernel --------------------------===//
// Entry, buffers and the table of operations.
#include "compiler/backends/host/lowering/KernelLowering.h"

#include "compiler/backends/host/Abi.h"
#include "compiler/dialect/layout/TargetAxes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace forerun::backends::host {

static constexpr std::int64_t kAlignmentBytes = 64;

KernelLowering::KernelLowering(tile::KernelOp kernel, const targets::HostSpec& target, Lowered& lowered)
    : kernel_(kernel), target_(target), lowered_(lowered), b_(kernel.getLoc(), OpBuilder(kernel)) {}

LogicalResult KernelLowering::unsupported(Operation* op, const Twine& why) {
  return op->emitError() << "the host back end does not support this '" << op->getName() << "': " << why;
}

LogicalResult KernelLowering::run(StringRef name) {
  if (failed(windows_.collect(
          kernel_, target_.teams, /*groups=*/1, [&](unsigned) { return layout::axesOf(target_); },
          [&](Operation* op, const Twine& why) { return unsupported(op, why); }, /*takesReg=*/true)))
    return failure();
  for (const auto& buffer : windows_.buffers())
    if (tile::isPacked(buffer->type.getElementType()))
      return emitError(buffer->root.getLoc())
             << "the host back end does not support elements of 4 bits, found " << buffer->type << "; keep them as i8";
  // Memory is plenty: no two buffers share bytes, so that accesses to different ones never depend on each other.
  std::int64_t bytes = 0;
  for (const auto& buffer : windows_.buffers())
    if (buffer->onChip()) {
      buffer->offset = bytes;
      bytes += buffer->bytes * buffer->copies;
    }
  teams_ = target_.teams;
  emitEntry(name);
  temporary_ =
      LLVM::GEPOp::create(b_, arena_.getType(), b_.getI8Type(), arena_, ArrayRef<LLVM::GEPArg>{b_.constant(bytes)});
  if (failed(emitBlock(kernel_.getBody().front()))) return failure();
  lowered_.arenaBytes[name] = static_cast<std::int64_t>(llvm::alignTo(bytes + temporaryBytes_, kAlignmentBytes));
  return success();
}

Value KernelLowering::contextWord(std::int64_t word) { return b_.loadWord(context_, b_.constant(word)); }

void KernelLowering::callRuntime(StringRef name, ValueRange arguments, bool returns) {
  auto module = kernel_->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(module.getBody());
    function = LLVM::LLVMFuncOp::create(
        b_, name,
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b_.getContext()), SmallVector<Type>(arguments.getTypes())));
    if (!returns) function.setPassthroughAttr(b_.getStrArrayAttr({"noreturn", "cold"}));
  }
  LLVM::CallOp::create(b_, function, arguments);
}

Value KernelLowering::stackWords(std::int64_t words) {
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointToStart(entry_);
  return b_.alloca64(words);
}

void KernelLowering::emitEntry(StringRef name) {
  MLIRContext* context = b_.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto function = LLVM::LLVMFuncOp::create(
      b_, name, LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer, pointer}));
  for (unsigned argument : {0u, 1u})
    function.setArgAttr(argument, LLVM::LLVMDialect::getNoAliasAttrName(), b_.getUnitAttr());
  function_ = function;
  entry_ = function.addEntryBlock(b_);
  b_.setInsertionPointToStart(entry_);
  LLVM::ReturnOp::create(b_, ValueRange{});
  b_.setInsertionPointToStart(entry_);

  auto domain = LLVM::AliasScopeDomainAttr::get(context, b_.getStringAttr(name));
  for (const auto& buffer : windows_.buffers()) {
    scopes_[buffer.get()] = LLVM::AliasScopeAttr::get(domain);
    if (buffer->scope != tile::Scope::Team) continue;
    // The teams' buffers differ in what is valid, and their turns may alternate.
    const std::int64_t words = buffer->extentWords();
    teamExtents_[buffer.get()] = buffer->validWords = b_.alloca64(words * buffer->copies);
  }
  temporaryScope_ = LLVM::AliasScopeAttr::get(domain);
  windows_.allocateExtents();

  context_ = entry_->getArgument(1);
  auto pointerAt = [&](Value words, std::int64_t word) {
    Value place = LLVM::GEPOp::create(b_, pointer, b_.getI64Type(), words, ArrayRef<LLVM::GEPArg>{b_.constant(word)});
    return LLVM::LoadOp::create(b_, pointer, place, /*alignment=*/8).getResult();
  };
  arena_ = pointerAt(context_, kArena);
  for (auto [dim, id] : llvm::enumerate(kernel_.getGridIds()))
    map_.map(id, contextWord(kGridX + static_cast<std::int64_t>(dim)));
  std::int64_t word = 0;
  auto next = [&] { return b_.loadWord(entry_->getArgument(0), b_.constant(word++)); };
  for (BlockArgument argument : kernel_.getKernelArguments()) {
    Type type = argument.getType();
    if (auto bufferType = dyn_cast<tile::BufferType>(type)) {
      Buffer& buffer = *windows_.buffer(argument);
      const std::int64_t rank = bufferType.getRank(), bytes = storageBytes(bufferType.getElementType());
      bases_[&buffer] = pointerAt(entry_->getArgument(0), word++);
      buffer.address = b_.constant(0);
      for (std::int64_t dim = 0; dim < rank; ++dim) {
        Value extent = next();
        buffer.extents.push_back(bufferType.isRuntimeDim(dim) ? extent : b_.constant(bufferType.getShape()[dim]));
      }
      for (std::int64_t dim = 0; dim < rank; ++dim) {
        Value stride = next();
        // Of rows, elements are neighbours: vectors are loaded as such.
        buffer.strideBytes.push_back(dim + 1 == rank ? b_.constant(bytes) : b_.mul(stride, bytes));
      }
      windows_.define(buffer);
      continue;
    }
    scalars_.argument(argument, next());
  }
}

LogicalResult KernelLowering::emitBlock(Block& block) {
  for (Operation& op : block.without_terminator())
    if (failed(emitOperation(&op))) return failure();
  return success();
}

LogicalResult KernelLowering::emitOperation(Operation* op) {
  b_.setLoc(op->getLoc());
  auto region = [&](Block& block) { return emitBlock(block); };
  auto set = [&](Value of, Value to) { return map_.map(of, to), success(); };
  return llvm::TypeSwitch<Operation*, LogicalResult>(op)
      .Case([&](tile::AllocOp alloc) { return emitAlloc(alloc), success(); })
      .Case([&](tile::SliceOp slice) { return windows_.slice(slice), checkSlice(slice), success(); })
      .Case([&](tile::DimOp dim) { return set(dim.getResult(), window(dim.getBuffer()).extents[dim.getDim()]); })
      .Case<tile::CopyOp, tile::CastOp>(
          [&](auto copy) { return emitMove(copy.getSrc(), copy.getDst(), {}), success(); })
      .Case([&](tile::CopyAsyncOp copy) {
        emitMove(copy.getSrc(), copy.getDst(), {});
        return set(copy.getToken(), b_.constant(0));
      })
      .Case([&](tile::TransposeOp transpose) {
        return emitMove(transpose.getSrc(), transpose.getDst(), transpose.getPermutation()), success();
      })
      .Case([&](tile::FillOp fill) { return emitFill(fill), success(); })
      .Case([&](tile::MapOp map) { return emitMap(map); })
      .Case([&](tile::ReduceOp reduce) { return emitReduce(reduce), success(); })
      .Case([&](tile::ScanOp scan) { return emitScan(scan), success(); })
      .Case([&](tile::GatherOp gather) { return emitGather(gather), success(); })
      .Case([&](tile::ScatterOp scatter) { return emitScatter(scatter), success(); })
      .Case([&](tile::HistogramOp histogram) { return emitHistogram(histogram), success(); })
      .Case<tile::SortOp, tile::TopkOp>([&](auto ordering) {
        emitOrdering(ordering, ordering.getInput(), ordering.getOutputs(), ordering.getDim(), ordering.getDescending());
        return success();
      })
      .Case([&](tile::MatmulOp product) { return emitProduct(product); })
      .Case([&](tile::MatmulAsyncOp product) {
        map_.map(product.getToken(), b_.constant(0));
        return emitProduct(product);
      })
      .Case([&](tile::WaitOp) { return success(); })  // what was started is complete
      .Case([&](tile::ReadyOp ready) { return set(ready.getToken(), b_.constant(0)); })
      .Case([&](tile::LoadOp element) {
        checkElement(op, element.getBuffer(), element.getIndices());
        return set(element.getValue(), load(window(element.getBuffer()), scalars_.values(element.getIndices())));
      })
      .Case([&](tile::StoreOp element) {
        checkElement(op, element.getBuffer(), element.getIndices());
        store(window(element.getBuffer()), scalars_.values(element.getIndices()), scalars_.value(element.getValue()));
        return success();
      })
      .Case([&](tile::AtomicRmwOp atomic) { return emitRmw(atomic); })
      .Case([&](tile::CasOp cas) {
        return emitAtomic(op, cas.getBuffer(), cas.getIndices(), cas.getOrder(),
                          [&](Value address, LLVM::AtomicOrdering order) -> Value {
                            // What is read when nothing is exchanged acquires, too, but cannot release.
                            auto failure = order == LLVM::AtomicOrdering::acq_rel   ? LLVM::AtomicOrdering::acquire
                                           : order == LLVM::AtomicOrdering::release ? LLVM::AtomicOrdering::monotonic
                                                                                    : order;
                            auto exchange =
                                LLVM::AtomicCmpXchgOp::create(b_, address, scalars_.value(cas.getExpected()),
                                                              scalars_.value(cas.getDesired()), order, failure);
                            return LLVM::ExtractValueOp::create(b_, exchange, ArrayRef<std::int64_t>{0});
                          });
      })
      .Case([&](tile::ExecOp exec) { return emitExec(exec); })
      .Case([&](tile::RolesOp roles) { return emitRoles(roles); })
      .Case([&](tile::SyncOp sync) { return emitSync(sync), success(); })
      .Case([&](tile::TeamIdOp id) { return set(id.getResult(), teamId_); })
      .Case([&](tile::NumTeamsOp id) { return set(id.getResult(), b_.constant(teams_)); })
      .Case([&](tile::LaneIdOp id) { return set(id.getResult(), laneId_); })
      .Case([&](tile::NumLanesOp id) { return set(id.getResult(), b_.constant(targets::HostSpec::kLanes)); })
      .Case([&](tile::GroupIdOp id) { return set(id.getResult(), b_.constant(0)); })  // a core is one
      .Case([&](tile::NumGroupsOp id) { return set(id.getResult(), b_.constant(1)); })
      .Case([&](tile::CoreIdOp id) { return set(id.getResult(), contextWord(kCore)); })
      .Case([&](tile::NumCoresOp id) { return set(id.getResult(), contextWord(kCores)); })
      .Case([&](tile::BarrierInitOp init) { return emitBarrierInit(init), success(); })
      .Case([&](tile::BarrierArriveOp arrive) { return emitBarrierArrive(arrive), success(); })
      .Case([&](tile::BarrierWaitOp wait) { return emitBarrierWait(wait), success(); })
      .Case([&](tile::PipelineOp pipeline) { return emitPipeline(pipeline), success(); })
      .Case([&](tile::ProducerAcquireOp acquire) {
        return set(acquire.getStage(), emitStage(op, acquire.getPipeline(), /*producer=*/true));
      })
      .Case([&](tile::ConsumerWaitOp wait) {
        return set(wait.getStage(), emitStage(op, wait.getPipeline(), /*producer=*/false));
      })
      .Case([&](tile::ProducerCommitOp commit) {
        return emitStageEnd(op, commit.getPipeline(), /*producer=*/true), success();
      })
      .Case([&](tile::ConsumerReleaseOp release) {
        return emitStageEnd(op, release.getPipeline(), /*producer=*/false), success();
      })
      .Case([&](tile::MarkOp mark) { return emitBlock(mark.getBody().front()); })
      .Case([&](tile::AssertOp check) {
        Value wrong = arith::XOrIOp::create(b_, scalars_.value(check.getCondition()), b_.constant1(true));
        return stopWhere(op, wrong, "assertion failed: " + check.getMessage()), success();
      })
      .Case([&](scf::ForOp loop) {
        Value step = scalars_.value(loop.getStep());
        Value least = arith::ConstantOp::create(b_, b_.getIntegerAttr(step.getType(), 1));
        stopWhere(op, b_.less(step, least), "loop step must be positive, found {value}", step);
        return scalars_.emitFor(loop, region);
      })
      .Case([&](scf::IfOp branch) { return scalars_.emitIf(branch, region); })
      .Case([&](scf::WhileOp loop) { return scalars_.emitWhile(loop, region); })
      .Default([&](Operation*) -> LogicalResult {
        if (scalars_.emit(op)) return success();
        return unsupported(op,
                           "an operation that it has no lowering for; run the passes before it (parameters bound, "
                           "semantics expanded)");
      });
}

void KernelLowering::emitAlloc(tile::AllocOp op) {
  Buffer& buffer = *windows_.buffer(op.getResult());
  bases_[&buffer] = arena_;
  buffer.address = b_.constant(buffer.offset);
  if (buffer.scope == tile::Scope::Team) {
    const std::int64_t words = buffer.extentWords();
    buffer.address = b_.add(buffer.address, b_.mul(teamId_, buffer.bytes));
    buffer.validWords = LLVM::GEPOp::create(b_, context_.getType(), b_.getI64Type(), teamExtents_.lookup(&buffer),
                                            ArrayRef<LLVM::GEPArg>{b_.mul(teamId_, words)});
  }
  windows_.setStrides(buffer);
  windows_.define(buffer);
}

}  // namespace forerun::backends::host
