//===- ElfNote.h - what a program says it needs ----------------------------===//
// Section .note.forerun: ISA version and needs, see docs/machine-contract.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace forerun::isa {

inline constexpr std::string_view kNoteSection = ".note.forerun";
/// What failed checks say: NUL-terminated texts, the k-th of check k.
inline constexpr std::string_view kChecksSection = ".forerun.checks";
/// Names of profiled regions: NUL-terminated, the k-th of the region with id k.
inline constexpr std::string_view kMarksSection = ".forerun.marks";
inline constexpr std::string_view kNoteOwner = "Forerun";
inline constexpr std::uint32_t kNoteType = 1;

/// One need: "xfr.dma", "scratch>=393216", "matrix.rows=32".
struct Need {
  enum class Relation { Present, AtLeast, Equal };
  std::string name;
  Relation relation = Relation::Present;
  std::uint64_t value = 0;

  bool operator==(const Need&) const = default;
};

/// nullopt when the text is not NAME, NAME>=NUMBER or NAME=NUMBER (decimal; names of letters, digits, dots and
/// underscores).
std::optional<Need> parseNeed(std::string_view text);
std::string toString(const Need& need);

struct ElfNote {
  std::uint32_t major = 0, minor = 0;
  std::vector<Need> needs;
};

/// Bytes of the section: one note, little-endian, padded to 4 bytes.
std::vector<std::uint8_t> buildNote(const ElfNote& note);

/// Reads a section that may hold several notes, as linking several objects leaves it: the needs of all, each once; the
/// newest minor. Notes of other owners and types are skipped. nullopt and a message when the bytes are malformed, when
/// majors differ, or when there is no note of ours.
std::optional<ElfNote> parseNotes(std::span<const std::uint8_t> section, std::string& error);

}  // namespace forerun::isa
