//===- AtomicFileTest.cpp - outputs whole or absent -------------------------===//
// What is left in the folder after success and after failure.
#include "compiler/runtime/AtomicFile.h"

#include "gtest/gtest.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <sys/resource.h>
#include <csignal>

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

// All devices are named through links, which is what a wrong implementation would replace.
TEST_F(AtomicFile, DevicesAreWrittenTo) {
  ASSERT_FALSE(llvm::sys::fs::create_link("/dev/full", path("full")));
  ASSERT_FALSE(llvm::sys::fs::create_link("/dev/null", path("null")));
  EXPECT_FALSE(bool(checkWritable(path("null"))));
  EXPECT_FALSE(bool(writeFileAtomically(path("null"), "one")));
  EXPECT_FALSE(bool(checkWritable(path("full"))));
  EXPECT_EQ(llvm::toString(writeFileAtomically(path("full"), "one")),
            path("full") + ": cannot be written: No space left on device");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(path("full")));
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(path("null")));
  EXPECT_EQ(files(), 2);
}

TEST_F(AtomicFile, LinksStay) {
  ASSERT_FALSE(bool(writeFileAtomically(path("x"), "one")));
  ASSERT_FALSE(llvm::sys::fs::create_link(path("x"), path("link")));
  ASSERT_FALSE(bool(writeFileAtomically(path("link"), "two")));
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(path("link")));
  EXPECT_EQ((*llvm::MemoryBuffer::getFile(path("x")))->getBuffer(), "two");
}

TEST_F(AtomicFile, NoSpaceLeavesNothing) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = llvm::toString(writeFileAtomically(path("x"), std::string(100000, 'x')));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, path("x") + ": cannot be written: File too large");
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
