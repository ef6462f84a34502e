// SPDX-License-Identifier: Apache-2.0
//
// What a step of a walk costs: the seconds that it takes over level ground or up and down, in the
// place of its length. Steps are directed: up is not as fast as down.
//
//   length   of a step on the map, in metres
//   rise     of a step: the elevation where it ends less that where it begins
#pragma once

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

/// The seconds of a step; infinity if they are too many for a double.
THIESSEN_HD inline double walking_seconds(Walk walk, const Langmuir& rule, double length,
                                          double rise) {
  return walk == Walk::tobler ? tobler_seconds(length, rise) : langmuir_seconds(length, rise, rule);
}

}  // namespace thiessen
