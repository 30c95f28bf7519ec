//===- Pool.h - records that come and go -------------------------------------===//
// Numbered places for records of requests under way; numbers of released ones are used again, memory is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace forerun::sim {

/// References are valid until the next `take`; numbers until `release`.
template <typename T>
class Pool {
 public:
  std::uint32_t take(T value) {
    if (free_.empty()) {
      records_.push_back(std::move(value));
      return static_cast<std::uint32_t>(records_.size() - 1);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    records_[number] = std::move(value);
    return number;
  }
  void release(std::uint32_t number) { free_.push_back(number); }
  T& operator[](std::uint32_t number) { return records_[number]; }
  std::size_t used() const { return records_.size() - free_.size(); }

 private:
  std::vector<T> records_;
  std::vector<std::uint32_t> free_;
};

}  // namespace forerun::sim
