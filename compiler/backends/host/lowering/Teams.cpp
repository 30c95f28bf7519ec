//===- Teams.cpp - scopes, roles and what they wait for ---------------------===//
// Teams run one after another; those that wait for each other are functions that take turns on stacks of their own.
// Whatever is waited for is a counter that reaches a number.
#include "compiler/backends/host/Abi.h"
#include "compiler/backends/host/lowering/KernelLowering.h"
#include "compiler/dialect/Scopes.h"
#include "compiler/dialect/layout/Selection.h"

#include "llvm/ADT/SetVector.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace forerun::backends::host {

namespace {

enum BarrierWord : std::int64_t { kBarrierCount, kArrived, kPhase, kBarrierWords };
enum PipelineWord : std::int64_t { kStages, kAcquired, kCommitted, kWaited, kReleased, kPipelineWords };

}  // namespace

LogicalResult KernelLowering::emitExec(tile::ExecOp op) {
  const tile::Scope scope = op.getScope();
  if (scope == tile::Scope::Core) return emitBlock(op.getBody().front());
  if (scope > tile::Scope::Core)
    return unsupported(op,
                       "the work items of a launch are not all on a core at the same time; end the launch where they "
                       "would wait for each other");
  const bool lanes = scope == tile::Scope::Lane, lanesOfTeam = lanes && teamId_;
  std::int64_t count = teams_;
  if (lanes) count = (lanesOfTeam ? 1 : teams_) * targets::HostSpec::kLanes;
  if (scope == tile::Scope::Group) count = 1;  // a core is one
  if (lanes && !lanesOfTeam && !op.getStaticRange().empty()) {
    const auto constant = op.getConstantRange();
    if (!constant)
      return unsupported(op,
                         "a range over lanes of several teams that is known at run time only; write 'tile.exec "
                         "team' around it, or integers");
    const layout::Units units = llvm::cantFail(layout::unitsOf((*constant)[0], (*constant)[1], (*constant)[2]));
    auto parts = layout::split("lane", units, layout::Coarser{"team", targets::HostSpec::kLanes});
    if (!parts) return op.emitError() << llvm::toString(parts.takeError());
  }
  const std::string name = tile::stringifyScope(scope).str();
  Value low = b_.constant(0), high = b_.constant(count);
  SmallVector<Value> range = llvm::map_to_vector(op.getMixedRange(), [&](OpFoldResult edge) {
    auto constant = getConstantIntValue(edge);
    return constant ? b_.constant(*constant) : scalars_.value(cast<Value>(edge));
  });
  if (!range.empty()) {
    low = range[0];
    high = range.size() == 1 ? b_.add(low, 1) : range[1];
    const std::string text = " reaches past the " + std::to_string(count) + " " + name + "s there are; use tile.num_" +
                             name + "s, or more teams (--set teams=N)";
    stopWhere(op, b_.less(low, b_.constant(0)), name + " {value}" + text, low);
    stopWhere(op, b_.less(b_.constant(count), high), "a range up to {value}" + text, high);
  }
  const Value outerTeam = teamId_, outerLane = laneId_, outerSync = syncWords_;
  LogicalResult result = success();
  auto unit = [&](Value id) {
    if (scope == tile::Scope::Team) teamId_ = id;
    if (lanes && !lanesOfTeam) teamId_ = b_.divUnsigned(id, targets::HostSpec::kLanes);
    if (lanes)
      laneId_ = lanesOfTeam ? id : arith::RemUIOp::create(b_, id, b_.constant(targets::HostSpec::kLanes)).getResult();
    return emitBlock(op.getBody().front());
  };
  Value step = b_.constant(op.getStep());
  if (scope == tile::Scope::Team && tile::waitsForOthers(op.getBody())) {
    syncWords_ = stackWords(1);
    b_.storeWord(b_.constant(0), syncWords_, b_.constant(0));
    Value units = b_.sub(high, low);
    if (op.getStep() != 1) units = b_.divUnsigned(b_.add(units, op.getStep() - 1), op.getStep());
    result = together(b_.max(b_.constant(0), units), [&](Value i) { return unit(b_.add(b_.mul(i, step), low)); });
  } else {
    b_.loop(low, high, step, [&](Value id) {
      if (succeeded(result)) result = unit(id);
    });
  }
  teamId_ = outerTeam;
  laneId_ = outerLane;
  syncWords_ = outerSync;
  return result;
}

LogicalResult KernelLowering::emitRoles(tile::RolesOp op) {
  const std::int64_t teams = teams_;
  for (unsigned role = 0; role < op.getBodies().size(); ++role)
    if (const auto [low, high] = op.getTeams(role); high > teams)
      return op.emitError() << "role '" << op.getRoleName(role) << "' [" << low << " : " << high
                            << "] reaches past the core's " << teams << " teams; use more (--set teams=" << high << ")";
  const LogicalResult result =
      together(b_.constant(static_cast<std::int64_t>(op.getBodies().size())), [&](Value number) -> LogicalResult {
        LogicalResult good = success();
        for (unsigned role = 0; role < op.getBodies().size(); ++role)
          b_.when(b_.equal(number, b_.constant(role)), [&] {
            const auto [low, high] = op.getTeams(role);
            teams_ = high - low;
            if (succeeded(good)) good = emitBlock(op.getBodies()[role].front());
          });
        return good;
      });
  teams_ = teams;
  if (failed(result)) return failure();
  for (Operation& other : *op->getBlock()) {
    auto made = dyn_cast<tile::PipelineOp>(other);
    if (!made || !made->isBeforeInBlock(op)) continue;
    Value words = b_.pointer(scalars_.value(made.getPipeline()));
    Value acquired = b_.loadWord(words, b_.constant(kAcquired)), differ;
    for (PipelineWord word : {kCommitted, kWaited, kReleased}) {
      Value other =
          arith::CmpIOp::create(b_, arith::CmpIPredicate::ne, acquired, b_.loadWord(words, b_.constant(word)));
      differ = differ ? arith::OrIOp::create(b_, differ, other) : other;
    }
    stopWhere(made, differ,
              "when the roles end, not all of the {value} stages that were acquired were committed, waited for and "
              "released",
              acquired);
  }
  return success();
}

LogicalResult KernelLowering::together(Value count, function_ref<LogicalResult(Value)> body) {
  MLIRContext* context = b_.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  Operation* outerFunction = function_;
  Block* outerEntry = entry_;
  LLVM::LLVMFuncOp function;
  {
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPoint(outerFunction);
    auto module = kernel_->getParentOfType<ModuleOp>();
    std::string name;
    for (unsigned number = 0; name.empty() || module.lookupSymbol(name); ++number)
      name = kernel_.getSymName().str() + ".turn" + std::to_string(number);
    function = LLVM::LLVMFuncOp::create(
        b_, name, LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer, b_.getI64Type()}),
        LLVM::Linkage::Internal);
    function_ = function;
    entry_ = function.addEntryBlock(b_);
    b_.setInsertionPointToStart(entry_);
    LLVM::ReturnOp::create(b_, ValueRange{});
    b_.setInsertionPoint(entry_->getTerminator());
    const LogicalResult result = body(entry_->getArgument(1));
    if (failed(result)) {  // uses values of another function; nothing of it is needed any more
      function->walk([](Operation* op) { op->dropAllReferences(); });
      function.erase();
      function_ = outerFunction;
      entry_ = outerEntry;
      return failure();
    }
  }
  // What the body uses of the function around it goes through memory.
  llvm::SetVector<Value> used;
  function->walk([&](Operation* op) {
    for (Value operand : op->getOperands())
      if (!function.getBody().isAncestor(operand.getParentRegion())) used.insert(operand);
  });
  function_ = outerFunction;
  entry_ = outerEntry;
  Value frame = stackWords(std::max<std::int64_t>(1, static_cast<std::int64_t>(used.size())));
  for (auto [number, each] : llvm::enumerate(used)) {
    Value value = each;
    auto slotOf = [&, number = number](Value words) -> Value {
      return LLVM::GEPOp::create(b_, pointer, b_.getI64Type(), words,
                                 ArrayRef<LLVM::GEPArg>{static_cast<std::int32_t>(number)});
    };
    Attribute constant;
    const bool isConstant = matchPattern(value, m_Constant(&constant));
    if (!isConstant) LLVM::StoreOp::create(b_, value, slotOf(frame));
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(&function.getBody().front());
    Value inside = isConstant ? b_.clone(*value.getDefiningOp())->getResult(0)
                              : LLVM::LoadOp::create(b_, value.getType(), slotOf(function.getArgument(0))).getResult();
    value.replaceUsesWithIf(inside, [&](OpOperand& use) { return function->isProperAncestor(use.getOwner()); });
  }
  Value address = LLVM::AddressOfOp::create(b_, pointer, function.getSymName());
  callRuntime(kTogetherFunction, {context_, count, address, frame});
  return success();
}

void KernelLowering::wait(Operation* op, Value words, std::int64_t word, Value least, const Twine& text) {
  Value counter = LLVM::GEPOp::create(b_, words.getType(), b_.getI64Type(), words,
                                      ArrayRef<LLVM::GEPArg>{static_cast<std::int32_t>(word)});
  callRuntime(kWaitFunction, {context_, b_.constant(stopNumber(op, text)), counter, least});
}

void KernelLowering::emitSync(tile::SyncOp op) {
  if (!syncWords_) return;  // one thread is all teams
  Value zero = b_.constant(0);
  Value before = b_.loadWord(syncWords_, zero);
  b_.storeWord(b_.add(before, 1), syncWords_, zero);
  Value rounds = b_.add(b_.divUnsigned(before, teams_), 1);
  wait(op, syncWords_, 0, b_.mul(rounds, teams_), "waits for teams that have ended, or wait for something else");
}

void KernelLowering::emitBarrierInit(tile::BarrierInitOp op) {
  Value words = stackWords(kBarrierWords), count = scalars_.value(op.getCount());
  stopWhere(op, b_.less(count, b_.constant(1)), "a barrier needs at least one arrival, found {value}", count);
  b_.storeWord(count, words, b_.constant(kBarrierCount));
  for (BarrierWord word : {kArrived, kPhase}) b_.storeWord(b_.constant(0), words, b_.constant(word));
  map_.map(op.getBarrier(), LLVM::PtrToIntOp::create(b_, b_.getI64Type(), words).getResult());
}

void KernelLowering::emitBarrierArrive(tile::BarrierArriveOp op) {
  Value words = b_.pointer(scalars_.value(op.getBarrier()));
  Value phase = b_.loadWord(words, b_.constant(kPhase));
  Value arrived = b_.add(b_.loadWord(words, b_.constant(kArrived)), 1);
  Value complete = b_.equal(arrived, b_.loadWord(words, b_.constant(kBarrierCount)));
  b_.storeWord(b_.createOrFold<arith::SelectOp>(complete, b_.constant(0), arrived), words, b_.constant(kArrived));
  b_.storeWord(b_.createOrFold<arith::SelectOp>(complete, b_.add(phase, 1), phase), words, b_.constant(kPhase));
  map_.map(op.getPhase(), phase);
}

void KernelLowering::emitBarrierWait(tile::BarrierWaitOp op) {
  Value phase = scalars_.value(op.getPhase());
  wait(op, b_.pointer(scalars_.value(op.getBarrier())), kPhase, b_.add(phase, 1),
       "this phase of the barrier never completes: too few arrive");
}

void KernelLowering::emitPipeline(tile::PipelineOp op) {
  Value words = stackWords(kPipelineWords), stages = scalars_.value(op.getStages());
  stopWhere(op, b_.less(stages, b_.constant(1)), "a pipeline needs at least one stage, found {value}", stages);
  b_.storeWord(stages, words, b_.constant(kStages));
  for (PipelineWord word : {kAcquired, kCommitted, kWaited, kReleased})
    b_.storeWord(b_.constant(0), words, b_.constant(word));
  map_.map(op.getPipeline(), LLVM::PtrToIntOp::create(b_, b_.getI64Type(), words).getResult());
}

Value KernelLowering::emitStage(Operation* op, Value pipeline, bool producer) {
  Value words = b_.pointer(scalars_.value(pipeline));
  const PipelineWord own = producer ? kAcquired : kWaited;
  Value before = b_.loadWord(words, b_.constant(own)), stages = b_.loadWord(words, b_.constant(kStages));
  if (producer)
    wait(op, words, kReleased, b_.sub(b_.add(before, 1), stages),
         "no role can go on: this one waits for a free stage, and none is released");
  else
    wait(op, words, kCommitted, b_.add(before, 1),
         "no role can go on: this one waits for a filled stage, and none is committed");
  b_.storeWord(b_.add(before, 1), words, b_.constant(own));
  return arith::RemUIOp::create(b_, before, stages);
}

void KernelLowering::emitStageEnd(Operation* op, Value pipeline, bool producer) {
  Value words = b_.pointer(scalars_.value(pipeline));
  const PipelineWord begun = producer ? kAcquired : kWaited, ended = producer ? kCommitted : kReleased;
  Value count = b_.loadWord(words, b_.constant(ended));
  stopWhere(op, b_.equal(count, b_.loadWord(words, b_.constant(begun))),
            producer ? "commits a stage, but none is acquired; tile.producer_acquire comes first"
                     : "releases a stage, but none is in use; tile.consumer_wait comes first");
  b_.storeWord(b_.add(count, 1), words, b_.constant(ended));
}

}  // namespace forerun::backends::host
