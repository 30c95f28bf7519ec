//===- MapCompiler.cpp - from the body of a tile.map to a MapProgram --------===//
// One step an operation; registers are reused after their last use.
#include "compiler/interpreter/Handlers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>
#include <map>

namespace forerun::interpreter {

namespace {

class MapCompiler {
 public:
  explicit MapCompiler(tile::MapOp op)
      : op_(op), body_(op.getBody().front()), result_(std::make_unique<CompiledMap>()) {}

  std::unique_ptr<CompiledMap> compile() {
    MapProgram& program = result_->program;
    for (mlir::BlockArgument argument : body_.getArguments()) {
      const auto type = elementTypeOf(argument.getType());
      if (!type)
        return op_.emitError() << "element type " << argument.getType()
                               << " is not bound; run --tile-bind-params first",
               nullptr;
      registers_[argument] = fresh(*type);
    }
    program.inputs = body_.getNumArguments();
    countUses();
    for (mlir::Operation& op : body_.without_terminator())
      if (llvm::failed(translate(&op))) return nullptr;
    for (mlir::Value value : body_.getTerminator()->getOperands()) {
      const auto reg = registerOf(value);
      if (!reg) return nullptr;
      program.outputs.push_back(*reg);
    }
    return std::move(result_);
  }

 private:
  unsigned fresh(ElementType type) {
    result_->program.registers.push_back(type);
    return static_cast<unsigned>(result_->program.registers.size() - 1);
  }

  void countUses() {
    for (mlir::Operation& op : body_)
      for (mlir::Value operand : op.getOperands()) ++uses_[operand];
    // Outputs stay to the end.
    for (mlir::Value value : body_.getTerminator()->getOperands()) uses_[value] += 1;
  }

  /// The register of a value; scalars from outside become captured columns.
  std::optional<unsigned> registerOf(mlir::Value value) {
    if (const auto found = registers_.find(value); found != registers_.end()) return found->second;
    const auto type = elementTypeOf(value.getType());
    if (!type) {
      op_.emitError() << "map bodies use scalars from outside only, found " << value.getType();
      return std::nullopt;
    }
    const unsigned reg = fresh(*type);
    result_->outer.emplace_back(value, result_->program.captured.size());
    result_->program.captured.push_back({reg, {}});
    return registers_[value] = reg;
  }

  llvm::LogicalResult translate(mlir::Operation* op) {
    MapProgram& program = result_->program;
    const auto type = op->getNumResults() == 1 ? elementTypeOf(op->getResult(0).getType()) : std::nullopt;
    if (auto index = llvm::dyn_cast<tile::IndexOp>(op)) {
      registers_[op->getResult(0)] = fresh(*type);
      program.indices.push_back({static_cast<unsigned>(index.getDim()), registers_[op->getResult(0)], *type});
      return llvm::success();
    }
    if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(op)) {
      const auto scalar = scalarOfAttribute(constant.getValue(), constant.getType());
      if (!scalar) return op->emitError() << "map bodies know constants of scalar type only";
      registers_[op->getResult(0)] = fresh(*type);
      program.captured.push_back({registers_[op->getResult(0)], *scalar});
      return llvm::success();
    }
    const auto selected = selectElementOp(op);
    if (!selected)
      return op->emitError() << "the interpreter does not define '" << op->getName()
                             << "' on these types in a map body; run --tile-expand-semantics first";
    MapProgram::Step step;
    step.function = selected->function;
    step.rounds = selected->rounds;
    step.counts = selected->counts;
    step.type = *type;
    step.inputs = op->getNumOperands();
    step.widthBits = isa::storageBits(*type);
    for (unsigned i = 0; i < step.inputs; ++i) {
      const auto reg = registerOf(op->getOperand(i));
      if (!reg) return llvm::failure();
      step.in[i] = *reg;
      if (program.registers[*reg] != ElementType::I1)
        step.widthBits = std::max(step.widthBits, isa::storageBits(program.registers[*reg]));
    }
    // The result's register is taken before the operands' are given back: columns of different widths must not overlap.
    step.out = take(*type);
    registers_[op->getResult(0)] = step.out;
    for (mlir::Value operand : op->getOperands()) release(operand);
    if (uses_.lookup(op->getResult(0)) == 0) free_[*type].push_back(step.out);
    program.steps.push_back(step);
    return llvm::success();
  }

  unsigned take(ElementType type) {
    auto& list = free_[type];
    if (list.empty()) return fresh(type);
    const unsigned reg = list.back();
    list.pop_back();
    return reg;
  }

  /// Inputs, indices and captured values keep their columns: they are not recomputed.
  void release(mlir::Value value) {
    if (--uses_[value] != 0) return;
    mlir::Operation* definition = value.getDefiningOp();
    if (!definition || definition->getBlock() != &body_ ||
        llvm::isa<tile::IndexOp, mlir::arith::ConstantOp>(definition))
      return;
    free_[*elementTypeOf(value.getType())].push_back(registers_[value]);
  }

  tile::MapOp op_;
  mlir::Block& body_;
  std::unique_ptr<CompiledMap> result_;
  llvm::DenseMap<mlir::Value, unsigned> registers_, uses_;
  std::map<ElementType, std::vector<unsigned>> free_;
};

}  // namespace

CompiledMap* Execution::mapOf(tile::MapOp op) {
  auto& cached = (*maps_)[op];
  if (!cached) cached = MapCompiler(op).compile();
  return cached.get();
}

}  // namespace forerun::interpreter
