//===- GpuCode.h - what LLVM is told about a GPU ----------------------------===//
// The architectures that the back end takes, and the TargetMachine for one.
#pragma once

#include "targets/GpuSpec.h"

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace forerun::backends::nvptx {

/// Function attribute: bytes of dynamic shared memory that a launch of the kernel must give.
inline constexpr const char* kSharedBytesAttribute = "forerun-shared-bytes";

/// An error for an architecture or PTX version that LLVM or the back end does not know (LLVM itself would abort).
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createGpuMachine(const targets::GpuSpec& target,
                                                                      unsigned optimizationLevel);

}  // namespace forerun::backends::nvptx
