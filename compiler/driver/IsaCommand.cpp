//===- IsaCommand.cpp - forerun isa -----------------------------------------------===//
// The reference page of the Xfr extension, or the part of one instruction.
#include "compiler/driver/CommandLine.h"
#include "compiler/driver/Commands.h"
#include "isa/Isa.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace forerun::driver {

namespace {

llvm::StringRef ref(std::string_view text) { return {text.data(), text.size()}; }

/// The section of the reference page whose heading names the instruction.
llvm::StringRef sectionOf(llvm::StringRef mnemonic) {
  llvm::StringRef page = ref(isa::referencePage());
  for (std::size_t at = page.find("\n#"); at != llvm::StringRef::npos; at = page.find("\n#", at + 1)) {
    const llvm::StringRef heading = page.substr(at + 1).split('\n').first;
    if (!heading.contains(mnemonic)) continue;
    const std::size_t end = page.find("\n#", at + 1);
    return page.slice(at + 1, end == llvm::StringRef::npos ? page.size() : end + 1);
  }
  return {};
}

}  // namespace

llvm::Error isaCommand(CommandArguments args) {
  constexpr OptionSpec kOptions[] = {{"help", OptionSpec::Value::None, "", "this text"}};
  auto parsed = parseArguments(kOptions, args);
  if (!parsed) return parsed.takeError();
  if (parsed->has("help")) {
    llvm::outs() << "Usage: forerun isa              the reference page, in Markdown\n       forerun isa MNEMONIC     "
                    "one instruction, e.g. xmm.run\n";
    return llvm::Error::success();
  }
  if (parsed->positional.empty()) {
    llvm::outs() << ref(isa::referencePage());
    return llvm::Error::success();
  }
  if (parsed->positional.size() > 1) return commandError(ExitCode::Usage, "expected one mnemonic at most");
  const llvm::StringRef wanted = parsed->positional[0];
  llvm::SmallVector<llvm::StringRef> names;
  for (const isa::InstructionInfo& info : isa::instructions()) {
    names.push_back(ref(info.mnemonic));
    if (ref(info.mnemonic) != wanted) continue;
    if (const llvm::StringRef section = sectionOf(wanted); !section.empty()) {
      llvm::outs() << section;
      return llvm::Error::success();
    }
    llvm::outs() << ref(info.mnemonic) << ": " << ref(info.summary) << "\n";
    return llvm::Error::success();
  }
  const llvm::StringRef guess = nearest(wanted, names);
  return commandError(ExitCode::Usage,
                      "unknown instruction '" + wanted + "'" +
                          (guess.empty() ? "; forerun isa lists all" : "; did you mean '" + guess.str() + "'?"));
}

}  // namespace forerun::driver
