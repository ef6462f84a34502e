// SPDX-License-Identifier: Apache-2.0
//
// From the metric and the weights of a problem, known when the program runs, to types.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/order/lower_envelope.hpp"
#include "core/problem/problem.hpp"

namespace thiessen {

/// The factors of S as the integers that the passes compute with.
template <class Scalar>
std::array<Scalar, kAxes> factors_of(const Problem& problem) {
  std::array<Scalar, kAxes> factors{};
  std::transform(problem.weights.factor.begin(), problem.weights.factor.end(), factors.begin(),
                 [](Int128 factor) { return static_cast<Scalar>(factor); });
  return factors;
}

/// Calls run(Geometry{}, Scalar{}) with the metric, one that is by axes, and the integer that the
/// problem needs.
template <class Run>
void with_geometry(const Problem& problem, Run&& run) {
  const auto with_scalar = [&](auto geometry) {
    if (problem.wide)
      run(geometry, Int128{});
    else
      run(geometry, std::int64_t{});
  };
  switch (problem.metric) {
    case Metric::euclidean:
      return with_scalar(Euclidean{});
    case Metric::manhattan:
      return with_scalar(Manhattan{});
    default:
      return with_scalar(Chessboard{});
  }
}

}  // namespace thiessen
