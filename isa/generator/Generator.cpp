//===- Generator.cpp - makes everything that derives from Instructions.td --===//
// Usage: forerun-isa-gen RECORDS.json OUTPUT-FOLDER. Files whose text has not changed keep their time, so dependents
// are not rebuilt.
#include "isa/generator/Model.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

namespace {

using namespace forerun::isa::generator;

struct Output {
  const char* path;
  void (*emit)(const Model&, llvm::raw_ostream&);
};

constexpr Output kOutputs[] = {
    {"isa/Encoding.h", emitEncodingHeader},
    {"isa/Encoding.inc", emitEncodingTable},
    {"isa/include/xfr_intrinsics.h", emitCHeader},
    {"isa/XfrOps.td", emitDialect},
    {"isa/InsnTemplates.inc", emitInsnTemplates},
    {"docs/generated/isa.md", emitPage},
    {"isa/ReferencePage.inc",
     [](const Model& model, llvm::raw_ostream& os) {
       os << "// Generated from isa/Instructions.td; do not edit. Included by isa/Isa.cpp.\nR\"page(";
       emitPage(model, os);
       os << ")page\"\n";
     }},
};

int fail(const llvm::Twine& message) {
  llvm::errs() << "forerun-isa-gen: " << message << "\n";
  return 1;
}

int write(const llvm::Twine& path, llvm::StringRef text) {
  llvm::SmallString<256> name;
  path.toVector(name);
  if (auto old = llvm::MemoryBuffer::getFile(name); old && (*old)->getBuffer() == text) return 0;
  if (auto error = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(name)))
    return fail(name + ": " + error.message());
  std::error_code error;
  llvm::raw_fd_ostream os(name, error);
  if (error) return fail(name + ": " + error.message());
  os << text;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return fail("usage: forerun-isa-gen RECORDS.json OUTPUT-FOLDER");
  auto json = llvm::MemoryBuffer::getFile(argv[1]);
  if (!json) return fail(llvm::Twine(argv[1]) + ": " + json.getError().message());
  auto model = parseModel((*json)->getBuffer());
  if (!model) return fail("Instructions.td: " + llvm::toString(model.takeError()));
  for (const Output& output : kOutputs) {
    std::string text;
    llvm::raw_string_ostream os(text);
    output.emit(*model, os);
    if (const int code = write(llvm::Twine(argv[2]) + "/" + output.path, text)) return code;
  }
  return 0;
}
