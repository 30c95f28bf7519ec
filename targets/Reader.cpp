//===- Reader.cpp - from a YAML tree to a target ---------------------------===//
// Walks the schema and the document together: what the schema asks for and the document lacks is missing, what is left
// over is unknown.
#include "targets/Problems.h"
#include "targets/Schema.h"
#include "targets/YamlTree.h"

#include <llvm/ADT/StringSet.h>

namespace forerun::targets {
namespace {

class Reader : public Visitor {
 public:
  Reader(std::vector<Problem>& problems, std::map<std::string, unsigned>& lines) : problems_(problems), lines_(lines) {}

  void readMap(const YamlNode& map, const std::string& prefix, llvm::function_ref<void()> body) {
    const Frame outer = std::move(frame_);
    frame_ = {&map, prefix, {}};
    body();
    for (const YamlNode::Entry& entry : map.entries) {
      if (llvm::is_contained(frame_.known, entry.key)) continue;
      const std::string nearest = suggestion(entry.key, frame_.known);
      problems_.push_back(
          {prefix + entry.key, entry.line, "unknown key" + (nearest.empty() ? "; remove it" : nearest)});
    }
    frame_ = outer;
  }

  using Visitor::number;
  void number(const KeyDoc& key, std::uint64_t& value, std::uint64_t max) override {
    if (const YamlNode* node = scalar(key)) report(key, *node, parseNumber(node->value, key, max, value));
  }
  void flag(const KeyDoc& key, bool& value) override {
    if (const YamlNode* node = scalar(key)) report(key, *node, parseFlag(node->value, value));
  }
  void text(const KeyDoc& key, std::string& value) override {
    if (const YamlNode* node = scalar(key)) value = llvm::StringRef(node->value).trim().str();
  }
  void texts(const KeyDoc& key, std::vector<std::string>& values) override {
    const YamlNode* node = find(key);
    if (!node) return;
    if (node->kind != YamlNode::Kind::List) return report(key, *node, "must be a list; write '- text' lines");
    for (const YamlNode& item : node->items) {
      if (item.kind != YamlNode::Kind::Scalar)
        return report(key, item, "must be a list of texts; write '- text' lines");
      values.push_back(item.value);
    }
  }
  void clock(const KeyDoc& key, std::string& value) override { text(key, value); }
  void choice(const KeyDoc& key, std::size_t& index, llvm::ArrayRef<llvm::StringRef> names) override {
    if (const YamlNode* node = scalar(key)) report(key, *node, parseChoice(node->value, names, index));
  }
  void group(const KeyDoc& key, llvm::function_ref<void()> body) override {
    if (const YamlNode* node = find(key)) nested(key, *node, body);
  }
  void optionalGroup(const KeyDoc& key, bool& present, llvm::function_ref<void()> body) override {
    const YamlNode* node = find(key);
    if (!node) return;
    present = !(node->kind == YamlNode::Kind::Scalar && node->value == "none");
    if (present) nested(key, *node, body, " or the word none");
  }
  void list(const KeyDoc& key, ListAccess access, llvm::function_ref<void(std::size_t)> item) override {
    const YamlNode* node = find(key);
    if (!node) return;
    if (node->kind != YamlNode::Kind::List) return report(key, *node, "must be a list; write '- key: value' entries");
    const std::string path = frame_.prefix + key.name;
    access.resize(node->items.size());
    for (std::size_t i = 0; i < node->items.size(); ++i) {
      const YamlNode& element = node->items[i];
      const std::string name = path + "." + std::to_string(i);
      lines_[name] = element.line;
      if (element.kind != YamlNode::Kind::Map)
        problems_.push_back({name, element.line, "must be a map; write 'key: value' lines"});
      else
        readMap(element, name + ".", [&] { item(i); });
    }
  }

 private:
  struct Frame {
    const YamlNode* map = nullptr;
    std::string prefix;
    std::vector<std::string> known;
  };

  const YamlNode* find(const KeyDoc& key) {
    frame_.known.push_back(key.name);
    const YamlNode::Entry* entry = frame_.map->find(key.name);
    if (!entry) {
      problems_.push_back(
          {frame_.prefix + key.name, frame_.map->line, std::string("missing; add it (") + key.description + ")"});
      return nullptr;
    }
    lines_[frame_.prefix + key.name] = entry->line;
    return &entry->node;
  }
  const YamlNode* scalar(const KeyDoc& key) {
    const YamlNode* node = find(key);
    if (node && node->kind == YamlNode::Kind::Scalar) return node;
    if (node) report(key, *node, "must be a single value; write 'key: value'");
    return nullptr;
  }
  void nested(const KeyDoc& key, const YamlNode& node, llvm::function_ref<void()> body, const char* alternative = "") {
    if (node.kind != YamlNode::Kind::Map)
      return report(key, node, std::string("must be a map; write 'key: value' lines below it") + alternative);
    readMap(node, frame_.prefix + key.name + ".", body);
  }
  void report(const KeyDoc& key, const YamlNode& node, std::string message) {
    if (!message.empty()) problems_.push_back({frame_.prefix + key.name, node.line, std::move(message)});
  }

  std::vector<Problem>& problems_;
  std::map<std::string, unsigned>& lines_;
  Frame frame_;
};

}  // namespace

void readSpec(const YamlNode& document, KeyWalk walk, std::vector<Problem>& problems,
              std::map<std::string, unsigned>& lines) {
  Reader reader(problems, lines);
  reader.readMap(document, "", [&] { walk(reader); });
}

}  // namespace forerun::targets
