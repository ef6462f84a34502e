// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

namespace thiessen {

inline constexpr std::int64_t kNoneFound = std::numeric_limits<std::int64_t>::max();

/// The least of the indices that threads report.
class FirstFound {
 public:
  void report(std::int64_t index) {
    std::int64_t known = first_.load(std::memory_order_relaxed);
    while (index < known && !first_.compare_exchange_weak(known, index)) {
    }
  }
  bool any() const { return first_.load() != kNoneFound; }
  std::int64_t index() const { return first_.load(); }

 private:
  std::atomic<std::int64_t> first_{kNoneFound};
};

}  // namespace thiessen
