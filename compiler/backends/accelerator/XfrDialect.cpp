//===- XfrDialect.cpp - the xfr dialect -------------------------------------===//
// See XfrDialect.h.
#include "compiler/backends/accelerator/XfrDialect.h"

#include "compiler/backends/accelerator/XfrDialect.cpp.inc"

void forerun::xfr::XfrDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "compiler/backends/accelerator/XfrOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "compiler/backends/accelerator/XfrOps.cpp.inc"
