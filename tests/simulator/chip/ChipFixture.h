//===- ChipFixture.h - simulators and GEMM data for tests of the chip ------------===//
// Loads targets and programs, makes inputs, computes references.
#pragma once

#include "isa/ElementType.h"
#include "simulator/Simulator.h"
#include "targets/Load.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace forerun::sim::test {

inline targets::TargetSpec target(const std::string& name, std::vector<std::string> overrides = {}) {
  auto spec = targets::load(name, overrides);
  if (!spec) {
    ADD_FAILURE() << llvm::toString(spec.takeError());
    return {};
  }
  return *spec;
}

inline std::unique_ptr<Simulator> simulator(const targets::TargetSpec& spec, Options options,
                                            const std::string& program) {
  auto made = Simulator::create(spec, std::move(options));
  if (!made) {
    ADD_FAILURE() << llvm::toString(made.takeError());
    return nullptr;
  }
  if (auto error = (*made)->load(PROGRAMS + program)) {
    ADD_FAILURE() << llvm::toString(std::move(error));
    return nullptr;
  }
  return std::move(*made);
}

/// A GEMM of f16 inputs with f32 result.
struct Gemm {
  std::uint64_t m, n, k;
  std::vector<std::uint16_t> a, b;

  Gemm(std::uint64_t m, std::uint64_t n, std::uint64_t k) : m(m), n(n), k(k), a(m * k), b(k * n) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> values(-1, 1);
    for (auto* v : {&a, &b})
      for (std::uint16_t& x : *v) isa::storeFromDouble(isa::ElementType::F16, &x, values(random));
  }

  std::vector<float> reference() const {
    std::vector<float> af(a.size()), bf(b.size()), c(m * n);
    isa::halfToFloat(a.data(), af.data(), a.size());
    isa::halfToFloat(b.data(), bf.data(), b.size());
    for (std::uint64_t i = 0; i < m; ++i)
      for (std::uint64_t x = 0; x < k; ++x) addRow(c.data() + i * n, af[i * k + x], bf.data() + x * n, n);
    return c;
  }
#if defined(__x86_64__)
  __attribute__((target_clones("fma", "default")))
#endif
  static void addRow(float* c, float a, const float* b, std::uint64_t n) {
    for (std::uint64_t j = 0; j < n; ++j) c[j] = __builtin_fmaf(a, b[j], c[j]);
  }

  /// Runs gemm_xfr.elf; empty on failure.
  std::vector<float> run(Simulator& sim, LaunchReport& report) const {
    auto put = [&](const std::vector<std::uint16_t>& v) {
      const std::uint64_t address = llvm::cantFail(sim.allocate(v.size() * 2));
      llvm::cantFail(sim.write(address, {reinterpret_cast<const std::uint8_t*>(v.data()), v.size() * 2}));
      return address;
    };
    const std::uint64_t mark = sim.allocationMark(), aAt = put(a), bAt = put(b),
                        cAt = llvm::cantFail(sim.allocate(m * n * 4));
    const std::array<std::uint64_t, 3> grid{(n + 127) / 128, (m + 127) / 128, 1};
    auto result =
        sim.launch("_start", grid, {grid[0], grid[1], grid[2], aAt, m, k, k, 1, bAt, k, n, n, 1, cAt, m, n, n, 1});
    if (!result) {
      ADD_FAILURE() << llvm::toString(result.takeError());
      return {};
    }
    report = *result;
    std::vector<float> c(m * n);
    llvm::cantFail(sim.read(cAt, {reinterpret_cast<std::uint8_t*>(c.data()), c.size() * 4}));
    sim.releaseTo(mark);
    return c;
  }
};

inline ::testing::AssertionResult sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size() || a.empty())
    return ::testing::AssertionFailure() << a.size() << " and " << b.size() << " elements";
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i]))
      return ::testing::AssertionFailure() << "element " << i << ": " << a[i] << " and " << b[i];
  return ::testing::AssertionSuccess();
}

/// Of every unit, busy + stalls + idle must be the launch's cycles.
inline void expectSums(const LaunchReport& report) {
  for (const UnitReport& unit : report.units) {
    Cycles sum = unit.busy + unit.idle;
    for (const StallReport& stall : unit.stalls) sum += stall.cycles;
    EXPECT_EQ(sum, report.cycles) << unit.name;
  }
}

inline void print(const LaunchReport& report) {
  llvm::outs() << "cycles " << report.cycles << " instructions " << report.instructions << " host s "
               << report.hostSeconds << " matrix utilisation " << report.matrix.utilisation << "\n";
  llvm::outs() << "dram " << report.dram.readBytes << " + " << report.dram.writtenBytes << " bytes, "
               << report.dram.achievedBytesPerSecond / 1e9 << " of " << report.dram.peakBytesPerSecond / 1e9
               << " GB/s; noc " << report.noc.readBytes << " + " << report.noc.writtenBytes << ", l2 "
               << report.l2.readBytes << " + " << report.l2.writtenBytes << ", scratch " << report.scratch.readBytes
               << " + " << report.scratch.writtenBytes << "\n";
  for (const UnitReport& unit : report.units) {
    if (unit.core != 0) continue;
    llvm::outs() << "  " << unit.name << ": " << unit.instructions << " done, busy " << unit.busy;
    for (const StallReport& stall : unit.stalls)
      if (stall.cycles) llvm::outs() << ", " << stall.cause << " " << stall.cycles;
    llvm::outs() << ", idle " << unit.idle << "\n";
  }
  for (const std::string& warning : report.warnings) llvm::outs() << "  warning: " << warning << "\n";
}

}  // namespace forerun::sim::test
