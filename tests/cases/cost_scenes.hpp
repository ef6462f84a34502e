// SPDX-License-Identifier: Apache-2.0
//
// Inputs of cost distance, for the conformance suite.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "thiessen/cost_distance.hpp"
#include "thiessen/raster.hpp"

namespace thiessen::cases {

struct CostScene {
  std::string name;
  Extents extents;
  /// One of material_map()'s, or
  ///   "plateaus"  costs 0, 0 and 1
  ///   "wide"      from 1e-6 to 1e3, evenly in the exponent
  ///   "islands"   noise, of which four in ten cells are barriers
  ///   "walls"     barriers, all of it
  ///   "steps"     whole numbers from 1 to 3: many ties
  std::string material = "noise";
  std::int64_t sites = 5;
  std::uint64_t seed = 1;
  ElementType map_type = ElementType::f32;
  CostDistanceOptions options = {};
  double initial = 0;             ///< greatest initial cost; 0: none are given
  bool points = false;            ///< the sites are a list, some of them outside or in one cell
  std::int64_t nodata_cells = 0;  ///< cells of the map that are options.nodata
};

std::ostream& operator<<(std::ostream& out, const CostScene& scene);

/// The inputs of a scene, which the options' views point into.
struct CostInputs {
  Raster map;
  Raster sites;                ///< i32, labels 1..100; without points
  std::vector<double> points;  ///< (points, axes)
  std::vector<std::int32_t> point_labels;
  std::vector<double> initial;
  CostDistanceOptions options;

  PointList list(int axes) const;
};

CostInputs make_inputs(const CostScene& scene);

const std::vector<CostScene>& cost_scenes();

}  // namespace thiessen::cases
