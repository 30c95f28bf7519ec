//===- LaunchState.h - one launch: work items, exits, marks, output -------------===//
// What both modes keep about a launch beside time.
#pragma once

#include "simulator/Report.h"
#include "simulator/core/Environment.h"
#include "simulator/kernel/Cycles.h"
#include "targets/TargetSpec.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace forerun::sim {

struct LaunchRequest {
  std::uint64_t entry = 0;
  std::array<std::uint64_t, 3> grid{1, 1, 1};
  std::vector<std::uint64_t> arguments;  ///< words of the argument block, copied into every hart's private memory
  bool firstHartOnly = false;            ///< the others stay idle
  bool plainStack = false;               ///< sp points at argc = 0, as C start-up code expects
};

class LaunchState {
 public:
  LaunchState(const targets::TargetSpec& target, const LaunchRequest& request,
              std::function<void(std::string_view)> output);

  std::uint64_t items() const { return items_; }
  void mark(HartId hart, std::uint64_t id, bool begin, Cycles sinceLaunch);
  void write(std::string_view text);
  void exited(HartId hart, std::uint64_t code);

  std::uint32_t running() const { return running_; }
  bool takesPart(HartId hart) const { return !request_.firstHartOnly || (hart.core == 0 && hart.team == 0); }
  const LaunchRequest& request() const { return request_; }
  void fill(LaunchReport& report) const;

 private:
  std::size_t index(HartId hart) const { return std::size_t{hart.core} * teams_ + hart.team; }

  LaunchRequest request_;
  std::uint32_t cores_, teams_;
  std::uint64_t items_;
  std::vector<std::uint64_t> exitCodes_;
  std::vector<MarkReport> marks_;
  std::vector<std::vector<std::size_t>> open_;  ///< a hart: marks not yet ended
  std::uint32_t running_;
  std::string text_;
  std::function<void(std::string_view)> output_;
};

}  // namespace forerun::sim
