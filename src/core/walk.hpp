// SPDX-License-Identifier: Apache-2.0
//
// What a step of a walk costs: the seconds that it takes over level ground or up and down, in the
// place of its length. Steps are directed: up is not as fast as down.
//
//   T        float or double, the type of a call, in which elevations are held; seconds are found
//            in double and rounded once
//   length   of a step on the map, in metres
//   rise     of a step: the elevation where it ends less that where it begins
#pragma once

#include <array>
#include <cstdint>

#include "core/cells.hpp"
#include "core/cost_edges.hpp"
#include "core/exponential.hpp"
#include "core/host_device.hpp"
#include "thiessen/cost_distance.hpp"

namespace thiessen {

/// W. Tobler (1993): 6·exp(-3.5·|slope + 0.05|) km/h.
struct Tobler {
  static constexpr double kSecondsPerMetre = 0.6;
  static constexpr double kFastest = 0.05;
  static constexpr double kFall = 3.5;
};
THIESSEN_HD inline double tobler_seconds(double length, double rise) {
  const double away = rise / length + Tobler::kFastest;
  return length * Tobler::kSecondsPerMetre * exponential(Tobler::kFall * (away < 0 ? -away : away));
}

/// W. Naismith's rule as E. Langmuir (1984) has it, with the coefficients of GRASS r.walk. Never
/// negative: the least is 0.295 s a metre, where descents begin to be steep.
struct Langmuir {
  static constexpr double kLevel = 0.72;
  static constexpr double kUp = 6;
  static constexpr double kDown = 1.9998;
  static constexpr double kSteepDown = -1.9998;
  static constexpr double kSteep = -0.2125;  ///< slopes below are steep
};
THIESSEN_HD inline double langmuir_seconds(double length, double rise) {
  const double down = rise / length < Langmuir::kSteep ? Langmuir::kSteepDown : Langmuir::kDown;
  return Langmuir::kLevel * length + (rise >= 0 ? Langmuir::kUp : down) * rise;
}

/// The seconds of a step; infinity if they are too many for a double.
THIESSEN_HD inline double walking_seconds(Walk walk, double length, double rise) {
  return walk == Walk::tobler ? tobler_seconds(length, rise) : langmuir_seconds(length, rise);
}

/// The steps of a walk.
template <class T>
struct WalkSteps {
  Walk walk = Walk::tobler;
  std::array<double, kMostNeighbours> length{};
  /// By which seconds become the factor of the edge formula.
  std::array<double, kMostNeighbours> scale{};
  /// C order. For a walk to the site it is the negative elevation: costs spread from the site, and
  /// what is uphill on their way is downhill for who walks.
  const T* elevation = nullptr;

  /// The cost of step k between two cells whose resistances have this sum.
  THIESSEN_HD T weight(const CostEdges<T>& edges, int k, T sum, std::int64_t from,
                       std::int64_t to) const {
    const auto step = static_cast<std::size_t>(k);
    const double rise = static_cast<double>(elevation[to]) - static_cast<double>(elevation[from]);
    const double seconds = walking_seconds(walk, length[step], rise);
    return edges.weight_by(static_cast<T>(seconds * scale[step]), sum);
  }
};

/// The cost of step k from the cell `from` of a raster of this extent, as of sum_along(): walked,
/// unless `walk` is null. NaN if the step does not pass.
template <class T>
THIESSEN_HD T step_weight(const CostEdges<T>& edges, const WalkSteps<T>* walk, int k,
                          const T* resistance, std::int64_t from, const Axes& extent) {
  const std::int64_t width = extent[2];
  const std::int64_t plane = extent[1] * width;
  const T sum = sum_along(edges, k, resistance + from, plane, width);
  if (walk == nullptr) return edges.weight(k, sum);
  if (sum != sum) return sum;
  const CostOffset o = edges.offset[static_cast<std::size_t>(k)];
  return walk->weight(edges, k, sum, from, from + o.z * plane + o.y * width + o.x);
}

}  // namespace thiessen
