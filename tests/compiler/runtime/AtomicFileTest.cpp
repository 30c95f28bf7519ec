//===- AtomicFileTest.cpp - outputs whole or absent -------------------------===//
// What is left in the folder after success and after failure.
#include "compiler/runtime/AtomicFile.h"

#include "gtest/gtest.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace forerun::runtime;

namespace {

class AtomicFile : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("forerun-test", folder)); }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string path(llvm::StringRef name) const { return (folder + "/" + name).str(); }
  int files() const {
    std::error_code code;
    int count = 0;
    for (llvm::sys::fs::directory_iterator i(folder, code), end; i != end && !code; i.increment(code)) ++count;
    return count;
  }

  llvm::SmallString<128> folder;
};

TEST_F(AtomicFile, ReplacesContents) {
  ASSERT_FALSE(bool(writeFileAtomically(path("x"), "one")));
  ASSERT_FALSE(bool(writeFileAtomically(path("x"), "two")));
  EXPECT_EQ((*llvm::MemoryBuffer::getFile(path("x")))->getBuffer(), "two");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFile, TrialLeavesNothing) {
  ASSERT_FALSE(bool(checkWritable(path("x"))));
  EXPECT_EQ(files(), 0);
}

TEST_F(AtomicFile, BadPlacesAreNamed) {
  EXPECT_EQ(llvm::toString(checkWritable(path("no/x"))),
            path("no/x") + ": folder '" + path("no") + "' does not exist; create it first");
  EXPECT_EQ(llvm::toString(checkWritable(folder)), std::string(folder.str()) + ": is a folder; name a file in it");
  EXPECT_NE(llvm::toString(checkWritable("/proc/x")).find("/proc/x: folder '/proc' cannot be written: "),
            std::string::npos);
  EXPECT_NE(llvm::toString(writeFileAtomically(path("no/x"), "")).find("cannot be written"), std::string::npos);
}

}  // namespace
