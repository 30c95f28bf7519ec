//===- Units.cpp - quantities for people ----------------------------------------===//
// Three digits are enough to compare; JSON has them all.
#include "compiler/driver/Units.h"

#include "targets/Derived.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace forerun::driver {

namespace {

std::string scaled(double value, const char* format, const char* unit) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(format, value) << " " << unit;
  return text;
}

}  // namespace

std::string inBytes(double bytes) {
  if (bytes < 1000) return scaled(bytes, "%.0f", "B");
  if (bytes < 1e6) return scaled(bytes / 1e3, "%.1f", "kB");
  if (bytes < 1e9) return scaled(bytes / 1e6, "%.1f", "MB");
  if (bytes < 1e12) return scaled(bytes / 1e9, "%.1f", "GB");
  return scaled(bytes / 1e12, "%.2f", "TB");
}

std::string inSeconds(double seconds) {
  if (seconds < 1e-3) return scaled(seconds * 1e6, "%.2f", "us");
  if (seconds < 1) return scaled(seconds * 1e3, "%.2f", "ms");
  return scaled(seconds, "%.2f", "s");
}

double dramAttainable(const targets::TargetSpec& target) { return targets::dramAttainableBytesPerSecond(target); }

}  // namespace forerun::driver
