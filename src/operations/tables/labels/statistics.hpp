// SPDX-License-Identifier: Apache-2.0
//
// What site_statistics(), adjacency() and RegionStatistics take and give.
#pragma once

#include "thiessen/solvers/region_statistics.hpp"
#include "thiessen/statistics.hpp"

namespace thiessen {

struct SiteStatisticsInputs {
  View<const void> labels;
  View<const void> field;
  View<const void> distance;
};

/// The labels of a raster, or some of them.
struct LabelsInput {
  View<const void> labels;
};

struct UpdateRegionsInputs {
  View<const std::int64_t> cells;
};

}  // namespace thiessen
