//===- Axis.cpp - names and hierarchies of axes ----------------------------===//
// Derives the axes "unit of unit" from the list of a machine's units.
#include "compiler/dialect/layout/Axis.h"

#include "compiler/dialect/layout/Arithmetic.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace forerun::layout {

llvm::Expected<Axis> Axis::make(llvm::StringRef name) {
  const bool valid = !name.empty() && llvm::isAlpha(name.front()) &&
                     llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!valid)
    return llvm::createStringError("'" + name + "' is no axis name: write a letter, then letters, digits or '_'");
  if (name.size() > kMaxLength)
    return llvm::createStringError("axis name '" + name + "' has " + llvm::Twine(name.size()) +
                                   " characters; use at most " + llvm::Twine(kMaxLength));
  Axis axis;
  axis.text_ = {};
  llvm::copy(name, axis.text_.begin());
  return axis;
}

llvm::Error AxisSet::add(AxisInfo info) {
  if (find(info.name)) return llvm::createStringError("axis '" + info.name.name() + "' is there already");
  axes_.push_back(info);
  return llvm::Error::success();
}

llvm::Error AxisSet::addHierarchy(llvm::ArrayRef<Level> levels) {
  const Axis root = levels.empty() ? Axis() : levels.front().unit;
  std::int64_t weight = 1;  // of the unit at hand, in finest units
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Level& level = levels[i];
    if (level.count < 0)
      return llvm::createStringError("unit '" + level.unit.name() +
                                     "' has a negative count; write 0 where it is not known");
    const bool coarsest = i + 1 == levels.size();
    bool placed = coarsest && level.within == level.unit;
    std::int64_t extent = level.count;  // units of this level in the unit at hand
    if (placed)
      if (llvm::Error error = add({level.unit, AxisKind::Team, extent, level.unit, root, weight})) return error;
    for (std::size_t outer = i + 1; outer < levels.size(); ++outer) {
      const Axis parent = levels[outer].unit;
      Axis name = level.unit;
      if (parent == level.within) {
        placed = true;
      } else {
        auto qualified = Axis::make((level.unit.name() + "_of_" + parent.name()).str());
        if (!qualified) return qualified.takeError();
        name = *qualified;
      }
      if (llvm::Error error = add({name, AxisKind::Team, extent, parent, root, weight})) return error;
      extent = multiply(extent, levels[outer].count);
    }
    if (!placed)
      return llvm::createStringError("unit '" + level.unit.name() + "' counts within '" + level.within.name() +
                                     "', which is not a coarser unit of the list");
    weight = multiply(weight, level.count);
  }
  return llvm::Error::success();
}

const AxisInfo* AxisSet::find(Axis name) const {
  const auto found = llvm::find_if(axes_, [&](const AxisInfo& info) { return info.name == name; });
  return found == axes_.end() ? nullptr : &*found;
}

}  // namespace forerun::layout
