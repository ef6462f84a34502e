// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "support/problems/raster_problem.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::testing {

/// The sites of a problem as points, in any order, some cells with several; on centres of cells or
/// anywhere.
struct PointsOf {
  std::vector<double> coordinates;
  std::vector<std::byte> labels;
  PointList list;

  PointsOf(const RasterProblem& problem, Draw& draw) {
    std::vector<std::int64_t> cells;
    for (std::size_t i = 0; i < problem.sites.size(); ++i)
      if (problem.sites[i] != 0)
        cells.insert(cells.end(), draw.once_in(9) ? 2 : 1, static_cast<std::int64_t>(i));
    for (std::int64_t i = std::ssize(cells) - 1; i > 0; --i)
      std::swap(cells[static_cast<std::size_t>(i)],
                cells[static_cast<std::size_t>(draw.below(i + 1))]);
    const std::int64_t parts =
        draw.once_in(2) ? 1 : std::int64_t{2} << draw.below(16);  // of a cell
    const auto add = [&](std::int64_t cell) {
      const std::int64_t part = parts == 1 ? 0 : draw.below(parts + 1) - parts / 2;
      coordinates.push_back(static_cast<double>(cell) +
                            static_cast<double>(part) / static_cast<double>(parts));
    };
    for (const std::int64_t cell : cells) {
      const std::int64_t row = cell / problem.size[2];
      if (problem.size[0] > 1) add(row / problem.size[1]);
      add(row % problem.size[1]);
      add(cell % problem.size[2]);
    }
    const auto count = std::ssize(cells);
    const int rank = problem.size[0] > 1 ? 3 : 2;
    list.coordinates = View<const double>(coordinates.data(), {count, rank});
    if (problem.type == ElementType::boolean) return;  // numbered
    const std::size_t element = size_of(problem.type);
    labels.resize(cells.size() * element);
    for (std::size_t i = 0; i < cells.size(); ++i)
      std::memcpy(&labels[i * element],
                  &problem.cells[static_cast<std::size_t>(cells[i]) * element], element);
    list.labels = View<const void>(labels.data(), problem.type, {count});
  }
};

/// The options of a problem that points allow, too.
inline NearestSiteOptions options_of_points(const RasterProblem& problem) {
  NearestSiteOptions options;
  options.metric = problem.options.metric;
  options.max_distance = problem.options.max_distance;
  options.periodic = problem.options.periodic;
  return options;
}

}  // namespace thiessen::testing
