// SPDX-License-Identifier: Apache-2.0
//
// Calls of site_statistics() and adjacency() as backends see them, checked.
#pragma once

#include <array>
#include <vector>

#include "core/base/cells.hpp"
#include "core/problem/problem.hpp"
#include "core/statistics/label_key.hpp"
#include "thiessen/statistics.hpp"

namespace thiessen {

/// A raster of labels. Views, extents and spacing are of three axes.
struct LabelRaster {
  View<const void> labels;
  int rank = 2;
  Axes extent{};
  std::array<double, kAxes> spacing{1, 1, 1};
  std::vector<LabelKey> left_out = {};  ///< besides NaN
};

struct StatisticsProblem {
  LabelRaster raster;
  View<const void> field = {};
  View<const void> distance = {};
};

struct AdjacencyProblem {
  LabelRaster raster;
  Connectivity connectivity = Connectivity::faces;
};

/// Both throw Error{invalid_argument} naming the argument, its value and the rule. Fields lie where
/// the labels do.
StatisticsProblem make_statistics_problem(const View<const void>& labels, const SiteFields& fields,
                                          const SiteStatisticsOptions& options,
                                          const ReachableMemory& reachable);
AdjacencyProblem make_adjacency_problem(const View<const void>& labels,
                                        const AdjacencyOptions& options,
                                        const ReachableMemory& reachable);

/// Refuses the value of the field in the cell with a linear index, which is NaN or infinite.
[[noreturn]] void refuse_field(const StatisticsProblem& problem, std::int64_t index);

}  // namespace thiessen
