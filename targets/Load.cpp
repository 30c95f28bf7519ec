//===- Load.cpp - read, override and check a target ------------------------===//
// Turns problems at keys into messages at lines.
#include "targets/Load.h"

#include "targets/Problems.h"
#include "targets/Schema.h"
#include "targets/YamlTree.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

namespace forerun::targets {
namespace {

llvm::Error fail(const std::vector<std::string>& lines) { return llvm::createStringError(llvm::join(lines, "\n")); }

std::string located(llvm::StringRef file, unsigned line, const std::string& message) {
  return file.str() + ":" + std::to_string(std::max(line, 1u)) + ": " + message;
}

/// Line of the key, or of the nearest group above it that has one.
unsigned lineOf(std::string path, const std::map<std::string, unsigned>& lines) {
  while (!path.empty()) {
    if (const auto found = lines.find(path); found != lines.end()) return found->second;
    const auto dot = path.rfind('.');
    path = dot == std::string::npos ? "" : path.substr(0, dot);
  }
  return 1;
}

template <typename Spec>
llvm::Expected<Spec> read(const YamlNode& document, llvm::StringRef file, llvm::ArrayRef<std::string> overrides) {
  Spec spec;
  const auto walk = [&](Visitor& visitor) { describe(visitor, spec); };
  spec.path = file.str();
  std::vector<Problem> problems;
  std::map<std::string, unsigned> lines;
  readSpec(document, walk, problems, lines);
  std::vector<std::string> messages;
  const auto flush = [&](const std::map<std::string, std::string>& overridden) {
    std::multimap<unsigned, const Problem*> byLine;
    for (const Problem& problem : problems)
      byLine.emplace(problem.line ? problem.line : lineOf(problem.path, lines), &problem);
    for (const auto& [line, problem] : byLine) {
      const auto found = overridden.find(problem->path);
      messages.push_back(found != overridden.end() ? "--set " + found->second + ": " + problem->message
                                                   : located(file, line, problem->path + ": " + problem->message));
    }
  };
  flush({});
  if (!messages.empty()) return fail(messages);
  std::map<std::string, std::string> overridden;
  for (const std::string& text : overrides) {
    const auto [key, value] = llvm::StringRef(text).split('=');
    const std::string problem = key.size() == text.size() ? "not of the form key=value; write, say, teams.0.count=8"
                                                          : setKey(walk, key.trim(), value.trim());
    if (!problem.empty()) messages.push_back((llvm::Twine("--set ") + text + ": " + problem).str());
    overridden[key.trim().str()] = text;
  }
  if (!messages.empty()) return fail(messages);
  problems = validate(spec);
  flush(overridden);
  if (!messages.empty()) return fail(messages);
  return spec;
}

llvm::Expected<AnyTarget> loadAnyText(llvm::StringRef text, llvm::StringRef file,
                                      llvm::ArrayRef<std::string> overrides) {
  YamlProblem syntax;
  const auto document = parseYaml(text, syntax);
  if (!document) return fail({located(file, syntax.line, syntax.message)});
  const YamlNode::Entry* kind = document->find("kind");
  if (kind && kind->node.value == "gpu") return read<GpuSpec>(*document, file, overrides);
  if (kind && kind->node.value == "host") return read<HostSpec>(*document, file, overrides);
  return read<TargetSpec>(*document, file, overrides);
}

llvm::Expected<TargetSpec> accelerator(llvm::Expected<AnyTarget> target) {
  if (!target) return target.takeError();
  if (auto* spec = std::get_if<TargetSpec>(&*target)) return std::move(*spec);
  if (auto* gpu = std::get_if<GpuSpec>(&*target))
    return fail({gpu->path + ": kind: '" + gpu->name +
                 "' is a GPU, for which there is code (forerun compile) but no model; give an accelerator"});
  const auto& host = std::get<HostSpec>(*target);
  return fail(
      {host.path + ": kind: '" + host.name + "' is this computer, which is not simulated; give an accelerator"});
}

}  // namespace

std::string defaultFolder() { return FORERUN_TARGETS_FOLDER; }

std::vector<std::string> knownTargets(llvm::StringRef folder) {
  const std::string from = folder.empty() ? defaultFolder() : folder.str();
  std::vector<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(from, error), end; file != end && !error; file.increment(error))
    if (llvm::sys::path::extension(file->path()) == ".yaml") names.push_back(llvm::sys::path::stem(file->path()).str());
  llvm::sort(names);
  return names;
}

std::vector<std::string> knownAccelerators(llvm::StringRef folder) {
  std::vector<std::string> names = knownTargets(folder);
  std::erase_if(names, [&](const std::string& name) {
    auto target = loadAny(name, {}, folder);
    if (target) return !std::holds_alternative<TargetSpec>(*target);
    llvm::consumeError(target.takeError());  // whoever uses it gets the message
    return false;
  });
  return names;
}

llvm::Expected<AnyTarget> loadAny(llvm::StringRef pathOrName, llvm::ArrayRef<std::string> overrides,
                                  llvm::StringRef folder) {
  const bool isPath = pathOrName.ends_with(".yaml") || pathOrName.ends_with(".yml") || pathOrName.contains('/');
  llvm::SmallString<128> path(pathOrName);
  if (!isPath) {
    const std::string from = folder.empty() ? defaultFolder() : folder.str();
    path = from;
    llvm::sys::path::append(path, pathOrName + ".yaml");
    if (!llvm::sys::fs::exists(path)) {
      const std::vector<std::string> names = knownTargets(from);
      return fail({"target '" + pathOrName.str() + "' is not known" + suggestion(pathOrName, names) +
                   " Known targets in " + from + ": " + (names.empty() ? "none" : llvm::join(names, ", ")) +
                   "; or give the path of a .yaml file"});
    }
  }
  auto text = llvm::MemoryBuffer::getFile(path, true);
  if (!text)
    return fail({path.str().str() + ": " + text.getError().message() + "; give the path of a readable target file"});
  return loadAnyText((*text)->getBuffer(), path, overrides);
}

llvm::Expected<TargetSpec> load(llvm::StringRef pathOrName, llvm::ArrayRef<std::string> overrides,
                                llvm::StringRef folder) {
  return accelerator(loadAny(pathOrName, overrides, folder));
}

llvm::Expected<TargetSpec> loadText(llvm::StringRef text, llvm::StringRef file, llvm::ArrayRef<std::string> overrides) {
  return accelerator(loadAnyText(text, file, overrides));
}

}  // namespace forerun::targets
