//===- KernelFixture.h - compile an example and run it on a simulated chip --===//
// Shared by the tests that check compiled kernels against plain C++ references.
#pragma once

#include "compiler/backends/accelerator/Backend.h"
#include "compiler/dialect/TileDialect.h"
#include "compiler/passes/Passes.h"
#include "isa/ElementType.h"
#include "simulator/Simulator.h"
#include "targets/Load.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace forerun::backends::accelerator {

class KernelFixture : public testing::Test {
 protected:
  KernelFixture() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    tile::registerDialects(registry);
    context_.appendDialectRegistry(registry);
    context_.loadAllAvailableDialects();
  }

  /// Binds parameters ("TM=64"), expands semantics, compiles. Diagnostics land in `diagnostics_`.
  llvm::Expected<CompiledProgram> compileText(const std::string& text, const std::string& target,
                                              const std::string& parameters = "", bool expand = true) {
    auto spec = targets::load(target);
    if (!spec) return spec.takeError();
    spec_ = *spec;
    diagnostics_.clear();
    mlir::ScopedDiagnosticHandler handler(&context_, [&](mlir::Diagnostic& diagnostic) {
      llvm::raw_string_ostream stream(diagnostics_);
      stream << diagnostic.getLocation() << ": " << diagnostic << '\n';
      for (mlir::Diagnostic& note : diagnostic.getNotes()) stream << "note: " << note << '\n';
      return mlir::success();
    });
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context_, "kernel.mlir");
    if (!module) return llvm::createStringError("does not parse: %s", diagnostics_.c_str());
    mlir::PassManager passes(&context_);
    passes::TileBindParamsOptions bind;
    for (llvm::StringRef rest = parameters; !rest.empty();) {
      auto [one, tail] = rest.split(',');
      bind.values.push_back(one.str());
      rest = tail;
    }
    passes.addPass(passes::createTileBindParams(bind));
    if (expand) passes.addPass(passes::createTileExpandSemantics());
    if (mlir::failed(passes.run(*module))) return llvm::createStringError("passes failed: %s", diagnostics_.c_str());
    return compileModule(*module, spec_);
  }

  llvm::Expected<CompiledProgram> compileExample(const std::string& name, const std::string& target,
                                                 const std::string& parameters = "") {
    auto file = llvm::MemoryBuffer::getFile(std::string(FORERUN_EXAMPLES) + "/" + name);
    if (!file) return llvm::createStringError(file.getError(), "cannot read the example %s", name.c_str());
    return compileText((*file)->getBuffer().str(), target, parameters);
  }

  /// A chip with the program loaded; fails the test when that does not work.
  void start(llvm::Expected<CompiledProgram> program, sim::Mode mode) {
    ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError()) << diagnostics_;
    sim::Options options;
    options.mode = mode;
    auto simulator = sim::Simulator::create(spec_, options);
    ASSERT_TRUE(bool(simulator)) << llvm::toString(simulator.takeError());
    simulator_ = std::move(*simulator);
    const auto& elf = program->elf;
    llvm::Error error = simulator_->loadBytes({reinterpret_cast<const std::uint8_t*>(elf.data()), elf.size()});
    ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
    words_.clear();
  }

  static std::vector<float> random(std::size_t count, bool half, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (float& value : values) {
      value = normal(generator);
      if (half) value = isa::halfToFloat(isa::floatToHalf(value));
    }
    return values;
  }

  /// Places a row-major tensor in global memory and appends its argument words. Every byte of `values` = {} is poison.
  std::uint64_t tensor(const std::vector<std::uint64_t>& extents, isa::ElementType type,
                       const std::vector<float>& values = {}) {
    std::uint64_t count = 1;
    for (std::uint64_t extent : extents) count *= extent;
    const unsigned bytes = isa::storageBytes(type);
    std::vector<std::uint8_t> data(count * bytes, 0xff);
    for (std::size_t i = 0; i < values.size(); ++i) isa::storeFromDouble(type, data.data() + i * bytes, values[i]);
    const std::uint64_t address = llvm::cantFail(simulator_->allocate(data.size() + 64));
    llvm::cantFail(simulator_->write(address, data));
    words_.push_back(address);
    words_.insert(words_.end(), extents.begin(), extents.end());
    for (std::size_t dim = 0; dim < extents.size(); ++dim) {
      std::uint64_t stride = 1;
      for (std::size_t inner = dim + 1; inner < extents.size(); ++inner) stride *= extents[inner];
      words_.push_back(stride);
    }
    return address;
  }

  std::vector<float> read(std::uint64_t address, std::size_t count, isa::ElementType type) {
    const unsigned bytes = isa::storageBytes(type);
    std::vector<std::uint8_t> data(count * bytes);
    llvm::cantFail(simulator_->read(address, data));
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
      values[i] = static_cast<float>(isa::loadAsDouble(type, data.data() + i * bytes));
    return values;
  }

  void launch(const std::string& kernel, std::array<std::uint64_t, 3> grid) {
    std::vector<std::uint64_t> words(grid.begin(), grid.end());
    words.insert(words.end(), words_.begin(), words_.end());
    auto report = simulator_->launch(kernel, grid, words);
    ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
    EXPECT_TRUE(report->warnings.empty()) << report->warnings.front();
    cycles_ = report->cycles;
  }

  mlir::MLIRContext context_;
  targets::TargetSpec spec_;
  std::string diagnostics_;
  std::unique_ptr<sim::Simulator> simulator_;
  std::vector<std::uint64_t> words_;
  std::uint64_t cycles_ = 0;
};

}  // namespace forerun::backends::accelerator
