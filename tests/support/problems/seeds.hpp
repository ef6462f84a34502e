// SPDX-License-Identifier: Apache-2.0
//
// Seeds of random problems for THIESSEN_TEST_SECONDS (default 60), from THIESSEN_TEST_SEED on, or
// from a random one on.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>

namespace thiessen::testing {

using Clock = std::chrono::steady_clock;

inline std::uint64_t number_in_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Seeds until the time is up.
class Seeds {
 public:
  Seeds() { std::cout << "seeds from " << first_ << " on\n"; }
  ~Seeds() { std::cout << "seeds up to " << next_ - 1 << '\n'; }
  Seeds(const Seeds&) = delete;
  Seeds& operator=(const Seeds&) = delete;

  bool goes_on() const { return next_ == first_ || Clock::now() < end_; }
  std::uint64_t next() { return next_++; }

 private:
  std::uint64_t first_ = number_in_environment("THIESSEN_TEST_SEED", std::random_device()());
  std::uint64_t next_ = first_;
  Clock::time_point end_ =
      Clock::now() + std::chrono::seconds(number_in_environment("THIESSEN_TEST_SECONDS", 60));
};

}  // namespace thiessen::testing
