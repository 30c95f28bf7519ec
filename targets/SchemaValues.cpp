//===- SchemaValues.cpp - words and numbers of target files ----------------===//
// Parsing of single values, and the list of all keys with theirs.
#include "targets/Schema.h"

#include <llvm/ADT/StringExtras.h>

namespace forerun::targets {
namespace {

struct Suffix {
  llvm::StringRef unit, text;
  std::uint64_t factor;
};
constexpr Suffix kSuffixes[] = {{"bytes", "KiB", std::uint64_t{1} << 10},
                                {"bytes", "MiB", std::uint64_t{1} << 20},
                                {"bytes", "GiB", std::uint64_t{1} << 30},
                                {"Hz", "kHz", 1000},
                                {"Hz", "MHz", 1000000},
                                {"Hz", "GHz", 1000000000}};

class Lister : public Visitor {
 public:
  std::vector<KeyValue> keys;

  using Visitor::number;
  void number(const KeyDoc& key, std::uint64_t& value, std::uint64_t) override {
    add(key, std::to_string(value)).isNumber = true;
  }
  void flag(const KeyDoc& key, bool& value) override { add(key, value ? "true" : "false").choices = {"false", "true"}; }
  void text(const KeyDoc& key, std::string& value) override { add(key, value); }
  void texts(const KeyDoc& key, std::vector<std::string>& values) override { add(key, llvm::join(values, "; ")); }
  void clock(const KeyDoc& key, std::string& value) override { add(key, value).isClock = true; }
  void choice(const KeyDoc& key, std::size_t& index, llvm::ArrayRef<llvm::StringRef> names) override {
    KeyValue& added = add(key, names[index].str());
    for (const llvm::StringRef name : names) added.choices.push_back(name.str());
  }
  void group(const KeyDoc& key, llvm::function_ref<void()> body) override { nested(key.name, body); }
  void optionalGroup(const KeyDoc& key, bool& present, llvm::function_ref<void()> body) override {
    if (present)
      nested(key.name, body);
    else
      add(key, "none");
  }
  void list(const KeyDoc& key, ListAccess access, llvm::function_ref<void(std::size_t)> item) override {
    for (std::size_t i = 0; i < access.size; ++i) nested(key.name + ("." + std::to_string(i)), [&] { item(i); });
  }

 private:
  KeyValue& add(const KeyDoc& key, std::string value) {
    keys.push_back({prefix_ + key.name, std::move(value), key, false, {}, false});
    return keys.back();
  }
  void nested(const std::string& name, llvm::function_ref<void()> body) {
    const std::string outer = prefix_;
    prefix_ += name + ".";
    body();
    prefix_ = outer;
  }
  std::string prefix_;
};

}  // namespace

std::string suggestion(llvm::StringRef text, llvm::ArrayRef<std::string> candidates) {
  unsigned best = std::max<unsigned>(2, static_cast<unsigned>(text.size()) / 3) + 1;
  const std::string* nearest = nullptr;
  for (const std::string& candidate : candidates) {
    const unsigned distance = text.edit_distance(candidate, true, best);
    if (distance < best) {
      best = distance;
      nearest = &candidate;
    }
  }
  return nearest ? "; did you mean '" + *nearest + "'?" : "";
}

std::string parseNumber(llvm::StringRef text, const KeyDoc& key, std::uint64_t max, std::uint64_t& value) {
  const llvm::StringRef unit(key.unit);
  llvm::StringRef digits = text.trim();
  std::uint64_t factor = 1;
  for (const Suffix& suffix : kSuffixes)
    if (unit == suffix.unit && digits.consume_back(suffix.text)) {
      factor = suffix.factor;
      break;
    }
  std::uint64_t number = 0;
  if (digits.trim().getAsInteger(0, number)) {
    const char* forms = unit == "bytes" ? " (KiB, MiB and GiB may follow)"
                        : unit == "Hz"  ? " (kHz, MHz and GHz may follow)"
                                        : "";
    return "'" + text.str() + "' is not a whole number" + forms + "; write one that is 0 or more";
  }
  if (number > max / factor) return "'" + text.str() + "' is too large; write at most " + std::to_string(max);
  value = number * factor;
  return "";
}

std::string parseFlag(llvm::StringRef text, bool& value) {
  if (text != "true" && text != "false") return "'" + text.str() + "' is neither true nor false; write one of them";
  value = text == "true";
  return "";
}

std::string parseChoice(llvm::StringRef text, llvm::ArrayRef<llvm::StringRef> names, std::size_t& index) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) {
      index = i;
      return "";
    }
  return "'" + text.str() + "' is not known; write one of " + llvm::join(names, ", ");
}

std::vector<KeyValue> listKeys(const TargetSpec& spec) {
  TargetSpec copy = spec;
  Lister lister;
  describe(lister, copy);
  return std::move(lister.keys);
}

}  // namespace forerun::targets
