// SPDX-License-Identifier: Apache-2.0
//
// Which image of a site counts on periodic axes: among the site itself and its copies one period
// before and behind it those that are nearest, and among these the first in lexicographic order of
// the way there.
//
// With most metrics the nearest image is the nearest along each axis. With two of them it need not
// be: chessboard distance is a maximum, and octagonal distance is at least the longer of two ways,
// so a longer way along the other axis may cost nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/cells.hpp"
#include "core/base/host_device.hpp"
#include "core/base/int128.hpp"
#include "core/order/measure.hpp"
#include "core/order/torus.hpp"

namespace thiessen {

/// Whether images can be equally near although they are not equally near along each axis.
THIESSEN_HD constexpr bool has_hidden_ways(Metric metric) {
  return metric == Metric::chessboard || metric == Metric::octagonal;
}

/// Ways from cells to images; factors and periods as in Problem.
struct Images {
  Metric metric = Metric::euclidean;
  std::array<Int128, kAxes> factor{};
  Axes period{kNoPeriod, kNoPeriod, kNoPeriod};

  /// Whether shortest_offset() along each axis leads to another image than the one that counts.
  THIESSEN_HD bool are_hidden() const {
    bool periodic = false;
    for (std::size_t axis = 0; axis < kAxes; ++axis) periodic |= period[axis] != kNoPeriod;
    return periodic && has_hidden_ways(metric);
  }

  /// The way to the image that counts; `from` and `to` are within one period.
  THIESSEN_HD Axes way(const Axes& from, const Axes& to) const {
    Axes way{};
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      way[axis] = shortest_offset(from[axis], to[axis], period[axis]);
    if (are_hidden()) lengthen(from, to, way);
    return way;
  }

 private:
  /// Makes the way first in lexicographic order, axis by axis, without making it longer.
  THIESSEN_NOINLINE THIESSEN_HD void lengthen(const Axes& from, const Axes& to, Axes& way) const {
    const Int128 least = greatest_part(way);
    const Axes shortest = way;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      if (period[axis] == kNoPeriod) continue;
      way[axis] = to[axis] - from[axis] - period[axis];
      while (!is_within(way, axis, least, shortest)) way[axis] += period[axis];
    }
  }

  /// S by the chessboard metric.
  THIESSEN_HD Int128 greatest_part(const Axes& way) const {
    Int128 greatest = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      greatest = combine<Metric::chessboard>(
          greatest, along<Metric::chessboard, Int128>(factor[axis], way[axis]));
    return greatest;
  }

  /// Whether a way that was changed along `axis` is no longer than the shortest one. `least` is S
  /// of that with chessboard distance. It is divided, as a product with a long way might not fit.
  THIESSEN_HD bool is_within(const Axes& way, std::size_t axis, Int128 least,
                             const Axes& shortest) const {
    const auto length = [](std::int64_t part) { return part < 0 ? -part : part; };
    if (metric == Metric::chessboard) return length(way[axis]) <= least / factor[axis];
    return across<Metric::octagonal>(length(way[1]), length(way[2])) <=
           across<Metric::octagonal>(length(shortest[1]), length(shortest[2]));
  }
};

}  // namespace thiessen
