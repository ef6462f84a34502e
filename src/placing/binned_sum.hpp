// SPDX-License-Identifier: Apache-2.0
//
// An exact sum of numbers >= 0 that takes few cycles for each: the mantissas are added to an
// integer for each exponent. R. M. Neal, "Fast exact summation using small and large
// superaccumulators" (2015), calls it the large one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/exact_sum.hpp"

namespace thiessen::placing {

class BinnedSum {
 public:
  /// Adds a number >= 0, up to 2^63 of them.
  void add(double value) {
    const auto bits = Float::of(value);
    const int exponent = Float::exponent(bits);
    if (exponent == Float::kSpecial) {
      infinite_ = true;
      return;
    }
    // Subnormal numbers have no hidden bit.
    const auto hidden = static_cast<std::uint64_t>(exponent != 0) << Float::kMantissa;
    bins_[static_cast<std::size_t>(exponent)] += (bits & (kHidden - 1)) | hidden;
  }

  void add(const BinnedSum& other) {
    infinite_ = infinite_ || other.infinite_;
    for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += other.bins_[i];
  }

  /// The double nearest to the sum.
  double value() const {
    if (infinite_) return std::numeric_limits<double>::infinity();
    constexpr int kWords = (Float::kSpecial + 128 + 63) / 64;
    std::array<std::uint64_t, kWords> words{};
    for (int i = 0; i < Float::kSpecial; ++i)
      add_to_words(words.data(), kWords, static_cast<Int128>(bins_[static_cast<std::size_t>(i)]),
                   i == 0 ? 0 : i - 1);
    return to_double(round_words(words.data(), kWords, Float::kLowest));
  }

 private:
  using Float = FloatBits<double>;
  static constexpr std::uint64_t kHidden = std::uint64_t{1} << Float::kMantissa;

  std::vector<UInt128> bins_ = std::vector<UInt128>(Float::kSpecial);
  bool infinite_ = false;
};

}  // namespace thiessen::placing
