// SPDX-License-Identifier: Apache-2.0
//
// S along one axis, for a known difference along the others: for methods that look along rows and
// columns. S never falls as the difference along an axis grows.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "core/order/measure.hpp"
#include "core/problem/problem.hpp"

namespace thiessen {

/// Largest integer whose square is at most `square` (>= 0, of at most 62 bits).
THIESSEN_HD inline std::int64_t integer_root(std::int64_t square) {
  auto root = static_cast<std::int64_t>(sqrt(static_cast<double>(square)));
  while (root * root > square) --root;
  while ((root + 1) * (root + 1) <= square) ++root;
  return root;
}

/// Not for chamfer masks, nor for S of more than 62 bits. Differences are >= 0.
template <Metric kMetric>
class CellMetric {
 public:
  THIESSEN_HD explicit CellMetric(const std::array<Int128, kAxes>& factor) {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      factor_[axis] = static_cast<std::int64_t>(factor[axis]);
  }

  /// The part of two axes in S; octagonal distance has only two axes, and takes their difference.
  THIESSEN_HD std::int64_t share(std::size_t a, std::int64_t along_a, std::size_t b,
                                 std::int64_t along_b) const {
    if constexpr (is_by_axes(kMetric))
      return combine<kMetric>(along<kMetric>(factor_[a], along_a),
                              along<kMetric>(factor_[b], along_b));
    else
      return along_a + along_b;
  }

  /// S with a difference along the axis that is not in the share.
  THIESSEN_HD std::int64_t exact(std::int64_t share, std::size_t axis,
                                 std::int64_t difference) const {
    if constexpr (is_by_axes(kMetric))
      return combine<kMetric>(share, along<kMetric>(factor_[axis], difference));
    else
      return across<kMetric>(share, difference);
  }

  /// The greatest such difference with S up to `most`; -1 if there is none.
  THIESSEN_HD std::int64_t reach(std::int64_t share, std::size_t axis, std::int64_t most) const {
    if (exact(share, axis, 0) > most) return -1;
    if constexpr (kMetric == Metric::euclidean) return integer_root((most - share) / factor_[axis]);
    if constexpr (kMetric == Metric::manhattan) return (most - share) / factor_[axis];
    if constexpr (kMetric == Metric::chessboard) return most / factor_[axis];
    return most < most + most / 2 - share ? most : most + most / 2 - share;
  }

  /// The same for the S of the difference `known`. With euclidean and manhattan distance no greater
  /// difference has the same S.
  THIESSEN_HD std::int64_t reach(std::int64_t share, std::size_t axis, std::int64_t most,
                                 std::int64_t known) const {
    if constexpr (kMetric == Metric::euclidean || kMetric == Metric::manhattan) return known;
    return reach(share, axis, most);
  }

  /// The least S of a cell of the raster that is at least `cells` away along some axis.
  THIESSEN_HD std::int64_t least_beyond(const Axes& extent, std::int64_t cells) const {
    std::int64_t least = -1;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      if (extent[axis] <= cells) continue;
      const std::int64_t own = exact(0, axis, cells);
      if (least < 0 || own < least) least = own;
    }
    return least < 0 ? 0 : least;
  }

 private:
  std::array<std::int64_t, kAxes> factor_{};
};

/// Calls run(CellMetric) with the problem's metric; on the host.
template <class Run>
void with_cell_metric(const Problem& problem, Run&& run) {
  switch (problem.metric) {
    case Metric::euclidean:
      return run(CellMetric<Metric::euclidean>(problem.weights.factor));
    case Metric::manhattan:
      return run(CellMetric<Metric::manhattan>(problem.weights.factor));
    case Metric::chessboard:
      return run(CellMetric<Metric::chessboard>(problem.weights.factor));
    default:
      return run(CellMetric<Metric::octagonal>(problem.weights.factor));
  }
}

}  // namespace thiessen
