//===- SystemcContext.cpp - one SystemC kernel of several in a process -------------===//
// The only file that touches the kernel's globals.
#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn
#include "simulator/SystemcContext.h"

namespace forerun::sim {

SystemcContext::Enter::Enter(sc_core::sc_simcontext& context) : before(sc_core::sc_curr_simcontext) {
  sc_core::sc_curr_simcontext = &context;
}
SystemcContext::Enter::~Enter() { sc_core::sc_curr_simcontext = before; }

SystemcContext::SystemcContext() {
  // The kernel's constructor registers objects with the current context.
  sc_core::sc_simcontext* before = sc_core::sc_curr_simcontext;
  context_ = std::make_unique<sc_core::sc_simcontext>();
  sc_core::sc_curr_simcontext = before;
  with([] { sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING); });
}

SystemcContext::~SystemcContext() {
  Enter enter(*context_);
  context_.reset();
}

void SystemcContext::run() {
  with([] { sc_core::sc_start(); });
}

SystemcUnit::SystemcUnit(const sc_core::sc_module_name& name, std::function<void(Cycles)> body)
    : sc_core::sc_module(name), event_("wake"), body_(std::move(body)) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&event_);
  sc_core::sc_spawn([this] { step(); }, "step", &options);
}

void SystemcUnit::wakeAt(Cycles at) {
  const Cycles now = SystemcContext::now();
  if (at <= now) {
    event_.notify(sc_core::SC_ZERO_TIME);
  } else {
    event_.notify(sc_core::sc_time::from_value(at - now));
  }
}

void SystemcUnit::step() { body_(SystemcContext::now()); }

}  // namespace forerun::sim

/// The library's own main() refers to it; programs here have mains of their own.
int sc_main(int, char**) { return 1; }
