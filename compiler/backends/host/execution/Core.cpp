//===- Core.cpp - the thread that plays a core ------------------------------===//
// Contexts are switched with ucontext: a stop leaves whatever runs for the work item's beginning, and no frame of
// compiled code needs unwinding. Nothing on these stacks owns anything.
#include "compiler/backends/host/execution/Core.h"

#include <bit>
#include <cstdlib>
#include <new>

namespace forerun::backends::host {

namespace {
constexpr std::size_t kStackBytes = std::size_t{256} << 10;
constexpr std::size_t kArenaAlignment = 64;
}  // namespace

Core::Core(std::int64_t number, std::int64_t cores) {
  words_[kCore] = number;
  words_[kCores] = cores;
  reserve(kArenaAlignment);
}

void Core::reserve(std::size_t arenaBytes) {
  if (arenaBytes <= arenaBytes_) return;
  arena_.reset();
  arenaBytes_ = 0;
  arena_ = std::make_unique_for_overwrite<std::byte[]>(arenaBytes + kArenaAlignment);
  arenaBytes_ = arenaBytes;
  auto address = reinterpret_cast<std::uintptr_t>(arena_.get());
  address = (address + kArenaAlignment - 1) / kArenaAlignment * kArenaAlignment;
  words_[kArena] = static_cast<std::int64_t>(address);
}

bool Core::run(Kernel kernel, const std::uint64_t* arguments, const std::int64_t (&ids)[3]) {
  words_[kGridX] = ids[0];
  words_[kGridY] = ids[1];
  words_[kGridZ] = ids[2];
  stopped_ = false;
  getcontext(&recovery_);
  if (stopped_) {  // came back from `stop`
    group_ = nullptr;
    free_.clear();
    for (const auto& turn : turns_) free_.push_back(turn.get());
    groups_.clear();
    return false;
  }
  kernel(arguments, words_);
  return true;
}

void Core::stop(std::int64_t* context, std::int64_t number, std::int64_t value) {
  Core& core = of(context);
  core.stop_ = number;
  core.value_ = value;
  core.stopped_ = true;
  setcontext(&core.recovery_);
  std::abort();  // setcontext returns only when it is given nonsense
}

Core::Turn* Core::takeTurn() {
  if (free_.empty()) {
    turns_.push_back(std::make_unique<Turn>());
    turns_.back()->stack = std::make_unique_for_overwrite<std::byte[]>(kStackBytes);
    return turns_.back().get();
  }
  Turn* turn = free_.back();
  free_.pop_back();
  return turn;
}

void Core::enter(unsigned high, unsigned low) {
  Core& core = *std::bit_cast<Core*>((std::uint64_t{high} << 32) | low);
  Group& group = *core.group_;
  group.body(group.frame, group.running->number);
  group.running->done = true;
  setcontext(&group.scheduler);
}

void Core::together(std::int64_t* context, std::int64_t count, void (*body)(void*, std::int64_t), void* frame) {
  Core& core = of(context);
  core.groups_.push_back(std::make_unique<Group>());
  Group& group = *core.groups_.back();
  group.body = body;
  group.frame = frame;
  group.outer = core.group_;
  for (std::int64_t number = 0; number < count; ++number) {
    Turn* turn = core.takeTurn();
    turn->number = number;
    turn->done = false;
    turn->counter = nullptr;
    getcontext(&turn->state);
    turn->state.uc_stack.ss_sp = turn->stack.get();
    turn->state.uc_stack.ss_size = kStackBytes;
    turn->state.uc_link = nullptr;
    const auto self = reinterpret_cast<std::uintptr_t>(&core);
    makecontext(&turn->state, reinterpret_cast<void (*)()>(&Core::enter), 2, static_cast<unsigned>(self >> 32),
                static_cast<unsigned>(self));
    group.turns.push_back(turn);
  }
  for (std::size_t left = group.turns.size(); left > 0;) {
    Turn* blocked = nullptr;
    bool progress = false;
    for (Turn* turn : group.turns) {
      if (turn->done) continue;
      if (turn->counter && *turn->counter < turn->least) {
        if (!blocked) blocked = turn;
        continue;
      }
      core.group_ = &group;
      group.running = turn;
      swapcontext(&group.scheduler, &turn->state);
      core.group_ = group.outer;
      progress = true;
      if (turn->done) --left;
    }
    if (progress) continue;
    if (!group.outer) stop(context, blocked->stop, 0);
    core.suspend(blocked->counter, blocked->least, blocked->stop);  // others may help
  }
  for (Turn* turn : group.turns) core.free_.push_back(turn);
  std::erase_if(core.groups_, [&](const auto& each) { return each.get() == &group; });
}

void Core::suspend(const std::int64_t* counter, std::int64_t least, std::int64_t number) {
  Group& group = *group_;
  Turn& turn = *group.running;
  turn.counter = counter;
  turn.least = least;
  turn.stop = number;
  swapcontext(&turn.state, &group.scheduler);
  turn.counter = nullptr;
}

void Core::wait(std::int64_t* context, std::int64_t number, const std::int64_t* counter, std::int64_t least) {
  Core& core = of(context);
  while (*counter < least) {
    if (!core.group_) stop(context, number, 0);
    core.suspend(counter, least, number);
  }
}

}  // namespace forerun::backends::host
