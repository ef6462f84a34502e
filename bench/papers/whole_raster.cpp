// SPDX-License-Identifier: Apache-2.0
#include "whole_raster.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "talk/interrupt.hpp"

namespace thiessen::bench {

void run_on_whole_raster(Method method, Metric metric, const WholeRaster& raster) {
  const std::int64_t height = raster.sites.extent(0), width = raster.sites.extent(1);
  const std::int64_t cells = height * width;
  const std::int32_t* const sites = raster.sites.data();
  std::int32_t* const labels = raster.labels.data();

  // The cells of the raster that are radius > 0 away from one.
  const auto for_each_on_rim = [&](std::int64_t middle, std::int64_t radius, const auto& visit) {
    const std::int64_t y0 = middle / width, x0 = middle % width;
    const std::int64_t last = std::min(y0 + radius, height - 1);
    for (std::int64_t y = std::max<std::int64_t>(y0 - radius, 0); y <= last; ++y) {
      const std::int64_t dy = std::abs(y - y0);
      const bool whole_row = metric == Metric::chessboard && dy == radius;
      const std::int64_t reach = metric == Metric::chessboard ? radius : radius - dy;
      const std::int64_t step = whole_row || reach == 0 ? 1 : 2 * reach;
      for (std::int64_t x = x0 - reach; x <= x0 + reach; x += step)
        if (x >= 0 && x < width) visit(y * width + x);
    }
  };
  const auto least_on_rim = [&](const std::int32_t* of, std::int64_t middle, std::int64_t radius) {
    std::int32_t least = 0;
    for_each_on_rim(middle, radius, [&](std::int64_t cell) {
      if (of[cell] != 0 && (least == 0 || of[cell] < least)) least = of[cell];
    });
    return least;
  };
  const auto cover = [&](std::int64_t cell, std::int32_t label, std::int64_t radius) {
    labels[cell] = label;
    raster.distance.data()[cell] = static_cast<float>(radius);
  };

  // Each cell looks around itself, at one rim after the other, until there is a site.
  if (method == Method::expansion) {
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      if (cell % width == 0) cli::throw_if_interrupted();
      std::int64_t radius = 0;
      std::int32_t label = sites[cell];
      while (label == 0) label = least_on_rim(sites, cell, ++radius);
      cover(cell, label, radius);
    }
    return;
  }
  // Sites are covered, all other cells blank; after each round the whole raster is looked at.
  std::vector<std::int64_t> site_cells;
  std::vector<std::int32_t> before(sites, sites + cells);
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    cover(cell, sites[cell], 0);
    if (sites[cell] != 0) site_cells.push_back(cell);
  }
  for (std::int64_t radius = 1; std::count(labels, labels + cells, 0) > 0; ++radius) {
    cli::throw_if_interrupted();
    if (method == Method::circle_growing) {
      // Each site covers the blank cells on the rim of its circle; those inside are covered.
      for (const std::int64_t site : site_cells)
        for_each_on_rim(site, radius, [&](std::int64_t cell) {
          if (labels[cell] == 0) cover(cell, sites[site], radius);
        });
      continue;
    }
    // Each blank cell beside covered ones gets the least of their labels.
    for (std::int64_t cell = 0; cell < cells; ++cell)
      if (before[static_cast<std::size_t>(cell)] == 0)
        if (const std::int32_t label = least_on_rim(before.data(), cell, 1); label != 0)
          cover(cell, label, radius);
    std::copy(labels, labels + cells, before.begin());
  }
}

}  // namespace thiessen::bench
