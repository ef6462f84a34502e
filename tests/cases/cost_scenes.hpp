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
  /// A material of material_map(), or
  ///   "plateaus"  costs 0, 0 and 1
  ///   "wide"      from 1e-6 to 1e3, evenly in the exponent
  ///   "islands"   noise, in which four of ten cells are barriers
  ///   "walls"     only barriers
  ///   "steps"     whole numbers from 1 to 3: many ties
  std::string material = "noise";
  std::int64_t sites = 5;
  std::uint64_t seed = 1;
  ElementType map_type = ElementType::f32;
  CostDistanceOptions options = {};
  EdgeWeight weight = EdgeWeight::stiffness;  ///< what the map says
  double initial = 0;                         ///< greatest initial cost; 0: no initial costs
  bool points = false;            ///< the sites are a list, some of them outside or in one cell
  std::int64_t nodata_cells = 0;  ///< cells of the map that are options.map_nodata
  /// The elevation of a walk: nothing, or
  ///   "hills"     any metres up to 40, f32
  ///   "terraces"  0, 3 or 6 m, u16: many ties
  ///   "cliffs"    up to 9000 m, f64
  ///   "gaps"      hills with NaN, and with options.elevation_nodata if that is given
  std::string relief = {};
  bool has_map = true;
  std::int64_t blocked_in = 0;  ///< one of so many faces is blocked; 0: none
};

std::ostream& operator<<(std::ostream& out, const CostScene& scene);

/// The inputs of a scene.
struct CostInputs {
  Raster map;                               ///< without cells if the scene has none
  Raster elevation;                         ///< options.elevation is a view of it
  std::vector<std::uint8_t> blocked_faces;  ///< options.blocked_faces is a view of it
  Raster sites;                             ///< i32, labels 1..100; without points
  std::vector<double> points;               ///< (points, axes)
  std::vector<std::int32_t> point_labels;
  std::vector<double> initial;
  CostDistanceOptions options;

  /// The map; empty if the scene has none.
  CostMap map_view(const CostScene& scene) const;
  PointList list(int axes) const;
  /// Empty if the scene has none.
  View<const void> initial_cost(const CostScene& scene) const;
};

CostInputs make_inputs(const CostScene& scene);

const std::vector<CostScene>& cost_scenes();

}  // namespace thiessen::cases
