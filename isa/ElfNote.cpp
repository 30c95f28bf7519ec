//===- ElfNote.cpp - build and read the program's note ---------------------===//
// Bytes in, bytes out: ELF files themselves are read by others.
#include "isa/ElfNote.h"

#include <algorithm>
#include <charconv>

namespace forerun::isa {
namespace {

constexpr std::size_t kHeaderBytes = 12;

std::size_t padded(std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; }

void append32(std::vector<std::uint8_t>& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

void appendString(std::vector<std::uint8_t>& out, std::string_view text) {
  out.insert(out.end(), text.begin(), text.end());
  out.push_back(0);
}

std::uint32_t read32(std::span<const std::uint8_t> bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value |= static_cast<std::uint32_t>(bytes[at + i]) << (8 * i);
  return value;
}

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
}

/// Adds the contents of one descriptor to `note`.
bool readDescriptor(std::span<const std::uint8_t> bytes, bool first, ElfNote& note, std::string& error) {
  if (bytes.size() < 8) {
    error = ".note.forerun: the note is too short to hold a version";
    return false;
  }
  const std::uint32_t major = read32(bytes, 0), minor = read32(bytes, 4);
  if (!first && major != note.major) {
    error = ".note.forerun: objects of ISA versions " + std::to_string(note.major) + " and " + std::to_string(major) +
            " are linked together";
    return false;
  }
  note.major = major;
  note.minor = first ? minor : std::max(note.minor, minor);
  for (auto rest = bytes.subspan(8); !rest.empty();) {
    const auto end = std::find(rest.begin(), rest.end(), 0);
    if (end == rest.end()) {
      error = ".note.forerun: a need does not end in a zero byte";
      return false;
    }
    const std::string text(rest.begin(), end);
    rest = rest.subspan(text.size() + 1);
    if (text.empty()) continue;  // an assembler may have padded the descriptor
    const auto need = parseNeed(text);
    if (!need) {
      error = ".note.forerun: '" + text + "' is not a need; expected NAME, NAME>=NUMBER or NAME=NUMBER";
      return false;
    }
    if (std::find(note.needs.begin(), note.needs.end(), *need) == note.needs.end()) note.needs.push_back(*need);
  }
  return true;
}

}  // namespace

std::optional<Need> parseNeed(std::string_view text) {
  Need need;
  const std::size_t end = std::min(text.find_first_of(">="), text.size());
  need.name = text.substr(0, end);
  if (need.name.empty() || !std::all_of(need.name.begin(), need.name.end(), isNameCharacter)) return std::nullopt;
  if (end == text.size()) return need;
  const bool atLeast = text.substr(end, 2) == ">=";
  if (!atLeast && text[end] != '=') return std::nullopt;
  need.relation = atLeast ? Need::Relation::AtLeast : Need::Relation::Equal;
  const std::string_view number = text.substr(end + (atLeast ? 2 : 1));
  const auto [stop, code] = std::from_chars(number.data(), number.data() + number.size(), need.value);
  if (code != std::errc() || stop != number.data() + number.size()) return std::nullopt;
  return need;
}

std::string toString(const Need& need) {
  if (need.relation == Need::Relation::Present) return need.name;
  return need.name + (need.relation == Need::Relation::AtLeast ? ">=" : "=") + std::to_string(need.value);
}

std::vector<std::uint8_t> buildNote(const ElfNote& note) {
  std::vector<std::uint8_t> descriptor;
  append32(descriptor, note.major);
  append32(descriptor, note.minor);
  for (const Need& need : note.needs) appendString(descriptor, toString(need));
  std::vector<std::uint8_t> out;
  append32(out, static_cast<std::uint32_t>(kNoteOwner.size() + 1));
  append32(out, static_cast<std::uint32_t>(descriptor.size()));
  append32(out, kNoteType);
  appendString(out, kNoteOwner);
  out.resize(padded(out.size()));
  out.insert(out.end(), descriptor.begin(), descriptor.end());
  out.resize(padded(out.size()));
  return out;
}

std::optional<ElfNote> parseNotes(std::span<const std::uint8_t> section, std::string& error) {
  ElfNote note;
  bool found = false;
  while (!section.empty()) {
    if (section.size() < kHeaderBytes) {
      error = ".note.forerun: a note header is cut short";
      return std::nullopt;
    }
    const std::size_t nameBytes = read32(section, 0), descriptorBytes = read32(section, 4);
    const std::size_t descriptorAt = kHeaderBytes + padded(nameBytes);
    if (descriptorAt > section.size() || descriptorBytes > section.size() - descriptorAt) {
      error = ".note.forerun: a note is cut short";
      return std::nullopt;
    }
    const auto owner = section.subspan(kHeaderBytes, nameBytes);
    const bool ours = nameBytes == kNoteOwner.size() + 1 && owner.back() == 0 &&
                      std::equal(kNoteOwner.begin(), kNoteOwner.end(), owner.begin());
    if (ours && read32(section, 8) == kNoteType) {
      if (!readDescriptor(section.subspan(descriptorAt, descriptorBytes), !found, note, error)) return std::nullopt;
      found = true;
    }
    section = section.subspan(std::min(descriptorAt + padded(descriptorBytes), section.size()));
  }
  if (!found) {
    error = ".note.forerun: no note of owner Forerun and type 1";
    return std::nullopt;
  }
  return note;
}

}  // namespace forerun::isa
