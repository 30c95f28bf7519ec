//===- VectorRegister.h - entries that differ by operand form alone --------===//
// Adds the .vv, .vx, .vi, .vf... variants of one element-wise operation to the table.
#pragma once

#include "simulator/core/instructions/VectorElementwise.h"

#include <initializer_list>
#include <string>

namespace forerun::sim::core {

/// Defaults of an element-wise operation vd = op(vs2, vs1) on SEW elements.
inline VectorOperation elementwise(VectorKind kind, const std::array<ElementwiseKernel, 4>& kernels) {
  VectorOperation o;
  o.kind = kind;
  o.vd = o.vs2 = o.vs1 = kSame;
  o.executor = executeElementwise;
  o.kernels = kernels;
  return o;
}

/// Adds NAME_SUFFIX for each form; forms without vs1 clear it.
struct FormSuffix {
  const char* suffix;
  VectorForm form;
};
inline void addForms(VectorOperations& table, llvm::StringRef name, VectorOperation o,
                     std::initializer_list<FormSuffix> forms) {
  const OperandWidth vs1 = o.vs1;
  for (const FormSuffix& form : forms) {
    o.form = form.form;
    const bool vector =
        form.form == VectorForm::VV || form.form == VectorForm::MacVV || form.form == VectorForm::SplatV;
    o.vs1 = vector ? vs1 : kNone;
    table.add(name.str() + "_" + form.suffix, o);
  }
}

inline constexpr FormSuffix kVV{"VV", VectorForm::VV}, kVX{"VX", VectorForm::VX}, kVI{"VI", VectorForm::VI},
    kVF{"VF", VectorForm::VF};
inline constexpr FormSuffix kWV{"WV", VectorForm::VV}, kWX{"WX", VectorForm::VX}, kWI{"WI", VectorForm::VI},
    kWF{"WF", VectorForm::VF};
inline constexpr FormSuffix kMacVV{"VV", VectorForm::MacVV}, kMacVX{"VX", VectorForm::MacVX},
    kMacVF{"VF", VectorForm::MacVF};

}  // namespace forerun::sim::core
