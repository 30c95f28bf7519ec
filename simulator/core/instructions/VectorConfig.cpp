//===- VectorConfig.cpp - vsetvli, vsetivli, vsetvl -------------------------===//
// Sets vtype and vl (V 1.0, chapter 6).
#include "simulator/core/instructions/VectorOperation.h"

#include <algorithm>

namespace forerun::sim::core {

std::uint64_t vlmax(std::uint32_t vlenBits, std::uint64_t vtype) {
  constexpr unsigned kElenBits = 64;
  if (vtype >> 8) return 0;                                // vill or reserved bits
  if ((vtype >> 3 & 7) > 3 || (vtype & 7) == 4) return 0;  // SEW above ELEN; reserved LMUL
  unsigned sew = sewBits(vtype);
  int lmul = lmulLog2(vtype);
  if (lmul < 0 && sew > kElenBits >> -lmul) return 0;  // SEW <= ELEN * LMUL
  std::uint64_t perRegister = vlenBits / sew;
  return lmul >= 0 ? perRegister << lmul : perRegister >> -lmul;
}

namespace {

void executeConfig(VectorContext& c, const DecodedVector& d) {
  const VectorForm form = operationOf(d).form;
  VectorState& v = c.v;
  const std::uint64_t vtype = form == VectorForm::SetVl ? c.x[d.xRead2] : static_cast<std::uint64_t>(d.immediate);
  const std::uint64_t limit = vlmax(v.vlenBits, vtype);
  if (limit == 0) {
    v.vtype = kVtypeIllegal;
    v.vl = 0;
  } else {
    std::uint64_t avl;
    if (form == VectorForm::SetIvli)
      avl = static_cast<std::uint64_t>(d.immediate2);
    else if (d.xRead1 > 0)
      avl = c.x[d.xRead1];
    else if (d.xWritten > 0)
      avl = limit;  // rs1 = x0, rd != x0: VLMAX
    else
      avl = v.vl;  // both x0: keep vl
    v.vtype = vtype;
    v.vl = std::min(avl, limit);
  }
  if (d.xWritten > 0) c.x[d.xWritten] = v.vl;
}

}  // namespace

void addConfigOperations(VectorOperations& table) {
  VectorOperation o;
  o.kind = VectorKind::Config;
  o.executor = executeConfig;
  o.overlap = OverlapRule::Free;
  o.form = VectorForm::SetVli;
  table.add("VSETVLI", o);
  o.form = VectorForm::SetIvli;
  table.add("VSETIVLI", o);
  o.form = VectorForm::SetVl;
  table.add("VSETVL", o);
}

}  // namespace forerun::sim::core
