//===- XfrDialect.h - the xfr dialect ---------------------------------------===//
// One operation an Xfr instruction, generated from the ISA tables; what tile operations lower to.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "compiler/backends/accelerator/XfrDialect.h.inc"
#define GET_OP_CLASSES
#include "compiler/backends/accelerator/XfrOps.h.inc"
