//===- VectorLegality.cpp - reserved register groups ------------------------===//
// Which combinations of register numbers, SEW and LMUL an instruction may not use (V 1.0, sections 3.4.2, 5.2, 5.3
// and 7.8).
#include "simulator/core/instructions/VectorOperation.h"
#include "simulator/kernel/Error.h"

#include <string>

namespace forerun::sim::core {

void refuse(const std::string& why) { throw Error(ErrorKind::IllegalProgram, why); }

namespace {

/// log2 of EMUL.
int emulLog2(const VectorGroup& group, std::uint64_t vtype) {
  if (group.width == VectorWidth::Relative) return lmulLog2(vtype) + group.shift;
  if (group.width == VectorWidth::Fixed) return lmulLog2(vtype) + group.shift - static_cast<int>(sewLog2Bytes(vtype));
  return 0;
}

/// Registers of one field.
unsigned registersPerField(const VectorGroup& group, std::uint64_t vtype) {
  if (group.width == VectorWidth::Whole) return group.registers;
  int emul = emulLog2(group, vtype);
  return emul > 0 ? 1u << emul : 1u;
}

std::string registerName(const VectorGroup& group) { return "v" + std::to_string(group.first); }

void checkGroup(const VectorGroup& group, std::uint64_t vtype) {
  if (!group.used() || group.width == VectorWidth::Mask) return;
  if (group.width != VectorWidth::Whole) {
    unsigned bits = group.elementBits(vtype);
    if (bits < 8 || bits > 64)
      refuse("vector element width of " + std::to_string(bits) + " bits does not exist: SEW is " +
             std::to_string(sewBits(vtype)));
    int emul = emulLog2(group, vtype);
    if (emul < -3 || emul > 3)
      refuse("vector register group of " + registerName(group) + " has EMUL 2^" + std::to_string(emul) +
             ", allowed are 1/8 to 8");
    if (group.width == VectorWidth::Scalar) return;
  }
  unsigned each = registersPerField(group, vtype);
  if (group.first % each != 0)
    refuse("vector register " + registerName(group) + " does not start a group of " + std::to_string(each) +
           " registers");
  if (each * group.fields > 8 || group.first + each * group.fields > 32)
    refuse("segment of " + std::to_string(group.fields) + " fields of " + std::to_string(each) + " registers from " +
           registerName(group) + " does not fit");
}

bool overlaps(unsigned first, unsigned count, unsigned otherFirst, unsigned otherCount) {
  return first < otherFirst + otherCount && otherFirst < first + count;
}

void checkOverlap(const VectorGroup& destination, const VectorGroup& source, OverlapRule rule, std::uint64_t vtype) {
  if (!source.used()) return;
  unsigned count = destination.registerCount(vtype), sourceCount = source.registerCount(vtype);
  if (!overlaps(destination.first, count, source.first, sourceCount)) return;
  if (rule == OverlapRule::Never)
    refuse("destination " + registerName(destination) + " must not overlap source " + registerName(source));
  unsigned bits = destination.elementBits(vtype), sourceBits = source.elementBits(vtype);
  if (bits == sourceBits) return;
  // Narrower results may overwrite the lowest part of the source; wider ones may end where a whole-register source
  // ends.
  bool legal = bits < sourceBits ? destination.first == source.first
                                 : emulLog2(source, vtype) >= 0 && source.width != VectorWidth::Mask &&
                                       destination.first + count == source.first + sourceCount;
  if (!legal)
    refuse("destination " + registerName(destination) + " with elements of " + std::to_string(bits) +
           " bits overlaps source " + registerName(source) + " with elements of " + std::to_string(sourceBits) +
           " bits in a reserved way");
}

}  // namespace

unsigned VectorGroup::elementBits(std::uint64_t vtype) const {
  switch (width) {
    case VectorWidth::Relative:
    case VectorWidth::Scalar:
      return shift >= 0 ? sewBits(vtype) << shift : sewBits(vtype) >> -shift;
    case VectorWidth::Fixed:
      return 8u << shift;
    case VectorWidth::Mask:
      return 1;
    case VectorWidth::Whole:
      return 8;
    case VectorWidth::Unused:
      return 0;
  }
  return 0;
}

unsigned VectorGroup::registerCount(std::uint64_t vtype) const {
  return used() ? registersPerField(*this, vtype) * fields : 0;
}

void checkLegal(const DecodedVector& d, const VectorOperation& operation, std::uint64_t vtype) {
  if (d.needsVtype) {
    if (vtype & kVtypeIllegal)
      refuse("vector instruction while vtype is illegal (vill): no vsetvli with a supported type came before");
    if (!(operation.sewMask >> sewLog2Bytes(vtype) & 1))
      refuse("vector operation does not exist for SEW " + std::to_string(sewBits(vtype)));
  }
  checkGroup(d.vd, vtype);
  checkGroup(d.vs1, vtype);
  checkGroup(d.vs2, vtype);
  if (!d.writesVector || operation.overlap == OverlapRule::Free) return;
  // Indexed segment loads are restartable only without overlap (section 7.8.3).
  OverlapRule rule = d.vd.fields > 1 ? OverlapRule::Never : operation.overlap;
  checkOverlap(d.vd, d.vs1, rule, vtype);
  checkOverlap(d.vd, d.vs2, rule, vtype);
  if (d.readsV0 && overlaps(d.vd.first, d.vd.registerCount(vtype), 0, 1) &&
      (d.vd.width != VectorWidth::Mask || rule == OverlapRule::Never))
    refuse("destination overlaps the mask register v0");
}

}  // namespace forerun::sim::core
