// SPDX-License-Identifier: Apache-2.0
//
// What the functions that place sites take and give.
#pragma once

#include <cstdint>
#include <vector>

#include "thiessen/placing.hpp"

namespace thiessen {

struct PlacingInputs {
  View<const void> points;
  View<const void> density;
  View<const void> domain;
};

struct RelaxInputs : PlacingInputs {
  View<const void> weights;
};

struct PlacingCostInputs {
  View<const void> cost;
  View<const void> stiffness;
  View<const void> elevation;
  View<const std::int64_t> cells;
  View<const void> density;
};

struct RelaxGridOptions : RelaxOptions {
  std::vector<std::int64_t> shape = {};
  std::vector<double> spacing = {};
};

struct RelaxCostOptions : CostDistanceOptions {
  RelaxOptions relax = {};
};

struct FitInputs {
  View<const void> points;
  View<const double> targets;
  View<const void> density;
  View<const void> domain;
};

struct FitGridOptions : FitOptions {
  std::vector<std::int64_t> shape = {};
  std::vector<double> spacing = {};
};

struct FarthestGridOptions : FarthestOptions {
  std::vector<std::int64_t> shape = {};
  std::vector<double> spacing = {};
};

struct FarthestCostOptions : CostDistanceOptions {
  FarthestOptions farthest = {};
};

struct RelaxResults {
  int rank = 0;  ///< axes of the grid
  std::vector<double> coordinates = {};
  std::vector<std::int64_t> cells = {};
  Relaxation relaxation = {};
};

}  // namespace thiessen
