// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "backend/cost_steps.hpp"
#include "core/cost/problem.hpp"
#include "networks/searches.hpp"

namespace thiessen::networks {

/// The map of searches, step by step.
class SteppedMap {
 public:
  explicit SteppedMap(const Searches& searches);
  SteppedMap(const SteppedMap&) = delete;
  SteppedMap& operator=(const SteppedMap&) = delete;

  const Axes& extent() const { return problem_.extent; }
  const CostEdges<double>& edges() const { return edges_; }
  double cost(int k, std::int64_t from) const { return steps_->cost(k, from); }
  /// From the centre of a cell to that of another one, mostly a neighbour.
  double length(std::int64_t from, std::int64_t to) const;

 private:
  CostDistanceOptions options_;
  Array<double> no_points_;
  CostProblem problem_;
  CostEdges<double> edges_;
  CostViews views_;
  std::unique_ptr<CostSteps> steps_;
};

/// The cells from `from` back to the site of a search with these links.
std::vector<std::int64_t> path_back(const View<const std::uint8_t>& back_link,
                                    Connectivity connectivity, std::int64_t from);

/// Adds ways to `paths`, one after the other.
class PathLines {
 public:
  PathLines(const SteppedMap& map, LeastCostPaths& paths) : map_(map), paths_(paths) {
    paths_.points.push_back(0);
  }

  /// cost_at(i): the cost of the way from its beginning to its i-th cell.
  template <class CostAt>
  void add(std::span<const std::int64_t> cells, const CostAt& cost_at) {
    double length = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) length += map_.length(cells[i - 1], cells[i]);
      paths_.cells.push_back(cells[i]);
      paths_.cell_costs.push_back(cost_at(i));
    }
    paths_.lengths.push_back(length);
    paths_.points.push_back(static_cast<std::int64_t>(paths_.cells.size()));
  }

 private:
  const SteppedMap& map_;
  LeastCostPaths& paths_;
};

}  // namespace thiessen::networks
