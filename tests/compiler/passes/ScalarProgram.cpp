//===- ScalarProgram.cpp - runs expanded scalar code on the host -----------===//
// A table of operation names, a slot a value, and native arithmetic of the host.
#include "tests/compiler/passes/ScalarProgram.h"

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "compiler/dialect/TileDialect.h"
#include "compiler/passes/Passes.h"
#include "isa/ElementType.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

namespace forerun::passes::test {
namespace {

enum Opcode : unsigned {
  kAddF,
  kSubF,
  kMulF,
  kDivF,
  kNegF,
  kCmpF,
  kMaximum,
  kMinimum,
  kMaxNum,
  kMinNum,
  kFma,
  kSqrt,
  kAbsF,
  kCopySign,
  kFloor,
  kCeil,
  kTrunc,
  kRoundEven,
  kAddI,
  kSubI,
  kMulI,
  kAnd,
  kOr,
  kXor,
  kShl,
  kShrS,
  kShrU,
  kDivS,
  kDivU,
  kRemS,
  kRemU,
  kMinS,
  kMaxS,
  kMinU,
  kMaxU,
  kCmpI,
  kSelect,
  kCopyBits,
  kExtF,
  kTruncF,
  kExtS,
  kExtU,
  kTruncI,
  kFromS,
  kFromU,
  kToS,
  kToU,
};

const std::map<std::string, Opcode, std::less<>> kOpcodes = {
    {"arith.addf", kAddF},        {"arith.subf", kSubF},        {"arith.mulf", kMulF},
    {"arith.divf", kDivF},        {"arith.negf", kNegF},        {"arith.cmpf", kCmpF},
    {"arith.maximumf", kMaximum}, {"arith.minimumf", kMinimum}, {"arith.maxnumf", kMaxNum},
    {"arith.minnumf", kMinNum},   {"math.fma", kFma},           {"math.sqrt", kSqrt},
    {"math.absf", kAbsF},         {"math.copysign", kCopySign}, {"math.floor", kFloor},
    {"math.ceil", kCeil},         {"math.trunc", kTrunc},       {"math.roundeven", kRoundEven},
    {"arith.addi", kAddI},        {"arith.subi", kSubI},        {"arith.muli", kMulI},
    {"arith.andi", kAnd},         {"arith.ori", kOr},           {"arith.xori", kXor},
    {"arith.shli", kShl},         {"arith.shrsi", kShrS},       {"arith.shrui", kShrU},
    {"arith.divsi", kDivS},       {"arith.divui", kDivU},       {"arith.remsi", kRemS},
    {"arith.remui", kRemU},       {"arith.minsi", kMinS},       {"arith.maxsi", kMaxS},
    {"arith.minui", kMinU},       {"arith.maxui", kMaxU},       {"arith.cmpi", kCmpI},
    {"arith.select", kSelect},    {"arith.bitcast", kCopyBits}, {"arith.extf", kExtF},
    {"arith.truncf", kTruncF},    {"arith.extsi", kExtS},       {"arith.extui", kExtU},
    {"arith.trunci", kTruncI},    {"arith.sitofp", kFromS},     {"arith.uitofp", kFromU},
    {"arith.fptosi", kToS},       {"arith.fptoui", kToU}};

using Type = ScalarProgram::Type;

Type typeOf(mlir::Type type) {
  if (type.isInteger(1)) return Type::I1;
  if (type.isInteger(8)) return Type::I8;
  if (type.isInteger(16)) return Type::I16;
  if (type.isInteger(32)) return Type::I32;
  if (type.isInteger(64)) return Type::I64;
  if (type.isF16()) return Type::F16;
  if (type.isBF16()) return Type::BF16;
  if (type.isF32()) return Type::F32;
  if (type.isF64()) return Type::F64;
  if (llvm::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type, mlir::Float8E8M0FNUType>(type))
    return Type::I8;  // bits; nothing computes in them
  throw std::runtime_error("type without evaluation");
}

unsigned widthOf(Type type) {
  constexpr unsigned widths[] = {1, 8, 16, 32, 64, 16, 16, 32, 64};
  return widths[static_cast<unsigned>(type)];
}
std::uint64_t maskOf(Type type) { return ~std::uint64_t{0} >> (64 - widthOf(type)); }
std::int64_t signedOf(Type type, std::uint64_t bits) {
  unsigned shift = 64 - widthOf(type);
  return static_cast<std::int64_t>(bits << shift) >> shift;
}
void require(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(std::string("the expansion left an undefined operation: ") + what);
}

double loadFloat(Type type, std::uint64_t bits) {
  switch (type) {
    case Type::F16:
      return isa::halfToFloat(static_cast<std::uint16_t>(bits));
    case Type::BF16:
      return isa::bfloatToFloat(static_cast<std::uint16_t>(bits));
    case Type::F32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    default:
      return std::bit_cast<double>(bits);
  }
}
/// Rounds once from f64 (exact or innocuous for every caller).
std::uint64_t storeFloat(Type type, double value) {
  switch (type) {
    case Type::F16:
      return isa::doubleToHalf(value);
    case Type::BF16:
      return isa::doubleToBfloat(value);
    case Type::F32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    default:
      return std::bit_cast<std::uint64_t>(value);
  }
}

bool isLess(double a, double b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); }

bool compareFloats(std::uint8_t predicate, double a, double b) {
  // arith.cmpf numbers: bit 0 equal, bit 1 greater, bit 2 less, in the ordered (1-6), ord (7) and unordered (8-14)
  // groups.
  using P = mlir::arith::CmpFPredicate;
  bool unordered = a != a || b != b;
  switch (static_cast<P>(predicate)) {
    case P::AlwaysFalse:
      return false;
    case P::OEQ:
      return a == b;
    case P::OGT:
      return a > b;
    case P::OGE:
      return a >= b;
    case P::OLT:
      return a < b;
    case P::OLE:
      return a <= b;
    case P::ONE:
      return !unordered && a != b;
    case P::ORD:
      return !unordered;
    case P::UEQ:
      return unordered || a == b;
    case P::UGT:
      return !(a <= b);
    case P::UGE:
      return !(a < b);
    case P::ULT:
      return !(a >= b);
    case P::ULE:
      return !(a > b);
    case P::UNE:
      return a != b;
    case P::UNO:
      return unordered;
    case P::AlwaysTrue:
      return true;
  }
  return false;
}

bool compareInts(std::uint8_t predicate, Type type, std::uint64_t a, std::uint64_t b) {
  using P = mlir::arith::CmpIPredicate;
  std::int64_t x = signedOf(type, a), y = signedOf(type, b);
  switch (static_cast<P>(predicate)) {
    case P::eq:
      return a == b;
    case P::ne:
      return a != b;
    case P::slt:
      return x < y;
    case P::sle:
      return x <= y;
    case P::sgt:
      return x > y;
    case P::sge:
      return x >= y;
    case P::ult:
      return a < b;
    case P::ule:
      return a <= b;
    case P::ugt:
      return a > b;
    case P::uge:
      return a >= b;
  }
  return false;
}

}  // namespace

ScalarProgram::ScalarProgram(llvm::StringRef source) {
  mlir::DialectRegistry registry;
  tile::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic& diagnostic) {
    messages += diagnostic.str() + "\n";
    return mlir::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  if (!module) throw std::runtime_error(messages);
  mlir::PassManager manager(&context);
  manager.addPass(createTileExpandSemantics());
  if (mlir::failed(manager.run(*module))) throw std::runtime_error(messages);
  compile(*module->getOps<mlir::func::FuncOp>().begin());
}

ScalarProgram ScalarProgram::unaryLike(llvm::StringRef operation, llvm::StringRef type, unsigned arguments) {
  std::string parameters, operands;
  for (unsigned i = 0; i < arguments; ++i) {
    std::string separator = i ? ", " : "";
    parameters += separator + "%a" + std::to_string(i) + ": " + type.str();
    operands += separator + "%a" + std::to_string(i);
  }
  return ScalarProgram("func.func @f(" + parameters + ") -> " + type.str() + " { %r = " + operation.str() + " " +
                       operands + " : " + type.str() + " return %r : " + type.str() + " }");
}

ScalarProgram ScalarProgram::cast(llvm::StringRef operation, llvm::StringRef from, llvm::StringRef to,
                                  llvm::StringRef modifiers) {
  return ScalarProgram("func.func @f(%a: " + from.str() + ") -> " + to.str() + " { %r = " + operation.str() + " %a " +
                       modifiers.str() + " : " + from.str() + " to " + to.str() + " return %r : " + to.str() + " }");
}

void ScalarProgram::compile(mlir::Operation* function) {
  llvm::DenseMap<mlir::Value, unsigned> slotOf;
  auto newSlot = [&](mlir::Value value) {
    unsigned slot = static_cast<unsigned>(slots.size());
    slots.push_back(0);
    slotOf[value] = slot;
    return slot;
  };
  mlir::Block& block = function->getRegion(0).front();
  for (mlir::BlockArgument argument : block.getArguments()) newSlot(argument);
  for (mlir::Operation& op : block) {
    if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(op)) {
      mlir::Attribute value = constant.getValue();
      llvm::APInt bits = llvm::isa<mlir::IntegerAttr>(value)
                             ? llvm::cast<mlir::IntegerAttr>(value).getValue()
                             : llvm::cast<mlir::FloatAttr>(value).getValue().bitcastToAPInt();
      slots[newSlot(constant.getResult())] = bits.getZExtValue();
      continue;
    }
    if (auto done = llvm::dyn_cast<mlir::func::ReturnOp>(op)) {
      result = slotOf.at(done.getOperand(0));
      continue;
    }
    auto opcode = kOpcodes.find(op.getName().getStringRef().str());
    if (opcode == kOpcodes.end())
      throw std::runtime_error("'" + op.getName().getStringRef().str() + "' is not among the surviving operations");
    Instruction instruction{opcode->second, typeOf(op.getResult(0).getType()), typeOf(op.getOperand(0).getType())};
    if (auto compare = llvm::dyn_cast<mlir::arith::CmpFOp>(op))
      instruction.predicate = static_cast<std::uint8_t>(compare.getPredicate());
    if (auto compare = llvm::dyn_cast<mlir::arith::CmpIOp>(op))
      instruction.predicate = static_cast<std::uint8_t>(compare.getPredicate());
    instruction.a = slotOf.at(op.getOperand(0));
    if (op.getNumOperands() > 1) instruction.b = slotOf.at(op.getOperand(1));
    if (op.getNumOperands() > 2) instruction.c = slotOf.at(op.getOperand(2));
    instruction.out = newSlot(op.getResult(0));
    instructions.push_back(instruction);
    if (opcode->second != kCopyBits) ++operations;
  }
}

std::uint64_t ScalarProgram::run(llvm::ArrayRef<std::uint64_t> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) slots[i] = arguments[i];
  for (const Instruction& instruction : instructions) slots[instruction.out] = evaluate(instruction);
  return slots[result];
}

std::uint64_t ScalarProgram::evaluate(const Instruction& in) const {
  std::uint64_t a = slots[in.a], b = slots[in.b], c = slots[in.c];
  auto number = [&](std::uint64_t bits) { return loadFloat(in.from, bits); };
  auto store = [&](double value) { return storeFloat(in.type, value); };
  // f32 arithmetic in f64 and rounded is exact for + - * / sqrt (53 >= 2 * 24 + 2); f64 is the host's own.
  auto integer = [&](std::uint64_t value) { return value & maskOf(in.type); };
  auto lhs = [&] { return signedOf(in.from, a); };
  auto rhs = [&] { return signedOf(in.from, b); };
  switch (static_cast<Opcode>(in.opcode)) {
    case kAddF:
      return store(number(a) + number(b));
    case kSubF:
      return store(number(a) - number(b));
    case kMulF:
      return store(number(a) * number(b));
    case kDivF:
      return store(number(a) / number(b));
    case kSqrt:
      return store(std::sqrt(number(a)));
    case kNegF:
      return a ^ (std::uint64_t{1} << (widthOf(in.type) - 1));
    case kAbsF:
      return a & (maskOf(in.type) >> 1);
    case kCopySign:
      return (a & (maskOf(in.type) >> 1)) | (b & ~(maskOf(in.type) >> 1) & maskOf(in.type));
    case kFma:
      if (in.type == Type::F64) return store(std::fma(number(a), number(b), number(c)));
      require(in.type == Type::F32, "fma of another type than f32 and f64");
      return std::bit_cast<std::uint32_t>(
          std::fma(static_cast<float>(number(a)), static_cast<float>(number(b)), static_cast<float>(number(c))));
    case kFloor:
      return store(std::floor(number(a)));
    case kCeil:
      return store(std::ceil(number(a)));
    case kTrunc:
      return store(std::trunc(number(a)));
    case kRoundEven:
      return store(std::nearbyint(number(a)));
    case kCmpF:
      return compareFloats(in.predicate, number(a), number(b));
    case kMaximum:
    case kMinimum: {
      double x = number(a), y = number(b);
      if (x != x || y != y) return store(std::numeric_limits<double>::quiet_NaN());
      return (in.opcode == kMaximum) == isLess(x, y) ? b : a;
    }
    case kMaxNum:
    case kMinNum: {
      double x = number(a), y = number(b);
      if (x != x) return b;
      if (y != y) return a;
      return (in.opcode == kMaxNum) == isLess(x, y) ? b : a;
    }
    case kAddI:
      return integer(a + b);
    case kSubI:
      return integer(a - b);
    case kMulI:
      return integer(a * b);
    case kAnd:
      return a & b;
    case kOr:
      return a | b;
    case kXor:
      return a ^ b;
    case kShl:
      require(b < widthOf(in.type), "shift past the width");
      return integer(a << b);
    case kShrS:
      require(b < widthOf(in.type), "shift past the width");
      return integer(static_cast<std::uint64_t>(lhs() >> b));
    case kShrU:
      require(b < widthOf(in.type), "shift past the width");
      return a >> b;
    case kDivS:
    case kRemS:
      require(b != 0 && !(rhs() == -1 && lhs() == signedOf(in.from, std::uint64_t{1} << (widthOf(in.from) - 1))),
              "signed division");
      return integer(static_cast<std::uint64_t>(in.opcode == kDivS ? lhs() / rhs() : lhs() % rhs()));
    case kDivU:
      require(b != 0, "division by zero");
      return a / b;
    case kRemU:
      require(b != 0, "division by zero");
      return a % b;
    case kMinS:
      return lhs() < rhs() ? a : b;
    case kMaxS:
      return lhs() > rhs() ? a : b;
    case kMinU:
      return a < b ? a : b;
    case kMaxU:
      return a > b ? a : b;
    case kCmpI:
      return compareInts(in.predicate, in.from, a, b);
    case kSelect:
      return a ? b : c;
    case kCopyBits:
      return a;
    case kExtF:
    case kTruncF:
      return store(number(a));
    case kExtS:
      return integer(static_cast<std::uint64_t>(lhs()));
    case kExtU:
      return a;
    case kTruncI:
      return integer(a);
    case kFromS:
      return in.type == Type::F32 ? std::bit_cast<std::uint32_t>(static_cast<float>(lhs()))
                                  : std::bit_cast<std::uint64_t>(static_cast<double>(lhs()));
    case kFromU:
      return in.type == Type::F32 ? std::bit_cast<std::uint32_t>(static_cast<float>(a))
                                  : std::bit_cast<std::uint64_t>(static_cast<double>(a));
    case kToS: {
      double x = std::trunc(number(a));
      double limit = std::ldexp(1.0, static_cast<int>(widthOf(in.type)) - 1);
      require(x >= -limit && x < limit, "float to integer out of range");
      return integer(static_cast<std::uint64_t>(static_cast<std::int64_t>(x)));
    }
    case kToU: {
      double x = std::trunc(number(a));
      require(x >= 0 && x < std::ldexp(1.0, static_cast<int>(widthOf(in.type))), "float to integer out of range");
      return static_cast<std::uint64_t>(x);
    }
  }
  throw std::runtime_error("opcode without evaluation");
}

}  // namespace forerun::passes::test
