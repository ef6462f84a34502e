// SPDX-License-Identifier: Apache-2.0
//
// S of a metric. By axes: Σ factor·δ² (euclidean), Σ factor·|δ| (manhattan), max factor·|δ|
// (chessboard). The metrics of two axes together count steps, or units of the mask.
#pragma once

#include "core/base/host_device.hpp"
#include "thiessen/choices/metric.hpp"

namespace thiessen {

/// Whether each axis has its own part in S. The other metrics exist only in 2-D, with equal
/// weights.
THIESSEN_HD constexpr bool is_by_axes(Metric metric) { return metric <= Metric::chessboard; }

/// Whether distances count steps from cell to cell, so that they exist between centres alone.
constexpr bool is_by_steps(Metric metric) { return !is_by_axes(metric) && !is_on_earth(metric); }

/// The number by which a metric divides S: the length of its mask's step along an axis.
THIESSEN_HD constexpr int mask_unit(Metric metric) {
  return metric == Metric::chamfer_3_4 ? 3 : metric == Metric::chamfer_5_7_11 ? 5 : 1;
}

/// The part of a difference of coordinates in S.
template <Metric kMetric, class Scalar>
THIESSEN_HD constexpr Scalar along(Scalar factor, Scalar delta) {
  static_assert(is_by_axes(kMetric));
  if constexpr (kMetric == Metric::euclidean) return factor * (delta * delta);
  return factor * (delta < 0 ? -delta : delta);
}

/// Combines the parts of axes.
template <Metric kMetric, class Scalar>
THIESSEN_HD constexpr Scalar combine(Scalar a, Scalar b) {
  static_assert(is_by_axes(kMetric));
  if constexpr (kMetric == Metric::chessboard) return a < b ? b : a;
  return a + b;
}

/// S of cells `dy` rows and `dx` columns apart (both >= 0), for a metric that is not by axes.
///
/// octagonal: k steps, in turn to 4 and to 8 neighbours, 4 first, reach an octagon: max(a, b) <= k
/// and a + b <= k + ⌊k/2⌋. (A. Rosenfeld, J. L. Pfaltz, "Distance functions on digital pictures",
/// 1968.) Chamfer masks: G. Borgefors, "Distance transformations in digital images" (1986).
template <Metric kMetric, class Scalar>
THIESSEN_HD constexpr Scalar across(Scalar dy, Scalar dx) {
  static_assert(!is_by_axes(kMetric));
  const Scalar greater = dy < dx ? dx : dy;
  const Scalar smaller = dy < dx ? dy : dx;
  if constexpr (kMetric == Metric::octagonal) {
    const Scalar steps = 2 * (greater + smaller + 1) / 3;
    return steps < greater ? greater : steps;
  } else if constexpr (kMetric == Metric::chamfer_3_4) {
    return 3 * greater + smaller;
  } else {
    return greater < 2 * smaller ? 4 * greater + 3 * smaller : 5 * greater + smaller;
  }
}

}  // namespace thiessen
