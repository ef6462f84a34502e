// SPDX-License-Identifier: Apache-2.0
//
// An exact sum of numbers >= 0 that takes few cycles for each: the mantissas are added to an
// integer for each exponent. R. M. Neal, "Fast exact summation using small and large
// superaccumulators" (2015), calls it the large one. Numbers that follow each other often have the
// same exponent, and take turns in several such tables, so that they need not wait for each other.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/statistics/exact_sum.hpp"

namespace thiessen::placing {

class BinnedSum {
 public:
  static constexpr std::int64_t kMostAtOnce = 1024;

  /// Adds up to kMostAtOnce numbers >= 0, or infinite; up to 2^63 in all.
  void add(const double* values, std::int64_t count) {
    if (pending_ + count > kMostPending) flush();
    pending_ += count;
    const double* const whole = values + count / kTables * kTables;
    const double* value = values;
    for (; value != whole; value += kTables)
      for (std::int64_t table = 0; table < kTables; ++table)
        add_to_bin(table, Float::of(value[table]));
    for (; value != values + count; ++value) add_to_bin(0, Float::of(*value));
    note_exponents(values, count);
  }

  void add(BinnedSum& other) {
    other.flush();
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
  }

  /// The double nearest to the sum.
  double value() {
    flush();
    if (sums_.back() != 0) return std::numeric_limits<double>::infinity();
    constexpr int kWords = (Float::kSpecial + 128 + 63) / 64;
    std::array<std::uint64_t, kWords> words{};
    for (int i = 0; i < Float::kSpecial; ++i)
      add_to_words(words.data(), kWords, static_cast<Int128>(sums_[static_cast<std::size_t>(i)]),
                   i == 0 ? 0 : i - 1);
    return to_double(round_words(words.data(), kWords, Float::kLowest));
  }

 private:
  using Float = FloatBits<double>;
  static constexpr std::uint64_t kHidden = std::uint64_t{1} << Float::kMantissa;
  static constexpr std::int64_t kTables = 4;
  static constexpr std::int64_t kExponents = Float::kSpecial + 1;
  /// A bin holds the mantissas of 2^11 - 1 numbers; a table gets a quarter of all, and what is
  /// left over from each call.
  static constexpr std::int64_t kMostPending = 7 * kMostAtOnce;

  void add_to_bin(std::int64_t table, std::uint64_t bits) {
    const auto exponent = static_cast<std::int64_t>(bits >> Float::kMantissa);
    // Subnormal numbers have no hidden bit.
    bins_[static_cast<std::size_t>(table * kExponents + exponent)] +=
        (bits & (kHidden - 1)) | (exponent == 0 ? 0 : kHidden);
  }

  /// Keeps the range of exponents that bins may have something of; zeros leave nothing.
  void note_exponents(const double* values, std::int64_t count) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    double least = kNone;
    double greatest = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const double own = values[i] > 0 ? values[i] : kNone;
      least = own < least ? own : least;
      greatest = greatest < values[i] ? values[i] : greatest;
    }
    if (greatest == 0) return;
    first_ = std::min(first_, std::int64_t{Float::exponent(Float::of(least))});
    last_ = std::max(last_, std::int64_t{Float::exponent(Float::of(greatest))});
  }

  void flush() {
    for (std::int64_t table = 0; table < kTables; ++table)
      for (std::int64_t exponent = first_; exponent <= last_; ++exponent) {
        std::uint64_t& bin = bins_[static_cast<std::size_t>(table * kExponents + exponent)];
        sums_[static_cast<std::size_t>(exponent)] += bin;
        bin = 0;
      }
    pending_ = 0;
    first_ = kExponents;
    last_ = -1;
  }

  std::vector<std::uint64_t> bins_ = std::vector<std::uint64_t>(kTables * kExponents);
  std::vector<UInt128> sums_ = std::vector<UInt128>(kExponents);  ///< the last one is of infinity
  std::int64_t pending_ = 0;
  std::int64_t first_ = kExponents;
  std::int64_t last_ = -1;
};

}  // namespace thiessen::placing
