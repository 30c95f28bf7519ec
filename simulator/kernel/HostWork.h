//===- HostWork.h - arithmetic beside the simulation ------------------------===//
// What a command computes is needed when it retires, long after it starts in simulated time: a thread of the host
// computes meanwhile.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace forerun::sim {

/// Runs pieces of work one at a time, in the order in which they were added, on a thread of its own or on that of a
/// caller who waits. Results therefore depend on neither the host nor its load. Work must not throw. Without a second
/// processor everything runs where it is added.
class HostWork {
 public:
  using Work = std::function<void()>;
  using Ticket = std::uint64_t;  ///< 0: done

  /// The thread is woken when `wakeAt` pieces wait: waking it costs the caller as much as a small piece.
  explicit HostWork(std::size_t wakeAt = 1, bool threaded = std::thread::hardware_concurrency() > 1);
  /// Finishes all work.
  ~HostWork();
  HostWork(const HostWork&) = delete;
  HostWork& operator=(const HostWork&) = delete;

  Ticket add(Work work);
  /// Returns when the work of `ticket` is done, and with it all that was added before.
  void wait(Ticket ticket);

 private:
  void runThread();
  /// Runs the oldest piece; `lock` is held outside of it.
  void runOne(std::unique_lock<std::mutex>& lock);

  const std::size_t wakeAt_;
  std::mutex mutex_;
  std::condition_variable work_, done_;
  std::deque<Work> waiting_;
  Ticket added_ = 0, finished_ = 0;
  bool running_ = false;  ///< a piece runs on either thread
  bool asleep_ = false;   ///< the thread waits
  bool ends_ = false;
  std::thread thread_;  ///< last: it uses the others
};

}  // namespace forerun::sim
