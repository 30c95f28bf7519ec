//===- OpSyntax.cpp - hand-written pieces of operation syntax --------------===//
// What the declarative formats cannot say.
#include "compiler/dialect/OpSyntax.h"

using namespace mlir;

namespace forerun::tile {

ParseResult parseParamDefault(OpAsmParser& parser, Attribute& value) {
  if (succeeded(parser.parseOptionalColon())) {
    Type type;
    if (parser.parseKeyword("type") || parser.parseEqual() || parser.parseType(type)) return failure();
    value = TypeAttr::get(type);
    return success();
  }
  int64_t integer = 0;
  if (parser.parseEqual() || parser.parseInteger(integer)) return failure();
  value = parser.getBuilder().getI64IntegerAttr(integer);
  return success();
}

void printParamDefault(OpAsmPrinter& printer, Operation*, Attribute value) {
  if (auto type = llvm::dyn_cast<TypeAttr>(value))
    printer << ": type = " << type.getValue();
  else
    printer << "= " << llvm::cast<IntegerAttr>(value).getInt();
}

ParseResult parseUnitRange(OpAsmParser& parser, llvm::SmallVectorImpl<OpAsmParser::UnresolvedOperand>& range,
                           DenseI64ArrayAttr& staticRange) {
  llvm::SmallVector<int64_t> integers;
  auto parseBound = [&]() -> ParseResult {
    int64_t integer = 0;
    OptionalParseResult parsed = parser.parseOptionalInteger(integer);
    if (parsed.has_value()) {
      integers.push_back(integer);
      return *parsed;
    }
    integers.push_back(ShapedType::kDynamic);
    return parser.parseOperand(range.emplace_back());
  };
  if (succeeded(parser.parseOptionalLSquare())) {
    if (parseBound()) return failure();
    if (succeeded(parser.parseOptionalColon())) {
      if (parseBound()) return failure();
      if (succeeded(parser.parseOptionalColon()) && parser.parseInteger(integers.emplace_back(0))) return failure();
    }
    if (parser.parseRSquare()) return failure();
  }
  staticRange = parser.getBuilder().getDenseI64ArrayAttr(integers);
  return success();
}

void printUnitRange(OpAsmPrinter& printer, Operation*, OperandRange range, DenseI64ArrayAttr staticRange) {
  if (staticRange.empty()) return;
  unsigned next = 0;
  printer << " [";
  llvm::interleave(
      staticRange.asArrayRef(), printer,
      [&](int64_t bound) {
        if (bound == ShapedType::kDynamic)
          printer << range[next++];
        else
          printer << bound;
      },
      " : ");
  printer << ']';
}

ParseResult parseAccumulate(OpAsmParser& parser, std::optional<OpAsmParser::UnresolvedOperand>& condition,
                            UnitAttr& always) {
  if (failed(parser.parseOptionalKeyword("accumulate"))) return success();
  if (failed(parser.parseOptionalLParen())) {
    always = parser.getBuilder().getUnitAttr();
    return success();
  }
  condition.emplace();
  return failure(parser.parseOperand(*condition) || parser.parseRParen());
}

void printAccumulate(OpAsmPrinter& printer, Operation*, Value condition, UnitAttr always) {
  if (condition)
    printer << "accumulate(" << condition << ')';
  else if (always)
    printer << "accumulate";
}

ParseResult parseFullType(OpAsmParser& parser, Type& type) { return parser.parseType(type); }

void printFullType(OpAsmPrinter& printer, Operation*, Type type) { printer << type; }

ParseResult parseElementOf(OpAsmParser& parser, Type& buffer, Type& element) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(buffer)) return failure();
  auto type = llvm::dyn_cast<BufferType>(buffer);
  if (!type) return parser.emitError(loc, "expected a !tile.buffer type, found ") << buffer;
  element = type.getElementType();
  return success();
}

void printElementOf(OpAsmPrinter& printer, Operation*, Type buffer, Type) { printer << buffer; }

}  // namespace forerun::tile
