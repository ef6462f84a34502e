// SPDX-License-Identifier: Apache-2.0
//
// S between two places, in units of 2^-fraction_bits of a cell, by any metric but the masks.
#pragma once

#include <array>
#include <cstdint>

#include "core/order/measure.hpp"
#include "core/problem/user_metric.hpp"
#include "core/search/geometry.hpp"

namespace thiessen::papers {

/// By the metrics of the library to which each axis adds its part.
template <class Geometry, class Scalar, bool kPeriodic>
class AxesMetric {
 public:
  explicit AxesMetric(const Problem& problem)
      : factor_(factors_of<Scalar>(problem)), period_(problem.period) {}

  Scalar operator()(const Axes& from, const Axes& to) const {
    return Geometry::combine(Geometry::combine(along(0, from, to), along(1, from, to)),
                             along(2, from, to));
  }

 private:
  Scalar along(std::size_t axis, const Axes& from, const Axes& to) const {
    const std::int64_t delta =
        kPeriodic ? periodic_distance(from[axis], to[axis], period_[axis]) : to[axis] - from[axis];
    return Geometry::along(factor_[axis], delta);
  }

  std::array<Scalar, kAxes> factor_;
  Axes period_;
};

/// By octagonal distance, which takes both axes at once.
class OctagonalMetric {
 public:
  explicit OctagonalMetric(const Problem& problem) : period_(problem.period) {}

  std::int64_t operator()(const Axes& from, const Axes& to) const {
    return across<Metric::octagonal>(periodic_distance(from[1], to[1], period_[1]),
                                     periodic_distance(from[2], to[2], period_[2]));
  }

 private:
  Axes period_;
};

/// Calls run(metric, Scalar{}): metric(from, to) is a Scalar.
template <class Run>
void with_place_metric(const Problem& problem, const Run& run) {
  if (problem.metric_function != nullptr) return run(UserMetric(problem), double{});
  if (problem.metric == Metric::octagonal) return run(OctagonalMetric(problem), std::int64_t{});
  with_geometry(problem, [&]<class Geometry, class Scalar>(Geometry, Scalar) {
    if (problem.has_period())
      run(AxesMetric<Geometry, Scalar, true>(problem), Scalar{});
    else
      run(AxesMetric<Geometry, Scalar, false>(problem), Scalar{});
  });
}

}  // namespace thiessen::papers
