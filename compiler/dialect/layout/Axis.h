//===- Axis.h - what a layout's coordinates count --------------------------===//
// Named, typed axes and the sets of them that a machine has. No extent is built in: sets come from target files.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <vector>

namespace forerun::layout {

/// Name of an axis: a letter, then letters, digits and '_', 16 characters at most. A plain value of two words, so that
/// layouts copy and compare without a table of names.
class Axis {
 public:
  static constexpr std::size_t kMaxLength = 16;

  /// The memory axis `m`, counted in elements of the buffer.
  constexpr Axis() : text_{'m'} {}
  /// A name known at compile time.
  template <std::size_t N>
  consteval explicit Axis(const char (&name)[N]) {
    static_assert(N > 1 && N <= kMaxLength + 1);
    std::copy_n(name, N - 1, text_.begin());
  }
  /// Fails on what is not a name.
  static llvm::Expected<Axis> make(llvm::StringRef name);

  llvm::StringRef name() const { return {text_.data(), length()}; }
  friend bool operator==(const Axis&, const Axis&) = default;
  friend auto operator<=>(const Axis&, const Axis&) = default;

 private:
  std::size_t length() const {
    return static_cast<std::size_t>(std::find(text_.begin(), text_.end(), '\0') - text_.begin());
  }
  std::array<char, kMaxLength> text_{};
};

enum class AxisKind { Memory, Team };

struct AxisInfo {
  Axis name;
  AxisKind kind = AxisKind::Team;
  std::int64_t extent = 0;  ///< coordinates are 0 ... extent - 1; 0: not bounded by the set
  Axis parent;              ///< what it subdivides; itself when it subdivides nothing
  Axis root;                ///< axis of the finest unit of its hierarchy; itself when it belongs to none
  std::int64_t weight = 1;  ///< finest units in one step; 0: not known
};

/// One unit of a hierarchy: `lane`, `team`...
struct Level {
  Axis unit;
  std::int64_t count = 0;  ///< how many the next coarser unit holds; 0: not known before launch
  Axis within;  ///< the unit that the plain name counts in (`team` counts teams of a core, even where groups lie
                ///< between)
};

/// The axes of a machine, with the units that subdivide one another.
class AxisSet {
 public:
  /// Adds an axis; fails when the name is taken.
  llvm::Error add(AxisInfo info);
  /// Adds team axes for units given finest first. Unit U gets the axis `U` (in its `within`) and, for each other
  /// coarser unit V, the axis `U_of_V`. Fails on a unit whose `within` is not coarser (the coarsest may name itself),
  /// on negative counts and on taken or too long names.
  llvm::Error addHierarchy(llvm::ArrayRef<Level> levels);

  const AxisInfo* find(Axis name) const;
  llvm::ArrayRef<AxisInfo> all() const { return axes_; }

 private:
  std::vector<AxisInfo> axes_;
};

}  // namespace forerun::layout
