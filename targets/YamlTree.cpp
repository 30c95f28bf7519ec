//===- YamlTree.cpp - read a YAML document into a tree ---------------------===//
// LLVM's YAML parser does the syntax; this keeps lines, resolves aliases and refuses repeated keys.
#include "targets/YamlTree.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/Casting.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/YAMLParser.h>

namespace forerun::targets {
namespace {

constexpr unsigned kMaxDepth = 32;

class Converter {
 public:
  Converter(llvm::SourceMgr& sources, YamlProblem& problem) : sources_(sources), problem_(problem) {}

  /// False after a problem.
  bool convert(llvm::yaml::Node* from, YamlNode& to, unsigned keyLine = 1, unsigned depth = 0) {
    if (!from || !problem_.message.empty()) return false;
    // The parser gives an alias the place of the token behind it.
    to.line = llvm::isa<llvm::yaml::AliasNode>(from) ? keyLine : lineOf(from->getSourceRange().Start);
    if (depth > kMaxDepth) return fail(to.line, "nested too deep; a target file has a few levels only");
    const std::string anchor = from->getAnchor().str();
    if (!convertKind(from, to, depth)) return false;
    if (!anchor.empty()) anchors_[anchor] = to;
    return true;
  }

 private:
  bool convertKind(llvm::yaml::Node* from, YamlNode& to, unsigned depth) {
    if (auto* alias = llvm::dyn_cast<llvm::yaml::AliasNode>(from)) {
      const auto found = anchors_.find(alias->getName());
      if (found == anchors_.end())
        return fail(to.line, "*" + alias->getName().str() + " names no anchor before it; write &" +
                                 alias->getName().str() + " first");
      const unsigned line = to.line;
      to = found->second;
      to.line = line;
      return true;
    }
    if (auto* scalar = llvm::dyn_cast<llvm::yaml::ScalarNode>(from)) {
      llvm::SmallString<64> storage;
      to.kind = YamlNode::Kind::Scalar;
      to.value = scalar->getValue(storage).str();
      return true;
    }
    if (auto* block = llvm::dyn_cast<llvm::yaml::BlockScalarNode>(from)) {
      to.kind = YamlNode::Kind::Scalar;
      to.value = block->getValue().str();
      return true;
    }
    if (auto* map = llvm::dyn_cast<llvm::yaml::MappingNode>(from)) return convertMap(*map, to, depth);
    if (auto* list = llvm::dyn_cast<llvm::yaml::SequenceNode>(from)) {
      to.kind = YamlNode::Kind::List;
      for (llvm::yaml::Node& item : *list) {
        to.items.emplace_back();
        if (!convert(&item, to.items.back(), to.line, depth + 1)) return false;
      }
      return problem_.message.empty();
    }
    to.kind = YamlNode::Kind::Null;
    return true;
  }

  bool convertMap(llvm::yaml::MappingNode& map, YamlNode& to, unsigned depth) {
    to.kind = YamlNode::Kind::Map;
    for (llvm::yaml::KeyValueNode& pair : map) {
      auto* key = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(pair.getKey());
      if (!key) return fail(to.line, "a key must be a plain word");
      YamlNode::Entry entry;
      llvm::SmallString<64> storage;
      entry.key = key->getValue(storage).str();
      entry.line = lineOf(key->getSourceRange().Start);
      if (to.find(entry.key)) return fail(entry.line, entry.key + ": given twice; keep one");
      if (!convert(pair.getValue(), entry.node, entry.line, depth + 1)) return false;
      to.entries.push_back(std::move(entry));
    }
    return problem_.message.empty();
  }

  bool fail(unsigned line, std::string message) {
    if (problem_.message.empty()) problem_ = {line, std::move(message)};
    return false;
  }

  unsigned lineOf(llvm::SMLoc location) const {
    return location.isValid() ? sources_.getLineAndColumn(location).first : 0;
  }

  llvm::SourceMgr& sources_;
  YamlProblem& problem_;
  llvm::StringMap<YamlNode> anchors_;
};

}  // namespace

const YamlNode::Entry* YamlNode::find(llvm::StringRef key) const {
  for (const Entry& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

std::optional<YamlNode> parseYaml(llvm::StringRef text, YamlProblem& problem) {
  problem = {};
  llvm::SourceMgr sources;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic& diagnostic, void* context) {
        auto& problem = *static_cast<YamlProblem*>(context);
        if (!problem.message.empty()) return;
        problem = {static_cast<unsigned>(std::max(diagnostic.getLineNo(), 1)),
                   "not YAML: " + diagnostic.getMessage().str() + "; correct the syntax"};
      },
      &problem);
  llvm::yaml::Stream stream(text, sources, false);
  YamlNode root;
  auto document = stream.begin();
  if (document == stream.end() || !document->getRoot()) {
    if (problem.message.empty()) problem = {1, "empty; a target file is a map of keys"};
    return std::nullopt;
  }
  Converter converter(sources, problem);
  if (!converter.convert(document->getRoot(), root) || stream.failed() || !problem.message.empty()) {
    if (problem.message.empty()) problem = {1, "not YAML; correct the syntax"};
    return std::nullopt;
  }
  if (root.kind != YamlNode::Kind::Map) {
    problem = {1, root.kind == YamlNode::Kind::Null ? "empty; a target file is a map of keys"
                                                    : "not a map of keys; write 'key: value' lines"};
    return std::nullopt;
  }
  return root;
}

}  // namespace forerun::targets
