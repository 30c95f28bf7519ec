//===- AtomicFile.cpp - files that appear whole or not at all ---------------===//
// A thin use of LLVM's TempFile, with messages that name the file.
#include "compiler/runtime/AtomicFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace forerun::runtime {

namespace {

namespace fs = llvm::sys::fs;

/// Devices, pipes and standard streams take bytes as they come; a renamed file would take their place in the folder.
bool isStream(llvm::StringRef path) {
  fs::file_status status;
  if (fs::status(path, status) || !fs::exists(status)) return false;
  const bool isStandard = path.starts_with("/dev/std") || path.starts_with("/dev/fd/");  // whatever it leads to
  return isStandard || (!fs::is_regular_file(status) && !fs::is_directory(status));
}

/// The file that a link leads to: the link is to stay.
std::string behindLinks(llvm::StringRef path) {
  llvm::SmallString<128> real;
  return fs::is_symlink_file(path) && !fs::real_path(path, real) ? real.str().str() : path.str();
}

llvm::Error writeAll(int descriptor, bool shouldClose, llvm::StringRef contents) {
  llvm::raw_fd_ostream os(descriptor, shouldClose);
  os << contents;
  os.flush();
  if (shouldClose) os.close();
  const std::error_code code = os.error();
  os.clear_error();
  return llvm::errorCodeToError(code);
}

llvm::Error writeStream(llvm::StringRef path, llvm::StringRef contents) {
  int descriptor = -1;
  if (std::error_code code = fs::openFileForWrite(path, descriptor, fs::CD_OpenExisting))
    return llvm::errorCodeToError(code);
  return writeAll(descriptor, /*shouldClose=*/true, contents);
}

llvm::Error replaceFile(llvm::StringRef path, llvm::StringRef contents) {
  auto temporary = fs::TempFile::create(path + ".tmp-%%%%%%%%");
  if (!temporary) return temporary.takeError();
  if (llvm::Error error = writeAll(temporary->FD, /*shouldClose=*/false, contents))
    return llvm::joinErrors(std::move(error), temporary->discard());
  // TempFile makes files that only their owner reads; outputs are ordinary files.
  llvm::consumeError(
      llvm::errorCodeToError(fs::setPermissions(temporary->TmpName, static_cast<fs::perms>(0666 & ~fs::getUmask()))));
  return temporary->keep(path);
}

}  // namespace

llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef contents) {
  llvm::Error error = isStream(path) ? writeStream(path, contents) : replaceFile(behindLinks(path), contents);
  if (!error) return llvm::Error::success();
  return llvm::createStringError(path + ": cannot be written: " + llvm::toString(std::move(error)));
}

llvm::Error checkWritable(llvm::StringRef path) {
  if (fs::is_directory(path)) return llvm::createStringError(path + ": is a folder; name a file in it");
  if (isStream(path)) {
    if (std::error_code code = fs::access(path, fs::AccessMode::Write))
      return llvm::createStringError(path + ": cannot be written: " + code.message() + "; choose another place");
    return llvm::Error::success();
  }
  const std::string file = behindLinks(path);
  llvm::SmallString<128> folder(llvm::sys::path::parent_path(file));
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder))
    return llvm::createStringError(path + ": folder '" + folder + "' does not exist; create it first");
  // Permission bits lie for root and for read-only mounts; a trial is the only honest answer.
  auto trial = fs::TempFile::create(file + ".tmp-%%%%%%%%");
  if (!trial)
    return llvm::createStringError(path + ": folder '" + folder + "' cannot be written: " +
                                   llvm::toString(trial.takeError()) + "; choose another place");
  return trial->discard();
}

}  // namespace forerun::runtime
