//===- DescriptorFields.h - short names for descriptor fields ---------------===//
// Numbers come from the ISA tables; dimension d of a field group is group + d.
#pragma once

#include "isa/Encoding.h"
#include "mlir/IR/Types.h"

namespace forerun::backends::accelerator {

inline constexpr unsigned kFieldBase = static_cast<unsigned>(isa::DescriptorField::Base);
inline constexpr unsigned kFieldExtent0 = static_cast<unsigned>(isa::DescriptorField::Extent0);
inline constexpr unsigned kFieldStride0 = static_cast<unsigned>(isa::DescriptorField::Stride0);
inline constexpr unsigned kFieldLow0 = static_cast<unsigned>(isa::DescriptorField::Low0);
inline constexpr unsigned kFieldType = static_cast<unsigned>(isa::DescriptorField::Type);
inline constexpr unsigned kFieldFill = static_cast<unsigned>(isa::DescriptorField::Fill);
inline constexpr unsigned kFieldQueue = static_cast<unsigned>(isa::DescriptorField::Queue);
inline constexpr unsigned kFieldCredit = static_cast<unsigned>(isa::DescriptorField::Credit);
inline constexpr unsigned kFieldReset = static_cast<unsigned>(isa::DescriptorField::Reset);

/// Value of the type field for an element type of the dialect.
unsigned elementTypeCode(mlir::Type element);

}  // namespace forerun::backends::accelerator
