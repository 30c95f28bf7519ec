//===- OrderTest.cpp - sums in a stated order on every machine --------------===//
// The order `tree` gives the same bits on the interpreter, the host and simulated chips, however many teams a core has.
#include "tests/compiler/driver/CommandFixture.h"

using forerun::test::Command;
using forerun::test::Outcome;

namespace {

class Order : public Command {
 protected:
  /// What kernels/order_tree.mlir writes, all outputs in one.
  std::string results(std::vector<std::string> args) const {
    args.insert(args.begin() + 1, FORERUN_KERNELS "/order_tree.mlir");
    std::string bytes;
    const std::vector<std::string> names{"alongRows", "alongColumns", "whole"};
    for (const std::string& name : names) args.push_back("--out=" + name + "=" + path(name + ".npy"));
    const Outcome result = run(args);
    EXPECT_EQ(result.code, 0) << llvm::join(args, " ") << "\n" << result.err;
    for (const std::string& name : names) {
      const std::string file = read(path(name + ".npy"));
      EXPECT_FALSE(file.empty()) << name;
      bytes += file;
      llvm::sys::fs::remove(path(name + ".npy"));
    }
    return bytes;
  }
};

TEST_F(Order, TreeDependsOnNeitherTeamsNorTarget) {
  for (const std::string type : {"f32", "f16", "bf16"}) {
    const std::string reference = results({"interpret", "--param=T=" + type});
    for (const auto& [target, teams] : {std::pair<std::string, std::string>{"edge", "teams.0.count="},
                                        {"datacenter", "teams.0.count="},
                                        {"mtia2i", "teams.1.count="},
                                        {"host", "teams="}})
      for (const char* count : {"1", "2", "4", "8"})
        EXPECT_EQ(results({"run", "--param=T=" + type, "--target=" + target, "--set=" + teams + count}), reference)
            << target << ", " << count << " teams, " << type;
  }
}

}  // namespace
