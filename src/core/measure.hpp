// SPDX-License-Identifier: Apache-2.0
//
// S, axis by axis: S = Σ factor·δ² (euclidean), Σ factor·|δ| (manhattan), max factor·|δ|
// (chessboard).
#pragma once

#include "core/host_device.hpp"
#include "thiessen/metric.hpp"

namespace thiessen {

/// What a difference of coordinates contributes to S.
template <Metric kMetric, class Scalar>
THIESSEN_HD constexpr Scalar along(Scalar factor, Scalar delta) {
  if constexpr (kMetric == Metric::euclidean) return factor * (delta * delta);
  return factor * (delta < 0 ? -delta : delta);
}

/// What two axes, or more, contribute together.
template <Metric kMetric, class Scalar>
THIESSEN_HD constexpr Scalar join(Scalar a, Scalar b) {
  if constexpr (kMetric == Metric::chessboard) return a < b ? b : a;
  return a + b;
}

}  // namespace thiessen
