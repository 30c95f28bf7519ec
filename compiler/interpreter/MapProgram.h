//===- MapProgram.h - a map body as straight-line code over columns ---------===//
// Bodies are translated once and then run over whole tiles, a column of elements at a time.
#pragma once

#include "compiler/interpreter/ElementOps.h"
#include "compiler/interpreter/View.h"

#include "llvm/Support/Error.h"

namespace forerun::interpreter {

/// A scalar as a column of one element.
struct Scalar {
  ElementType type = ElementType::I64;
  alignas(8) std::uint8_t bytes[8] = {};
  float radius = 0;  ///< results of a conforming implementation lie this close (Uncertainty.h)

  static Scalar ofInt(std::int64_t value, ElementType type = ElementType::I64);
  std::int64_t asInt() const;
  double asDouble() const { return columnAsDouble(type, bytes, 0); }
};

/// Registers are columns; 0 .. inputs - 1 hold the block arguments.
struct MapProgram {
  struct Step {
    ElementFunction function = nullptr;
    unsigned in[3] = {}, inputs = 0, out = 0;
    ElementType type = ElementType::F32;  ///< of the result
    bool rounds = false;                  ///< f16, bf16: round after the function
    bool counts = true;
    unsigned widthBits = 32;  ///< of the widest type involved, for counts of work
  };
  struct IndexColumn {
    unsigned dim = 0, out = 0;
    ElementType type = ElementType::I64;
  };
  struct Captured {
    unsigned out = 0;
    Scalar value;  ///< of constants; captured values of the enclosing scope are set before each run
  };

  std::vector<ElementType> registers;  ///< element type of each register
  unsigned inputs = 0;
  std::vector<IndexColumn> indices;
  std::vector<Captured> captured;
  std::vector<Step> steps;
  std::vector<unsigned> outputs;

  /// Arithmetic steps a element.
  std::uint64_t arithmeticSteps() const;
};

/// out[i...] = program(in[i...]) for all i of `box` (one range an output dimension, indices of the window). Inputs
/// broadcast where their extent is 1 and the box's is not; elements of an input below its valid low edge read as zero.
/// With `uncertain`, radii are propagated too (Uncertainty.h). Fails on elements that were never written.
llvm::Error runMap(const MapProgram& program, llvm::ArrayRef<View> ins, llvm::ArrayRef<View> outs,
                   llvm::ArrayRef<Range> box, bool uncertain);

}  // namespace forerun::interpreter
