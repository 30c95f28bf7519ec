//===- VectorMultiply.cpp - single-width multiply, divide, multiply-add -----===//
// V 1.0, sections 11.10, 11.11 and 11.13.
#include "simulator/core/instructions/VectorKernels.h"
#include "simulator/core/instructions/VectorRegister.h"

// clang-format off: one operation a line, as a table

namespace forerun::sim::core {

namespace {

struct Mul { template <class T> FORERUN_INLINE T apply(T a, T b) { return static_cast<T>(static_cast<Wide<T>>(a) * b); } };
struct MulHigh {
  template <class T> FORERUN_INLINE T apply(T a, T b) {
    using S = Wide<Signed<T>>;
    return static_cast<T>(static_cast<S>(static_cast<Signed<T>>(a)) * static_cast<Signed<T>>(b) >> 8 * sizeof(T));
  }
};
struct MulHighUnsigned { template <class T> FORERUN_INLINE T apply(T a, T b) { return static_cast<T>(static_cast<Wide<T>>(a) * b >> 8 * sizeof(T)); } };
/// vs2 signed, vs1 unsigned: the unsigned product less b * 2^SEW when a is negative.
struct MulHighSignedUnsigned {
  template <class T> FORERUN_INLINE T apply(T a, T b) {
    const T high = static_cast<T>(static_cast<Wide<T>>(a) * b >> 8 * sizeof(T));
    return static_cast<T>(high - (static_cast<Signed<T>>(a) < 0 ? b : T{0}));
  }
};

// Division by zero gives all ones and the dividend as the remainder; the most negative number divided by -1 overflows to itself, remainder 0.
struct DivUnsigned { template <class T> FORERUN_INLINE T apply(T a, T b) { return b == 0 ? static_cast<T>(~T{0}) : static_cast<T>(a / b); } };
struct RemUnsigned { template <class T> FORERUN_INLINE T apply(T a, T b) { return b == 0 ? a : static_cast<T>(a % b); } };
struct DivSigned {
  template <class T> FORERUN_INLINE T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if (b == static_cast<T>(~T{0})) return static_cast<T>(0 - a);
    return static_cast<T>(static_cast<Signed<T>>(a) / static_cast<Signed<T>>(b));
  }
};
struct RemSigned {
  template <class T> FORERUN_INLINE T apply(T a, T b) {
    if (b == 0) return a;
    if (b == static_cast<T>(~T{0})) return 0;
    return static_cast<T>(static_cast<Signed<T>>(a) % static_cast<Signed<T>>(b));
  }
};

// d is vd before, a is vs2, b is vs1.
struct MultiplyAccumulate { template <class T> FORERUN_INLINE T apply(T a, T b, T d) { return static_cast<T>(d + Mul::apply(a, b)); } };
struct NegateMultiplyAccumulate { template <class T> FORERUN_INLINE T apply(T a, T b, T d) { return static_cast<T>(d - Mul::apply(a, b)); } };
struct MultiplyAdd { template <class T> FORERUN_INLINE T apply(T a, T b, T d) { return static_cast<T>(a + Mul::apply(d, b)); } };
struct NegateMultiplyAdd { template <class T> FORERUN_INLINE T apply(T a, T b, T d) { return static_cast<T>(a - Mul::apply(d, b)); } };

template <class Op>
void addBinary(VectorOperations& table, const char* name, VectorKind kind) {
  addForms(table, name, elementwise(kind, kernelsBySew<Same, Op>(table.simd())), {kVV, kVX});
}

template <class Op>
void addAccumulate(VectorOperations& table, const char* name) {
  VectorOperation o = elementwise(VectorKind::IntMul, kernelsBySew<SameAccumulate, Op>(table.simd()));
  o.readsDestination = true;
  addForms(table, name, o, {kMacVV, kMacVX});
}

}  // namespace

void addMultiplyOperations(VectorOperations& table) {
  addBinary<Mul>(table, "VMUL", VectorKind::IntMul);
  addBinary<MulHigh>(table, "VMULH", VectorKind::IntMul);
  addBinary<MulHighUnsigned>(table, "VMULHU", VectorKind::IntMul);
  addBinary<MulHighSignedUnsigned>(table, "VMULHSU", VectorKind::IntMul);
  addBinary<DivUnsigned>(table, "VDIVU", VectorKind::IntDiv);
  addBinary<DivSigned>(table, "VDIV", VectorKind::IntDiv);
  addBinary<RemUnsigned>(table, "VREMU", VectorKind::IntDiv);
  addBinary<RemSigned>(table, "VREM", VectorKind::IntDiv);
  addAccumulate<MultiplyAccumulate>(table, "VMACC");
  addAccumulate<NegateMultiplyAccumulate>(table, "VNMSAC");
  addAccumulate<MultiplyAdd>(table, "VMADD");
  addAccumulate<NegateMultiplyAdd>(table, "VNMSUB");
}

}  // namespace forerun::sim::core
