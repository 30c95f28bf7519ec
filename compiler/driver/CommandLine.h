//===- CommandLine.h - options of the forerun command -----------------------===//
// A command declares its options as data; parsing, help and suggestions for misspelt ones come from that.
#pragma once

#include "compiler/driver/CommandError.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace forerun::driver {

struct OptionSpec {
  enum class Value { None, Required, Optional };
  llvm::StringRef name;         ///< without dashes
  Value value = Value::None;    ///< Required: --name=V or --name V; Optional: --name or --name=V
  llvm::StringRef placeholder;  ///< "FILE" in help
  llvm::StringRef help;
  bool repeated = false;
  llvm::StringRef letter = "";  ///< short form: -o FILE for --output=FILE
};

class Arguments {
 public:
  std::vector<std::string> positional;

  bool has(llvm::StringRef name) const { return values_.contains(name); }
  /// Last value given, or nothing; empty for an option without a value.
  std::optional<std::string> get(llvm::StringRef name) const;
  llvm::ArrayRef<std::string> all(llvm::StringRef name) const;
  /// A non-negative integer, or a usage error.
  llvm::Expected<std::uint64_t> integer(llvm::StringRef name, std::uint64_t fallback) const;

  void add(llvm::StringRef name, llvm::StringRef value) { values_[name].push_back(value.str()); }

 private:
  llvm::StringMap<std::vector<std::string>> values_;
};

/// Fails with ExitCode::Usage on unknown options (with the nearest known one), missing or superfluous values, and
/// options given twice.
llvm::Expected<Arguments> parseArguments(llvm::ArrayRef<OptionSpec> options, llvm::ArrayRef<llvm::StringRef> args);

/// Option table as text, one line an option.
std::string describeOptions(llvm::ArrayRef<OptionSpec> options);

/// The nearest of `known` within a third of the letters, or empty.
llvm::StringRef nearest(llvm::StringRef text, llvm::ArrayRef<llvm::StringRef> known);

/// Splits "NAME=VALUE", or a usage error that names the option.
llvm::Expected<std::pair<llvm::StringRef, llvm::StringRef>> splitAssignment(llvm::StringRef option,
                                                                            llvm::StringRef text);

}  // namespace forerun::driver
