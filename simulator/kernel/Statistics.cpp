//===- Statistics.cpp - named figures of a run ------------------------------===//
// Lookup by dotted path.
#include "simulator/kernel/Statistics.h"

namespace forerun::sim {

void StatisticsTree::count(std::string name, std::string unit, std::uint64_t value) {
  figures_.push_back({std::move(name), std::move(unit), true, value, 0});
}

void StatisticsTree::real(std::string name, std::string unit, double value) {
  figures_.push_back({std::move(name), std::move(unit), false, 0, value});
}

const Statistic* StatisticsTree::find(std::string_view path) const {
  std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) {
    for (const Statistic& figure : figures_)
      if (figure.name == path) return &figure;
    return nullptr;
  }
  auto child = children_.find(std::string(path.substr(0, dot)));
  return child == children_.end() ? nullptr : child->second.find(path.substr(dot + 1));
}

}  // namespace forerun::sim
