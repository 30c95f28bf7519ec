//===- KeyWalkTest.cpp - every key matters ---------------------------------===//
// Changes every key of every shipped target, one at a time, to another valid value: some derived figure must change
// with it.
#include "targets/Derived.h"
#include "targets/Load.h"
#include "targets/Schema.h"

#include <gtest/gtest.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <set>

namespace forerun::targets {
namespace {

/// Figures as one comparable text.
std::string fingerprint(const TargetSpec& spec) {
  std::string text;
  for (const Figure& f : derive(spec)) {
    char value[40];
    std::snprintf(value, sizeof value, "%.17g", f.value);
    text += f.name + "=" + value + f.text + "\n";
  }
  return text;
}

/// Overrides that change one key (with what must change along, for names that others refer to), most modest first.
std::vector<std::vector<std::string>> changes(const KeyValue& key, const std::vector<KeyValue>& all) {
  std::vector<std::vector<std::string>> result;
  const auto single = [&](const std::string& value) { result.push_back({key.path + "=" + value}); };
  if (key.isNumber) {
    const std::uint64_t value = std::stoull(key.value);
    for (const std::uint64_t other : {value + 1, value - 1, value * 2, value / 2, value * 4, value / 4,
                                      std::uint64_t{1}, std::uint64_t{0}, value + 16, value + (1 << 20)})
      if (other != value) single(std::to_string(other));
  } else if (!key.choices.empty()) {
    for (const std::string& choice : key.choices)
      if (choice != key.value) single(choice);
    // A core has exactly one matrix engine: the kinds of two entries change places.
    for (const KeyValue& other : all)
      if (key.doc.name == std::string("kind") && other.doc.name == std::string("kind") && other.value != key.value &&
          !other.choices.empty())
        result.push_back({key.path + "=" + other.value, other.path + "=" + key.value});
  } else if (key.isClock) {
    for (const KeyValue& other : all)
      if (other.path.rfind("clocks.", 0) == 0 && !other.isNumber && other.value != key.value) single(other.value);
  } else if (key.path.rfind("clocks.", 0) == 0) {
    std::vector<std::string> renamed{key.path + "=renamed"};
    for (const KeyValue& other : all)
      if (other.isClock && other.value == key.value) renamed.push_back(other.path + "=renamed");
    result.push_back(renamed);
  } else {
    single(key.value + "x");
    single("f64");                    // an element type
    single("row-column-bank-group");  // a mapping
    single("row-rank-column-bank-group");
  }
  return result;
}

std::string generalised(std::string path) {
  for (std::size_t at = 0; (at = path.find_first_of("0123456789", at)) != std::string::npos; ++at) path[at] = 'N';
  return path;
}

/// Some keys have a second valid value only beside others: targets to start from, as overrides.
const std::vector<std::vector<std::string>> kStarts = {
    {},
    {"dram.mapping=row-rank-bank-column-group-xor"},
    {"noc.topology=mesh", "noc.columns=8"},
    {"teams.0.vlenBits=512", "teams.0.datapathBits=256", "teams.0.issue.vector=1"}};

enum class Outcome { NoOtherValue, SameFigures, OtherFigures };

Outcome changeKey(const std::string& text, const std::string& path, const std::string& keyPath) {
  for (const auto& start : kStarts) {
    auto spec = loadText(text, path, start);
    if (!spec) {
      llvm::consumeError(spec.takeError());
      continue;
    }
    const std::vector<KeyValue> keys = listKeys(*spec);
    const auto key = std::find_if(keys.begin(), keys.end(), [&](const KeyValue& k) { return k.path == keyPath; });
    if (key == keys.end()) continue;
    for (auto overrides : changes(*key, keys)) {
      overrides.insert(overrides.begin(), start.begin(), start.end());
      auto other = loadText(text, path, overrides);
      if (other) return fingerprint(*other) == fingerprint(*spec) ? Outcome::SameFigures : Outcome::OtherFigures;
      llvm::consumeError(other.takeError());
    }
  }
  return Outcome::NoOtherValue;
}

TEST(KeyWalk, ChangingAnyKeyChangesAFigure) {
  std::set<std::string> walked;
  for (const std::string& name : knownAccelerators()) {
    const std::string path = defaultFolder() + "/" + name + ".yaml";
    const std::string text =
        llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(path)))->getBuffer().str();
    for (const KeyValue& key : listKeys(llvm::cantFail(loadText(text, path)))) {
      walked.insert(generalised(key.path));
      EXPECT_EQ(changeKey(text, path, key.path), Outcome::OtherFigures) << name << ": " << key.path;
    }
  }
  EXPECT_EQ(walked.size(), 137u) << "keys of the schema";
}

TEST(KeyWalk, EveryKeyIsOnTheReferencePage) {
  const std::string page = schemaReference();
  for (const std::string& name : knownAccelerators())
    for (const KeyValue& key : listKeys(llvm::cantFail(load(name)))) {
      std::string path = key.path;
      for (std::size_t at = 0; (at = path.find('.', at)) != std::string::npos; ++at)
        if (at + 1 < path.size() && isdigit(static_cast<unsigned char>(path[at + 1]))) {
          const auto end = std::min(path.find('.', at + 1), path.size());
          path.replace(at + 1, end - at - 1, "N");
        }
      EXPECT_NE(page.find("| `" + path + "` |"), std::string::npos) << path;
    }
}

}  // namespace
}  // namespace forerun::targets
