//===- CommandLine.cpp - options of the forerun command ---------------------===//
// GNU style long options, some with a letter; `--` ends them.
#include "compiler/driver/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace forerun::driver {

std::optional<std::string> Arguments::get(llvm::StringRef name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  return found->second.back();
}

llvm::ArrayRef<std::string> Arguments::all(llvm::StringRef name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? llvm::ArrayRef<std::string>() : llvm::ArrayRef<std::string>(found->second);
}

llvm::Expected<std::uint64_t> Arguments::integer(llvm::StringRef name, std::uint64_t fallback) const {
  const auto text = get(name);
  if (!text) return fallback;
  std::uint64_t value = 0;
  if (llvm::StringRef(*text).getAsInteger(0, value))
    return commandError(ExitCode::Usage, "--" + name + " needs a non-negative integer, found '" + *text + "'");
  return value;
}

llvm::StringRef nearest(llvm::StringRef text, llvm::ArrayRef<llvm::StringRef> known) {
  llvm::StringRef best;
  unsigned bestDistance = static_cast<unsigned>(text.size()) / 3 + 1;
  for (llvm::StringRef candidate : known) {
    const unsigned distance = text.edit_distance(candidate, /*AllowReplacements=*/true, bestDistance);
    if (distance <= bestDistance && (best.empty() || distance < bestDistance)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

llvm::Expected<Arguments> parseArguments(llvm::ArrayRef<OptionSpec> options, llvm::ArrayRef<llvm::StringRef> args) {
  Arguments result;
  for (std::size_t i = 0; i < args.size(); ++i) {
    llvm::StringRef arg = args[i];
    if (arg == "--") {
      for (llvm::StringRef rest : args.drop_front(i + 1)) result.positional.push_back(rest.str());
      break;
    }
    if (!arg.starts_with("-") || arg == "-") {
      result.positional.push_back(arg.str());
      continue;
    }
    const llvm::StringRef body = arg.ltrim('-');
    auto [name, value] = body.split('=');
    const bool hasValue = body.contains('=');
    const bool isLong = arg.starts_with("--");
    const auto* spec = llvm::find_if(options, [&, name = name](const OptionSpec& option) {
      return isLong ? option.name == name : !option.letter.empty() && option.letter == name;
    });
    if (spec != options.end()) name = spec->name;
    if (spec == options.end()) {
      llvm::SmallVector<llvm::StringRef> names;
      for (const OptionSpec& option : options) names.push_back(option.name);
      const llvm::StringRef guess = nearest(name, names);
      return commandError(ExitCode::Usage,
                          "unknown option '" + arg + "'" +
                              (guess.empty() ? "; see --help" : "; did you mean '--" + guess.str() + "'?"));
    }
    if (spec->value == OptionSpec::Value::None && hasValue)
      return commandError(ExitCode::Usage, "option '--" + name + "' takes no value, found '" + value + "'");
    if (spec->value == OptionSpec::Value::Required && !hasValue) {
      if (i + 1 == args.size())
        return commandError(ExitCode::Usage,
                            "option '--" + name + "' needs a value: --" + name + "=" + spec->placeholder);
      value = args[++i];
    }
    if (!spec->repeated && result.has(name))
      return commandError(ExitCode::Usage, "option '--" + name + "' is given twice");
    result.add(name, value);
  }
  return result;
}

std::string describeOptions(llvm::ArrayRef<OptionSpec> options) {
  std::string text;
  for (const OptionSpec& option : options) {
    std::string left = (option.letter.empty() ? "  --" : "  -" + option.letter.str() + ", --") + option.name.str();
    if (option.value == OptionSpec::Value::Required) left += "=" + option.placeholder.str();
    if (option.value == OptionSpec::Value::Optional) left += "[=" + option.placeholder.str() + "]";
    if (left.size() < 28)
      left.resize(28, ' ');
    else
      left += "\n" + std::string(28, ' ');
    text += left + option.help.str() + (option.repeated ? " (may be repeated)" : "") + "\n";
  }
  return text;
}

llvm::Expected<std::pair<llvm::StringRef, llvm::StringRef>> splitAssignment(llvm::StringRef option,
                                                                            llvm::StringRef text) {
  if (!text.contains('=') || text.starts_with("="))
    return commandError(ExitCode::Usage, "--" + option + " needs NAME=VALUE, found '" + text + "'");
  return text.split('=');
}

}  // namespace forerun::driver
