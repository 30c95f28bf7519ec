//===- LinkElf.cpp - object to static ELF through the LLD library ----------===//
// Places the program at the base that the machine contract fixes and refuses what would need a library.
#include "compiler/backends/accelerator/Backend.h"

#include "lld/Common/Driver.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

#if __has_feature(address_sanitizer)
// LLVM's shared library is built without the sanitizer: it uses memory pools that the allocators in its headers, which
// LLD instantiates here, poison.
extern "C" const char* __asan_default_options() {  // NOLINT(clang-diagnostic-reserved-identifier)
  return "allow_user_poisoning=0";
}
#endif

namespace forerun::backends::accelerator {

namespace {

/// Library calls that the back end left behind would be undefined: name them before LLD does, in our words.
llvm::Error refuseUndefined(llvm::ArrayRef<char> object) {
  const llvm::MemoryBufferRef buffer(llvm::StringRef(object.data(), object.size()), "program.o");
  auto file = llvm::object::ObjectFile::createObjectFile(buffer);
  if (!file) return file.takeError();
  std::string names;
  for (const llvm::object::SymbolRef& symbol : (*file)->symbols()) {
    auto flags = symbol.getFlags();
    if (!flags) return flags.takeError();
    if (!(*flags & llvm::object::SymbolRef::SF_Undefined) || (*flags & llvm::object::SymbolRef::SF_FormatSpecific))
      continue;
    auto name = symbol.getName();
    if (!name) return name.takeError();
    if (name->empty()) continue;
    names += (names.empty() ? "" : ", ") + name->str();
  }
  if (names.empty()) return llvm::Error::success();
  return llvm::createStringError(
      "the generated code calls %s, and an accelerator program has no library: an operation was not expanded before "
      "code generation (run --tile-expand-semantics)",
      names.c_str());
}

/// A file of its own for the linker, removed at the end of its scope and on signals.
class TemporaryFile {
 public:
  static llvm::Expected<TemporaryFile> create(llvm::StringRef suffix) {
    llvm::SmallString<128> path;
    if (std::error_code error = llvm::sys::fs::createTemporaryFile("forerun", suffix, path))
      return llvm::createStringError(error, "cannot create a temporary file for the linker: %s",
                                     error.message().c_str());
    return TemporaryFile(path);
  }
  const std::string& path() const { return remover_->path; }

 private:
  struct Remover {
    std::string path;
    explicit Remover(llvm::StringRef file) : path(file) { llvm::sys::RemoveFileOnSignal(path); }
    ~Remover() {
      [[maybe_unused]] const std::error_code left = llvm::sys::fs::remove(path);  // nobody can do more about it
      llvm::sys::DontRemoveFileOnSignal(path);
    }
  };
  explicit TemporaryFile(llvm::StringRef path) : remover_(std::make_unique<Remover>(path)) {}
  std::unique_ptr<Remover> remover_;
};

}  // namespace

llvm::Expected<std::vector<char>> linkElf(llvm::ArrayRef<char> object, llvm::StringRef entry) {
  if (llvm::Error error = refuseUndefined(object)) return error;
  auto input = TemporaryFile::create("o");
  if (!input) return input.takeError();
  auto output = TemporaryFile::create("elf");
  if (!output) return output.takeError();
  {
    std::error_code error;
    llvm::raw_fd_ostream stream(input->path(), error);
    if (error)
      return llvm::createStringError(error, "cannot write %s: %s", input->path().c_str(), error.message().c_str());
    stream.write(object.data(), object.size());
    stream.close();
    if (stream.has_error()) {
      std::string message = stream.error().message();
      stream.clear_error();
      return llvm::createStringError("cannot write %s: %s", input->path().c_str(), message.c_str());
    }
  }

  const std::string inputPath = input->path(), outputPath = output->path();
  const std::string entryFlag = "--entry=" + (entry.empty() ? std::string("0") : entry.str());
  // Image base: the program region of docs/machine-contract.md. One thread: objects are small and results must not
  // depend on the host.
  const std::vector<const char*> arguments = {"ld.lld",
                                              "-m",
                                              "elf64lriscv",
                                              "-static",
                                              "--image-base=0x40000000",
                                              entryFlag.c_str(),
                                              "--threads=1",
                                              "--no-relax",
                                              "--build-id=none",
                                              "-z",
                                              "norelro",
                                              "-z",
                                              "noseparate-code",
                                              "-o",
                                              outputPath.c_str(),
                                              inputPath.c_str()};
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  lld::Result result{};
  {
    static std::mutex linking;  // LLD keeps its state in one context a process
    const std::scoped_lock lock(linking);
    result = lld::lldMain(arguments, llvm::nulls(), stream, {{lld::Gnu, &lld::elf::link}});
  }
  if (result.retCode != 0) return llvm::createStringError("linking failed: %s", messages.c_str());
  auto linked = llvm::MemoryBuffer::getFile(outputPath, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!linked)
    return llvm::createStringError(linked.getError(), "cannot read the linked program: %s",
                                   linked.getError().message().c_str());
  return std::vector<char>((*linked)->getBufferStart(), (*linked)->getBufferEnd());
}

}  // namespace forerun::backends::accelerator
