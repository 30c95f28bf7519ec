//===- Problems.h - what is wrong with a target, and where -----------------===//
// Collects problems by key path; the loader turns paths into lines or into the override that set the key.
#pragma once

#include "targets/Schema.h"

#include <map>
#include <string>
#include <vector>

namespace forerun::targets {

struct Problem {
  std::string path;     ///< key: "teams.0.vlenBits"
  unsigned line = 0;    ///< 0 = that of the key
  std::string message;  ///< what is wrong; what to do
};

/// Contradictions between keys and values out of range, in file order.
std::vector<Problem> validate(const TargetSpec& spec);
std::vector<Problem> validate(const GpuSpec& spec);
std::vector<Problem> validate(const HostSpec& spec);

/// Fills what `walk` visits from a document; adds unknown, missing and malformed keys to `problems` and the line of
/// every key that is there to `lines`.
struct YamlNode;
void readSpec(const YamlNode& document, KeyWalk walk, std::vector<Problem>& problems,
              std::map<std::string, unsigned>& lines);

}  // namespace forerun::targets
