//===- SchemaReference.cpp - the reference of target files -----------------===//
// Markdown made from the schema, so that it cannot fall behind.
#include "targets/Schema.h"

namespace forerun::targets {
namespace {

class Documenter : public Visitor {
 public:
  std::string page =
      "<!-- Generated from targets/Schema.cpp and targets/Gpu.cpp; do not edit. -->\n# Keys of a target file\n\n"
      "All keys are required. `arch` keys are what code sees: changing one may need a recompile, and programs name "
      "what they need. `timing` keys only change cycles; `label` "
      "keys change nothing. Cycles count the clock of their unit unless the table says otherwise.\n";

  void table(const char* title) {
    page += std::string("\n## ") + title + "\n| key | unit | class | meaning |\n| --- | --- | --- | --- |\n";
  }

  using Visitor::number;
  void number(const KeyDoc& key, std::uint64_t&, std::uint64_t) override { row(key, ""); }
  void flag(const KeyDoc& key, bool&) override { row(key, "true or false: "); }
  void text(const KeyDoc& key, std::string&) override { row(key, ""); }
  void texts(const KeyDoc& key, std::vector<std::string>&) override { row(key, "list: "); }
  void clock(const KeyDoc& key, std::string&) override { row(key, ""); }
  void choice(const KeyDoc& key, std::size_t&, llvm::ArrayRef<llvm::StringRef> names) override {
    std::string words;
    for (const llvm::StringRef name : names) words += (words.empty() ? "" : " or ") + name.str();
    row(key, words + ": ");
  }
  void group(const KeyDoc& key, llvm::function_ref<void()> body) override {
    row(key, "group: ");
    nested(key.name, body);
  }
  void optionalGroup(const KeyDoc& key, bool& present, llvm::function_ref<void()> body) override {
    present = true;
    row(key, "group or none: ");
    nested(key.name, body);
  }
  void list(const KeyDoc& key, ListAccess access, llvm::function_ref<void(std::size_t)> item) override {
    row(key, "list: ");
    access.resize(1);
    nested(std::string(key.name) + ".N", [&] { item(0); });
  }

 private:
  void row(const KeyDoc& key, const std::string& form) {
    static constexpr const char* kClasses[] = {"label", "arch", "timing"};
    page += "| `" + prefix_ + key.name + "` | " + key.unit + " | " + kClasses[static_cast<int>(key.kind)] + " | " +
            form + key.description + " |\n";
  }
  void nested(const std::string& name, llvm::function_ref<void()> body) {
    const std::string outer = prefix_;
    prefix_ += name + ".";
    body();
    prefix_ = outer;
  }
  std::string prefix_;
};

}  // namespace

std::string schemaReference() {
  TargetSpec accelerator;
  GpuSpec gpu;
  HostSpec host;
  Documenter documenter;
  documenter.table("An accelerator");
  describe(documenter, accelerator);
  documenter.table("A GPU (`kind: gpu`): for code generation only");
  describe(documenter, gpu);
  documenter.table("The host (`kind: host`)");
  describe(documenter, host);
  return documenter.page;
}

}  // namespace forerun::targets
