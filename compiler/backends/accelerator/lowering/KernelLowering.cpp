//===- KernelLowering.cpp - the walk over one kernel ------------------------===//
// Every hart of a core runs the same program: the leader issues commands, all teams share element-wise work, scalars
// are computed by each.
#include "compiler/backends/accelerator/lowering/KernelLowering.h"
#include "compiler/backends/accelerator/XfrDialect.h"
#include "compiler/backends/accelerator/dispatch/Variants.h"

#include "compiler/dialect/layout/TargetAxes.h"
#include "isa/Encoding.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {
constexpr std::uint32_t kIdTeam = static_cast<std::uint32_t>(isa::Identity::Team),
                        kIdCore = static_cast<std::uint32_t>(isa::Identity::Core),
                        kIdCores = static_cast<std::uint32_t>(isa::Identity::Cores);

/// Each hart notes in its private memory how much of every leading index of a buffer is valid.
LogicalResult requirePrivateMemory(ArrayRef<std::unique_ptr<Buffer>> buffers, const targets::TargetSpec& target) {
  std::int64_t bytes = 0;
  const Buffer* largest = nullptr;
  for (const auto& buffer : buffers) {
    if (!buffer->onChip() || buffer->alwaysFull || buffer->shared || buffer->partWritten || !buffer->leadingIndexed)
      continue;
    bytes += 8 * buffer->type.getRank() * buffer->type.getShape().front();
    if (!largest || buffer->type.getShape().front() > largest->type.getShape().front()) largest = buffer.get();
  }
  std::uint64_t least = UINT64_MAX;
  for (const targets::TeamSpec& team : target.teams) least = std::min<std::uint64_t>(least, team.privateBytes);
  const auto most = static_cast<std::int64_t>(least / 2);  // the rest is for the stack
  if (bytes <= most) return success();
  return largest->root.getDefiningOp()->emitError()
         << "windows by leading index of " << largest->type << " and others take " << bytes
         << " bytes of each hart's private memory to note what is valid, target '" << target.name << "' has " << most
         << " for that; give the buffer a smaller leading extent, or copy "
            "windows that overhang no edge";
}

}  // namespace

KernelLowering::KernelLowering(tile::KernelOp kernel, const targets::TargetSpec& target, EngineNeeds& needs,
                               ProgramTexts& texts, ArrayRef<Carried> carried, const RolePart* part)
    : kernel_(kernel),
      target_(target),
      needs_(needs),
      texts_(texts),
      ranges_(kernel),
      teams_(part ? part->teams : computeTeams(target)),
      b_(kernel.getLoc(), OpBuilder(kernel)),
      carried_(carried),
      part_(part) {
  for (const targets::EngineSpec& engine : target.engines)
    if (engine.kind == targets::EngineKind::Dma) dmaQueues_ += engine.count * engine.queues;
}

LogicalResult KernelLowering::unsupported(Operation* op, const Twine& why) {
  return op->emitError() << "the accelerator back end does not support this '" << op->getName() << "': " << why;
}

LogicalResult KernelLowering::collectBuffers() {
  return windows_.collect(
      kernel_, teams_.count, static_cast<unsigned>(groups()),
      [&](unsigned bits) { return layout::axesOf(target_, bits); },
      [&](Operation* op, const Twine& why) { return unsupported(op, why); });
}

LogicalResult KernelLowering::run(StringRef name) {
  if (teams_.count == 0) return kernel_.emitError() << "target '" << target_.name << "' has no team to run a kernel on";
  if (failed(collectBuffers())) return failure();
  if (part_)
    takePlaces();
  else
    findAlwaysFull();
  if (failed(findPartWritten()) || failed(placeBuffers())) return failure();
  if (failed(requirePrivateMemory(windows_.buffers(), target_))) return failure();
  placeBarriersOfScopes();
  needs_.teams = std::max(needs_.teams, teams_.first + teams_.count);
  usesBarriers_ = teams_.count > 1 && barriers_.any();
  kernel_.walk([&](tile::BarrierInitOp) { usesBarriers_ |= teams_.count > 1; });
  if (failed(reserveGroupBarriers())) return failure();
  collectReleases();
  return emitEntry(name);
}

LogicalResult KernelLowering::emitEntry(StringRef name) {
  MLIRContext* context = kernel_.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer, b_.getI64Type()});
  auto function = LLVM::LLVMFuncOp::create(b_, name, type);
  function_ = function;
  OpBuilder::InsertionGuard guard(b_);
  entry_ = function.addEntryBlock(b_);
  b_.setInsertionPointToStart(entry_);

  findSharedExtents();
  windows_.allocateExtents();
  for ([[maybe_unused]] const Carried& command : carried_) {
    carrySlots_.push_back(b_.alloca64(1));
    b_.storeWord(b_.constant(0), carrySlots_.back(), b_.constant(0));
  }

  Value team = xfr::IdOp::create(b_, b_.getI64Type(), kIdTeam);
  Value local = b_.add(team, -static_cast<std::int64_t>(teams_.first));
  scope_.teamId = teams_.count == 1 ? b_.constant(0) : local;
  scope_.coreTeam = scope_.teamId;
  scope_.teams = scope_.joined = teams_.count;
  scope_.barrier = b_.constant(part_ ? part_->number : 0);
  scope_.isLeader = teams_.count == 1 ? Value() : b_.equal(local, b_.constant(0));
  windows_.setWriter(scope_.isLeader);
  if (usesBarriers_ && !part_) {
    // The others may not arrive before the leader has set the barrier up: a semaphore, which needs no set-up, holds
    // them.
    leader([&] {
      xfr::BarInitOp::create(b_, b_.constant(0), b_.constant(teams_.count));
      for (std::int64_t group = 0; groupBarrier_ != 0 && group < groups(); ++group)
        xfr::BarInitOp::create(b_, b_.constant(groupBarrier_ + group), b_.constant(teamsPerGroup()));
      Value core = xfr::IdOp::create(b_, b_.getI64Type(), kIdCore);
      Value shifted = arith::ShLIOp::create(b_, core, b_.constant(32));
      xfr::SemAddOp::create(b_, shifted, b_.constant(1));
    });
    xfr::SemWaitgeOp::create(b_, b_.constant(0), b_.constant(1));
  }
  emitArguments(entry_->getArgument(0));
  const Type word = b_.getI64Type();
  auto items = scf::WhileOp::create(b_, TypeRange{word, word}, ValueRange{b_.constant(0)});
  OpBuilder::InsertionGuard inside(b_);
  Block* ask = b_.createBlock(&items.getBefore(), {}, {word}, {kernel_.getLoc()});
  Value item = xfr::NextOp::create(b_, word);
  Value more = arith::CmpIOp::create(b_, arith::CmpIPredicate::sge, item, b_.constant(0));
  scf::ConditionOp::create(b_, more, ValueRange{item, ask->getArgument(0)});
  Block* body = b_.createBlock(&items.getAfter(), {}, {word, word}, {kernel_.getLoc(), kernel_.getLoc()});
  turn_ = body->getArgument(1);
  // Grid ids: x is the fastest.
  Value rest = body->getArgument(0);
  auto ids = kernel_.getGridIds();
  for (auto [dim, id] : llvm::enumerate(ids)) {
    if (dim + 1 == ids.size()) {
      map_.map(id, rest);
      break;
    }
    Value extent = gridExtents_[dim];
    map_.map(id, arith::RemUIOp::create(b_, rest, extent).getResult());
    rest = arith::DivUIOp::create(b_, rest, extent);
  }
  // Commands of the last work item may still be under way.
  for (auto [command, slot] : llvm::zip_equal(carried_, carrySlots_)) {
    Pending pending;
    pending.token = b_.loadWord(slot, b_.constant(0));
    pending.reads = command.reads;
    pending.writes = command.writes;
    pending.queues = command.queues;
    pending.carried = true;
    pending_.push_back(std::move(pending));
  }
  failed_ = failed(emitBlock(kernel_.getBody().front()));
  leaveBehind();
  scf::YieldOp::create(b_, b_.sub(b_.constant(1), turn_));
  b_.setInsertionPointAfter(items);
  for (Value slot : carrySlots_) waitFor(b_.loadWord(slot, b_.constant(0)));
  finishReleases(nullptr);
  xfr::ExitOp::create(b_, b_.constant(0));
  LLVM::ReturnOp::create(b_, ValueRange{});
  return failure(failed_);
}

void KernelLowering::guardEntry() {
  if (teams_.count == teams_.coreTeams) return;
  auto compute = llvm::cast<LLVM::LLVMFuncOp>(function_);
  const std::string name = compute.getSymName().str();
  compute.setSymName(name + ".compute");
  compute.setPassthroughAttr(b_.getStrArrayAttr({"noinline"}));
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointAfter(compute);
  auto function = LLVM::LLVMFuncOp::create(b_, name, compute.getFunctionType());
  Block* entry = function.addEntryBlock(b_);
  b_.setInsertionPointToStart(entry);
  Value team = xfr::IdOp::create(b_, b_.getI64Type(), kIdTeam);
  Value local = b_.add(team, -static_cast<std::int64_t>(teams_.first));
  Value computes = arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, local, b_.constant(teams_.count));
  b_.when(computes, [&] { LLVM::CallOp::create(b_, compute, entry->getArguments()); });
  xfr::ExitOp::create(b_, b_.constant(0));
  LLVM::ReturnOp::create(b_, ValueRange{});
}

void KernelLowering::emitArguments(Value block) {
  std::int64_t word = 0;
  auto next = [&] { return b_.loadWord(block, b_.constant(word++)); };
  for (int dim = 0; dim < 3; ++dim) gridExtents_.push_back(next());
  for (BlockArgument argument : kernel_.getKernelArguments()) {
    Type type = argument.getType();
    if (auto bufferType = dyn_cast<tile::BufferType>(type)) {
      Buffer& buffer = *windows_.buffer(argument);
      const std::int64_t rank = bufferType.getRank(), bytes = storageBytes(bufferType.getElementType());
      const bool isPacked = tile::isPacked(bufferType.getElementType());
      buffer.address = next();
      for (std::int64_t dim = 0; dim < rank; ++dim) {
        Value extent = next();
        buffer.extents.push_back(bufferType.isRuntimeDim(dim) ? extent : b_.constant(bufferType.getShape()[dim]));
      }
      for (std::int64_t dim = 0; dim < rank; ++dim) {
        Value stride = next();
        buffer.strideBytes.push_back(!isPacked         ? b_.mul(stride, bytes)
                                     : dim + 1 == rank ? b_.constant(0)
                                                       : b_.divUnsigned(stride, 2));
      }
      windows_.define(buffer);
      continue;
    }
    scalars_.argument(argument, next());
  }
}

LogicalResult KernelLowering::emitBlock(Block& block) {
  for (Operation& op : block.without_terminator())
    if (!done_.contains(&op) && failed(emitOperation(&op))) return failure();
  return success();
}

LogicalResult KernelLowering::emitRegionBody(Block& block, SmallVectorImpl<Left>& left) {
  SmallVector<Pending> outer = std::move(pending_);
  pending_.clear();
  if (failed(emitBlock(block))) return failure();
  leaveRegion(block, left);
  pending_ = std::move(outer);
  return success();
}

LogicalResult KernelLowering::emitOperation(Operation* op) {
  b_.setLoc(op->getLoc());
  if (scope_.teams > 1 && barriers_.before.contains(op)) barrier();
  if (op->getNumRegions() != 0 && !llvm::isa<tile::MapOp>(op))
    settleBeforeRegion(op);
  else
    finishReleases(op);
  SmallVector<Left> left;
  auto region = [&](Block& block) { return emitRegionBody(block, left); };
  auto identity = [&](Value result, std::uint32_t which) {
    map_.map(result, xfr::IdOp::create(b_, b_.getI64Type(), which).getResult());
  };
  return llvm::TypeSwitch<Operation*, LogicalResult>(op)
      .Case([&](tile::AllocOp alloc) { return emitAlloc(alloc), success(); })
      .Case([&](tile::SliceOp slice) { return windows_.slice(slice), checkSlice(slice), success(); })
      .Case([&](tile::DimOp dim) {
        return map_.map(dim.getResult(), window(dim.getBuffer()).extents[dim.getDim()]), success();
      })
      .Case([&](tile::CopyOp copy) { return emitCopy(op, copy.getSrc(), copy.getDst()); })
      .Case([&](tile::CastOp cast) { return emitCopy(op, cast.getSrc(), cast.getDst()); })
      .Case([&](tile::CopyAsyncOp copy) { return emitDmaCopy(op, copy.getSrc(), copy.getDst(), {}); })
      .Case([&](tile::FillOp fill) { return emitFill(fill); })
      .Case([&](tile::TransposeOp transpose) { return emitTranspose(transpose); })
      .Case([&](tile::MapOp map) { return emitMap(map); })
      .Case([&](tile::ReduceOp reduce) { return emitReduce(reduce); })
      .Case([&](tile::ScanOp scan) { return emitScan(scan); })
      .Case([&](tile::GatherOp gather) { return emitGather(gather); })
      .Case([&](tile::ScatterOp scatter) { return emitScatter(scatter); })
      .Case([&](tile::HistogramOp histogram) { return emitHistogram(histogram); })
      .Case([&](tile::SortOp sort) { return emitSort(sort); })
      .Case([&](tile::TopkOp topk) { return emitTopk(topk); })
      .Case<tile::MatmulOp, tile::MatmulAsyncOp>([&](auto product) { return emitProduct(product); })
      .Case([&](tile::WaitOp wait) { return emitWait(wait); })
      .Case([&](tile::ReadyOp ready) { return map_.map(ready.getToken(), b_.constant(0)), success(); })
      .Case([&](tile::LoadOp load) { return emitLoad(load); })
      .Case([&](tile::StoreOp store) { return emitStore(store); })
      .Case([&](tile::AtomicRmwOp atomic) { return emitAtomicRmw(atomic); })
      .Case([&](tile::CasOp cas) { return emitCas(cas); })
      .Case([&](tile::ExecOp exec) { return emitExec(exec); })
      .Case([&](tile::SyncOp sync) { return emitSync(sync); })
      .Case([&](tile::LaneIdOp id) { return map_.map(id.getResult(), scope_.laneId), success(); })
      .Case([&](tile::NumLanesOp id) { return map_.map(id.getResult(), b_.constant(lanes())), success(); })
      .Case([&](tile::TeamIdOp id) { return map_.map(id.getResult(), scope_.teamId), success(); })
      .Case([&](tile::NumTeamsOp id) { return map_.map(id.getResult(), b_.constant(scope_.joined)), success(); })
      .Case([&](tile::GroupIdOp id) { return map_.map(id.getResult(), scope_.group), success(); })
      .Case([&](tile::NumGroupsOp id) { return map_.map(id.getResult(), b_.constant(groups())), success(); })
      .Case([&](tile::CoreIdOp id) { return identity(id.getResult(), kIdCore), success(); })
      .Case([&](tile::NumCoresOp id) { return identity(id.getResult(), kIdCores), success(); })
      .Case([&](tile::PipelineOp pipeline) { return emitPipeline(pipeline); })
      .Case([&](tile::ProducerAcquireOp acquire) {
        return emitStage(acquire.getPipeline(), acquire.getStage(), /*free=*/true), success();
      })
      .Case([&](tile::ConsumerWaitOp wait) {
        return emitStage(wait.getPipeline(), wait.getStage(), /*free=*/false), success();
      })
      .Case([&](tile::ProducerCommitOp commit) { return emitCommit(commit), success(); })
      .Case([&](tile::ConsumerReleaseOp release) { return emitRelease(release), success(); })
      .Case([&](tile::BarrierInitOp init) {
        if (part_) return unsupported(op, "in a kernel with roles; let a tile.pipeline order them");
        const unsigned id = nextBarrier_++;
        if (id >= target_.sync.barriers)
          return unsupported(op, "the target has " + Twine(target_.sync.barriers) +
                                     " barriers a core, one of which the compiler uses itself");
        map_.map(init.getBarrier(), b_.constant(id));
        leader([&] { xfr::BarInitOp::create(b_, b_.constant(id), scalar(init.getCount())); });
        if (scope_.teams > 1) barrier();
        return success();
      })
      .Case([&](tile::BarrierArriveOp arrive) {
        flushPending();
        map_.map(
            arrive.getPhase(),
            xfr::BarArriveOp::create(b_, b_.getI64Type(), scalar(arrive.getBarrier()), b_.constant(0)).getResult());
        return success();
      })
      .Case([&](tile::BarrierWaitOp wait) {
        return xfr::BarWaitOp::create(b_, scalar(wait.getBarrier()), scalar(wait.getPhase())), success();
      })
      .Case([&](tile::MarkOp mark) {
        Value id = b_.constant(texts_.marks.number(mark.getName().str()));
        xfr::MarkOp::create(b_, id, static_cast<std::uint32_t>(isa::MarkEdge::Begin));
        LogicalResult result = region(mark.getBody().front());
        xfr::MarkOp::create(b_, id, static_cast<std::uint32_t>(isa::MarkEdge::End));
        return result;
      })
      .Case([&](tile::AssertOp check) {
        Value fails = arith::XOrIOp::create(b_, scalar(check.getCondition()), b_.constant1(true));
        return stopWhere(fails, check.getMessage(), b_.constant(0)), success();
      })
      .Case([&](tile::ConvertOp conversion) {
        if (failed(checkConversion(op, conversion.getValue().getType(), conversion.getType()))) return failure();
        map_.map(conversion.getResult(), convert(b_, Lanes{}, scalar(conversion.getValue()),
                                                 conversion.getValue().getType(), conversion.getType()));
        return success();
      })
      .Case([&](scf::ForOp loop) { return inherit(op, scalars_.emitFor(loop, region), left); })
      .Case([&](scf::IfOp branch) { return inherit(op, scalars_.emitIf(branch, region), left); })
      .Case([&](scf::WhileOp loop) { return scalars_.emitWhile(loop, region); })
      .Default([&](Operation*) { return emitScalar(op); });
}

LogicalResult KernelLowering::emitCopy(Operation* op, Value src, Value dst) {
  switch (engineOf(op)) {
    case Engine::Dma:
      return emitDmaCopy(op, src, dst, {});
    case Engine::Matrix:
      return emitMatrixStore(op, src, dst);
    case Engine::None:
      return emitConversion(op, src, dst);
  }
  llvm_unreachable("unknown engine");
}

template <typename OpT>
LogicalResult KernelLowering::emitProduct(OpT op) {
  const auto emit = engineOf(op) == Engine::Matrix ? &KernelLowering::emitMatmul : &KernelLowering::emitVectorProduct;
  return (this->*emit)(op, op.getA(), op.getB(), op.getAcc(), op.getAccumulateIf(), op.getAccumulate(),
                       op.getTransposeA(), op.getTransposeB());
}

LogicalResult KernelLowering::emitScalar(Operation* op) {
  if (scalars_.emit(op)) return success();
  return unsupported(op,
                     "an operation that the back end has no lowering for; run the passes before it (parameters bound, "
                     "semantics expanded)");
}

Value KernelLowering::treeChains() {
  if (!treeChains_) {
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(entry_);
    treeChains_ = b_.alloca64(256);  // f64 at most
  }
  return treeChains_;
}

}  // namespace forerun::backends::accelerator
