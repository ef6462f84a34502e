// SPDX-License-Identifier: Apache-2.0
//
// Collects labels that come as text one after the other, and finds the element type that holds them
// all.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "io/table/text_table.hpp"
#include "thiessen/raster.hpp"

namespace thiessen::io {

class LabelColumn {
 public:
  explicit LabelColumn(const TextLines& lines) : lines_(lines) {}

  void add(std::string_view text) {
    if (const auto whole = to_number<std::int64_t>(text)) return add_whole(*whole);
    if (const auto large = to_number<std::uint64_t>(text)) return add_large(*large);
    add_real(text);
  }

  /// The labels as i32, i64, u64 or f64, the first type that holds all of them.
  Raster finish() const {
    if (real_) return as<double>([](std::uint64_t bits) { return std::bit_cast<double>(bits); });
    if (large_) return as<std::uint64_t>([](std::uint64_t bits) { return bits; });
    using Small = std::numeric_limits<std::int32_t>;
    if (least_ >= Small::min() && greatest_ <= Small::max()) return as_signed<std::int32_t>();
    return as_signed<std::int64_t>();
  }

 private:
  static constexpr std::int64_t kExactInDouble = std::int64_t{1} << 53;

  template <class T, class Convert>
  Raster as(const Convert& convert) const {
    Raster labels = Raster::of<T>({static_cast<std::int64_t>(bits_.size())});
    std::transform(bits_.begin(), bits_.end(), labels.view<T>().data(), convert);
    return labels;
  }

  template <class T>
  Raster as_signed() const {
    return as<T>(
        [](std::uint64_t bits) { return static_cast<T>(std::bit_cast<std::int64_t>(bits)); });
  }

  void add_whole(std::int64_t label) {
    least_ = std::min(least_, label);
    greatest_ = std::max(greatest_, label);
    require_one_type();
    bits_.push_back(real_ ? std::bit_cast<std::uint64_t>(static_cast<double>(label))
                          : std::bit_cast<std::uint64_t>(label));
  }

  void add_large(std::uint64_t label) {
    large_ = true;
    require_one_type();
    bits_.push_back(label);
  }

  void add_real(std::string_view text) {
    const bool whole = text.find_first_not_of("+-0123456789") == std::string_view::npos;
    const auto label = to_number<double>(text);
    if (!label || whole) {
      lines_.fail("has the label " + excerpt(text) +
                  (label ? ", which no integer of 64 bits holds" : "; a label is a number"));
    }
    if (!real_) begin_real();
    bits_.push_back(std::bit_cast<std::uint64_t>(*label));
  }

  void begin_real() {
    real_ = true;
    require_one_type();
    for (std::uint64_t& bits : bits_) {
      const auto label = static_cast<double>(std::bit_cast<std::int64_t>(bits));
      bits = std::bit_cast<std::uint64_t>(label);
    }
  }

  void require_one_type() const {
    const bool exact = !large_ && least_ >= -kExactInDouble && greatest_ <= kExactInDouble;
    if (real_ && !exact) {
      lines_.fail("brings together real labels and whole ones above 2^53, which f64 cannot hold");
    }
    if (large_ && least_ < 0) {
      lines_.fail("brings together negative labels and ones above 2^63 - 1; no integer holds both");
    }
  }

  const TextLines& lines_;
  std::vector<std::uint64_t> bits_;  // of an i64; of a u64 if large_; of a double if real_
  std::int64_t least_ = 0, greatest_ = 0;
  bool large_ = false, real_ = false;
};

}  // namespace thiessen::io
