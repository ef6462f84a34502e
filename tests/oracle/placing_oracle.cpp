// SPDX-License-Identifier: Apache-2.0
#include "oracle/placing_oracle.hpp"

#include "core/order/weights.hpp"
#include "core/statistics/exact_sum.hpp"

namespace thiessen::oracle {
namespace {

constexpr std::int64_t kUnit = 65536;

Weights weights_of(const PlacingScene& scene) {
  const Axes reach{scene.extent[0] * 4 * kUnit, scene.extent[1] * 4 * kUnit,
                   scene.extent[2] * 4 * kUnit};
  return make_weights(reach, scene.spacing, Metric::euclidean);
}

Int128 exact_distance(const PlacingScene& scene, const Weights& weights, const Axes& cell,
                      const Place& place) {
  Int128 sum = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const Int128 delta = way_to_image(scene, axis, cell[axis], place[axis]);
    sum += weights.factor[axis] * delta * delta;
  }
  return sum;
}

/// a / b for b > 0, rounded half to even.
std::int64_t rounded_quotient(Int128 a, Int128 b) {
  Int128 whole = a / b;
  if (whole * b > a) --whole;
  const Int128 rest = 2 * (a - whole * b);
  if (rest > b || (rest == b && whole % 2 != 0)) ++whole;
  return static_cast<std::int64_t>(whole);
}

}  // namespace

std::int64_t way_to_image(const PlacingScene& scene, std::size_t axis, std::int64_t cell,
                          std::int64_t place) {
  const std::int64_t period = scene.period(axis) * kUnit;
  std::int64_t way = cell * kUnit - place;
  if (period == 0) return way;
  while (2 * way > period) way -= period;
  while (2 * way <= -period) way += period;
  return way;
}

SiteNumbers nearest_points(const PlacingScene& scene, const std::vector<Place>& points) {
  const Weights weights = weights_of(scene);
  const std::int64_t cells = scene.extent[0] * scene.extent[1] * scene.extent[2];
  SiteNumbers sites(static_cast<std::size_t>(cells), 0);
  for (std::size_t cell = 0; cell < sites.size(); ++cell) {
    if (!scene.domain.empty() && scene.domain[cell] == 0) continue;
    const Axes at = to_cell(scene.extent, static_cast<std::int64_t>(cell));
    Int128 least = -1;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Int128 own = exact_distance(scene, weights, at, points[i]);
      if (least >= 0 && own >= least) continue;
      least = own;
      sites[cell] = static_cast<std::int32_t>(i + 1);
    }
  }
  return sites;
}

void move_to_centroids(const PlacingScene& scene, const SiteNumbers& sites,
                       std::vector<Place>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    Int128 mass = 0;
    Int128 sum[kAxes] = {};
    for (std::size_t cell = 0; cell < sites.size(); ++cell) {
      if (sites[cell] != static_cast<std::int32_t>(i + 1)) continue;
      const auto index = static_cast<std::int64_t>(cell);
      const Axes at = to_cell(scene.extent, index);
      mass += scene.mass(index);
      for (std::size_t axis = 0; axis < kAxes; ++axis)
        sum[axis] += scene.mass(index) * way_to_image(scene, axis, at[axis], places[i][axis]);
    }
    if (mass == 0) continue;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      places[i][axis] = rounded_quotient(places[i][axis] * mass + sum[axis], mass);
  }
}

std::vector<std::int64_t> nearest_own_cells(const PlacingScene& scene, const SiteNumbers& sites,
                                            const std::vector<Place>& places) {
  const Weights weights = weights_of(scene);
  std::vector<std::int64_t> nearest(places.size(), -1);
  std::vector<Int128> least(places.size());
  for (std::size_t cell = 0; cell < sites.size(); ++cell) {
    if (sites[cell] == 0) continue;
    const auto site = static_cast<std::size_t>(sites[cell] - 1);
    const auto index = static_cast<std::int64_t>(cell);
    const Int128 own = exact_distance(scene, weights, to_cell(scene.extent, index), places[site]);
    if (nearest[site] >= 0 && own >= least[site]) continue;
    least[site] = own;
    nearest[site] = index;
  }
  return nearest;
}

double squared_distance(const PlacingScene& scene, std::int64_t cell, const Place& place) {
  const Axes at = to_cell(scene.extent, cell);
  double squares = 0;
  for (std::size_t i = 0; i < scene.spacing.size(); ++i) {
    const std::size_t axis = kAxes - scene.spacing.size() + i;
    const double way =
        static_cast<double>(way_to_image(scene, axis, at[axis], place[axis])) / kUnit;
    squares += (scene.spacing[i] * way) * (scene.spacing[i] * way);
  }
  return squares;
}

double energy(const PlacingScene& scene, const SiteNumbers& sites,
              const std::vector<double>& squares) {
  ExactSum<double> sum;
  for (std::size_t cell = 0; cell < sites.size(); ++cell)
    if (sites[cell] > 0)
      sum.add(static_cast<double>(scene.mass(static_cast<std::int64_t>(cell))) / 4 * squares[cell]);
  return sum.value();
}

}  // namespace thiessen::oracle
