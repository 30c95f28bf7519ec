//===- Override.cpp - set one key by its path ------------------------------===//
// `--set teams.0.count=8`: walks the schema to the key and parses the value as the file's reader does.
#include "targets/Schema.h"

namespace forerun::targets {
namespace {

class Setter : public Visitor {
 public:
  Setter(llvm::StringRef path, llvm::StringRef value) : rest_(path), value_(value) {}

  std::string error() const {
    if (found_) return problem_;
    if (!problem_.empty()) return problem_;
    return "no such key" + suggestion(failed_, siblings_);
  }

  using Visitor::number;
  void number(const KeyDoc& key, std::uint64_t& value, std::uint64_t max) override {
    if (leaf(key)) problem_ = parseNumber(value_, key, max, value);
  }
  void flag(const KeyDoc& key, bool& value) override {
    if (leaf(key)) problem_ = parseFlag(value_, value);
  }
  void text(const KeyDoc& key, std::string& value) override {
    if (leaf(key)) value = value_.str();
  }
  void texts(const KeyDoc& key, std::vector<std::string>& values) override {
    if (leaf(key)) values = {value_.str()};
  }
  void clock(const KeyDoc& key, std::string& value) override { text(key, value); }
  void choice(const KeyDoc& key, std::size_t& index, llvm::ArrayRef<llvm::StringRef> names) override {
    if (leaf(key)) problem_ = parseChoice(value_, names, index);
  }
  void group(const KeyDoc& key, llvm::function_ref<void()> body) override {
    if (const auto inner = enter(key)) visitInner(*inner, body);
  }
  void optionalGroup(const KeyDoc& key, bool& present, llvm::function_ref<void()> body) override {
    if (rest_ == key.name && !found_) {
      found_ = true;
      if (value_ == "none")
        present = false;
      else
        problem_ = "only 'none' can be written here; set its keys one by one";
      return;
    }
    const auto inner = enter(key);
    if (!inner) return;
    if (present) return visitInner(*inner, body);
    problem_ = std::string("'") + key.name + "' is none in this target; write the group into the target file first";
  }
  void list(const KeyDoc& key, ListAccess access, llvm::function_ref<void(std::size_t)> item) override {
    const auto inner = enter(key);
    if (!inner) return;
    const auto [index, rest] = inner->split('.');
    std::size_t number = 0;
    if (index.getAsInteger(10, number) || number >= access.size) {
      problem_ = std::string("'") + key.name + "' has " + std::to_string(access.size) + " entries; write " + key.name +
                 ".0" +
                 (access.size > 1 ? " to " + std::string(key.name) + "." + std::to_string(access.size - 1) : "") +
                 " and a key";
      return;
    }
    visitInner(rest, [&] { item(number); });
  }

 private:
  bool leaf(const KeyDoc& key) {
    note(key);
    if (found_ || rest_ != key.name) return false;
    found_ = true;
    return true;
  }
  /// What follows the name of this group, if the path leads into it.
  std::optional<llvm::StringRef> enter(const KeyDoc& key) {
    note(key);
    llvm::StringRef rest = rest_;
    if (found_ || !rest.consume_front(key.name) || !rest.consume_front(".")) return std::nullopt;
    return rest;
  }
  void visitInner(llvm::StringRef inner, llvm::function_ref<void()> body) {
    const llvm::StringRef outer = rest_;
    rest_ = inner;
    ++depth_;
    body();
    --depth_;
    rest_ = outer;
  }
  /// Remembers the keys beside the deepest part of the path that was reached.
  void note(const KeyDoc& key) {
    if (depth_ < failedDepth_) return;
    if (depth_ > failedDepth_ || siblings_.empty()) {
      failedDepth_ = depth_;
      siblings_.clear();
      failed_ = rest_.split('.').first;
    }
    siblings_.push_back(key.name);
  }

  llvm::StringRef rest_, value_, failed_;
  std::vector<std::string> siblings_;
  std::string problem_;
  int depth_ = 0, failedDepth_ = 0;
  bool found_ = false;
};

}  // namespace

std::string setKey(KeyWalk walk, llvm::StringRef path, llvm::StringRef value) {
  Setter setter(path, value);
  walk(setter);
  return setter.error();
}

}  // namespace forerun::targets
