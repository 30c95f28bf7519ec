//===- TestMachine.h - harts and memory without a chip ----------------------===//
// Runs plain programs in functional or timing mode for tests: every access outside tightly coupled memory takes a fixed
// time, and there are no engines.
#pragma once

#include "simulator/core/Hart.h"
#include "simulator/core/Program.h"
#include "simulator/kernel/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace forerun::sim::core {

/// Answers every request at once. Virtual so that a test may change one answer.
class TestEnvironment : public Environment {
 public:
  AccessTime access(HartId, std::uint64_t, std::uint32_t, AccessKind, Cycles now) override {
    return {now + accessCycles, StallCause::Memory};
  }
  Outcome issue(HartId, const Command& command, Cycles now) override {
    commands.push_back(command);
    return {true, now, commands.size()};
  }
  Outcome waitToken(HartId, std::uint64_t, Cycles now) override { return {true, now, 0}; }
  Outcome testToken(HartId, std::uint64_t, Cycles now) override { return {true, now, 1}; }
  Outcome barrierInit(HartId, std::uint64_t, std::uint64_t, Cycles now) override { return {true, now, 0}; }
  Outcome barrierArrive(HartId, std::uint64_t, std::uint64_t, Cycles now) override { return {true, now, 0}; }
  Outcome barrierWait(HartId, std::uint64_t, std::uint64_t, Cycles now) override { return {true, now, 0}; }
  Outcome semaphoreAdd(HartId, std::uint64_t, std::uint64_t, Cycles now) override { return {true, now, 0}; }
  Outcome semaphoreWait(HartId, std::uint64_t, std::uint64_t, Cycles now) override { return {true, now, 0}; }
  Outcome nextWorkItem(HartId, Cycles now) override { return {true, now, ~std::uint64_t{0}}; }
  std::uint64_t identity(HartId hart, std::uint32_t which) const override {
    return which == 0 ? hart.team : which == 1 ? hart.core : 0;
  }
  void mark(HartId, std::uint64_t, bool, Cycles) override {}
  void write(HartId, int, std::string_view text) override { output += text; }
  void exited(HartId, std::uint64_t code, Cycles) override { exitCodes.push_back(code); }

  Cycles accessCycles = 20;
  std::string output;
  std::vector<std::uint64_t> exitCodes;
  std::vector<Command> commands;
};

/// A team with a vector unit of VLEN 512 (as QEMU is run) whose latencies all differ from one another where it matters.
inline targets::TeamSpec testTeam() {
  targets::TeamSpec team;
  team.name = "test";
  team.clock = "core";
  team.count = 1;
  team.vlenBits = 512;
  team.datapathBits = 256;
  team.zvfh = true;
  team.privateBytes = 4 << 20;
  team.privateCycles = 2;
  team.crossLaneCycles = 1;
  team.icacheBytes = 16384;
  team.icacheLine = 64;
  team.icacheMissCycles = 20;
  team.icachePrefetchLines = 1;
  return team;
}

class TestMachine {
 public:
  explicit TestMachine(HartMode mode, targets::TeamSpec teamSpec = testTeam(), unsigned harts = 1, bool xfr = false)
      : team(std::move(teamSpec)),
        space({.cores = 1,
               .privateBytesPerTeam = std::vector<std::uint64_t>(harts, team.privateBytes),
               .scratchBytes = 1 << 20,
               .accumulatorBytes = 1 << 18,
               .globalBytes = 64 << 20}),
        code(space, team, mode, xfr) {
    for (unsigned i = 0; i < harts; ++i)
      this->harts.push_back(std::make_unique<Hart>(HartId{0, i}, team, ClockRatio{}, space, environment, code));
  }

  Hart& hart(unsigned index = 0) { return *harts[index]; }

  /// Loads and starts a plain program: sp points at argc = 0.
  void start(const Program& program) {
    program.loadInto(space);
    for (auto& h : harts) h->start({.pc = program.entry(), .sp = kPrivateBase + team.privateBytes - 64}, 0);
  }
  /// Places machine code at the start of program memory and starts there.
  void start(const std::vector<std::uint32_t>& words) {
    std::memcpy(space.find(0, 0, kProgramBase).data, words.data(), words.size() * 4);
    for (auto& h : harts) h->start({.pc = kProgramBase, .sp = kPrivateBase + team.privateBytes - 64}, 0);
  }
  /// Runs all harts, the least first, until they have exited or `limit` is reached. Returns whether all have exited.
  bool run(Cycles limit = kNever, Cycles quantum = 10'000) {
    for (;;) {
      Hart* least = nullptr;
      for (auto& h : harts)
        if (h->status() != HartStatus::Exited && (!least || h->now() < least->now())) least = h.get();
      if (!least) return true;
      if (least->now() >= limit) return false;
      least->runUntil(std::min(limit, harts.size() == 1 ? limit : least->now() + quantum));
    }
  }

  targets::TeamSpec team;
  AddressSpace space;
  TestEnvironment environment;
  CodeCache code;
  std::vector<std::unique_ptr<Hart>> harts;
};

}  // namespace forerun::sim::core
