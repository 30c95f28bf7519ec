//===- Strips.cpp - how element-wise work is cut for the vector unit -------===//
// See Strips.h. Wide register groups cost few instructions; several strips hide latency; both want registers.
#include "compiler/backends/accelerator/lowering/Strips.h"

#include <algorithm>
#include <bit>

using namespace mlir;

namespace forerun::backends::accelerator {

namespace {
constexpr unsigned kRegisters = 26;  // of 32: v0 holds masks, and copies and temporaries need some
constexpr unsigned kMostPieces = 4;
}  // namespace

void Shape::note(Type element) {
  const unsigned bits = element.isIndex() ? 64 : std::max(8u, element.getIntOrFloatBitWidth());
  widestBits = std::max(widestBits, bits);
  half |= element.isF16();
  bfloat |= element.isBF16();
}

StripPlan planStrips(const Shape& shape, const ComputeTeams& teams, std::int64_t columns, std::int64_t rows) {
  StripPlan plan;
  if (teams.vlenBits == 0 || !shape.vectorizable || (shape.half && !teams.zvfh) || (shape.bfloat && !teams.zvfbfmin)) {
    plan.columns = shape.scalarsAtOnce;
    return plan;
  }
  const std::int64_t registers = (columns * shape.widestBits + teams.vlenBits - 1) / teams.vlenBits;
  const unsigned widest = static_cast<unsigned>(
      std::clamp<std::int64_t>(static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(registers))), 1, 8));
  const unsigned rowLimit = std::bit_floor(static_cast<unsigned>(std::clamp<std::int64_t>(rows, 1, kMostPieces)));
  auto piecesFor = [&](unsigned group) {
    const unsigned free = kRegisters / group;
    return free <= shape.constants ? 0 : std::min(kMostPieces, (free - shape.constants) / shape.liveValues);
  };
  // A step of `pieces` strips keeps the unit busy for pieces * group * registerCycles; a result takes latencyCycles,
  // part of which independent operations of a strip hide. Ends of rows want all rows side by side.
  const unsigned wanted = shape.folds && rowLimit > 1 ? rowLimit : 2;
  unsigned group = widest;
  while (group > 1 &&
         (piecesFor(group) < wanted || piecesFor(group) * group * teams.registerCycles + 1 < teams.latencyCycles))
    group /= 2;
  unsigned pieces = std::bit_floor(std::max(1u, piecesFor(group)));
  plan.lanes = Lanes{group * 64 / shape.widestBits};
  plan.rows = std::min(pieces, rowLimit);
  plan.columns = std::min(pieces / plan.rows, widest / group);
  return plan;
}

}  // namespace forerun::backends::accelerator
