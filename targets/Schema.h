//===- Schema.h - every key of a target file, once -------------------------===//
// One walk over all keys serves the reader, overrides, the reference page and tests: a key added to `describe` is read,
// checked for, documented and walked.
#pragma once

#include "targets/GpuSpec.h"
#include "targets/HostSpec.h"
#include "targets/TargetSpec.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace forerun::targets {

enum class KeyClass {
  Label,  ///< for people; changes nothing
  Arch,   ///< code sees it: changing it may need a recompile, and an ELF note's needs are checked against it
  Timing  ///< changing it never needs a recompile
};

struct KeyDoc {
  const char* name;
  KeyClass kind;
  const char* unit;  ///< "" for none; "bytes" accepts KiB, MiB and GiB, "Hz" accepts kHz, MHz and GHz
  const char* description;
};

/// A latency of a hart by class of instruction.
struct LatencyKey {
  KeyDoc doc;
  std::uint32_t HartLatencies::* cycles;
  bool mayBeZero = false;
};
/// All of them, in file order.
llvm::ArrayRef<LatencyKey> latencyKeys();

/// A list of a spec, behind one type for all element types.
struct ListAccess {
  std::size_t size;
  llvm::function_ref<void(std::size_t)> resize;
};

/// Visits keys in file order. Values may be read or replaced.
class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual void number(const KeyDoc& key, std::uint64_t& value, std::uint64_t max) = 0;
  virtual void flag(const KeyDoc& key, bool& value) = 0;
  virtual void text(const KeyDoc& key, std::string& value) = 0;
  virtual void texts(const KeyDoc& key, std::vector<std::string>& values) = 0;
  virtual void clock(const KeyDoc& key, std::string& value) = 0;  ///< name of a clock domain
  virtual void choice(const KeyDoc& key, std::size_t& index, llvm::ArrayRef<llvm::StringRef> names) = 0;
  virtual void group(const KeyDoc& key, llvm::function_ref<void()> body) = 0;
  /// A group that may be the word `none`; the visitor says in `present` whether it is there, and visits the body only
  /// then.
  virtual void optionalGroup(const KeyDoc& key, bool& present, llvm::function_ref<void()> body) = 0;
  virtual void list(const KeyDoc& key, ListAccess access, llvm::function_ref<void(std::size_t)> item) = 0;

  void number(const KeyDoc& key, std::uint32_t& value) {
    std::uint64_t wide = value;
    number(key, wide, std::numeric_limits<std::uint32_t>::max());
    value = static_cast<std::uint32_t>(wide);
  }
  void number(const KeyDoc& key, std::uint64_t& value) { number(key, value, std::numeric_limits<std::int64_t>::max()); }
};

/// Walks every key of `spec`.
void describe(Visitor& visitor, TargetSpec& spec);
void describe(Visitor& visitor, GpuSpec& spec);
void describe(Visitor& visitor, HostSpec& spec);
using KeyWalk = llvm::function_ref<void(Visitor&)>;  ///< one of the above on some spec

/// One key of a spec with its value as a target file spells it.
struct KeyValue {
  std::string path;  ///< "teams.0.issue.scalar"
  std::string value;
  KeyDoc doc;
  bool isClock = false;
  std::vector<std::string> choices;  ///< of a key with fixed words (flags: false, true)
  bool isNumber = false;
};
std::vector<KeyValue> listKeys(const TargetSpec& spec);

/// Sets one key by its path. Empty on success, else what is wrong, without the path: "no such key; did you mean
/// 'count'?".
std::string setKey(KeyWalk walk, llvm::StringRef path, llvm::StringRef value);

/// The reference of target files in Markdown: every key with unit, class and meaning.
std::string schemaReference();

// Words and numbers as target files spell them, shared by reader and overrides. Empty on success, else what is wrong.
std::string parseNumber(llvm::StringRef text, const KeyDoc& key, std::uint64_t max, std::uint64_t& value);
std::string parseFlag(llvm::StringRef text, bool& value);
std::string parseChoice(llvm::StringRef text, llvm::ArrayRef<llvm::StringRef> names, std::size_t& index);
/// "; did you mean 'count'?" or "".
std::string suggestion(llvm::StringRef text, llvm::ArrayRef<std::string> candidates);

}  // namespace forerun::targets
