//===- YamlTree.h - a YAML document with line numbers ----------------------===//
// LLVM's YAML nodes can be walked once only; target files are small, so the whole document is read into a tree that
// knows its lines.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>
#include <vector>

namespace forerun::targets {

struct YamlNode {
  enum class Kind { Null, Scalar, Map, List };
  struct Entry;

  Kind kind = Kind::Null;
  unsigned line = 0;
  std::string value;            ///< of a scalar
  std::vector<Entry> entries;   ///< of a map, in file order
  std::vector<YamlNode> items;  ///< of a list

  const Entry* find(llvm::StringRef key) const;
};

struct YamlNode::Entry {
  std::string key;
  unsigned line = 0;
  YamlNode node;
};

/// A problem at a line.
struct YamlProblem {
  unsigned line = 0;
  std::string message;
};

/// Reads one document. Aliases (*name) become copies of what they name. nullopt and a problem when the text is not
/// YAML, repeats a key, or holds a document that is not a map.
std::optional<YamlNode> parseYaml(llvm::StringRef text, YamlProblem& problem);

}  // namespace forerun::targets
