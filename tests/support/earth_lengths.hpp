// SPDX-License-Identifier: Apache-2.0
//
// The lengths of steps on the Earth, straight from GeographicLib, for the oracle of cost distance.
#pragma once

#include <GeographicLib/Geodesic.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

#include "core/cost/problem.hpp"

namespace thiessen::testing {

/// The metres of a step from a cell of a row, in whole micrometres; nothing in the plane.
inline std::function<double(const CostOffset& step, std::int64_t row)> earth_lengths(
    const CostProblem& problem) {
  if (problem.earth == nullptr) return {};
  const Earth& earth = *problem.earth;
  const bool sphere = problem.metric == Metric::great_circle;
  const GeographicLib::Geodesic geodesic(earth.radius.value_or(sphere ? 6371008.8 : 6378137.0),
                                         sphere ? 0 : earth.flattening);
  const auto columns = static_cast<double>(earth.longitude.size());
  const double east =
      columns < 2 ? 0 : std::abs(earth.longitude.back() - earth.longitude.front()) / (columns - 1);
  return [latitude = earth.latitude, geodesic, east](const CostOffset& step, std::int64_t row) {
    const auto begin = static_cast<std::size_t>(row);
    const auto end = static_cast<std::size_t>(row + step.y);
    double metres = 0;
    geodesic.Inverse(latitude[begin], 0, latitude[end], std::abs(step.x) * east, metres);
    return std::nearbyint(metres * 1e6) / 1e6;
  };
}

}  // namespace thiessen::testing
