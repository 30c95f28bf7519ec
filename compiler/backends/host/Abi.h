//===- Abi.h - between compiled kernels and who runs them -------------------===//
// A kernel becomes `void NAME(const word* arguments, word* context)`, which carries out one work item. `arguments`: a
// word a scalar and, for each buffer, its address, then its extents and its strides (in elements), outermost first.
#pragma once

#include <cstdint>

namespace forerun::backends::host {

/// Words of a context, which belongs to the thread that executes work items: a core.
enum ContextWord : std::int64_t {
  kGridX,
  kGridY,
  kGridZ,
  kArena,  ///< address of the core's on-chip memory
  kCore,
  kCores,
  kContextWords
};

/// Functions that compiled kernels call.
/// void (context, number of the stop, value): ends the launch with the error of Lowered::stops; does not return.
inline constexpr const char* kStopFunction = "forerun_host_stop";
/// void (context, count, void (*body)(frame, i), frame): body(frame, 0 .. count - 1), taking turns at waits.
inline constexpr const char* kTogetherFunction = "forerun_host_together";
/// void (context, number of the stop, const word* counter, least): returns when *counter >= least. The stop is what
/// happens when nobody is left who could make it so.
inline constexpr const char* kWaitFunction = "forerun_host_wait";
/// void (const Ordering*): sorts a line (Sorting.h).
inline constexpr const char* kSortFunction = "forerun_host_sort";

}  // namespace forerun::backends::host
