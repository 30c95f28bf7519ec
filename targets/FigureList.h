//===- FigureList.h - collects derived figures -----------------------------===//
// Shared by the files that compute figures of a part of the chip.
#pragma once

#include "targets/Derived.h"

namespace forerun::targets {

class FigureList {
 public:
  explicit FigureList(const TargetSpec& spec) : spec(spec) {}

  void add(const std::string& name, double value, const std::string& unit, const std::string& formula) {
    figures.push_back({name, value, "", unit, formula});
  }
  void word(const std::string& name, const std::string& text, const std::string& formula) {
    figures.push_back({name, 0, text, "", formula});
  }
  /// Cycles of a clock as cycles of the reference clock, exact.
  void cycles(const std::string& name, double cycles, const std::string& clock, const std::string& formula) {
    add(name, inReference(cycles, clock), "cycles",
        formula + (clock == spec.reference ? "" : ", at the rate of clock " + clock));
  }
  double inReference(double cycles, const std::string& clock) const {
    return cycles * static_cast<double>(spec.referenceHz()) / static_cast<double>(spec.hz(clock));
  }

  const TargetSpec& spec;
  std::vector<Figure> figures;
};

void deriveTeams(FigureList& list);
void deriveEngines(FigureList& list);
void deriveCoreMemories(FigureList& list);
void deriveL2(FigureList& list);
void deriveNoc(FigureList& list);
void deriveDram(FigureList& list);

double averageHops(const TargetSpec& spec);

}  // namespace forerun::targets
