//===- CoreSync.h - barriers and semaphores of one core ------------------------===//
// State only; who waits and when is the chip's business.
#pragma once

#include "simulator/kernel/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace forerun::sim {

class CoreSync {
 public:
  CoreSync(std::uint32_t barriers, std::uint32_t semaphores) : barriers_(barriers), semaphores_(semaphores, 0) {}

  void reset() {
    for (Barrier& barrier : barriers_) barrier = {};
    for (std::uint64_t& semaphore : semaphores_) semaphore = 0;
  }

  void init(std::uint64_t id, std::uint64_t arrivals) {
    if (arrivals == 0) throw Error(ErrorKind::IllegalProgram, "xbar.init with a count of 0; a phase needs at least one arrival");
    at(id) = {true, arrivals, arrivals, 0, 0};
  }
  /// The phase arrived at.
  std::uint64_t arrive(std::uint64_t id, std::uint64_t expectBytes) {
    Barrier& b = ready(id);
    const std::uint64_t phase = b.phase;
    if (b.pending == 0) throw Error(ErrorKind::IllegalProgram, "barrier " + std::to_string(id) + " has more arrivals in a phase than its count of " + std::to_string(b.count));
    --b.pending;
    b.bytes += static_cast<std::int64_t>(expectBytes);
    complete(b);
    return phase;
  }
  void credit(std::uint64_t id, std::uint64_t bytes) {
    Barrier& b = ready(id);
    b.bytes -= static_cast<std::int64_t>(bytes);
    complete(b);
  }
  bool passed(std::uint64_t id, std::uint64_t phase) { return ready(id).phase > phase; }

  std::uint64_t add(std::uint64_t id, std::uint64_t amount) { return semaphore(id) += amount; }
  std::uint64_t& semaphore(std::uint64_t id) {
    if (id >= semaphores_.size())
      throw Error(ErrorKind::IllegalProgram, "semaphore " + std::to_string(id) + " does not exist; a core has " + std::to_string(semaphores_.size()));
    return semaphores_[id];
  }
  /// "phase 3: 2 arrivals and 512 bytes missing".
  std::string describe(std::uint64_t id) {
    const Barrier& b = at(id);
    return "phase " + std::to_string(b.phase) + ": " + std::to_string(b.pending) + " arrivals and " + std::to_string(b.bytes) + " bytes missing";
  }

 private:
  struct Barrier {
    bool ready = false;
    std::uint64_t count = 0, pending = 0;
    std::int64_t bytes = 0;  ///< expected less credited; credits may come first
    std::uint64_t phase = 0;
  };

  static void complete(Barrier& b) {
    if (b.pending || b.bytes != 0) return;
    ++b.phase;
    b.pending = b.count;
  }
  Barrier& at(std::uint64_t id) {
    if (id >= barriers_.size())
      throw Error(ErrorKind::IllegalProgram, "barrier " + std::to_string(id) + " does not exist; a core has " + std::to_string(barriers_.size()));
    return barriers_[id];
  }
  Barrier& ready(std::uint64_t id) {
    Barrier& b = at(id);
    if (!b.ready) throw Error(ErrorKind::IllegalProgram, "barrier " + std::to_string(id) + " was not set up with xbar.init");
    return b;
  }

  std::vector<Barrier> barriers_;
  std::vector<std::uint64_t> semaphores_;
};

}  // namespace forerun::sim
