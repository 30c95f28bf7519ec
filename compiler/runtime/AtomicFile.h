//===- AtomicFile.h - files that appear whole or not at all -----------------===//
// Outputs are written beside their place and renamed, so that a failed or interrupted run leaves nothing half-written.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace forerun::runtime {

/// Replaces the file at `path`, or the one that a link there leads to, by `contents` in one step. The temporary is
/// removed on failure and on SIGINT / SIGTERM. Devices and pipes are written to.
llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef contents);

/// Fails, naming the reason, when `writeFileAtomically(path)` could not work: to be called before a long run.
llvm::Error checkWritable(llvm::StringRef path);

}  // namespace forerun::runtime
