// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/problem/call_checks.hpp"
#include "placing/diagram.hpp"
#include "placing/nearest_cells.hpp"
#include "placing/parts.hpp"
#include "placing/site_cells.hpp"
#include "thiessen/cost_distance.hpp"

namespace thiessen::placing {

/// Sites that move to the cells of their regions nearest to the mass centroids; see relax().
class CellSteps {
 public:
  CellSteps(Context& context, const CostMap& map, std::span<const std::int64_t> cells,
            const CostDistanceOptions& cost, const RelaxOptions& options,
            const View<const void>& density)
      : context_(context),
        map_(map),
        cost_(cost),
        spacing_(checked_spacing(cost.spacing, map.rank())),
        sites_(cells, map.extents()),
        diagram_(map.extents(), density),
        costs_(map.extents()),
        parts_(context.state().progress, parts_of(options, 2, 2)) {
    check_count(static_cast<std::int64_t>(cells.size()), std::numeric_limits<std::int32_t>::max(),
                "cells");
    // The numbers of sites must not be taken for anything else.
    cost_.unreached = std::int64_t{0};
    cost_.nodata_label = std::int64_t{0};
  }

  double measure() {
    parts_.next();
    cost_distance(context_, map_, PointList{.coordinates = sites_.coordinates()}, cost_,
                  {.labels = diagram_.labels(), .distance = costs_.view()});
    parts_.next();
    return diagram_.energy(context_.state(), squares_of(diagram_.labels().data(), costs_.data()));
  }

  double move() {
    parts_.next();
    Places places(sites_.cells().size());
    diagram_.for_each_centroid(context_, [&](std::int32_t label, double, const double* centroid) {
      Axes place{};
      for (std::size_t axis = 0; axis < spacing_.size(); ++axis)
        place[kAxes - spacing_.size() + axis] = to_units(centroid[axis]);
      places[static_cast<std::size_t>(label - 1)] = place;
    });
    parts_.next();
    const std::vector<std::int64_t> nearest = find_nearest_cells(
        context_.state(), diagram_.extent(), spacing_, diagram_.labels().data(), places);
    double farthest = 0;
    for (std::size_t site = 0; site < nearest.size(); ++site) {
      if (nearest[site] < 0) continue;
      const Axes from = to_cell(diagram_.extent(), sites_.cells()[site]);
      const Axes to = to_cell(diagram_.extent(), nearest[site]);
      double way[kAxes];
      const std::size_t rank = spacing_.size();
      for (std::size_t axis = 0; axis < rank; ++axis)
        way[axis] = static_cast<double>(to[kAxes - rank + axis] - from[kAxes - rank + axis]);
      farthest = std::max(farthest, length_of(way, spacing_));
      sites_.set(site, nearest[site]);
    }
    return farthest;
  }

  const std::vector<std::int64_t>& result() const { return sites_.cells(); }

 private:
  Context& context_;
  CostMap map_;
  CostDistanceOptions cost_;
  std::vector<double> spacing_;
  SiteCells sites_;
  Diagram diagram_;
  Array<double> costs_;
  Parts parts_;
};

}  // namespace thiessen::placing
