//===- LaunchState.cpp - one launch: work items, exits, marks, output -----------===//
// Work items are linear: x + gx * (y + gy * z).
#include "simulator/LaunchState.h"

#include "simulator/kernel/Error.h"

namespace forerun::sim {

LaunchState::LaunchState(const targets::TargetSpec& target, const LaunchRequest& request,
                         std::function<void(std::string_view)> output)
    : request_(request), cores_(target.cores()), teams_(target.teamsPerCore()), output_(std::move(output)) {
  unsigned __int128 items = 1;
  for (std::uint64_t extent : request.grid) {
    items *= extent;
    if (items > (std::uint64_t{1} << 62))
      throw Error(ErrorKind::IllegalProgram, "the grid has more than 2^62 work items");
  }
  items_ = static_cast<std::uint64_t>(items);
  exitCodes_.resize(std::size_t{cores_} * teams_);
  open_.resize(exitCodes_.size());
  running_ = request.firstHartOnly ? 1 : cores_ * teams_;
}

void LaunchState::mark(HartId hart, std::uint64_t id, bool begin, Cycles sinceLaunch) {
  std::vector<std::size_t>& open = open_[index(hart)];
  if (begin) {
    open.push_back(marks_.size());
    marks_.push_back({id, hart.core, hart.team, sinceLaunch, sinceLaunch});
    return;
  }
  if (open.empty() || marks_[open.back()].id != id)
    throw Error(ErrorKind::IllegalProgram,
                "xmark ends region " + std::to_string(id) + ", which is not the innermost open region of this hart");
  marks_[open.back()].end = sinceLaunch;
  open.pop_back();
}

void LaunchState::write(std::string_view text) {
  text_ += text;
  if (output_) output_(text);
}

void LaunchState::exited(HartId hart, std::uint64_t code) {
  exitCodes_[index(hart)] = code;
  --running_;
}

void LaunchState::fill(LaunchReport& report) const {
  report.output = text_;
  report.marks = marks_;
  for (std::uint64_t code : exitCodes_)
    if (code != 0) {
      report.exitCode = code;
      break;
    }
}

}  // namespace forerun::sim
