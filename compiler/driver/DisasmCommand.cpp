//===- DisasmCommand.cpp - forerun disasm ----------------------------------------===//
// Code of an ELF program: RISC-V by LLVM, Xfr by our tables, with symbols and source lines.
#include "compiler/driver/CommandLine.h"
#include "compiler/driver/Commands.h"
#include "compiler/driver/Disassembler.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

namespace forerun::driver {

namespace {

void disassembleSection(const Disassembler& disassembler, llvm::StringRef code, std::uint64_t address,
                        const std::map<std::uint64_t, std::string>& symbols, llvm::DIContext* lines) {
  std::string lastLine;
  for (std::size_t at = 0; at < code.size();) {
    const std::uint64_t pc = address + at;
    if (const auto symbol = symbols.find(pc); symbol != symbols.end()) llvm::outs() << "\n" << symbol->second << ":\n";
    const auto info = lines->getLineInfoForAddress({pc, llvm::object::SectionedAddress::UndefSection});
    if (info && info->Line != 0) {
      const std::string line = (llvm::sys::path::filename(info->FileName) + ":" + llvm::Twine(info->Line)).str();
      if (line != lastLine) llvm::outs() << "  ; " << line << "\n";
      lastLine = line;
    }
    const DisassembledInstruction instruction = disassembler.at(code.substr(at), pc);
    llvm::outs() << llvm::format("  %8llx: ", static_cast<unsigned long long>(pc));
    if (instruction.bytes == 2)
      llvm::outs() << llvm::format("    %04x  ", instruction.word & 0xffff);
    else
      llvm::outs() << llvm::format("%08x  ", instruction.word);
    llvm::outs() << instruction.text << "\n";
    at += instruction.bytes;
  }
}

}  // namespace

llvm::Error disasmCommand(CommandArguments args) {
  constexpr OptionSpec kOptions[] = {{"help", OptionSpec::Value::None, "", "this text"}};
  auto parsed = parseArguments(kOptions, args);
  if (!parsed) return parsed.takeError();
  if (parsed->has("help")) {
    llvm::outs() << "Usage: forerun disasm PROGRAM.elf\n";
    return llvm::Error::success();
  }
  if (parsed->positional.size() != 1)
    return commandError(ExitCode::Usage, "expected one ELF program, found " + llvm::Twine(parsed->positional.size()));
  const std::string& path = parsed->positional[0];
  auto binary = llvm::object::ObjectFile::createObjectFile(path);
  if (!binary) return commandError(ExitCode::BadInput, path + ": " + llvm::toString(binary.takeError()));
  auto* elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(binary->getBinary());
  if (!elf || elf->getEMachine() != llvm::ELF::EM_RISCV || !elf->is64Bit())
    return commandError(ExitCode::BadInput, path + ": is not a 64-bit RISC-V ELF file");
  auto disassembler = Disassembler::create();
  if (!disassembler) return disassembler.takeError();

  std::map<std::uint64_t, std::string> symbols;
  for (const llvm::object::ELFSymbolRef& symbol : elf->symbols()) {
    auto name = symbol.getName();
    auto address = symbol.getAddress();
    if (name && address && symbol.getELFType() == llvm::ELF::STT_FUNC) symbols[*address] = name->str();
    if (!name) llvm::consumeError(name.takeError());
    if (!address) llvm::consumeError(address.takeError());
  }
  const auto lines = llvm::DWARFContext::create(*elf);
  for (const llvm::object::SectionRef& section : elf->sections()) {
    if (!section.isText()) continue;
    auto contents = section.getContents();
    if (!contents) return commandError(ExitCode::BadInput, path + ": " + llvm::toString(contents.takeError()));
    disassembleSection(**disassembler, *contents, section.getAddress(), symbols, lines.get());
  }
  return llvm::Error::success();
}

}  // namespace forerun::driver
