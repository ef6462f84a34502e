// SPDX-License-Identifier: Apache-2.0
//
// A metric of the user, as S.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/base/refuse.hpp"
#include "core/problem/problem.hpp"
#include "operations/rows/numbers.hpp"

namespace thiessen {

/// Calls Problem::metric_function. Throws Error{invalid_argument} if it breaks its rules.
class UserMetric {
 public:
  explicit UserMetric(const Problem& problem)
      : function_(*problem.metric_function), first_(problem.first_axis()) {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      unit_[axis] = std::ldexp(problem.spacing[axis], -problem.fraction_bits);
  }

  /// Distance of two places in units of 2^-fraction_bits of a cell.
  double operator()(const Axes& from, const Axes& to) const {
    std::array<double, kAxes> offset{};
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      offset[axis] = static_cast<double>(to[axis] - from[axis]) * unit_[axis];
    const auto own = std::span<const double>(offset).subspan(static_cast<std::size_t>(first_));
    const double distance = function_(own);
    if (!(distance >= 0)) refuse_distance(own, distance);
    return distance;
  }

 private:
  [[noreturn]] static void refuse_distance(std::span<const double> offset, double distance) {
    std::string text;
    for (const double each : offset) text += (text.empty() ? "" : ", ") + shortest_decimal(each);
    refuse("metric_function(" + text + ") = " + shortest_decimal(distance) + "; must be >= 0");
  }

  const MetricFunction& function_;
  int first_;
  std::array<double, kAxes> unit_{};
};

}  // namespace thiessen
