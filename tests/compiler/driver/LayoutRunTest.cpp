//===- LayoutRunTest.cpp - what layouts do to a run -------------------------===//
// Numbers do not depend on a layout, cycles do.
#include "tests/compiler/driver/CommandFixture.h"

#include "llvm/Support/JSON.h"

#include <map>

using forerun::test::Command;
using forerun::test::Outcome;

namespace {

struct Launch {
  std::int64_t cycles = 0, bankStalls = 0;  ///< stalls of all harts together
};

TEST_F(Command, PaddingRemovesBankConflicts) {
  const Outcome result = run({"run", FORERUN_KERNELS "/banks.mlir", "--target=edge", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  auto json = llvm::json::parse(result.out);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  std::map<std::string, Launch> launches;
  for (const llvm::json::Value& value : *json->getAsObject()->getArray("launches")) {
    const llvm::json::Object& launch = *value.getAsObject();
    launches[launch.getString("kernel")->str()] = {*launch.getInteger("cycles"),
                                                   *launch.getObject("stalls")->getInteger("bank")};
  }
  // Loads of weights: a matrix of 32 x 16 takes two rows of a tile a cycle where their banks differ.
  EXPECT_LT(launches["product_padded"].cycles * 10, launches["product"].cycles * 9);
  EXPECT_LT(launches["transpose_padded"].cycles, launches["transpose"].cycles);
  EXPECT_GT(launches["transpose"].bankStalls, 0);
  EXPECT_LT(launches["transpose_padded"].bankStalls * 4, launches["transpose"].bankStalls);
}

}  // namespace
