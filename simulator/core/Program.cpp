//===- Program.cpp - an encoded program -------------------------------------===//
// LLVM's object and DWARF readers, with the checks that they leave to their users.
#include "simulator/core/Program.h"

#include "simulator/kernel/Error.h"

#include "llvm/DebugInfo/DIContext.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>
#include <vector>

namespace forerun::sim::core {
namespace {

using Elf = llvm::object::ELF64LE;
using ElfFile = llvm::object::ELFFile<Elf>;

[[noreturn]] void fail(llvm::StringRef name, const llvm::Twine& what) {
  throw Error(ErrorKind::IllegalProgram, (name + ": " + what).str());
}

template <class T>
T take(llvm::Expected<T> value, llvm::StringRef name, llvm::StringRef what) {
  if (!value) fail(name, what + ": " + llvm::toString(value.takeError()));
  return std::move(*value);
}

void checkHeader(llvm::ArrayRef<std::uint8_t> bytes, llvm::StringRef name) {
  if (bytes.size() < sizeof(Elf::Ehdr))
    fail(name, "the file is cut short: " + llvm::Twine(bytes.size()) + " bytes do not hold an ELF header");
  if (std::memcmp(bytes.data(), llvm::ELF::ElfMagic, 4) != 0) fail(name, "not an ELF file");
  if (bytes[llvm::ELF::EI_CLASS] != llvm::ELF::ELFCLASS64)
    fail(name, "not a 64-bit ELF; compile with --target=riscv64");
  if (bytes[llvm::ELF::EI_DATA] != llvm::ELF::ELFDATA2LSB) fail(name, "not a little-endian ELF");
  const auto& header = *reinterpret_cast<const Elf::Ehdr*>(bytes.data());
  if (header.e_machine != llvm::ELF::EM_RISCV)
    fail(name, "made for machine " + llvm::Twine(static_cast<unsigned>(header.e_machine)) + ", expected RISC-V (243)");
  if (header.e_type != llvm::ELF::ET_EXEC)
    fail(name, "not a static executable (ELF type " + llvm::Twine(static_cast<unsigned>(header.e_type)) +
                   "); link with -static -no-pie");
}

/// The text with that number of a section of them, "" when there are fewer.
std::string textOf(llvm::StringRef texts, std::uint64_t number) {
  for (; number > 0 && !texts.empty(); --number) texts = texts.split('\0').second;
  return texts.split('\0').first.str();
}

}  // namespace

struct Program::Impl {
  Impl(llvm::ArrayRef<std::uint8_t> bytes, llvm::StringRef fileName);

  std::string name;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  ElfFile elf;
  std::vector<Elf::Phdr> segments;
  std::optional<isa::ElfNote> note;
  std::unique_ptr<llvm::object::ObjectFile> object;
  mutable std::unique_ptr<llvm::DWARFContext> dwarf;
  llvm::StringRef checkTexts, markNames;  ///< each with its NUL

  void readSegments();
  void readSections();
};

void Program::Impl::readSegments() {
  const std::uint64_t fileBytes = buffer->getBufferSize();
  for (const Elf::Phdr& segment : take(elf.program_headers(), name, "cannot read the program headers")) {
    if (segment.p_type == llvm::ELF::PT_INTERP || segment.p_type == llvm::ELF::PT_DYNAMIC)
      fail(name, "dynamically linked; link with -static");
    if (segment.p_type != llvm::ELF::PT_LOAD || segment.p_memsz == 0) continue;
    const std::uint64_t address = segment.p_vaddr, memory = segment.p_memsz, offset = segment.p_offset,
                        stored = segment.p_filesz;
    if (stored > memory || offset > fileBytes || stored > fileBytes - offset)
      fail(name, llvm::formatv("the file is cut short: segment at {0:x} wants bytes {1} to {2} of {3}", address, offset,
                               offset + stored, fileBytes));
    if (address < kProgramBase || memory > kProgramBytes || address - kProgramBase > kProgramBytes - memory)
      fail(name,
           llvm::formatv("segment {0:x}..{1:x} is outside program memory {2:x}..{3:x}; link with --image-base={2:x}",
                         address, address + memory, kProgramBase, kProgramBase + kProgramBytes));
    segments.push_back(segment);
  }
  if (segments.empty()) fail(name, "no segment to load");
  const std::uint64_t start = elf.getHeader().e_entry;
  if (start == 0)  // as `forerun compile` links kernels
    fail(name, "has no entry of its own: kernels are launched with arguments by 'forerun run' with the kernel file");
  bool executable = false;
  for (const Elf::Phdr& s : segments)
    executable |= (s.p_flags & llvm::ELF::PF_X) && start >= s.p_vaddr && start - s.p_vaddr < s.p_memsz;
  if (!executable) fail(name, llvm::formatv("the entry {0:x} is in no executable segment", start));
}

void Program::Impl::readSections() {
  for (const Elf::Shdr& section : take(elf.sections(), name, "cannot read the section headers")) {
    const std::string_view sectionName = take(elf.getSectionName(section), name, "cannot read a section name");
    llvm::StringRef* texts = sectionName == isa::kChecksSection  ? &checkTexts
                             : sectionName == isa::kMarksSection ? &markNames
                                                                 : nullptr;
    if (!texts && sectionName != isa::kNoteSection) continue;
    const llvm::ArrayRef<std::uint8_t> contents =
        take(elf.getSectionContents(section), name, "cannot read " + std::string(sectionName));
    if (texts) {
      *texts = llvm::StringRef(reinterpret_cast<const char*>(contents.data()), contents.size());
      continue;
    }
    std::string message;
    note = isa::parseNotes({contents.data(), contents.size()}, message);
    if (!note) fail(name, ".note.forerun: " + message);
  }
}

Program::Impl::Impl(llvm::ArrayRef<std::uint8_t> bytes, llvm::StringRef fileName)
    : name(fileName.str()),
      buffer(llvm::MemoryBuffer::getMemBufferCopy(
          llvm::StringRef(reinterpret_cast<const char*>(bytes.data()), bytes.size()), fileName)),
      elf(take(ElfFile::create(buffer->getBuffer()), name, "malformed ELF")) {
  readSegments();
  readSections();
  object = take(llvm::object::ObjectFile::createELFObjectFile(buffer->getMemBufferRef()), name, "malformed ELF");
}

Program::Program(llvm::ArrayRef<std::uint8_t> bytes, llvm::StringRef name) {
  checkHeader(bytes, name);
  impl_ = std::make_unique<Impl>(bytes, name);
}
Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;

Program Program::fromFile(const std::string& path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) throw Error(ErrorKind::IllegalProgram, path + ": " + buffer.getError().message());
  return Program({reinterpret_cast<const std::uint8_t*>((*buffer)->getBufferStart()), (*buffer)->getBufferSize()},
                 path);
}

void Program::loadInto(AddressSpace& space) const {
  const Mapping memory = space.find(0, 0, kProgramBase);
  for (const Elf::Phdr& segment : impl_->segments) {
    std::uint8_t* destination = memory.data + (segment.p_vaddr - memory.base);
    std::memcpy(destination, impl_->buffer->getBufferStart() + segment.p_offset, segment.p_filesz);
    std::memset(destination + segment.p_filesz, 0, segment.p_memsz - segment.p_filesz);
  }
}

std::uint64_t Program::entry() const { return impl_->elf.getHeader().e_entry; }
const std::optional<isa::ElfNote>& Program::note() const { return impl_->note; }

std::optional<std::uint64_t> Program::symbol(llvm::StringRef name) const {
  for (const llvm::object::SymbolRef& symbol : impl_->object->symbols()) {
    llvm::Expected<llvm::StringRef> symbolName = symbol.getName();
    if (!symbolName) {
      llvm::consumeError(symbolName.takeError());
      continue;
    }
    if (*symbolName != name) continue;
    llvm::Expected<std::uint64_t> address = symbol.getAddress();
    if (address) return *address;
    llvm::consumeError(address.takeError());
  }
  return std::nullopt;
}

std::string Program::checkText(const FailedCheck& check) const {
  std::string text = textOf(impl_->checkTexts, check.number);
  constexpr std::string_view kPlace = "{value}";
  if (const auto place = text.find(kPlace); place != std::string::npos)
    text.replace(place, kPlace.size(), std::to_string(check.value));
  return text;
}

std::string Program::markName(std::uint64_t id) const { return textOf(impl_->markNames, id); }

std::string Program::sourceLocation(std::uint64_t pc) const {
  if (!impl_->dwarf) impl_->dwarf = llvm::DWARFContext::create(*impl_->object);
  const auto line = impl_->dwarf->getLineInfoForAddress(
      {pc, llvm::object::SectionedAddress::UndefSection},
      {llvm::DILineInfoSpecifier::FileLineInfoKind::RawValue, llvm::DILineInfoSpecifier::FunctionNameKind::None});
  if (!line || line->Line == 0 || line->FileName == llvm::DILineInfo::BadString) return {};
  return line->FileName + ":" + std::to_string(line->Line);
}

}  // namespace forerun::sim::core
