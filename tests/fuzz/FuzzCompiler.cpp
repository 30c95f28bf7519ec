//===- FuzzCompiler.cpp - mistakes in kernel files are told, not suffered ----===//
// Feeds changed kernel files to the compiler, in child processes, and saves every text on which it crashes, aborts,
// does not end, or fails without a message that helps.
#include "compiler/driver/CommandLine.h"
#include "tests/fuzz/Mutator.h"
#include "tests/fuzz/Trial.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>

namespace forerun::fuzz {
namespace {

using driver::OptionSpec;
using Value = OptionSpec::Value;

constexpr OptionSpec kOptions[] = {
    {"seconds", Value::Required, "N", "stop after so long (default: 20)"},
    {"inputs", Value::Required, "N", "stop after so many inputs (default: no limit)"},
    {"seed", Value::Required, "N", "of all changes (default: 1)"},
    {"first", Value::Required, "N", "number of the first input (default: 0)"},
    {"jobs", Value::Required, "N", "processes at a time (default: 1)"},
    {"limit", Value::Required, "N", "seconds of processor time that an input may take (default: 20)"},
    {"findings", Value::Required, "N", "stop after so many findings (default: 20)"},
    {"save", Value::Required, "FOLDER", "where inputs with findings go (default: fuzz-findings)"},
    {"replay", Value::None, "", "take the files as they are, in this process: for a debugger"},
    {"help", Value::None, "", "this text"},
};

constexpr std::uint64_t kBatch = 200;    ///< inputs of one child: a context keeps every type and name for good
constexpr std::uint64_t kWholeWay = 16;  ///< one in so many is compiled to the end, which takes its time
constexpr rlim_t kMemoryBytes = rlim_t{4} << 30;

/// What a child tells its parent, in memory that they share.
struct Progress {
  std::uint64_t next;  ///< the input at work; behind the last one: done
  std::uint64_t finished, findings;
};

struct Settings {
  std::uint64_t seconds = 20, inputs = 0, seed = 1, first = 0, jobs = 1, limitSeconds = 20, findings = 20;
  std::string save;
};

/// One process of the compiler and the inputs that it is to take.
struct Child {
  pid_t pid = 0;
  std::uint64_t start = 0, end = 0;
  Progress* progress = nullptr;
};

class Fuzzer {
 public:
  Fuzzer(Settings settings, Mutator mutator) : settings_(std::move(settings)), mutator_(std::move(mutator)) {}

  /// True when nothing was found.
  llvm::Expected<bool> run() {
    children_.resize(settings_.jobs);
    for (Child& child : children_) {
      void* shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
      if (shared == MAP_FAILED) return llvm::createStringError("no memory to share with child processes");
      child.progress = new (shared) Progress{};
    }
    const auto begin = std::chrono::steady_clock::now();
    auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
    std::uint64_t next = settings_.first;
    const std::uint64_t last = settings_.inputs == 0 ? UINT64_MAX : settings_.first + settings_.inputs;
    auto more = [&] {
      return next < last && seconds() < static_cast<double>(settings_.seconds) && findings_ < settings_.findings;
    };
    for (Child& child : children_) {
      if (!more()) break;
      startBatch(child, next, last);
    }
    while (llvm::any_of(children_, [](const Child& child) { return child.pid != 0; })) {
      int status = 0;
      const pid_t ended = wait(&status);
      Child& child = *llvm::find_if(children_, [&](const Child& one) { return one.pid == ended; });
      child.pid = 0;
      takeCounts(child);
      if (child.progress->next < child.end) {
        report(child.progress->next++, whyEnded(status));
        ++inputs_;
      }
      if (!more()) continue;
      if (child.progress->next < child.end)
        start(child);
      else
        startBatch(child, next, last);
    }
    llvm::outs() << llvm::formatv(
        "{0} inputs from {1} with seed {2} in {3:f1} s: {4:f1} a second, {5} without fault, {6} findings\n", inputs_,
        settings_.first, settings_.seed, seconds(), static_cast<double>(inputs_) / seconds(), finished_, findings_);
    if (inputs_ == 0 || finished_ == 0)
      return llvm::createStringError("no input came to the end: nothing has been tried");
    return findings_ == 0;
  }

 private:
  void startBatch(Child& child, std::uint64_t& next, std::uint64_t last) {
    child.progress->next = next;
    child.end = next = std::min(next + kBatch, last);
    start(child);
  }

  void start(Child& child) {
    child.progress->finished = child.progress->findings = 0;
    child.start = child.progress->next;
    llvm::outs().flush();
    child.pid = fork();
    if (child.pid != 0) return;
    const rlimit memory{kMemoryBytes, kMemoryBytes}, noCore{0, 0};
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CORE, &noCore);
    work(child);
    llvm::outs().flush();
    _exit(0);
  }

  void takeCounts(const Child& child) {
    inputs_ += child.progress->next - child.start;
    finished_ += child.progress->finished;
    findings_ += child.progress->findings;
  }

  /// In the child.
  void work(const Child& child) {
    Progress& progress = *child.progress;
    auto trial = Trial::create();
    if (!trial) llvm::report_fatal_error(trial.takeError());
    while (progress.next < child.end) {
      // Processor time, so that a busy machine finds nothing. Its signal ends the process.
      const itimerval limit{{0, 0}, {static_cast<time_t>(settings_.limitSeconds), 0}};
      setitimer(ITIMER_PROF, &limit, nullptr);
      const std::uint64_t number = progress.next, way = number % trial->ways();
      const std::string finding =
          trial->run(mutator_.make(settings_.seed, number), way, number / trial->ways() % kWholeWay == 0);
      progress.finished = trial->finished;
      if (!finding.empty()) {
        report(number, finding);
        ++progress.findings;
      }
      ++progress.next;
    }
  }

  static std::string whyEnded(int status) {
    if (WIFSIGNALED(status))
      return WTERMSIG(status) == SIGPROF ? "does not end"
                                         : std::string("ends by signal: ") + strsignal(WTERMSIG(status));
    return "ends the process with code " + std::to_string(WEXITSTATUS(status));
  }

  void report(std::uint64_t number, llvm::StringRef finding) {
    ++findings_;
    llvm::SmallString<128> file(settings_.save);
    llvm::sys::path::append(file, llvm::formatv("{0}-{1}.mlir", settings_.seed, number).str());
    std::error_code code = llvm::sys::fs::create_directories(settings_.save);
    llvm::raw_fd_ostream os(file, code);
    os << mutator_.make(settings_.seed, number);
    llvm::outs() << file << ": " << finding << "\n";
    llvm::outs().flush();
  }

  Settings settings_;
  Mutator mutator_;
  std::vector<Child> children_;
  std::uint64_t inputs_ = 0, finished_ = 0, findings_ = 0;
};

/// The files' texts; those of lit tests are cut at their "// -----" lines.
llvm::Expected<std::vector<std::string>> readAll(llvm::ArrayRef<std::string> paths) {
  std::vector<std::string> texts;
  for (const std::string& path : paths) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer) return llvm::createStringError(path + ": cannot be read: " + buffer.getError().message());
    llvm::SmallVector<llvm::StringRef> parts;
    (*buffer)->getBuffer().split(parts, "// -----");
    for (llvm::StringRef part : parts)
      if (!part.trim().empty()) texts.push_back(part.str());
  }
  return texts;
}

llvm::Expected<bool> replay(llvm::ArrayRef<std::string> texts) {
  auto trial = Trial::create();
  if (!trial) return trial.takeError();
  bool good = true;
  for (const std::string& text : texts)
    for (const bool allTheWay : {false, true})
      for (std::size_t way = 0; way < trial->ways(); ++way)
        if (const std::string finding = trial->run(text, way, allTheWay); !finding.empty()) {
          llvm::outs() << "way " << way << ": " << finding << "\n";
          good = false;
        }
  return good;
}

llvm::Expected<bool> fuzz(llvm::ArrayRef<llvm::StringRef> args) {
  auto arguments = driver::parseArguments(kOptions, args);
  if (!arguments) return arguments.takeError();
  if (arguments->has("help") || arguments->positional.empty()) {
    llvm::outs() << "Usage: forerun-fuzz KERNEL.mlir... [options]\n\n" << driver::describeOptions(kOptions);
    return arguments->has("help");
  }
  auto texts = readAll(arguments->positional);
  if (!texts) return texts.takeError();
  if (arguments->has("replay")) return replay(*texts);
  Settings settings;
  settings.save = arguments->get("save").value_or("fuzz-findings");
  for (auto [name, value] : {std::pair{"seconds", &settings.seconds},
                             {"inputs", &settings.inputs},
                             {"seed", &settings.seed},
                             {"first", &settings.first},
                             {"jobs", &settings.jobs},
                             {"limit", &settings.limitSeconds},
                             {"findings", &settings.findings}}) {
    auto number = arguments->integer(name, *value);
    if (!number) return number.takeError();
    *value = *number;
  }
  auto trial = Trial::create();
  if (!trial) return trial.takeError();
  llvm::SmallVector<bool> valid;
  for (const std::string& text : *texts) valid.push_back(trial->parses(text));
  if (!llvm::is_contained(valid, true)) return llvm::createStringError("none of the files is without fault");
  return Fuzzer(std::move(settings), Mutator(*texts, valid)).run();
}

}  // namespace
}  // namespace forerun::fuzz

int main(int argc, char** argv) {
  const llvm::SmallVector<llvm::StringRef> args(argv + 1, argv + argc);
  auto good = forerun::fuzz::fuzz(args);
  if (good) return *good ? 0 : 1;
  llvm::errs() << "forerun-fuzz: error: " << llvm::toString(good.takeError()) << "\n";
  return 2;
}
