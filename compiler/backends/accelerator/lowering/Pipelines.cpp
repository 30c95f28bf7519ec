//===- Pipelines.cpp - stages between roles --------------------------------===//
// Two barriers a stage: filled and free. Copies are credited to the barrier that their commit arrives at, so that no
// hart waits for them; the release of a stage that the matrix unit still reads is finished where the role comes to the
// next one.
#include "compiler/backends/accelerator/XfrDialect.h"
#include "compiler/backends/accelerator/lowering/DescriptorFields.h"
#include "compiler/backends/accelerator/lowering/KernelLowering.h"
#include "isa/Isa.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

struct NextStage {
  Value stage, wraps;  ///< it is the first one again
};
NextStage stageAfter(Emit& b, Value stage, std::int64_t stages) {
  Value next = b.add(stage, 1), wraps = b.equal(next, b.constant(stages));
  return {b.createOrFold<arith::SelectOp>(wraps, b.constant(0), next), wraps};
}

}  // namespace

void KernelLowering::collectReleases() {
  kernel_.walk([&](tile::ConsumerReleaseOp release) {
    for (Value token : release.getTokens())
      for (Operation* source : asyncSources(token))
        releases_.push_back({accessesOf(source, teams_.count), queueOf(source), release.getPipeline()});
  });
}

LogicalResult KernelLowering::emitPipeline(tile::PipelineOp op) {
  if (!part_) return success();  // nobody uses it
  Pipeline pipeline;
  pipeline.firstBarrier = part_->pipelineBarriers[pipelines_.size()];
  pipeline.stages = *getConstantIntValue(op.getStages());
  {
    // They go on from work item to work item.
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(entry_);
    pipeline.words = b_.alloca64(kPipelineWords);
    for (std::int64_t word = 0; word < kPipelineWords; ++word)
      b_.storeWord(b_.constant(0), pipeline.words, b_.constant(word));
  }
  kernel_.walk([&](tile::SliceOp slice) {
    if (slice.getPipeline() == op.getPipeline() && !llvm::is_contained(pipeline.roots, rootOf(slice.getSource())))
      pipeline.roots.push_back(rootOf(slice.getSource()));
  });
  pipelines_[op.getPipeline()] = std::move(pipeline);
  return success();
}

void KernelLowering::emitStage(Value value, Value result, bool free) {
  const Pipeline& pipeline = pipelines_.find(value)->second;
  Value stage = b_.loadWord(pipeline.words, b_.constant(kNextStage)),
        phase = b_.loadWord(pipeline.words, b_.constant(kPhase));
  xfr::BarWaitOp::create(b_, b_.add(b_.mul(stage, 2), pipeline.firstBarrier + (free ? 1 : 0)), phase);
  const NextStage next = stageAfter(b_, stage, pipeline.stages);
  b_.storeWord(next.stage, pipeline.words, b_.constant(kNextStage));
  b_.storeWord(b_.createOrFold<arith::SelectOp>(next.wraps, b_.add(phase, 1), phase), pipeline.words,
               b_.constant(kPhase));
  map_.map(result, stage);
}

void KernelLowering::handOn(Pipeline& pipeline, bool free, Value expectedBytes) {
  Value stage = b_.loadWord(pipeline.words, b_.constant(kOldestStage));
  xfr::BarArriveOp::create(b_, b_.getI64Type(), b_.add(b_.mul(stage, 2), pipeline.firstBarrier + (free ? 1 : 0)),
                           expectedBytes);
  b_.storeWord(stageAfter(b_, stage, pipeline.stages).stage, pipeline.words, b_.constant(kOldestStage));
}

void KernelLowering::settleStages(Operation* op, const Pipeline& pipeline, ValueRange tokens) {
  SmallVector<Access> accesses;
  for (Value root : pipeline.roots) accesses.push_back({root, true});
  settle(accesses);
  waitFor(llvm::map_to_vector(tokens, [&](Value token) { return scalar(token); }));
  // All teams of the role are through with the stage, and with what it says about its extents.
  if (scope_.teams > 1 && !barriers_.before.contains(op)) barrier();
}

tile::ProducerCommitOp KernelLowering::creditedCommit(tile::CopyAsyncOp copy) {
  if (!copy.getToken().hasOneUse() || copy.getSrc().getType().isOnChip()) return {};
  auto commit = dyn_cast<tile::ProducerCommitOp>(*copy.getToken().user_begin());
  if (!commit || commit->getBlock() != copy->getBlock()) return {};
  // The stage that it fills is the one acquired last, and the commit is the next.
  auto touches = [&](Operation& op) {
    return op
        .walk([&](Operation* inner) {
          return llvm::isa<tile::ProducerAcquireOp, tile::ProducerCommitOp>(inner) &&
                         inner->getOperand(0) == commit.getPipeline()
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  };
  for (Operation* op = copy->getNextNode(); op != commit; op = op->getNextNode())
    if (touches(*op)) return {};
  for (Operation* op = copy->getPrevNode(); op; op = op->getPrevNode())
    if (touches(*op)) return llvm::isa<tile::ProducerAcquireOp>(op) ? commit : tile::ProducerCommitOp();
  return {};
}

Value KernelLowering::creditOf(tile::ProducerCommitOp commit, tile::CopyAsyncOp copy) {
  const Pipeline& pipeline = pipelines_.find(commit.getPipeline())->second;
  Value stage;
  for (Operation* op = copy->getPrevNode(); !stage; op = op->getPrevNode())
    if (auto acquire = dyn_cast<tile::ProducerAcquireOp>(op); acquire && acquire.getPipeline() == commit.getPipeline())
      stage = scalar(acquire.getStage());
  Value core = xfr::IdOp::create(b_, b_.getI64Type(), static_cast<std::uint32_t>(isa::Identity::Core));
  Value barrier = b_.add(b_.mul(stage, 2), pipeline.firstBarrier + 1);  // 1 + barrier
  return b_.add(arith::ShLIOp::create(b_, core, b_.constant(32)), barrier);
}

void KernelLowering::emitCommit(tile::ProducerCommitOp op) {
  Pipeline& pipeline = pipelines_.find(op.getPipeline())->second;
  SmallVector<Value> uncounted;
  for (Value token : op.getTokens()) {
    auto copy = token.getDefiningOp<tile::CopyAsyncOp>();
    if (!copy || creditedCommit(copy) != op) uncounted.push_back(token);
  }
  settleStages(op, pipeline, uncounted);
  const auto counted = expectedBytes_.find(op);
  Value bytes = counted == expectedBytes_.end() ? b_.constant(0) : counted->second;
  leader([&] { handOn(pipeline, /*free=*/false, bytes); });
}

void KernelLowering::emitRelease(tile::ConsumerReleaseOp op) {
  Pipeline& pipeline = pipelines_.find(op.getPipeline())->second;
  const ValueRange tokens = op.getTokens();
  const bool deferred = !tokens.empty() && pipeline.stages > 1;
  settleStages(op, pipeline, deferred ? tokens.drop_back() : tokens);
  leader([&] {
    finishRelease(pipeline);
    if (deferred)
      b_.storeWord(scalar(tokens.back()), pipeline.words, b_.constant(kOldestToken));
    else
      handOn(pipeline, /*free=*/true, b_.constant(0));
  });
}

void KernelLowering::finishRelease(Pipeline& pipeline) {
  Value token = b_.loadWord(pipeline.words, b_.constant(kOldestToken));
  Value waits = arith::CmpIOp::create(b_, arith::CmpIPredicate::ne, token, b_.constant(0));
  b_.when(waits, [&] {
    xfr::TokWaitOp::create(b_, token);
    b_.storeWord(b_.constant(0), pipeline.words, b_.constant(kOldestToken));
    handOn(pipeline, /*free=*/true, b_.constant(0));
  });
}

void KernelLowering::finishReleases(Operation* op) {
  if (releases_.empty() || (op && tile::takesTokens(op))) return;
  llvm::SmallSetVector<Value, 2> touched;
  const SmallVector<Access> accesses = op ? accessesOf(op, scope_.teams) : SmallVector<Access>();
  const int queue = op ? queueOf(op) : kNoQueue;
  for (const Release& release : releases_) {
    const bool meets = !op || llvm::any_of(accesses, [&](const Access& access) {
      return llvm::any_of(release.accesses, [&](const Access& other) {
        return (access.write || other.write) && windows_.overlap(access.root, other.root);
      });
    });
    if (meets && (queue == kNoQueue || queue != release.queue)) touched.insert(release.pipeline);
  }
  for (Value pipeline : touched) leader([&] { finishRelease(pipelines_.find(pipeline)->second); });
}

}  // namespace forerun::backends::accelerator
