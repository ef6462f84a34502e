// SPDX-License-Identifier: Apache-2.0
//
// What a step of a walk costs: the seconds that it takes over level ground or up and down, in the
// place of its length. Steps are directed: up is not as fast as down.
//
//   length   of a step on the map, in metres
//   rise     of a step: the elevation where it ends less that where it begins
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/host_device.hpp"
#include "core/cost/exponential.hpp"
#include "thiessen/cost_distance.hpp"

namespace thiessen {

/// The slope of a step; 0 of one without a length, from a cell at a pole to another one.
THIESSEN_HD inline double slope_of(double length, double rise) {
  return length > 0 ? rise / length : 0;
}

/// W. Tobler (1993): 6·exp(-3.5·|slope + 0.05|) km/h.
struct Tobler {
  static constexpr double kSecondsPerMetre = 0.6;
  static constexpr double kFastest = 0.05;
  static constexpr double kFall = 3.5;
};
THIESSEN_HD inline double tobler_seconds(double length, double rise) {
  const double away = slope_of(length, rise) + Tobler::kFastest;
  return length * Tobler::kSecondsPerMetre * exponential(Tobler::kFall * (away < 0 ? -away : away));
}

/// W. Naismith's rule as E. Langmuir (1984) has it, with the coefficients of GRASS r.walk. Those
/// may be others, with which no slope takes less than no time (but by rounding). By these the least
/// is 0.295 s a metre, where descents begin to be steep.
struct Langmuir {
  double level = 0.72;
  double up = 6;
  double down = 1.9998;
  double steep_down = -1.9998;
  double steep = -0.2125;  ///< slopes below are steep
};
THIESSEN_HD inline double langmuir_seconds(double length, double rise, const Langmuir& rule = {}) {
  const double down = slope_of(length, rise) < rule.steep ? rule.steep_down : rule.down;
  const double seconds = rule.level * length + (rise >= 0 ? rule.up : down) * rise;
  return seconds < 0 ? 0 : seconds;
}

/// Factors by slope: `count` slopes in ascending order, two at least, and the factor of each.
struct SlopeTable {
  const double* slope = nullptr;
  const double* factor = nullptr;
  std::int64_t count = 0;

  /// Between two slopes; not a number beyond the first or last one.
  THIESSEN_HD double factor_of(double wanted) const {
    if (!(wanted >= slope[0] && wanted <= slope[count - 1]))
      return std::numeric_limits<double>::quiet_NaN();
    std::int64_t i = 0;
    while (i + 2 < count && wanted > slope[i + 1]) ++i;
    const double part = (wanted - slope[i]) / (slope[i + 1] - slope[i]);
    return factor[i] + (factor[i + 1] - factor[i]) * part;
  }
};

THIESSEN_HD inline double surface_length(double length, double rise) {
  return std::sqrt(length * length + rise * rise);
}

/// How one walks.
struct WalkRule {
  Walk walk = Walk::tobler;
  Langmuir langmuir = {};
  SlopeTable table = {};
};

/// The seconds of a step, or what stands in their place. Infinity if they are too many for a
/// double; not a number if the step does not pass.
THIESSEN_HD inline double walking_seconds(const WalkRule& rule, double length, double rise) {
  switch (rule.walk) {
    case Walk::tobler:
      return tobler_seconds(length, rise);
    case Walk::langmuir:
      return langmuir_seconds(length, rise, rule.langmuir);
    case Walk::surface:
      return surface_length(length, rise);
    default:
      return surface_length(length, rise) * rule.table.factor_of(slope_of(length, rise));
  }
}

}  // namespace thiessen
