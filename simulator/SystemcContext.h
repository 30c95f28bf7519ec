//===- SystemcContext.h - one SystemC kernel of several in a process --------------===//
// SystemC elaborates once; a kernel context of its own lets chips follow each other in one process.
#pragma once

#include "simulator/kernel/Cycles.h"

#include <functional>
#include <memory>
#include <systemc>

namespace forerun::sim {

/// Owns a kernel. Modules must be made, run and destroyed inside `with`. One cycle of the reference clock is one tick
/// of SystemC time.
class SystemcContext {
 public:
  SystemcContext();
  ~SystemcContext();
  SystemcContext(const SystemcContext&) = delete;
  SystemcContext& operator=(const SystemcContext&) = delete;

  /// Makes this kernel the current one while `f` runs.
  template <typename F>
  void with(F f) {
    Enter enter(*context_);
    f();
  }
  /// Runs until no event is left or `pause` was called.
  void run();
  static void pause() { sc_core::sc_pause(); }

  static Cycles now() { return sc_core::sc_time_stamp().value(); }

 private:
  struct Enter {
    explicit Enter(sc_core::sc_simcontext& context);
    ~Enter();
    sc_core::sc_simcontext* before;
  };
  std::unique_ptr<sc_core::sc_simcontext> context_;
};

/// A process with one event: `body` runs at the times that it or others ask for.
class SystemcUnit : public sc_core::sc_module {
 public:
  SystemcUnit(const sc_core::sc_module_name& name, std::function<void(Cycles)> body);

  /// Runs the body at `at` (now when that has passed), or earlier when asked for earlier.
  void wakeAt(Cycles at);

 private:
  void step();

  sc_core::sc_event event_;
  std::function<void(Cycles)> body_;
};

}  // namespace forerun::sim
