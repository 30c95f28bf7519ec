//===- DataTest.cpp - the reference against NumPy and ml_dtypes -------------===//
// Inputs and expected values are committed; Inputs/data/generate.py made them.
#include "compiler/driver/Check.h"
#include "compiler/driver/KernelFile.h"
#include "compiler/driver/ReferenceRun.h"
#include "compiler/runtime/Npy.h"

#include "gtest/gtest.h"

#include <map>

using namespace forerun;

namespace {

const std::string kInputs = std::string(FORERUN_SOURCE_DIR) + "/tests/compiler/interpreter/Inputs/";
const std::string kExamples = std::string(FORERUN_SOURCE_DIR) + "/examples/";

struct Case {
  std::string name, file;
  std::vector<std::string> params;
  std::map<std::string, std::string> inputs;    ///< argument -> data file
  std::map<std::string, std::string> expected;  ///< argument -> data file
  std::uint64_t ulp = 0;                        ///< 0: equal bits
};

std::string data(const std::string& name) { return kInputs + "data/" + name + ".npy"; }

void runCase(const Case& test, bool uncertain) {
  SCOPED_TRACE(test.name);
  auto file = llvm::cantFail(driver::KernelFile::load(test.file));
  ASSERT_FALSE(bool(file->bindParams(test.params)));
  ASSERT_FALSE(bool(file->expandSemantics()));
  auto entry = llvm::cantFail(file->entry("main"));
  std::vector<std::string> ins;
  for (const auto& [argument, name] : test.inputs) ins.push_back(argument + "=" + data(name));
  auto arguments = driver::makeHostArguments(entry, kExamples, ins, {});
  ASSERT_TRUE(bool(arguments)) << llvm::toString(arguments.takeError());
  auto run = driver::runReference(entry, *arguments, {.teams = 2, .computing = 2, .perGroup = 2},
                                  uncertain ? interpreter::Radii::All : interpreter::Radii::None);
  ASSERT_TRUE(bool(run)) << llvm::toString(run.takeError());
  std::size_t compared = 0;
  for (const driver::ReferenceOutput& output : run->outputs) {
    const std::string& name = (*arguments)[output.argument].name;
    const auto expected = test.expected.find(name);
    if (expected == test.expected.end()) continue;
    ++compared;
    auto tensor = runtime::readNpy(data(expected->second), output.data.type, output.data.shape);
    ASSERT_TRUE(bool(tensor)) << llvm::toString(tensor.takeError());
    runtime::Tolerance tolerance;
    tolerance.ulp = test.ulp;
    // The radius must cover what NumPy's other order of summation gives.
    if (uncertain) tolerance.radius = output.radius;
    const runtime::Comparison result = runtime::compare(*tensor, output.data, tolerance);
    EXPECT_TRUE(result.passed()) << name << ": " << result.mismatches << " of " << result.compared << ", first at "
                                 << runtime::describeIndex(tensor->shape, result.firstMismatch) << ": expected "
                                 << result.firstExpected << ", found " << result.firstActual << ", max ulp "
                                 << result.maxUlp;
  }
  EXPECT_EQ(compared, test.expected.size());
}

TEST(Data, Casts) {
  runCase({"casts",
           kInputs + "casts.mlir",
           {},
           {{"x", "casts_x"}, {"i", "casts_i"}},
           {{"xf16", "casts_xf16"},
            {"xbf16", "casts_xbf16"},
            {"xi8", "casts_xi8"},
            {"xi32", "casts_xi32"},
            {"if32", "casts_if32"},
            {"if16", "casts_if16"},
            {"ibf16", "casts_ibf16"},
            {"ii8", "casts_ii8"}}},
          false);
}

TEST(Data, EightBitFloatsSaturateAndRoundOnce) {
  runCase({"f8",
           kInputs + "casts_f8.mlir",
           {},
           {{"x", "casts_f8_x"}, {"codes4", "casts_f8_e4m3_codes"}, {"codes5", "casts_f8_e5m2_codes"}},
           {{"e4m3", "casts_f8_e4m3"},
            {"e5m2", "casts_f8_e5m2"},
            {"from4", "casts_f8_from_e4m3"},
            {"from5", "casts_f8_from_e5m2"}}},
          false);
}

TEST(Data, FourBitTypesAndScalesRoundOnce) {
  runCase({"small",
           kInputs + "casts_small.mlir",
           {},
           {{"x", "casts_small_x"}},
           {{"int4", "casts_small_int4"},
            {"float4", "casts_small_float4"},
            {"scale", "casts_small_scale"},
            {"open4", "casts_small_open4"},
            {"open5", "casts_small_open5"},
            {"fromScale", "casts_small_fromScale"},
            {"fromFloat4", "casts_small_fromFloat4"}}},
          false);
}

TEST(Data, ScaledProductsAreThoseOfTheScaledElements) {
  Case test{"scaled",
            std::string(FORERUN_SOURCE_DIR) + "/tests/e2e/kernels/scaled.mlir",
            {"TA=f4E2M1FN", "TB=f8E5M2", "TM=8", "TN=16"},
            {},
            {{"c", "scaled_c"}, {"d", "scaled_d"}}};
  for (const char* input : {"a", "b", "at", "bt", "sa", "sb", "sat", "sbt"})
    test.inputs[input] = std::string("scaled_") + input;
  runCase(test, true);
}

TEST(Data, Reductions) {
  runCase({"exact",
           kInputs + "reductions.mlir",
           {},
           {{"x", "reductions_x"}},
           {{"max", "reductions_max"},
            {"min", "reductions_min"},
            {"maxnum", "reductions_maxnum"},
            {"argmax", "reductions_argmax"},
            {"argmin", "reductions_argmin"}}},
          false);
  runCase({"rounded",
           kInputs + "reductions.mlir",
           {},
           {{"x", "reductions_x"}},
           {{"sum", "reductions_sum"}, {"prod", "reductions_prod"}}},
          true);
}

const std::string kKernels = std::string(FORERUN_SOURCE_DIR) + "/tests/e2e/kernels/";

TEST(Data, ScansJoinInOrder) {
  for (const std::string type : {"f32", "i32"})
    runCase({type,
             kKernels + "scans.mlir",
             {"T=" + type, "U=" + type},
             {{"x", "scans_" + type + "_x"}},
             {{"along", "scans_" + type + "_along"}, {"across", "scans_" + type + "_across"}}},
            false);
}

TEST(Data, GathersScattersAndRandomBits) {
  runCase({"indexed",
           kKernels + "indexed.mlir",
           {},
           {{"x", "indexed_x"}, {"ids", "indexed_ids"}},
           {{"y", "indexed_y"}, {"bits", "indexed_bits"}}},
          false);
}

TEST(Data, OrderingsPutEqualElementsInOrderAndNansLast) {
  for (const std::string type : {"f32", "i8"}) {
    Case test{type, kKernels + "orderings.mlir", {"T=" + type}, {{"x", "orderings_" + type + "_x"}}, {}};
    for (const std::string name : {"y", "p", "q", "few", "fewP", "top", "topP", "counts"})
      test.expected[name] = "orderings_" + type + "_" + name;
    runCase(test, false);
  }
}

TEST(Data, ElementwiseArithmeticRoundsOnce) {
  for (const std::string type : {"f32", "f16", "bf16"}) {
    const std::string prefix = "elementwise_" + type + "_";
    runCase({type,
             kInputs + "elementwise.mlir",
             {"T=" + type},
             {{"x", prefix + "x"}, {"y", prefix + "y"}, {"b", prefix + "b"}},
             {{"add", prefix + "add"}, {"mul", prefix + "mul"}, {"div", prefix + "div"}, {"max", prefix + "max"}}},
            false);
  }
}

TEST(Data, MatmulIsAnAscendingChainOfFusedMultiplyAdds) {
  for (const std::string type : {"f16", "bf16", "f32"})
    for (const char* tile : {"16", "4"})
      runCase({type + " tile " + tile,
               kExamples + "gemm.mlir",
               {"T=" + type, "OUT=f32", std::string("TM=") + tile, std::string("TN=") + tile, "TK=5"},
               {{"a", "matmul_" + type + "_a"}, {"b", "matmul_" + type + "_b"}},
               {{"c", "matmul_" + type + "_c"}}},
              false);
}

TEST(Data, IntegerMatmulWraps) {
  runCase({"i8",
           kExamples + "gemm.mlir",
           {"T=i8", "ACC=i32", "OUT=i32", "TM=16", "TN=16", "TK=16"},
           {{"a", "matmul_i8_a"}, {"b", "matmul_i8_b"}},
           {{"c", "matmul_i8_c"}}},
          false);
}

TEST(Data, SoftmaxAndLayerNormAgreeWithDoublePrecision) {
  // x - max is rounded to half a unit of its binade: for |x - max| < 32 that moves exp by up to 2^-20, 16 units in the
  // last place of the result.
  runCase({"softmax", kExamples + "softmax.mlir", {"COLS=64"}, {{"x", "rows_x"}}, {{"y", "rows_softmax"}}, 20}, false);
  runCase({"layer norm",
           kExamples + "layer_norm.mlir",
           {"COLS=64"},
           {{"x", "rows_x"}, {"gamma", "rows_gamma"}, {"beta", "rows_beta"}},
           {{"y", "rows_layer_norm"}},
           16},
          true);
}

/// Data of `kernels` of generate.py: arguments of that name, the last ones expected.
Case kernelCase(const std::string& file, std::vector<std::string> params, const std::vector<std::string>& inputs,
                const std::vector<std::string>& outputs, std::uint64_t ulp) {
  const std::string name = file.substr(file.rfind('/') + 1);
  Case test{name, kExamples + file + ".mlir", std::move(params), {}, {}, ulp};
  for (const std::string& argument : inputs) test.inputs[argument] = "kernel_" + name + "_" + argument;
  for (const std::string& argument : outputs) test.expected[argument] = "kernel_" + name + "_" + argument;
  return test;
}

// Tiles are small, so that there are several and the last ones are not full. Units in the last place are for results
// that are rounded where NumPy goes on in double precision.
TEST(Data, MatrixKernelsDoWhatTheySay) {
  const std::vector<std::string> small{"TM=4", "TN=4", "TK=4", "OUT=f32"};
  runCase(kernelCase("gemm_split_k", small, {"a", "b"}, {"c"}, 0), true);
  runCase(kernelCase("grouped_gemm/grouped_gemm", small, {"a", "b", "offsets"}, {"c"}, 0), true);
  runCase(kernelCase("gemm_int4", {"TM=4", "TN=4", "GROUP=8", "HALF=4"}, {"a", "q", "scales"}, {"c"}, 1), true);
  runCase(kernelCase("gemm_mx", {"TM=4", "TN=4"}, {"a", "sa", "b", "sb"}, {"c"}, 0), true);
  runCase(kernelCase("gemm_fp8", {"TM=4", "TN=4", "TK=8", "OUT=f32", "TB=f8E5M2"}, {"a", "b", "scaleA", "scaleB"},
                     {"c"}, 4),
          true);
}

TEST(Data, ArrayKernelsDoWhatTheySay) {
  auto ofArray = [](const std::string& file, std::vector<std::string> params, const std::string& expected) {
    runCase({file,
             kExamples + file + ".mlir",
             std::move(params),
             {{"x", "kernel_arrays_x"}},
             {{"y", "kernel_arrays_" + expected}}},
            true);
  };
  ofArray("transpose", {"ROWS=4", "COLS=8", "T=f32"}, "transposed");
  ofArray("scan", {"ROWS=4", "COLS=64"}, "scan");
  ofArray("scan_rows", {"ROWS=4", "COLS=8"}, "rows");
  ofArray("split_reduction", {"ROWS=4", "COLS=64"}, "sum");
  ofArray("all_reduce", {"COLS=8", "GATHER=16"}, "sums");
  runCase(kernelCase("histogram", {"ROWS=4", "COLS=64"}, {"x"}, {"counts"}, 0), false);
}

TEST(Data, LayerNormBackwardAgreesWithDoublePrecision) {
  runCase(kernelCase("layer_norm_backward", {"ROWS=4", "COLS=64", "SUMCOLS=16"}, {"x", "dy", "gamma"},
                     {"dx", "dgamma", "dbeta"}, 16),
          true);
}

TEST(Data, AttentionAgreesWithDoublePrecision) {
  const std::vector<std::string> small{"T=f32", "TQ=4", "TK=4", "D=16"};
  runCase(kernelCase("attention", small, {"q", "k", "v"}, {"o"}, 64), true);
  runCase(kernelCase("attention_ragged", small, {"q", "k", "v", "lengths"}, {"o"}, 64), true);
  runCase(kernelCase("attention_decode", {"T=f32", "G=2", "SPLITS=3", "TK=8", "D=16"}, {"q", "k", "v", "lengths"},
                     {"o"}, 64),
          true);
}

}  // namespace
