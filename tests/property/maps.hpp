// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "cases/cases.hpp"
#include "core/problem/problem.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::testing {

/// A small dense raster of i32 with its extents as (z, y, x).
struct Map {
  Axes extent{1, 0, 0};
  std::vector<std::int32_t> cells;

  explicit Map(const Axes& axes)
      : extent(axes), cells(static_cast<std::size_t>(axes[0] * axes[1] * axes[2])) {}
  std::int32_t& at(const Axes& cell) {
    return cells[static_cast<std::size_t>(to_index(extent, cell))];
  }
  Extents extents() const {
    if (extent[0] == 1) return {extent[1], extent[2]};
    return {extent[0], extent[1], extent[2]};
  }
};

inline Map make_map(cases::Case item) {
  item.type = ElementType::i32;
  const Raster raster = cases::make_sites(item);
  Map map(to_axes(item.extents));
  const auto* cells = raster.view<std::int32_t>().data();
  map.cells.assign(cells, cells + map.cells.size());
  return map;
}

struct Solution {
  std::vector<double> distance;
  std::vector<std::int64_t> site_index;
  std::vector<std::int32_t> labels;
};

inline Solution solve(const Map& map, const NearestSiteOptions& options) {
  Solution solution;
  solution.distance.resize(map.cells.size());
  solution.site_index.resize(map.cells.size());
  solution.labels.resize(map.cells.size());
  Context context({.threads = 2});
  const Extents extents = map.extents();
  nearest_site(context, View<const std::int32_t>(map.cells.data(), extents), options,
               {.labels = View<std::int32_t>(solution.labels.data(), extents),
                .site_index = View<std::int64_t>(solution.site_index.data(), extents),
                .distance = View<double>(solution.distance.data(), extents)});
  return solution;
}

}  // namespace thiessen::testing
