//===- TargetsCommand.cpp - forerun targets -------------------------------------===//
// Lists target files, prints what follows from one, checks one.
#include "compiler/driver/CommandLine.h"
#include "compiler/driver/Commands.h"
#include "targets/Derived.h"
#include "targets/Load.h"
#include "targets/Schema.h"

#include "llvm/Support/raw_ostream.h"

namespace forerun::driver {

namespace {

constexpr OptionSpec kOptions[] = {
    {"set", OptionSpec::Value::Required, "KEY=VALUE", "override a key, e.g. teams.0.count=8", true},
    {"help", OptionSpec::Value::None, "", "this text"},
};

constexpr const char* kUsage =
    "Usage: forerun targets list\n"
    "       forerun targets show TARGET [--set KEY=VALUE]...    every derived figure, with its formula\n"
    "       forerun targets check TARGET [--set KEY=VALUE]...   is the file complete and consistent?\n"
    "       forerun targets keys                                reference of every key, as Markdown\n"
    "TARGET is a name of the list or the path of a .yaml file.\n\n";

llvm::Error list() {
  for (const std::string& name : targets::knownTargets()) {
    auto target = targets::loadAny(name);
    if (!target) return withCode(ExitCode::BadInput, target.takeError());
    std::visit([&](const auto& spec) { llvm::outs() << llvm::left_justify(name, 14) << spec.description << "\n"; },
               *target);
  }
  return llvm::Error::success();
}

template <typename Spec>
void show(const Spec& spec) {
  llvm::outs() << spec.name << ": " << spec.description << "\n" << spec.path << "\n";
  const std::vector<targets::Figure> figures = targets::derive(spec);
  std::size_t name = 0, value = 0;
  for (const targets::Figure& figure : figures) {
    name = std::max(name, figure.name.size());
    value = std::max(value, std::min<std::size_t>(targets::show(figure).size(), 24));
  }
  for (const targets::Figure& figure : figures)
    llvm::outs() << "  " << llvm::left_justify(figure.name, static_cast<unsigned>(name) + 2)
                 << llvm::left_justify(targets::show(figure), static_cast<unsigned>(value) + 2) << "= "
                 << figure.formula << "\n";
}

}  // namespace

llvm::Error targetsCommand(CommandArguments args) {
  auto parsed = parseArguments(kOptions, args);
  if (!parsed) return parsed.takeError();
  if (parsed->has("help")) {
    llvm::outs() << kUsage << describeOptions(kOptions);
    return llvm::Error::success();
  }
  const auto& words = parsed->positional;
  const llvm::StringRef action = words.empty() ? llvm::StringRef() : llvm::StringRef(words[0]);
  if (action == "list" && words.size() == 1) return list();
  if (action == "keys" && words.size() == 1) {
    llvm::outs() << targets::schemaReference();
    return llvm::Error::success();
  }
  if ((action == "show" || action == "check") && words.size() == 2) {
    auto target = targets::loadAny(words[1], parsed->all("set"));
    if (!target) return withCode(ExitCode::BadInput, target.takeError());
    std::visit(
        [&](const auto& spec) {
          if (action == "show")
            show(spec);
          else
            llvm::outs() << spec.path << ": target '" << spec.name << "' is complete and consistent\n";
        },
        *target);
    return llvm::Error::success();
  }
  if (action.empty())
    return commandError(ExitCode::Usage, "expected list, show, check or keys; see forerun targets --help");
  const llvm::StringRef guess = nearest(action, {"list", "show", "check", "keys"});
  if (guess == action)
    return commandError(ExitCode::Usage, "forerun targets " + action +
                                             (action == "list" || action == "keys"
                                                  ? " takes no target"
                                                  : " needs one target: forerun targets " + action.str() + " edge"));
  return commandError(ExitCode::Usage, "unknown action '" + action + "'; " +
                                           (guess.empty() ? "expected list, show, check or keys"
                                                          : "did you mean '" + guess.str() + "'?"));
}

}  // namespace forerun::driver
