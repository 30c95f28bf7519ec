//===- VectorOperation.h - the table behind decodeVector -------------------===//
// One entry a mnemonic: how its operands are read from an MC instruction, what they span, and which code runs it.
// Private to the instruction groups.
#pragma once

#include "simulator/core/instructions/Vector.h"

#include "llvm/ADT/StringMap.h"

#include <array>
#include <cstddef>
#include <string>

namespace forerun::sim::core {

/// Order of MC operands. [vm] is the optional mask at the end.
enum class VectorForm : std::uint8_t {
  VV,       ///< vd, vs2, vs1, [vm]
  VX,       ///< vd, vs2, rs1, [vm]
  VI,       ///< vd, vs2, immediate, [vm]
  VF,       ///< vd, vs2, fs1, [vm]
  MacVV,    ///< vd, vd, vs1, vs2, [vm]
  MacVX,    ///< vd, vd, rs1, vs2, [vm]
  MacVF,    ///< vd, vd, fs1, vs2, [vm]
  Unary,    ///< vd, vs2, [vm]
  Nullary,  ///< vd, [vm]
  SplatV,   ///< vd, vs1
  SplatX,   ///< vd, rs1
  SplatI,   ///< vd, immediate
  SplatF,   ///< vd, fs1
  InsertX,  ///< vd, vd, rs1
  InsertF,  ///< vd, vd, fs1
  ToX,      ///< rd, vs2, [vm]
  ToF,      ///< fd, vs2
  Memory,   ///< vd, rs1, [vm]
  Strided,  ///< vd, rs1, rs2, [vm]
  Indexed,  ///< vd, rs1, vs2, [vm]
  SetVli,   ///< rd, rs1, vtype
  SetIvli,  ///< rd, immediate AVL, vtype
  SetVl,    ///< rd, rs1, rs2
};

/// Width of an operand before its register number is known.
struct OperandWidth {
  VectorWidth width = VectorWidth::Unused;
  std::int8_t shift = 0;
};
inline constexpr OperandWidth kSame{VectorWidth::Relative, 0};  ///< SEW
inline constexpr OperandWidth kWide{VectorWidth::Relative, 1};  ///< 2 * SEW
inline constexpr OperandWidth kBits{VectorWidth::Mask, 0};      ///< mask register
inline constexpr OperandWidth kScalar{VectorWidth::Scalar, 0};  ///< element 0
inline constexpr OperandWidth kWideScalar{VectorWidth::Scalar, 1};
inline constexpr OperandWidth kNone{};

/// Element widths that an operation exists for: bit k = SEW 8 << k.
inline constexpr std::uint8_t kSew8To64 = 0b1111, kSew8To32 = 0b0111, kSew16To64 = 0b1110, kSew16To32 = 0b0110,
                              kSew16 = 0b0010;

/// Which overlap of destination and sources is reserved.
enum class OverlapRule : std::uint8_t {
  Normal,  ///< section 5.2 of the specification
  Never,   ///< no overlap with any source, v0 included when read: slides up, gathers, compress, viota, vmsbf...
  Free,    ///< scalar destination (reductions, vmv.s.x), stores, whole registers: anything goes
};

/// What an inactive element is replaced by so that computing it anyway raises no floating-point flag and does not
/// saturate.
enum class InactiveValue : std::uint8_t { AsIs, FloatOne, Zero };

/// Per-call state of element-wise kernels.
struct ElementwiseState {
  unsigned vxrm = 0;
  unsigned frm = 0;
  unsigned flags = 0;  ///< fflags raised beyond those in the host's register
  bool saturated = false;
  std::uint64_t fill = 0;               ///< what inactive source elements become (VectorElementwise.cpp)
  const std::uint8_t* carry = nullptr;  ///< one byte (0 or 1) an element from v0, for carry and merge operands
};

/// d[i] = op(a[i], b[i]) for i < n, where a is vs2, b is vs1 or the splatted scalar; d is old vd where the operation
/// reads it. d is one byte (0 or 1) an element for mask destinations. d may be the same array as a or b, but never
/// partly overlaps them.
using ElementwiseKernel = void (*)(void* d, const void* a, const void* b, std::size_t n, ElementwiseState& state);

struct VectorOperation {
  VectorKind kind = VectorKind::IntAlu;
  VectorForm form = VectorForm::VV;
  OperandWidth vd, vs2, vs1;
  VectorExecutor executor = nullptr;
  std::uint8_t sewMask = kSew8To64;
  OverlapRule overlap = OverlapRule::Normal;
  VectorAccess access = VectorAccess::None;
  bool readsDestination = false;
  bool carry = false;       ///< v0 is a data operand
  bool zeroVstart = false;  ///< vstart other than 0 is refused
  bool floatingPoint = false;
  bool bfloat = false;         ///< SEW-wide float operands are bf16
  std::uint8_t fields = 1;     ///< segments
  std::uint8_t registers = 0;  ///< whole-register operations
  InactiveValue inactive = InactiveValue::AsIs;
  std::array<ElementwiseKernel, 4> kernels{};      ///< by SEW
  std::array<ElementwiseKernel, 4> slowKernels{};  ///< rounding modes that the host lacks
  std::array<VectorExecutor, 4> bySew{};           ///< with executeBySew: the executor for each SEW
  int variant = 0;                                 ///< for executors of their own
};

/// True when the host has AVX2, FMA and F16C.
bool hostHasSimd();

class VectorOperations {
 public:
  /// `simd`: kernels may use AVX2, FMA and F16C.
  explicit VectorOperations(bool simd);
  const VectorOperation* find(llvm::StringRef mcName) const;
  void add(llvm::StringRef mcName, const VectorOperation& operation);
  bool simd() const { return simd_; }

 private:
  llvm::StringMap<VectorOperation> byName_;
  bool simd_;
};

/// decodeVector with a table of the caller, which outlives what it decodes. Tests compare tables with and without SIMD.
bool decodeVectorWith(const VectorOperations& table, llvm::StringRef mcName, const llvm::MCInst& inst,
                      const llvm::MCRegisterInfo& registers, DecodedVector& decoded);

void addConfigOperations(VectorOperations& table);
void addIntegerOperations(VectorOperations& table);
void addMultiplyOperations(VectorOperations& table);
void addWideningOperations(VectorOperations& table);
void addFixedPointOperations(VectorOperations& table);
void addFloatOperations(VectorOperations& table);
void addFloatCompareOperations(VectorOperations& table);
void addFloatWideningOperations(VectorOperations& table);
void addFloatReduceOperations(VectorOperations& table);
void addConvertOperations(VectorOperations& table);
void addReduceOperations(VectorOperations& table);
void addMaskOperations(VectorOperations& table);
void addPermuteOperations(VectorOperations& table);
void addMemoryOperations(VectorOperations& table);

/// Throws IllegalProgram unless `decoded` is legal under `vtype` (VectorLegality.cpp).
void checkLegal(const DecodedVector& decoded, const VectorOperation& operation, std::uint64_t vtype);
/// True when an element-wise kernel may be given the register groups themselves: no mask operands, no partial overlap
/// (VectorElementwise.cpp).
bool runsDirectly(const DecodedVector& decoded, const VectorOperation& operation, std::uint64_t vtype);
[[noreturn]] void refuse(const std::string& why);

inline const VectorOperation& operationOf(const DecodedVector& d) {
  return *static_cast<const VectorOperation*>(d.operation);
}
/// log2 of the bytes of SEW.
inline unsigned sewLog2Bytes(std::uint64_t vtype) { return (vtype >> 3) & 3; }
/// VectorExecutor that picks from VectorOperation::bySew.
inline void executeBySew(VectorContext& context, const DecodedVector& decoded) {
  operationOf(decoded).bySew[sewLog2Bytes(context.v.vtype)](context, decoded);
}

}  // namespace forerun::sim::core
