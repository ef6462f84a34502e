// SPDX-License-Identifier: Apache-2.0
//
// The first coordinate along an axis at which something is found in a box around a cell; the box
// may reach over an end of a periodic axis.
#pragma once

#include <cstdint>

#include "core/order/torus.hpp"

namespace thiessen {

/// The first coordinate, from 0 on, that is at most `reach` from `center` and that first_from
/// finds: first_from(c) is the first one at or after c, or beyond `extent` if there is none. At
/// least one must be within reach.
template <class FirstFrom>
THIESSEN_HD std::int64_t first_in_box(std::int64_t center, std::int64_t reach, std::int64_t extent,
                                      std::int64_t period, const FirstFrom& first_from) {
  const std::int64_t begin = center - reach;
  const std::int64_t end = center + reach;
  const bool inside = begin >= 0 && end < extent;
  if (period == kNoPeriod || inside) return first_from(begin < 0 ? std::int64_t{0} : begin);
  const std::int64_t first = first_from(0);
  const bool all = reach >= extent - reach;
  const std::int64_t last_of_beginning = begin < 0 ? end : end - extent;
  if (all || first <= last_of_beginning) return first;
  return first_from(begin < 0 ? begin + extent : begin);
}

}  // namespace thiessen
