//===- HostWork.cpp - arithmetic beside the simulation ----------------------===//
// One queue, two threads that take from it; never both at once.
#include "simulator/kernel/HostWork.h"

namespace forerun::sim {

HostWork::HostWork(std::size_t wakeAt, bool threaded) : wakeAt_(wakeAt) {
  if (threaded) thread_ = std::thread([this] { runThread(); });
}

HostWork::~HostWork() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  work_.notify_one();
  thread_.join();
}

void HostWork::runOne(std::unique_lock<std::mutex>& lock) {
  Work work = std::move(waiting_.front());
  waiting_.pop_front();
  running_ = true;
  lock.unlock();
  work();
  lock.lock();
  running_ = false;
  ++finished_;
}

void HostWork::runThread() {
  std::unique_lock lock(mutex_);
  while (true) {
    asleep_ = true;
    work_.wait(lock, [this] { return ends_ || (!waiting_.empty() && !running_); });
    asleep_ = false;
    if (waiting_.empty()) return;
    while (!waiting_.empty() && !running_) {
      runOne(lock);
      done_.notify_one();
    }
  }
}

HostWork::Ticket HostWork::add(Work work) {
  if (!thread_.joinable()) {
    work();
    return 0;
  }
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(work));
  if (asleep_ && waiting_.size() >= wakeAt_) work_.notify_one();
  return ++added_;
}

void HostWork::wait(Ticket ticket) {
  if (ticket == 0) return;
  std::unique_lock lock(mutex_);
  while (finished_ < ticket) {
    if (running_)
      done_.wait(lock, [this] { return !running_; });
    else
      runOne(lock);
  }
}

}  // namespace forerun::sim
