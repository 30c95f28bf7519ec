//===- Needs.h - does a target have what a program needs -------------------===//
// Needs of the ELF note (isa/ElfNote.h, docs/machine-contract.md) against a target.
#pragma once

#include "isa/ElfNote.h"
#include "targets/TargetSpec.h"

#include <string>
#include <vector>

namespace forerun::targets {

/// "" when the target has it, else what is missing: "needs scratch>=393216, but the target has 262144". A need that is
/// not known is missing.
std::string missing(const TargetSpec& spec, const isa::Need& need);

/// The needs that `missing` understands, with the value that a target has (1 for features): for lists and for the
/// compiler.
std::vector<std::pair<std::string, std::uint64_t>> provided(const TargetSpec& spec);

}  // namespace forerun::targets
