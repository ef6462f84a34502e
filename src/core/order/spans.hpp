// SPDX-License-Identifier: Apache-2.0
//
// How near and how far places of two boxes can be, axis by axis; on a periodic axis by the shorter
// way round, as core/order/torus.hpp measures it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/cells.hpp"
#include "core/base/host_device.hpp"
#include "core/order/torus.hpp"

namespace thiessen {

/// Coordinates from `low` to `high`, in the units of S; within one period on a periodic axis.
struct Span {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

using Spans = std::array<Span, kAxes>;

/// Beyond every point.
inline constexpr std::int64_t kBeyond = std::int64_t{1} << 52;

/// The least distance between coordinates of two spans.
THIESSEN_HD inline std::int64_t least_span_distance(const Span& a, const Span& b,
                                                    std::int64_t period) {
  if (a.low <= b.high && b.low <= a.high) return 0;
  const bool is_above = a.low > b.high;
  const std::int64_t direct = is_above ? a.low - b.high : b.low - a.high;
  if (period == kNoPeriod) return direct;
  const std::int64_t around = period - (is_above ? a.high - b.low : b.high - a.low);
  return direct < around ? direct : around;
}

/// A distance that none between a coordinate and those of a span exceeds.
THIESSEN_HD inline std::int64_t greatest_span_distance(std::int64_t place, const Span& span,
                                                       std::int64_t period) {
  const std::int64_t to_low = periodic_distance(place, span.low, period);
  const std::int64_t to_high = periodic_distance(place, span.high, period);
  const std::int64_t ends = to_low < to_high ? to_high : to_low;
  if (period == kNoPeriod || span.low == span.high) return ends;
  // Between the ends may lie what is farthest on the circle.
  const std::int64_t half_way = period / 2;
  const std::int64_t opposite = place < half_way ? place + half_way : place - (period - half_way);
  const bool has_opposite = opposite <= span.high && opposite + 1 >= span.low;
  return has_opposite ? half_way : ends;
}

}  // namespace thiessen
