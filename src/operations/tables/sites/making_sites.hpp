// SPDX-License-Identifier: Apache-2.0
//
// What connected_components(), random_sites(), material_map(), least_cost_path() and
// least_cost_line() take and give.
#pragma once

#include <cstdint>
#include <vector>

#include "thiessen/components.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/random_sites.hpp"

namespace thiessen {

struct ComponentsInputs {
  View<const void> image;
};

struct ComponentsOutputs {
  View<void> labels;
};

struct ComponentsResults {
  std::int64_t count = 0;
};

struct RandomSitesOptions {
  std::vector<std::int64_t> shape = {};
  std::int64_t count = 0;
  std::uint64_t seed = 0;
};

struct RandomSitesOutputs {
  View<void> sites;
};

struct MaterialMapOptions {
  std::vector<std::int64_t> shape = {};
  Material material = Material::uniform;
  std::uint64_t seed = 0;
};

struct MaterialMapOutputs {
  View<void> map;
};

struct LeastCostPathInputs {
  View<const std::uint8_t> back_link;
};

struct LeastCostPathOptions {
  Connectivity connectivity = Connectivity::corners;
  std::vector<std::int64_t> from = {};
};

struct LeastCostPathResults {
  std::vector<std::int64_t> path = {};
};

struct LeastCostLineOptions {
  Connectivity connectivity = Connectivity::corners;
  std::vector<double> spacing = {};
  std::vector<double> from = {};
};

struct LeastCostLineResults {
  std::vector<double> line = {};
};

}  // namespace thiessen
