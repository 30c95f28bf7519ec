//===- Units.h - quantities for people -------------------------------------------===//
// Numbers with the prefix that keeps them short.
#pragma once

#include "targets/TargetSpec.h"

#include <string>

namespace forerun::driver {

/// "51.2 GB" (powers of 1000).
std::string inBytes(double bytes);
/// "1.23 ms".
std::string inSeconds(double seconds);
/// Peak of DRAM less refresh, bytes a second.
double dramAttainable(const targets::TargetSpec& target);

}  // namespace forerun::driver
