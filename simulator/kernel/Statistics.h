//===- Statistics.h - named figures of a run --------------------------------===//
// A tree of figures with units that components fill in after a run; the report prints it. Counting itself is plain
// integers in the components.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace forerun::sim {

/// One figure. Exact counts are integers; rates and shares are real.
struct Statistic {
  std::string name;
  std::string unit;  ///< "bytes", "cycles", "requests", "bytes/s", "" for a share
  bool exact = true;
  std::uint64_t count = 0;
  double real = 0;

  double value() const { return exact ? static_cast<double>(count) : real; }
};

/// A node of the tree: figures in the order added, children by name.
class StatisticsTree {
 public:
  void count(std::string name, std::string unit, std::uint64_t value);
  void real(std::string name, std::string unit, double value);
  /// The child of that name, made when absent.
  StatisticsTree& child(const std::string& name) { return children_[name]; }

  const std::vector<Statistic>& figures() const { return figures_; }
  const std::map<std::string, StatisticsTree>& children() const { return children_; }
  /// The figure at a path such as "dram.channel0.rowHits"; null when there is none.
  const Statistic* find(std::string_view path) const;

 private:
  std::vector<Statistic> figures_;
  std::map<std::string, StatisticsTree> children_;
};

}  // namespace forerun::sim
