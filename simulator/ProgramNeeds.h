//===- ProgramNeeds.h - may this target run this program? -------------------------===//
// Compares the ELF note of a program with a target.
#pragma once

#include "isa/ElfNote.h"
#include "targets/TargetSpec.h"

namespace forerun::sim {

/// Throws UnsupportedFeature naming the first need that the target lacks, IllegalProgram for another ISA major or a
/// newer minor.
void checkNeeds(const isa::ElfNote& note, const targets::TargetSpec& target);

}  // namespace forerun::sim
