// SPDX-License-Identifier: Apache-2.0
//
// The random problems of the searches by tiles, the same for the CPU and for CUDA. They end in
// compare(problem, wanted, solve, seed), which calls solve(context, outputs) in several ways.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "support/problems/answer.hpp"
#include "support/problems/points_of.hpp"
#include "support/problems/raster_problem.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::testing {

/// How many problems to draw: THIESSEN_TEST_PROBLEMS, or a few.
inline std::uint64_t problem_count() {
  const char* const wanted = std::getenv("THIESSEN_TEST_PROBLEMS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 100;
}

/// A raster of sites.
template <class Compare>
void compare_rasters(std::uint64_t seed, const AxisRange& range, const Compare& compare) {
  const RasterProblem problem = draw_raster_problem(seed, range);
  Draw draw(~seed);
  const auto solve = [&](Context& context, const NearestSiteOutputs& out) {
    nearest_site(context, problem.view(), problem.options, out);
  };
  compare(problem, Wanted::draw(draw, problem), solve, seed);
}

/// A raster of whole tiles of which only the labels are wanted, for all cells: most users want no
/// more, and the searches fill and copy where other outputs would need each cell's winner.
template <class Compare>
void compare_labels(std::uint64_t seed, AxisRange range, const Compare& compare) {
  range.multiple = 32;
  RasterProblem problem = draw_raster_problem(seed, range);
  NearestSiteOptions& options = problem.options;
  options = {.metric = options.metric, .spacing = options.spacing, .periodic = options.periodic};
  const auto solve = [&](Context& context, const NearestSiteOutputs& out) {
    nearest_site(context, problem.view(), problem.options, out);
  };
  compare(problem, Wanted{.labels = true}, solve, seed);
}

/// A raster of which only distances are wanted: other searches serve these. Weights that do not fit
/// the narrowest lanes come often.
template <class Compare>
void compare_distances(std::uint64_t seed, const AxisRange& range, const Compare& compare) {
  RasterProblem problem = draw_raster_problem(seed, range);
  Draw draw(~seed);
  Wanted wanted{.distance = true};
  if (draw.once_in(4)) wanted.distance_type = ElementType::f64;
  if (draw.once_in(4) && problem.options.distance_to == DistanceTo::sites) {
    problem.options.spacing.assign(static_cast<std::size_t>(problem.rank()), 1);
    const auto axis = static_cast<std::size_t>(draw.below(problem.rank()));
    problem.options.spacing[axis] = draw.once_in(2) ? 0.217 : 30;
  }
  const auto solve = [&](Context& context, const NearestSiteOutputs& out) {
    nearest_site(context, problem.view(), problem.options, out);
  };
  compare(problem, wanted, solve, seed);
}

/// A raster of areas with a few values, of which distances to the boundary are wanted. One value of
/// floating-point numbers is NaN, which is a value like others.
template <class Compare>
void compare_boundaries(std::uint64_t seed, const AxisRange& range, const Compare& compare) {
  RasterProblem problem = draw_raster_problem(seed, range);
  Draw draw(~seed);
  NearestSiteOptions& options = problem.options;
  options.distance_to = DistanceTo::boundary;
  options.signed_distance = false;
  options.nodata.reset();
  options.free_nodata = false;
  options.values.clear();
  const std::int64_t side = 1 + draw.below(30);
  std::byte* cell = problem.cells.data();
  std::size_t i = 0;
  for (std::int64_t z = 0; z < problem.size[0]; ++z)
    for (std::int64_t y = 0; y < problem.size[1]; ++y)
      for (std::int64_t x = 0; x < problem.size[2]; ++x, cell += size_of(problem.type)) {
        const auto value = problem.sites[i++] == 0
                               ? 0
                               : static_cast<int>(1 + (z / side + y / side + x / side) % 3);
        const double real = value == 3 ? std::nan("") : value;
        const auto single = static_cast<float>(real);
        if (problem.type == ElementType::f64)
          std::memcpy(cell, &real, sizeof real);
        else if (problem.type == ElementType::f32)
          std::memcpy(cell, &single, sizeof single);
        else
          std::memset(cell, value, size_of(problem.type));
      }
  Wanted wanted{.distance = true};
  if (draw.once_in(4)) wanted.distance_type = ElementType::f64;
  const auto solve = [&](Context& context, const NearestSiteOutputs& out) {
    nearest_site(context, problem.view(), problem.options, out);
  };
  compare(problem, wanted, solve, seed);
}

/// A list of points. Long ones are left out: the tree takes its time.
template <class Compare>
void compare_points(std::uint64_t seed, const Compare& compare) {
  const RasterProblem problem = draw_raster_problem(seed);
  constexpr std::ptrdiff_t kMost = 3000;
  if (std::ranges::count(problem.sites, 1) > kMost) return;
  Draw draw(seed);
  const PointsOf points(problem, draw);
  const Grid grid{.extents = problem.extents(), .spacing = problem.options.spacing};
  const auto solve = [&](Context& context, const NearestSiteOutputs& out) {
    voronoi(context, points.list, grid, options_of_points(problem), out);
  };
  compare(problem, Wanted{.labels = !draw.once_in(3), .site_index = true, .distance = true}, solve,
          seed);
}

}  // namespace thiessen::testing
