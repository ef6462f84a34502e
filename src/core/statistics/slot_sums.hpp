// SPDX-License-Identifier: Apache-2.0
//
// Sums for each slot of a table of labels (core/statistics/label_slots.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/statistics/exact_sum.hpp"

namespace thiessen {

/// Exact sums, `kSums` for each slot.
template <int kSums>
class SlotSums {
 public:
  explicit SlotSums(int words) : words_(words) {}

  void resize(std::size_t slots) { sums_.resize(slots * kSums * stride()); }
  void add(std::uint32_t slot, int sum, Int128 value, int shift = 0) {
    add_to_words(at(slot, sum), words_, value, shift);
  }
  void add(std::uint32_t slot, const SlotSums& other, std::uint32_t other_slot) {
    for (int sum = 0; sum < kSums; ++sum)
      add_words(at(slot, sum), const_cast<SlotSums&>(other).at(other_slot, sum), words_);
  }
  ScaledNumber rounded(std::uint32_t slot, int sum, int lowest) const {
    return round_words(const_cast<SlotSums*>(this)->at(slot, sum), words_, lowest);
  }
  std::size_t bytes() const { return sums_.capacity() * sizeof sums_[0]; }

 private:
  std::size_t stride() const { return static_cast<std::size_t>(words_); }
  std::uint64_t* at(std::uint32_t slot, int sum) {
    return sums_.data() + (std::size_t{slot} * kSums + static_cast<std::size_t>(sum)) * stride();
  }

  int words_;
  std::vector<std::uint64_t> sums_;
};

/// What is known of the distances in the cells of a label, besides their sum. NaN does not count.
struct DistanceCounts {
  static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  double greatest = -kInfinity;
  std::int64_t known = 0;  ///< not NaN
  std::int64_t infinite = 0;
  std::int64_t minus_infinite = 0;

  void add(const DistanceCounts& other) {
    greatest = std::max(greatest, other.greatest);
    known += other.known;
    infinite += other.infinite;
    minus_infinite += other.minus_infinite;
  }

  double greatest_or_nan() const { return known == 0 ? kNan : greatest; }
  /// `sum`: that of the finite distances.
  double mean(const ScaledNumber& sum) const {
    if (known == 0 || (infinite > 0 && minus_infinite > 0)) return kNan;
    if (infinite > 0) return kInfinity;
    if (minus_infinite > 0) return -kInfinity;
    return std::ldexp(sum.mantissa / static_cast<double>(known), sum.exponent);
  }
};

}  // namespace thiessen
