//===- Vector.h - decode and execute RISC-V vector instructions ------------===//
// The interface between a hart and the vector instruction groups: V 1.0 with Zvfh, Zvfbfmin and Zvfbfwma, for any VLEN
// from 128 to 65536.
#pragma once

#include "simulator/core/HartMemory.h"
#include "simulator/core/VectorState.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <vector>

namespace llvm {
class MCInst;
class MCRegisterInfo;
}  // namespace llvm

namespace forerun::sim::core {

/// What an instruction costs, for the timing model.
enum class VectorKind : std::uint8_t {
  Config,  ///< vsetvl and its kin: scalar results only
  IntAlu,  ///< add, logic, shift, compare, min, max, extend, fixed-point add
  IntMul,  ///< multiply, multiply-add, fractional multiply
  IntDiv,  ///< divide, remainder
  FpAdd,   ///< add, subtract, compare, min, max, sign injection, classify
  FpMul,
  FpFma,
  FpDiv,          ///< divide, square root
  FpEstimate,     ///< vfrec7, vfrsqrt7
  Convert,        ///< float to float, float to integer, integer to float
  Reduce,         ///< unordered reductions
  ReduceOrdered,  ///< vfredosum, vfwredosum: one element after the other
  Permute,        ///< slide, gather, compress
  Mask,           ///< operations on mask registers, viota, vid
  Move,           ///< merge, splat, whole-register and scalar moves
  Load,
  Store,
};

/// How a load or store walks memory.
enum class VectorAccess : std::uint8_t { None, UnitStride, FaultOnlyFirst, Strided, Indexed, WholeRegister, Mask };

/// How wide the elements of an operand are, which with LMUL gives the registers that it spans.
enum class VectorWidth : std::uint8_t {
  Unused,
  Relative,  ///< EEW = SEW * 2^shift, EMUL = LMUL * 2^shift
  Fixed,     ///< EEW = 8 * 2^shift whatever SEW is, EMUL = EEW / SEW * LMUL
  Mask,      ///< one register of bits
  Scalar,    ///< element 0 of one register, EEW = SEW * 2^shift
  Whole,     ///< `registers` whole registers, whatever vtype is
};

/// A vector register operand: a group of registers.
struct VectorGroup {
  std::uint8_t first = 0;  ///< number of its first register
  VectorWidth width = VectorWidth::Unused;
  std::int8_t shift = 0;
  std::uint8_t fields = 1;     ///< segment loads and stores: groups that follow each other
  std::uint8_t registers = 0;  ///< VectorWidth::Whole only

  bool used() const { return width != VectorWidth::Unused; }
  /// Bits of an element under `vtype`; 1 for masks, 8 for whole registers.
  unsigned elementBits(std::uint64_t vtype) const;
  /// Registers spanned under `vtype` (fields included, at least one when used); 0 when unused. `vtype` must not be vill
  /// unless Whole or Mask.
  unsigned registerCount(std::uint64_t vtype) const;
};

struct VectorContext;
struct DecodedVector;
using VectorExecutor = void (*)(VectorContext&, const DecodedVector&);

/// One decoded vector instruction: everything that does not depend on vtype, vl and register contents.
struct DecodedVector {
  VectorExecutor executor = nullptr;
  const void* operation = nullptr;  ///< entry of the group's table

  VectorKind kind = VectorKind::IntAlu;
  VectorAccess access = VectorAccess::None;
  bool masked = false;            ///< executes under the mask in v0
  bool readsV0 = false;           ///< masked, or v0 is an operand (carry, merge)
  bool readsDestination = false;  ///< vd is also a source by the instruction's definition (multiply-add); undisturbed
                                  ///< elements are not counted here
  bool writesVector = false;      ///< vd is written (false: stores, moves to scalar registers)
  bool needsVtype = true;         ///< illegal while vill is set
  bool floatingPoint = false;     ///< illegal while frm is reserved; may set fflags

  VectorGroup vd;        ///< destination; of stores the data that is stored
  VectorGroup vs1, vs2;  ///< sources; vs2 of indexed loads and stores holds the byte offsets

  /// Scalar operands: register numbers, -1 = none.
  std::int8_t xRead1 = -1;  ///< rs1: scalar operand, base address, AVL
  std::int8_t xRead2 = -1;  ///< rs2: byte stride, new vtype
  std::int8_t fRead = -1;
  std::int8_t xWritten = -1;
  std::int8_t fWritten = -1;
  std::int64_t immediate = 0;  ///< sign-extended; vtype of vsetvli and vsetivli (AVL is in `immediate2`)
  std::int64_t immediate2 = 0;

  /// Caches of execute(), no state: the last vtype under which this instruction was found legal, and whether kernels
  /// may then run on whole register groups.
  mutable std::uint64_t legalVtype = ~std::uint64_t{0};
  mutable bool direct = false;
};

/// What an instruction works on. All references outlive the call.
struct VectorContext {
  VectorState& v;
  std::uint64_t* x;  ///< 32 integer registers; x[0] stays 0
  std::uint64_t* f;  ///< 32 float registers, NaN-boxed
  HartMemory& memory;
  std::uint8_t& frm;                       ///< rounding mode CSR
  std::uint8_t& fflags;                    ///< accrued exceptions: NV 16, DZ 8, OF 4, UF 2, NX 1
  std::vector<MemoryRun>* runs = nullptr;  ///< loads and stores append what they touched, in order, contiguous elements
                                           ///< merged; null in functional mode
};

/// Decodes an MC instruction by its MC name (VADD_VV, VLE32_V, VSETVLI...). False when it is not a vector instruction
/// that is supported; isUnsupportedVector tells the known ones apart.
bool decodeVector(llvm::StringRef mcName, const llvm::MCInst& inst, const llvm::MCRegisterInfo& registers,
                  DecodedVector& decoded);

/// True for vector instructions that LLVM knows and this model refuses (crypto, dot products, fp8).
bool isUnsupportedVector(llvm::StringRef mcName);

/// Runs one instruction and leaves vstart at 0. Throws sim::Error(IllegalProgram) on reserved encodings: vill,
/// misaligned or overlapping register groups, element widths that the operation lacks, reserved rounding modes, vstart
/// where it must be 0; and what HartMemory throws.
void execute(VectorContext& context, const DecodedVector& decoded);

/// Elements that a register group of LMUL holds, 0 when `vtype` is vill or not supported at this VLEN.
std::uint64_t vlmax(std::uint32_t vlenBits, std::uint64_t vtype);

inline constexpr std::uint64_t kVtypeIllegal = std::uint64_t{1} << 63;

/// Fields of vtype.
inline unsigned sewBits(std::uint64_t vtype) { return 8u << ((vtype >> 3) & 7); }
/// log2 of LMUL, -3..3.
inline int lmulLog2(std::uint64_t vtype) { return static_cast<int>((vtype & 7) ^ 4) - 4; }

}  // namespace forerun::sim::core
