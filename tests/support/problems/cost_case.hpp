// SPDX-License-Identifier: Apache-2.0
//
// Random problems of cost distance, with their sites as the oracle takes them.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "oracle/cost_oracle.hpp"
#include "support/earth_lengths.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::testing {

/// The nodata value of the maps.
inline constexpr float kHole = -9999;
/// From here on floats are 2 apart.
inline constexpr double kTwoApart = 16777216;

/// A problem, and its sites as the oracle takes them.
struct CostCase {
  Extents extents;
  std::vector<float> map;
  std::vector<float> elevation;  ///< of a walk
  std::vector<std::uint8_t> blocked_faces;
  CostDistanceOptions options;
  EdgeWeight weight = EdgeWeight::stiffness;
  bool by_cell = true;
  bool numbered = false;
  std::vector<std::int32_t> raster;        ///< of labels, if sites are cells
  std::unique_ptr<bool[]> mask;            ///< the same where sites are numbered
  std::vector<double> points;              ///< (y, x) or (z, y, x)
  std::vector<std::int32_t> point_labels;  ///< empty: numbered
  std::vector<double> initial;             ///< empty: 0
  std::vector<oracle::CostSite> sites;     ///< also those on barriers
  std::vector<std::int32_t> labels;        ///< of these

  std::int64_t cells() const { return extents.count(); }
};

/// Axes of up to `longest` cells in 2-D.
CostCase draw_case(std::uint64_t seed, std::int64_t longest = 14);

/// The case as the oracle takes it.
CostProblem problem_of(const CostCase& given);

template <class T>
oracle::CostGround<T> ground_of(const CostCase& given, const CostProblem& problem) {
  oracle::CostGround<T> ground;
  ground.elevation.assign(given.elevation.begin(), given.elevation.end());
  ground.blocked_faces = given.blocked_faces;
  for (const float value : given.map)
    ground.resistance.push_back(
        value == kHole ? std::numeric_limits<T>::quiet_NaN()
                       : to_resistance<T>(value, given.weight == EdgeWeight::stiffness).value);
  ground.length = earth_lengths(problem);
  return ground;
}

/// The sites that are not on barriers and that `counts(place in the list)`.
template <class T, class Counts>
std::vector<oracle::CostSite> passable_sites(const CostCase& given,
                                             const oracle::CostGround<T>& ground,
                                             const Counts& counts) {
  std::vector<oracle::CostSite> sites;
  for (std::size_t i = 0; i < given.sites.size(); ++i) {
    oracle::CostSite site = given.sites[i];
    site.initial = static_cast<T>(site.initial);
    if (counts(i) && is_passable(ground.resistance[static_cast<std::size_t>(site.cell)]))
      sites.push_back(site);
  }
  return sites;
}

/// The label of a site index; -7 of none.
std::int32_t label_of(const CostCase& given, std::int64_t index);

/// Calls the function with these options in place of the case's own.
void call_cost_distance(Context& context, const CostCase& given, const CostDistanceOptions& options,
                        const CostDistanceOutputs& out);

}  // namespace thiessen::testing
