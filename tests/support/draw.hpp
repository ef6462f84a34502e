// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/rng.hpp"

namespace thiessen::testing {

/// Random numbers that are the same on every machine.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : seed_(seed) {}
  /// 0 to range - 1.
  std::int64_t below(std::int64_t range) {
    return static_cast<std::int64_t>(splitmix64(seed_, next_++) %
                                     static_cast<std::uint64_t>(range));
  }
  bool once_in(std::int64_t times) { return below(times) == 0; }
  /// From 0 to less than 1.
  double real() { return static_cast<double>(below(1 << 30)) / (1 << 30); }

 private:
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

}  // namespace thiessen::testing
