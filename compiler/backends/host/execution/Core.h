//===- Core.h - the thread that plays a core --------------------------------===//
// Context of compiled kernels: their on-chip memory, how they stop, how their teams and roles take turns.
#pragma once

#include "compiler/backends/host/Abi.h"

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace forerun::backends::host {

using Kernel = void (*)(const std::uint64_t* arguments, std::int64_t* context);

class Core {
 public:
  /// Throws std::bad_alloc.
  Core(std::int64_t number, std::int64_t cores);

  /// At least so many bytes of on-chip memory; throws std::bad_alloc.
  void reserve(std::size_t arenaBytes);

  /// Runs one work item; false when it stopped: see `stop`, `value`.
  bool run(Kernel kernel, const std::uint64_t* arguments, const std::int64_t (&ids)[3]);
  std::int64_t stopNumber() const { return stop_; }
  std::int64_t stopValue() const { return value_; }

  // What compiled kernels call (Abi.h).
  static void stop(std::int64_t* context, std::int64_t number, std::int64_t value);
  static void together(std::int64_t* context, std::int64_t count, void (*body)(void*, std::int64_t), void* frame);
  static void wait(std::int64_t* context, std::int64_t number, const std::int64_t* counter, std::int64_t least);

 private:
  /// One of the bodies that take turns, on a stack of its own.
  struct Turn {
    ucontext_t state;
    std::unique_ptr<std::byte[]> stack;
    std::int64_t number = 0;
    bool done = false;
    const std::int64_t* counter = nullptr;  ///< what it waits for; null: nothing
    std::int64_t least = 0, stop = 0;
  };
  /// Bodies that take turns; those of a body that itself is one of others' lie inside.
  struct Group {
    void (*body)(void*, std::int64_t) = nullptr;
    void* frame = nullptr;
    ucontext_t scheduler;
    std::vector<Turn*> turns;
    Turn* running = nullptr;
    Group* outer = nullptr;
  };

  static Core& of(std::int64_t* context) { return *reinterpret_cast<Core*>(context); }
  static void enter(unsigned high, unsigned low);
  Turn* takeTurn();
  void suspend(const std::int64_t* counter, std::int64_t least, std::int64_t number);

  std::int64_t words_[kContextWords] = {};  ///< first: compiled kernels see these
  std::unique_ptr<std::byte[]> arena_;
  std::size_t arenaBytes_ = 0;
  ucontext_t recovery_;
  volatile bool stopped_ = false;
  std::int64_t stop_ = 0, value_ = 0;
  Group* group_ = nullptr;  ///< whose turn runs
  std::vector<std::unique_ptr<Group>> groups_;
  std::vector<std::unique_ptr<Turn>> turns_;  ///< all that were ever made; their stacks are used again
  std::vector<Turn*> free_;
};

}  // namespace forerun::backends::host
