//===- AtomicFile.cpp - files that appear whole or not at all ---------------===//
// A thin use of LLVM's TempFile, with messages that name the file.
#include "compiler/runtime/AtomicFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace forerun::runtime {

llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef contents) {
  auto fail = [&](llvm::Error why) {
    return llvm::createStringError(path + ": cannot be written: " + llvm::toString(std::move(why)));
  };
  auto temporary = llvm::sys::fs::TempFile::create(path + ".tmp-%%%%%%%%");
  if (!temporary) return fail(temporary.takeError());
  {
    llvm::raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
    os << contents;
    os.flush();
    if (os.has_error()) {
      const std::error_code code = os.error();
      os.clear_error();
      llvm::consumeError(temporary->discard());
      return fail(llvm::errorCodeToError(code));
    }
  }
  // TempFile makes files that only their owner reads; outputs are ordinary files.
  llvm::consumeError(llvm::errorCodeToError(llvm::sys::fs::setPermissions(
      temporary->TmpName, static_cast<llvm::sys::fs::perms>(0666 & ~llvm::sys::fs::getUmask()))));
  if (llvm::Error error = temporary->keep(path)) return fail(std::move(error));
  return llvm::Error::success();
}

llvm::Error checkWritable(llvm::StringRef path) {
  llvm::SmallString<128> folder(llvm::sys::path::parent_path(path));
  if (folder.empty()) folder = ".";
  if (llvm::sys::fs::is_directory(path)) return llvm::createStringError(path + ": is a folder; name a file in it");
  if (!llvm::sys::fs::is_directory(folder))
    return llvm::createStringError(path + ": folder '" + folder + "' does not exist; create it first");
  // Permission bits lie for root and for read-only mounts; a trial is the only honest answer.
  auto trial = llvm::sys::fs::TempFile::create(path + ".tmp-%%%%%%%%");
  if (!trial)
    return llvm::createStringError(path + ": folder '" + folder + "' cannot be written: " +
                                   llvm::toString(trial.takeError()) + "; choose another place");
  return trial->discard();
}

}  // namespace forerun::runtime
