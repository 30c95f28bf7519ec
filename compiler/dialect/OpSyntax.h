//===- OpSyntax.h - hand-written pieces of operation syntax ----------------===//
// custom<...> directives that the generated parsers and printers call.
#pragma once

#include "compiler/dialect/TileOps.h"
#include "mlir/IR/OpImplementation.h"

namespace forerun::tile {

/// `= 128` or `: type = f16`.
mlir::ParseResult parseParamDefault(mlir::OpAsmParser& parser, mlir::Attribute& value);
void printParamDefault(mlir::OpAsmPrinter& printer, mlir::Operation* op, mlir::Attribute value);

/// Nothing, `[3]`, `[%lo : %hi]` or `[%lo : %hi : 2]`; integers and values mix.
mlir::ParseResult parseUnitRange(mlir::OpAsmParser& parser,
                                 llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand>& range,
                                 mlir::DenseI64ArrayAttr& staticRange);
void printUnitRange(mlir::OpAsmPrinter& printer, mlir::Operation* op, mlir::OperandRange range,
                    mlir::DenseI64ArrayAttr staticRange);

/// Nothing, `accumulate` or `accumulate(%condition)`.
mlir::ParseResult parseAccumulate(mlir::OpAsmParser& parser,
                                  std::optional<mlir::OpAsmParser::UnresolvedOperand>& condition,
                                  mlir::UnitAttr& always);
void printAccumulate(mlir::OpAsmPrinter& printer, mlir::Operation* op, mlir::Value condition, mlir::UnitAttr always);

/// `!tile.buffer<...>` in full, where the declarative format would print `<...>`.
mlir::ParseResult parseFullType(mlir::OpAsmParser& parser, mlir::Type& type);
void printFullType(mlir::OpAsmPrinter& printer, mlir::Operation* op, mlir::Type type);

/// The buffer's type, from which the scalar's follows.
mlir::ParseResult parseElementOf(mlir::OpAsmParser& parser, mlir::Type& buffer, mlir::Type& element);
void printElementOf(mlir::OpAsmPrinter& printer, mlir::Operation* op, mlir::Type buffer, mlir::Type element);

}  // namespace forerun::tile
