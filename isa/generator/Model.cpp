//===- Model.cpp - read and check the instruction tables -------------------===//
// What TableGen cannot check is checked here, so that a mistake in Instructions.td stops the build with the record's
// name.
#include "isa/generator/Model.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/JSON.h>

#include <algorithm>

namespace forerun::isa::generator {
namespace {

template <typename... Args>
llvm::Error fail(const char* format, Args&&... args) {
  return llvm::createStringError(llvm::formatv(format, std::forward<Args>(args)...).str());
}

/// Records of the dump, with getters that follow references. Wrong shapes cannot come from TableGen; they read as
/// empty.
class Records {
 public:
  explicit Records(const llvm::json::Object& root) : root_(root) {}

  std::vector<std::string> instances(llvm::StringRef className) const {
    std::vector<std::string> names;
    if (const auto* all = root_.getObject("!instanceof"))
      if (const auto* list = all->getArray(className))
        for (const llvm::json::Value& name : *list) names.push_back(name.getAsString().value_or("").str());
    return names;
  }

  const llvm::json::Object& record(llvm::StringRef name) const {
    const auto* found = root_.getObject(name);
    return found ? *found : empty_;
  }

  static std::string referenceId(const llvm::json::Object& from, llvm::StringRef field) {
    const auto* reference = from.getObject(field);
    return reference ? reference->getString("def").value_or("").str() : std::string();
  }

  const llvm::json::Object& reference(const llvm::json::Object& from, llvm::StringRef field) const {
    return record(referenceId(from, field));
  }

  static std::string text(const llvm::json::Object& from, llvm::StringRef field) {
    return from.getString(field).value_or("").str();
  }
  static unsigned number(const llvm::json::Object& from, llvm::StringRef field) {
    return static_cast<unsigned>(from.getInteger(field).value_or(0));
  }

  std::vector<std::string> list(const llvm::json::Object& from, llvm::StringRef field) const {
    std::vector<std::string> names;
    if (const auto* array = from.getArray(field))
      for (const llvm::json::Value& value : *array)
        if (const auto* reference = value.getAsObject())
          names.push_back(reference->getString("def").value_or("").str());
    return names;
  }

 private:
  const llvm::json::Object& root_;
  llvm::json::Object empty_;
};

std::uint32_t bitsAt(unsigned low, unsigned width) { return ((1u << width) - 1) << low; }

llvm::Expected<OperandKind> parseKind(llvm::StringRef id) {
  if (id == "Destination") return OperandKind::Destination;
  if (id == "Source") return OperandKind::Source;
  if (id == "Descriptor") return OperandKind::Descriptor;
  if (id == "Value") return OperandKind::Value;
  if (id == "Flag") return OperandKind::Flag;
  return fail("unknown operand kind '{0}'", id);
}

llvm::Error parseSets(const Records& records, Model& model) {
  for (const std::string& id : records.instances("ValueSet")) {
    if (id == "AnyValue") continue;
    const auto& record = records.record(id);
    ValueSet set{id, Records::text(record, "prefix"), Records::text(record, "title"), {}};
    for (const std::string& valueId : records.list(record, "values")) {
      const auto& value = records.record(valueId);
      set.values.push_back(
          {Records::number(value, "value"), Records::text(value, "name"), Records::text(value, "description")});
      if (set.values.size() > 1 && set.values.back().value <= set.values[set.values.size() - 2].value)
        return fail("{0}: values must ascend ('{1}')", id, set.values.back().name);
    }
    model.sets.push_back(std::move(set));
  }
  return llvm::Error::success();
}

llvm::Error parseOperands(const Records& records, const Model& model, const llvm::json::Object& record,
                          Instruction& instruction) {
  llvm::StringSet<> names;
  std::uint32_t used = 0x7f | bitsAt(12, 3);
  for (const std::string& operandId : records.list(record, "operands")) {
    const auto& source = records.record(operandId);
    auto kind = parseKind(Records::referenceId(source, "kind"));
    if (!kind) return kind.takeError();
    const auto& slot = records.reference(source, "slot");
    Operand operand{Records::text(source, "name"), Records::text(source, "description"), *kind,
                    Records::number(slot, "low"),  Records::number(slot, "width"),       -1};
    const std::string setId = Records::referenceId(source, "set");
    for (std::size_t i = 0; i < model.sets.size(); ++i)
      if (model.sets[i].id == setId) operand.set = static_cast<int>(i);
    if (!names.insert(operand.name).second)
      return fail("{0}: two operands are named '{1}'", instruction.id, operand.name);
    const std::uint32_t bits = bitsAt(operand.low, operand.width);
    if (used & bits) return fail("{0}: operand '{1}' overlaps other bits", instruction.id, operand.name);
    if ((*kind == OperandKind::Destination) !=
        (instruction.operands.empty() && operand.low == 7 && *kind == OperandKind::Destination))
      return fail("{0}: the destination must come first and lie in rd", instruction.id);
    if (*kind == OperandKind::Flag && operand.width != 1)
      return fail("{0}: flag '{1}' must be one bit", instruction.id, operand.name);
    if ((*kind == OperandKind::Value) != (operand.set >= 0))
      return fail("{0}: operand '{1}': immediates, and only they, have named values", instruction.id, operand.name);
    if (operand.set >= 0 && model.sets[static_cast<std::size_t>(operand.set)].values.back().value >> operand.width)
      return fail("{0}: values of operand '{1}' do not fit its bits", instruction.id, operand.name);
    used |= bits;
    instruction.operands.push_back(std::move(operand));
  }
  const std::uint32_t functMask = bitsAt(25, instruction.functBits);
  if (instruction.funct >> instruction.functBits || (((instruction.funct << 25) & functMask) && (used & functMask)))
    return fail("{0}: the function constant does not fit beside the operands", instruction.id);
  std::uint32_t operandBits = 0;
  for (const Operand& operand : instruction.operands) operandBits |= bitsAt(operand.low, operand.width);
  instruction.mask = ~operandBits;
  instruction.match = instruction.opcode | instruction.funct3 << 12 | instruction.funct << 25;
  return llvm::Error::success();
}

}  // namespace

const Operand* Instruction::at(unsigned low) const {
  const auto found = std::find_if(operands.begin(), operands.end(), [&](const Operand& o) { return o.low == low; });
  return found == operands.end() ? nullptr : &*found;
}

const Operand* Instruction::result() const {
  return !operands.empty() && operands.front().kind == OperandKind::Destination ? &operands.front() : nullptr;
}

bool Instruction::hasImmediates() const {
  return std::any_of(operands.begin(), operands.end(), [](const Operand& o) { return !o.isRegister(); });
}

std::string Instruction::stem() const {
  std::string text = mnemonic.substr(1);
  std::replace(text.begin(), text.end(), '.', '_');
  return text;
}

llvm::Expected<Model> parseModel(llvm::StringRef json) {
  auto parsed = llvm::json::parse(json);
  if (!parsed) return parsed.takeError();
  const auto* root = parsed->getAsObject();
  if (!root) return fail("not a record dump");
  const Records records(*root);
  Model model;
  const auto& version = records.record("XfrVersion");
  model.major = Records::number(version, "major");
  model.minor = Records::number(version, "minor");
  if (auto error = parseSets(records, model)) return std::move(error);
  llvm::StringSet<> mnemonics;
  for (const std::string& id : records.instances("Instruction")) {
    const auto& record = records.record(id);
    Instruction instruction;
    instruction.id = id;
    instruction.mnemonic = Records::text(record, "mnemonic");
    instruction.format = Records::text(records.reference(record, "format"), "insn");
    instruction.functBits = Records::number(records.reference(record, "format"), "functBits");
    instruction.opcode = Records::number(records.reference(record, "opcode"), "value");
    instruction.funct3 = Records::number(record, "funct3");
    instruction.funct = Records::number(record, "funct");
    instruction.unitId = llvm::StringRef(Records::referenceId(record, "unit")).drop_back(4).str();  // without "Unit"
    instruction.unit = Records::text(records.reference(record, "unit"), "name");
    instruction.feature = Records::text(records.reference(record, "feature"), "name");
    instruction.summary = Records::text(record, "summary");
    instruction.semantics = Records::text(record, "semantics");
    instruction.since = Records::text(record, "since");
    instruction.noReturn = Records::number(record, "noReturn") != 0;
    if (instruction.mnemonic.size() < 2 || instruction.mnemonic[0] != 'x')
      return fail("{0}: mnemonics start with x", id);
    if (!mnemonics.insert(instruction.stem()).second)
      return fail("{0}: mnemonic '{1}' is taken", id, instruction.mnemonic);
    if (instruction.summary.empty() || instruction.semantics.empty())
      return fail("{0}: no summary or no semantics", id);
    if (instruction.funct3 > 7) return fail("{0}: funct3 does not fit", id);
    if (auto error = parseOperands(records, model, record, instruction)) return std::move(error);
    model.instructions.push_back(std::move(instruction));
  }
  if (model.instructions.empty()) return fail("no instructions");
  const auto order = [](const Instruction& i) { return std::tuple(i.opcode, i.funct3, i.funct); };
  llvm::sort(model.instructions, [&](const Instruction& a, const Instruction& b) { return order(a) < order(b); });
  for (const Instruction& a : model.instructions)
    for (const Instruction& b : model.instructions)
      if (&a < &b && ((a.match ^ b.match) & a.mask & b.mask) == 0)
        return fail("{0} and {1} share an encoding", a.id, b.id);
  return model;
}

std::string insnTemplate(const Instruction& instruction, Spelling spelling) {
  const auto place = [&](const Operand& operand, char modifier) {
    const auto index = static_cast<unsigned>(&operand - instruction.operands.data());
    if (spelling == Spelling::C)
      return modifier ? llvm::formatv("%{0}{1}", modifier, index).str() : llvm::formatv("%{0}", index).str();
    return modifier ? llvm::formatv("${{{0}:{1}}", index, modifier).str() : llvm::formatv("${0}", index).str();
  };
  const auto slot = [&](unsigned low) -> std::string {
    const Operand* operand = instruction.at(low);
    if (!operand) return "x0";
    if (operand->kind == OperandKind::Destination) return place(*operand, 0);
    // z prints the register, or zero for the constant 0; c prints a bare number.
    return operand->kind == OperandKind::Source ? place(*operand, 'z') : "x" + place(*operand, 'c');
  };
  std::string funct = llvm::utostr(instruction.funct);
  const Operand* low = instruction.at(25);
  const Operand* high = instruction.at(26);
  if (low || high) funct = (low ? place(*low, 'c') : "0") + (high ? "+2*" + place(*high, 'c') : "");
  std::string text = llvm::formatv(".insn {0} {1:x2}, {2}, {3}, {4}, {5}, {6}", instruction.format, instruction.opcode,
                                   instruction.funct3, funct, slot(7), slot(15), slot(20));
  return instruction.format == "r4" ? text + ", " + slot(27) : text;
}

std::string upperCamel(llvm::StringRef name) {
  std::string result;
  bool upper = true;
  for (const char c : name) {
    if (c == '_' || c == '.') {
      upper = true;
      continue;
    }
    result += upper ? llvm::toUpper(c) : c;
    upper = false;
  }
  return result;
}

std::string quoted(llvm::StringRef text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string oneLine(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(text, words, " \t\r\n");
  return llvm::join(words, " ");
}

}  // namespace forerun::isa::generator
