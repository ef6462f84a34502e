// SPDX-License-Identifier: Apache-2.0
//
// Bits along lines, for tests of functions of host and device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/cells.hpp"
#include "cuda/job/job.hpp"
#include "cuda/sites/line_bits.hpp"

namespace thiessen::cuda::sites {

using IsSet = std::function<bool(const Axes&)>;

/// LineBits made cell by cell.
struct HostLineBits {
  HostLineBits(const Job& job, std::size_t axis, const IsSet& is_set) {
    const Axes& extent = job.extent;
    bits.period = job.period[axis];
    bits.blocks = (extent[axis] + 31) / 32;
    bits.inner_count = axis == 0 ? extent[1] * extent[2] : axis == 1 ? extent[2] : 1;
    const std::int64_t outer_count = axis == 0 ? 1 : axis == 1 ? extent[0] : extent[0] * extent[1];
    const auto count = static_cast<std::size_t>(outer_count * bits.blocks * bits.inner_count);
    words.assign(count, 0);
    before.assign(count, kNoneBefore);
    after.assign(count, kNoneAfter);
    for (std::int64_t outer = 0; outer < outer_count; ++outer)
      for (std::int64_t inner = 0; inner < bits.inner_count; ++inner)
        for (std::int64_t at = 0; at < extent[axis]; ++at) {
          const Axes cell = axis == 0   ? Axes{at, inner / extent[2], inner % extent[2]}
                            : axis == 1 ? Axes{outer, at, inner}
                                        : Axes{outer / extent[1], outer % extent[1], at};
          if (is_set(cell)) set(outer, inner, at, extent[axis]);
        }
    bits.words = words.data();
    bits.before = before.data();
    bits.after = after.data();
  }

  void set(std::int64_t outer, std::int64_t inner, std::int64_t at, std::int64_t length) {
    words[static_cast<std::size_t>(bits.word_of(outer, inner, static_cast<std::int32_t>(at)))] |=
        1u << at % 32;
    const bool is_periodic = bits.period != kNoPeriod;
    for (const std::int64_t image : {at - length, at, at + length}) {
      if (image != at && !is_periodic) continue;
      for (std::int64_t block = 0; block < bits.blocks; ++block) {
        const auto word = static_cast<std::size_t>(
            bits.word_of(outer, inner, static_cast<std::int32_t>(32 * block)));
        if (image < 32 * block)
          before[word] = std::max(before[word], static_cast<std::int32_t>(image));
        if (image >= std::min(32 * block + 32, length))
          after[word] = std::min(after[word], static_cast<std::int32_t>(image));
      }
    }
  }

  LineBits bits;
  std::vector<std::uint32_t> words;
  std::vector<std::int32_t> before, after;
};

}  // namespace thiessen::cuda::sites
