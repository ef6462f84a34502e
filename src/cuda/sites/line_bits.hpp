// SPDX-License-Identifier: Apache-2.0
//
// Bits along lines: the next cell before or behind a cell whose bit is set. That takes two reads of
// memory, since a word also knows the next cells outside of it on either side.
#pragma once

#include <cstdint>
#include <limits>

#include "core/order/torus.hpp"
#include "core/slabs/slab.hpp"
#include "cuda/device/lanes.hpp"

namespace thiessen::cuda::sites {

/// No cell on that side.
inline constexpr std::int32_t kNoneBefore = std::numeric_limits<std::int32_t>::min();
inline constexpr std::int32_t kNoneAfter = std::numeric_limits<std::int32_t>::max();

/// Lines along one axis. They lie side by side: word `block` of line (outer, inner) is
/// words[(outer · blocks + block) · inner_count + inner], and holds the cells 32·block to
/// 32·block + 31.
struct LineBits {
  const std::uint32_t* words = nullptr;
  const std::int32_t* before = nullptr;  ///< last cell set before the word
  const std::int32_t* after = nullptr;   ///< first cell set behind it
  std::int64_t blocks = 0;
  std::int64_t inner_count = 1;
  std::int64_t period = kNoPeriod;  ///< if set, `before` and `after` are images beyond the ends

  THIESSEN_HD std::int64_t word_of(std::int64_t outer, std::int64_t inner, std::int32_t at) const {
    return (outer * blocks + (at >> 5)) * inner_count + inner;
  }
  /// The last cell set at `at` or before, or kNoneBefore.
  THIESSEN_HD std::int32_t last_to(std::int64_t outer, std::int64_t inner, std::int32_t at) const {
    const std::int64_t word = word_of(outer, inner, at);
    const std::uint32_t some = words[word] & ~0u >> (31 - (at & 31));
    return some != 0 ? (at & ~31) + highest_bit(some) : before[word];
  }
  /// The first cell set at `at` or behind, or kNoneAfter.
  THIESSEN_HD std::int32_t first_from(std::int64_t outer, std::int64_t inner,
                                      std::int32_t at) const {
    const std::int64_t word = word_of(outer, inner, at);
    const std::uint32_t some = words[word] >> (at & 31);
    return some != 0 ? at + lowest_bit(some) : after[word];
  }
  /// The first cell set behind `at`, or kNoneAfter.
  THIESSEN_HD std::int32_t first_behind(std::int64_t outer, std::int64_t inner,
                                        std::int32_t at) const {
    const std::int64_t word = word_of(outer, inner, at);
    const std::uint32_t some = words[word] >> (at & 31) >> 1;
    return some != 0 ? at + 1 + lowest_bit(some) : after[word];
  }
  /// The nearest cell set; among equally near ones that with the smaller coordinate; or kNoSite.
  THIESSEN_HD std::int32_t nearest(std::int64_t outer, std::int64_t inner, std::int32_t at) const {
    const std::int32_t last = last_to(outer, inner, at);
    if (last == at) return last;
    const std::int32_t next = first_from(outer, inner, at);
    if (next == kNoneAfter) return last == kNoneBefore ? kNoSite : image_of(last);
    if (last == kNoneBefore) return image_of(next);
    const std::int32_t to_last = at - last;
    const std::int32_t to_next = next - at;
    const bool takes_next =
        to_next < to_last || (to_next == to_last && image_of(next) < image_of(last));
    return image_of(takes_next ? next : last);
  }
  /// The distance to it in cells, or kNoneAfter.
  THIESSEN_HD std::int32_t cells_to_nearest(std::int64_t outer, std::int64_t inner,
                                            std::int32_t at) const {
    const std::int32_t last = last_to(outer, inner, at);
    const std::int32_t next = first_from(outer, inner, at);
    const std::int32_t to_last = last == kNoneBefore ? kNoneAfter : at - last;
    const std::int32_t to_next = next == kNoneAfter ? kNoneAfter : next - at;
    return to_last < to_next ? to_last : to_next;
  }

 private:
  THIESSEN_HD std::int32_t image_of(std::int32_t at) const {
    return period == kNoPeriod ? at : static_cast<std::int32_t>(unwrap(at, period));
  }
};

}  // namespace thiessen::cuda::sites
