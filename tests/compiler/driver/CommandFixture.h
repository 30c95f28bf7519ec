//===- CommandFixture.h - running the forerun command in tests ---------------===//
// Exit code, output and files of one run of the built binary, in a folder of its own.
#pragma once

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace forerun::test {

struct Outcome {
  int code = -1;
  std::string out, err;
};

class Command : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("forerun-command", folder)); }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string path(llvm::StringRef name) const { return (folder + "/" + name).str(); }
  std::string write(llvm::StringRef name, llvm::StringRef text) const {
    std::error_code code;
    llvm::raw_fd_ostream(path(name), code) << text;
    return path(name);
  }
  std::string read(llvm::StringRef file) const {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    std::error_code code;
    for (llvm::sys::fs::directory_iterator i(folder, code), end; i != end && !code; i.increment(code))
      names.push_back(i->path());
    llvm::sort(names);
    return names;
  }

  /// `standardOutput`: where it goes instead of into the outcome.
  Outcome run(std::vector<std::string> args, llvm::StringRef standardOutput = "") const {
    args.insert(args.begin(), FORERUN_BINARY);
    std::vector<llvm::StringRef> refs(args.begin(), args.end());
    llvm::SmallString<128> out, err;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("forerun", "out", out));
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("forerun", "err", err));
    const std::optional<llvm::StringRef> redirects[] = {
        llvm::StringRef(), standardOutput.empty() ? llvm::StringRef(out) : standardOutput, llvm::StringRef(err)};
    Outcome result;
    result.code = llvm::sys::ExecuteAndWait(FORERUN_BINARY, refs, std::nullopt, redirects, 60);
    result.out = read(out);
    result.err = read(err);
    llvm::sys::fs::remove(out);
    llvm::sys::fs::remove(err);
    return result;
  }

  /// Exit code and the whole of standard error.
  void expectError(std::vector<std::string> args, int code, const std::string& message) const {
    const Outcome result = run(args);
    EXPECT_EQ(result.code, code) << llvm::join(args, " ") << "\n" << result.err;
    EXPECT_EQ(result.err, message) << llvm::join(args, " ");
    EXPECT_EQ(result.out, "") << llvm::join(args, " ");
  }
  void expectContains(std::vector<std::string> args, int code, const std::string& part) const {
    const Outcome result = run(args);
    EXPECT_EQ(result.code, code) << llvm::join(args, " ") << "\n" << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos)
        << llvm::join(args, " ") << "\nexpected: " << part << "\nfound: " << result.err;
  }

  std::string copyKernel() const { return write("copy.mlir", kCopy); }

  /// y = x, through scratch.
  static constexpr const char* kCopy = R"mlir(
tile.kernel @copy(%x: !tile.buffer<?xf32, global>, %y: !tile.buffer<?xf32, global>) grid(%i) {
  %c8 = arith.constant 8 : index
  %o = arith.muli %i, %c8 : index
  %s = tile.alloc : !tile.buffer<8xf32, scratch>
  %wx = tile.slice %x[%o] : !tile.buffer<?xf32, global> to !tile.buffer<8xf32, global>
  %wy = tile.slice %y[%o] : !tile.buffer<?xf32, global> to !tile.buffer<8xf32, global>
  tile.copy %wx, %s : !tile.buffer<8xf32, global>, !tile.buffer<8xf32, scratch>
  tile.copy %s, %wy : !tile.buffer<8xf32, scratch>, !tile.buffer<8xf32, global>
}
func.func @main(%x: !tile.buffer<?xf32, global> {tile.name = "x", tile.input = "iota:20"},
                %y: !tile.buffer<?xf32, global> {tile.name = "y", tile.output = "dim(x,0)"}) {
  %c3 = arith.constant 3 : index
  tile.launch @copy grid(%c3) args(%x, %y) : !tile.buffer<?xf32, global>, !tile.buffer<?xf32, global>
  return
}
)mlir";

  llvm::SmallString<128> folder;
};

}  // namespace forerun::test
