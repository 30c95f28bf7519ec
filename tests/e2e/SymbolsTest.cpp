//===- SymbolsTest.cpp - generated code calls nothing ------------------------===//
// Compiles every example and every kernel of the end-to-end tests for every target and looks for symbols that nothing
// defines: there is no library on the machine.
#include "tests/compiler/driver/CommandFixture.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ObjectFile.h"
#include "targets/Load.h"

using forerun::test::Command;
using forerun::test::Outcome;

namespace {

std::vector<std::string> kernelFiles() {
  std::vector<std::string> files;
  for (const char* folder : {FORERUN_EXAMPLES, FORERUN_KERNELS}) {
    std::error_code code;
    for (llvm::sys::fs::recursive_directory_iterator i(folder, code), end; i != end && !code; i.increment(code))
      if (llvm::StringRef(i->path()).ends_with(".mlir")) files.push_back(i->path());
    EXPECT_FALSE(code) << folder;
  }
  llvm::sort(files);
  return files;
}

class Symbols : public Command {
 protected:
  /// False when the target refuses the file, which must be for a reason of its own and not for its syntax.
  bool compile(const std::string& file, const std::string& target, const char* stage, const std::string& output) const {
    const Outcome result = run({"compile", file, "--target=" + target, std::string("--emit=") + stage, "-o", output});
    if (result.code == 0) return true;
    EXPECT_EQ(result.code, 4) << file << " for " << target << "\n" << result.err;
    EXPECT_TRUE(llvm::StringRef(result.err).contains("does not support") ||
                llvm::StringRef(result.err).contains("target"))
        << file << " for " << target << "\n"
        << result.err;
    return false;
  }
};

TEST_F(Symbols, ObjectsLeaveNoneUndefined) {
  for (const std::string& target : forerun::targets::knownAccelerators()) {
    unsigned compiled = 0;
    for (const std::string& file : kernelFiles()) {
      const std::string object = path("kernel.o");
      if (!compile(file, target, "obj", object)) continue;
      ++compiled;
      const std::string bytes = read(object);
      auto parsed = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, file));
      ASSERT_TRUE(bool(parsed)) << file << llvm::toString(parsed.takeError());
      unsigned functions = 0;
      for (const llvm::object::SymbolRef& symbol : (*parsed)->symbols()) {
        const llvm::StringRef name = llvm::cantFail(symbol.getName());
        functions += llvm::cantFail(symbol.getType()) == llvm::object::SymbolRef::ST_Function;
        if (!name.empty())
          EXPECT_FALSE(llvm::cantFail(symbol.getFlags()) & llvm::object::SymbolRef::SF_Undefined)
              << file << " for " << target << " calls " << name.str();
      }
      EXPECT_GT(functions, 0u) << file;
    }
    EXPECT_GT(compiled, 15u) << target;
  }
}

TEST_F(Symbols, PtxLeavesNoneUndefined) {
  unsigned compiled = 0;
  for (const std::string& file : kernelFiles()) {
    const std::string ptx = path("kernel.ptx");
    if (!compile(file, "sm_80", "ptx", ptx)) continue;
    ++compiled;
    const std::string text = read(ptx);
    EXPECT_NE(text.find(".entry"), std::string::npos) << file;
    EXPECT_EQ(text.find(".extern .func"), std::string::npos) << file;
  }
  EXPECT_GT(compiled, 3u);
}

}  // namespace
