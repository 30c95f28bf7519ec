//===- main.cpp - the forerun command ----------------------------------------===//
// Picks the subcommand; turns errors into messages and exit codes.
#include "compiler/driver/CommandLine.h"
#include "compiler/driver/Commands.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <new>

using namespace forerun::driver;

namespace {

struct Subcommand {
  llvm::StringRef name, summary;
  llvm::Error (*run)(CommandArguments);
};

constexpr const char* kExitCodes =
    "Exit codes:\n"
    "  0  success, checks included\n"
    "  1  a check failed: results differ beyond the bound, or nothing was compared\n"
    "  2  usage: unknown command, option or argument name\n"
    "  3  bad input: file, data, target, or an output that cannot be written\n"
    "  4  the kernel file does not compile\n"
    "  5  the program did what the machine or the language forbids\n"
    "  6  --max-cycles was reached\n"
    "  70 internal error (a bug: please report it)\n"
    "SIGINT and SIGTERM end a command and leave no half-written file.\n";

/// What is still to be written decides as well.
int exitWith(ExitCode code) {
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    llvm::outs().clear_error();
    if (code == ExitCode::Success) {
      llvm::errs() << "forerun: error: standard output cannot be written\n";
      code = ExitCode::BadInput;
    }
  }
  llvm::errs().clear_error();  // else LLVM ends the process with a code of its own
  return static_cast<int>(code);
}

int exitWith(llvm::Error error) {
  ExitCode code = ExitCode::Success;
  llvm::handleAllErrors(
      std::move(error),
      [&](const CommandError& command) {
        code = command.code;
        if (!command.message.empty()) llvm::errs() << "forerun: error: " << command.message << "\n";
      },
      [&](const llvm::ErrorInfoBase& other) {
        code = ExitCode::Internal;
        llvm::errs() << "forerun: internal error: " << other.message() << "\n";
      });
  return exitWith(code);
}

/// Sizes come from the user: running out of memory is bad input like any other.
llvm::Error runWithinMemory(const Subcommand& command, CommandArguments args) {
  try {
    return command.run(args);
  } catch (const std::bad_alloc&) {
    return commandError(ExitCode::BadInput, "this computer's memory does not hold what '" + command.name +
                                                "' was asked for; use smaller inputs or a smaller target");
  }
}

}  // namespace

int main(int argc, char** argv) {
  static constexpr Subcommand kCommands[] = {
      {"run", "compile a kernel file, run it on a simulated chip (or the interpreter), check and report", runCommand},
      {"interpret", "run a kernel file on the interpreter: the reference", interpretCommand},
      {"compile", "compile a kernel file; stop, dump and re-enter at named stages", compileCommand},
      {"sim", "run an ELF program on a simulated chip", simCommand},
      {"disasm", "disassemble an ELF program, Xfr instructions included", disasmCommand},
      {"targets", "list, show or check target files; keys prints their reference", targetsCommand},
      {"isa", "print the reference of the Xfr instructions", isaCommand},
      {"layout", "draw a layout: who holds which element, bank conflicts of an access", layoutCommand},
  };
  llvm::SmallVector<llvm::StringRef> args(argv + 1, argv + argc);
  const bool help = !args.empty() && (args[0] == "--help" || args[0] == "-h" || args[0] == "help");
  if (args.empty() || help) {
    llvm::raw_ostream& os = help ? llvm::outs() : llvm::errs();
    os << "forerun " FORERUN_VERSION ": compile kernels for accelerators and run them on a model of the chip\n\n"
       << "Usage: forerun COMMAND [options]      (forerun COMMAND --help for its options)\n\nCommands:\n";
    for (const Subcommand& command : kCommands)
      os << "  " << llvm::left_justify(command.name, 11) << command.summary << "\n";
    os << "\n" << kExitCodes;
    return exitWith(help ? ExitCode::Success : ExitCode::Usage);
  }
  if (args[0] == "--version") {
    llvm::outs() << "forerun " FORERUN_VERSION "\n";
    return exitWith(ExitCode::Success);
  }
  for (const Subcommand& command : kCommands)
    if (command.name == args[0]) return exitWith(runWithinMemory(command, llvm::ArrayRef(args).drop_front()));
  llvm::SmallVector<llvm::StringRef> names;
  for (const Subcommand& command : kCommands) names.push_back(command.name);
  const llvm::StringRef guess = nearest(args[0], names);
  return exitWith(commandError(ExitCode::Usage,
                               "unknown command '" + args[0] + "'" +
                                   (guess.empty() ? "; see forerun --help" : "; did you mean '" + guess.str() + "'?")));
}
