//===- Roles.cpp - a kernel with roles as one kernel a role ----------------===//
// A clone of the kernel a role holds what stands beside the roles, which computes indices only, and the role's region.
// Buffers keep the places that the whole kernel gave them, noted as an attribute of their allocation.
#include "compiler/backends/accelerator/lowering/Roles.h"

#include "compiler/backends/accelerator/XfrDialect.h"
#include "isa/Isa.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {

constexpr llvm::StringLiteral kPlace = "xfr.place";
/// Entries of the attribute.
enum PlaceEntry : unsigned { kOffset, kShared, kAlwaysFull, kExtentsOffset };

/// What stands beside the roles is repeated in each of them.
LogicalResult checkBeside(tile::KernelOp kernel, tile::RolesOp roles) {
  for (Operation& op : kernel.getBody().front().without_terminator()) {
    if (&op == roles || llvm::isa<tile::AllocOp, tile::PipelineOp>(op) || isMemoryEffectFree(&op)) continue;
    auto diagnostic =
        op.emitError() << "the accelerator back end does not support '" << op.getName()
                       << "' beside 'tile.roles', where every role would do it again; move it into a role";
    diagnostic.attachNote(roles.getLoc()) << "the roles";
    return failure();
  }
  return success();
}

/// The buffers whose stages pipelines hand out.
llvm::DenseSet<Value> sharedRoots(tile::RolesOp roles) {
  llvm::DenseSet<Value> roots;
  roles->walk([&](tile::SliceOp slice) {
    if (slice.getPipeline()) roots.insert(rootOf(slice.getSource()));
  });
  return roots;
}

/// The kernel with the region of `role` in place of the roles.
tile::KernelOp kernelOf(tile::KernelOp kernel, tile::RolesOp roles, unsigned role) {
  OpBuilder builder(kernel);
  IRMapping map;
  auto clone = cast<tile::KernelOp>(builder.clone(*kernel, map));
  tile::RolesOp own;
  clone.walk([&](tile::RolesOp found) { own = found; });
  Block& body = own.getBodies()[role].front();
  own->getBlock()->getOperations().splice(own->getIterator(), body.getOperations());
  own.erase();
  return clone;
}

}  // namespace

LogicalResult KernelLowering::planRoles(tile::RolesOp roles, Windows::Needs& memory) {
  if (failed(collectBuffers())) return failure();
  memory = windows_.place(kernel_.getBody());
  findAlwaysFull();
  const llvm::DenseSet<Value> shared = sharedRoots(roles);
  for (const auto& buffer : windows_.buffers()) {
    if (!buffer->onChip()) continue;
    const bool handedOn = shared.contains(buffer->root);
    std::int64_t extents = -1;
    if (handedOn && !buffer->alwaysFull) {
      // Both roles have to know how much of a stage is valid.
      extents = (memory.scratchBytes + 63) / 64 * 64;
      memory.scratchBytes = extents + 8 * buffer->extentWords();
    }
    buffer->root.getDefiningOp()->setAttr(
        kPlace, b_.getDenseI64ArrayAttr({buffer->offset, handedOn, buffer->alwaysFull, extents}));
  }
  return requireMemory(memory);
}

void KernelLowering::takePlaces() {
  for (const auto& buffer : windows_.buffers()) {
    if (!buffer->onChip()) continue;
    const auto place = buffer->root.getDefiningOp()->getAttrOfType<DenseI64ArrayAttr>(kPlace).asArrayRef();
    buffer->offset = place[kOffset];
    buffer->shared = place[kShared] != 0;
    buffer->alwaysFull = place[kAlwaysFull] != 0;
    sharedExtents_[buffer.get()] = place[kExtentsOffset];
  }
}

void KernelLowering::findSharedExtents() {
  for (auto [buffer, offset] : sharedExtents_)
    if (offset >= 0) buffer->validWords = b_.pointer(b_.constant(kScratchBase + offset));
}

std::unique_ptr<KernelLowering> lowerKernel(tile::KernelOp kernel, StringRef name, const targets::TargetSpec& target,
                                            EngineNeeds& needs, ProgramTexts& texts, const RolePart* part) {
  // The first lowering finds which commands may outlive their work item, the second lets them.
  auto first = std::make_unique<KernelLowering>(kernel, target, needs, texts, ArrayRef<Carried>(), part);
  if (failed(first->run(name))) return nullptr;
  if (first->leftBehind().empty()) return first;
  first->function()->erase();
  auto second = std::make_unique<KernelLowering>(kernel, target, needs, texts, first->leftBehind(), part);
  if (failed(second->run(name))) return nullptr;
  return second;
}

LogicalResult lowerRoles(tile::KernelOp kernel, tile::RolesOp roles, const targets::TargetSpec& target,
                         EngineNeeds& needs, ProgramTexts& texts) {
  const unsigned count = roles.getBodies().size();
  const std::int64_t coreTeams = target.teamsPerCore();
  if (failed(checkBeside(kernel, roles))) return failure();
  for (unsigned role = 0; role < count; ++role)
    if (const auto [low, high] = roles.getTeams(role); high > coreTeams)
      return roles.emitError() << "role '" << roles.getRoleName(role) << "' [" << low << " : " << high
                               << "] reaches past the " << coreTeams << " teams of a core of target '" << target.name
                               << "'; use fewer teams, or a target with more";

  // Barriers: one a role, for its own teams, then two a stage of each pipeline.
  SmallVector<unsigned> pipelineBarriers;
  SmallVector<std::int64_t> stages;
  unsigned barriers = count;
  for (tile::PipelineOp pipeline : kernel.getBody().front().getOps<tile::PipelineOp>()) {
    const auto known = getConstantIntValue(pipeline.getStages());
    if (!known || *known < 1)
      return pipeline.emitError() << "the accelerator back end sets pipelines up before the first work item: the "
                                     "number of stages must be a positive constant or a tile.param";
    pipelineBarriers.push_back(barriers);
    stages.push_back(*known);
    barriers += 2 * static_cast<unsigned>(*known);
    if (barriers > target.sync.barriers)
      return pipeline.emitError() << "needs " << barriers << " barriers with those before it; a core of target '"
                                  << target.name << "' has " << target.sync.barriers << "; use fewer stages";
  }

  RolePart part;
  part.roles = count;
  part.pipelineBarriers = pipelineBarriers;
  if (failed(KernelLowering(kernel, target, needs, texts).planRoles(roles, part.memory))) return failure();

  Emit b(kernel.getLoc(), OpBuilder(kernel));
  SmallVector<LLVM::LLVMFuncOp> functions;
  for (unsigned role = 0; role < count; ++role) {
    const auto [low, high] = roles.getTeams(role);
    part.number = role;
    part.teams = teamsOf(target, static_cast<unsigned>(low), static_cast<unsigned>(high));
    tile::KernelOp own = kernelOf(kernel, roles, role);
    const std::string name = (kernel.getSymName() + "." + roles.getRoleName(role)).str();
    const auto lowered = lowerKernel(own, name, target, needs, texts, &part);
    own.erase();
    if (!lowered) return failure();
    functions.push_back(cast<LLVM::LLVMFuncOp>(lowered->function()));
    SmallVector<Attribute> attributes{b.getStringAttr("noinline")};
    if (part.teams.vlenBits == 0) attributes.push_back(b.getStringAttr(kScalarFunction));
    functions.back().setPassthroughAttr(b.getArrayAttr(attributes));
  }

  auto entry = LLVM::LLVMFuncOp::create(b, kernel.getSymName(), functions.front().getFunctionType());
  entry.setPassthroughAttr(b.getStrArrayAttr({kScalarFunction}));
  Block* block = entry.addEntryBlock(b);
  b.setInsertionPointToStart(block);
  auto identity = [&](isa::Identity which) {
    return xfr::IdOp::create(b, b.getI64Type(), static_cast<std::uint32_t>(which)).getResult();
  };
  Value team = identity(isa::Identity::Team);
  b.when(b.equal(team, b.constant(0)), [&] {
    for (unsigned role = 0; role < count; ++role)
      if (const auto [low, high] = roles.getTeams(role); high > low + 1)
        xfr::BarInitOp::create(b, b.constant(role), b.constant(high - low));
    for (auto [first, number] : llvm::zip_equal(pipelineBarriers, stages))
      for (std::int64_t stage = 0; stage < number; ++stage) {
        Value filled = b.constant(first + 2 * stage), free = b.constant(first + 2 * stage + 1);
        xfr::BarInitOp::create(b, filled, b.constant(1));
        xfr::BarInitOp::create(b, free, b.constant(1));
        xfr::BarArriveOp::create(b, b.getI64Type(), free, b.constant(0));  // phase 0: nobody has it
      }
    Value core = arith::ShLIOp::create(b, identity(isa::Identity::Core), b.constant(32));
    xfr::SemAddOp::create(b, core, b.constant(1));
  });
  // A semaphore needs no set-up: it holds the others until the barriers have had theirs.
  xfr::SemWaitgeOp::create(b, b.constant(0), b.constant(1));
  for (auto [role, function] : llvm::enumerate(functions)) {
    const auto [low, high] = roles.getTeams(static_cast<unsigned>(role));
    Value inside = b.conjunction(b.less(b.constant(low - 1), team), b.less(team, b.constant(high)));
    b.when(inside, [&] { LLVM::CallOp::create(b, function, block->getArguments()); });
  }
  xfr::ExitOp::create(b, b.constant(0));
  LLVM::ReturnOp::create(b, ValueRange{});
  return success();
}

}  // namespace forerun::backends::accelerator
