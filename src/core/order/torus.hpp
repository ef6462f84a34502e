// SPDX-License-Identifier: Apache-2.0
//
// Coordinates on periodic axes. Every function takes the period of its axis; kNoPeriod stands for
// an axis that is not periodic, and gives the plain difference, so that callers need no test.
#pragma once

#include <cstdint>

#include "core/base/host_device.hpp"

namespace thiessen {

/// More than twice any coordinate, and still far from overflow.
inline constexpr std::int64_t kNoPeriod = std::int64_t{1} << 60;

/// The distance from `a` to `b` by the shorter way round, >= 0; both are within one period.
THIESSEN_HD inline std::int64_t periodic_distance(std::int64_t a, std::int64_t b,
                                                  std::int64_t period) {
  const std::int64_t distance = a < b ? b - a : a - b;
  return distance < period - distance ? distance : period - distance;
}

/// `to` minus `from` by the shorter way round; if both ways are equally short, the negative
/// difference, which comes first in lexicographic order.
THIESSEN_HD inline std::int64_t shortest_offset(std::int64_t from, std::int64_t to,
                                                std::int64_t period) {
  const std::int64_t offset = to - from;
  if (2 * offset >= period) return offset - period;
  return 2 * offset < -period ? offset + period : offset;
}

/// The coordinate of a place whose image, at most one period away, is given.
THIESSEN_HD inline std::int64_t unwrap(std::int64_t image, std::int64_t period) {
  if (image < 0 && period != kNoPeriod) return image + period;
  return image >= period ? image - period : image;
}

/// Calls visit(position, coordinate) for the cells of an axis from left to right; on a periodic
/// axis also for the images on both sides that can be nearest to a cell.
template <class Visit>
THIESSEN_HD void for_each_image(std::int64_t extent, std::int64_t period, Visit&& visit) {
  if (period == kNoPeriod) {
    for (std::int64_t position = 0; position < extent; ++position) visit(position, position);
    return;
  }
  const std::int64_t beyond = extent / 2;
  for (std::int64_t position = -beyond; position < extent + beyond; ++position)
    visit(position, unwrap(position, period));
}

/// The number of images that for_each_image() visits.
inline std::int64_t images_of(std::int64_t extent, std::int64_t period) {
  return extent + (period == kNoPeriod ? 0 : extent / 2 * 2);
}

}  // namespace thiessen
