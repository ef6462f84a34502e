// SPDX-License-Identifier: Apache-2.0
//
// The k nearest sites of masks that are full of sites, by their definition: all sites of each cell
// in the order (S, site index).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/problem/problem.hpp"
#include "oracle/oracle.hpp"
#include "support/draw.hpp"
#include "support/problems/tile_problems.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::problem_count;

/// A mask in objects, with holes, in a regular pattern, or with few gaps.
struct DenseMask {
  Extents extents;
  NearestSiteOptions options;
  std::vector<std::uint8_t> cells;

  View<const bool> view() const { return {reinterpret_cast<const bool*>(cells.data()), extents}; }
};

/// Whether a cell is a site, of coordinates in the order (z, y, x).
using Shape = std::function<bool(const Axes&)>;

Shape draw_ball(Draw& draw, const Axes& extent, bool is_hole) {
  std::array<double, kAxes> centre{};
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    centre[axis] = draw.real() * static_cast<double>(extent[axis]);
  const double radius =
      draw.real() * static_cast<double>(*std::max_element(extent.begin(), extent.end()));
  return [=](const Axes& cell) {
    double squared = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      squared += std::pow(static_cast<double>(cell[axis]) - centre[axis], 2);
    return (squared <= radius * radius) != is_hole;
  };
}

Shape draw_half(Draw& draw, const Axes& extent) {
  std::array<double, kAxes> normal{};
  double level = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    normal[axis] = draw.once_in(3) ? 0 : draw.real() - 0.5;
    level += normal[axis] * draw.real() * static_cast<double>(extent[axis]);
  }
  return [=](const Axes& cell) {
    double sum = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      sum += normal[axis] * static_cast<double>(cell[axis]);
    return sum >= level;
  };
}

Shape draw_shape(Draw& draw, const Axes& extent) {
  const std::int64_t side = 1 + draw.below(12), gaps = 2 + draw.below(200);
  switch (draw.below(6)) {
    case 0:
      return [](const Axes&) { return true; };
    case 1:
      return draw_half(draw, extent);
    case 2:
      return draw_ball(draw, extent, false);
    case 3:
      return draw_ball(draw, extent, true);
    case 4:  // a checkerboard
      return [=](const Axes& cell) {
        return (cell[0] / side + cell[1] / side + cell[2] / side) % 2 == 0;
      };
    default:
      return [&draw, gaps](const Axes&) { return !draw.once_in(gaps); };
  }
}

Extents draw_extents(Draw& draw) {
  if (draw.once_in(3)) return {1 + draw.below(11), 1 + draw.below(11), 1 + draw.below(14)};
  const std::int64_t longer = 1 + draw.below(90);
  const std::int64_t shorter = 1 + draw.below(std::min<std::int64_t>(longer, 1500 / longer));
  return draw.once_in(2) ? Extents{longer, shorter} : Extents{shorter, longer};
}

DenseMask draw_mask(std::uint64_t seed) {
  constexpr double kSpacings[] = {1, 2, 0.5, 0.3, 1.7, 3.14159265358979, 12345.678901};
  Draw draw(seed);
  DenseMask mask;
  mask.extents = draw_extents(draw);
  mask.options.metric = static_cast<Metric>(draw.below(3));
  const bool has_spacing = draw.once_in(2), is_periodic = draw.once_in(3);
  for (int axis = 0; axis < mask.extents.rank(); ++axis) {
    if (has_spacing) mask.options.spacing.push_back(kSpacings[draw.below(std::ssize(kSpacings))]);
    if (is_periodic) mask.options.periodic.push_back(draw.once_in(2));
  }
  if (draw.once_in(4)) mask.options.max_distance = static_cast<double>(draw.below(12)) / 2;
  mask.options.k = 1 + draw.below(draw.once_in(3) ? 40 : 4);
  mask.options.distinct_labels = draw.once_in(4);  // each site of a mask has its own
  const Axes extent = to_axes(mask.extents);
  const Shape shape = draw_shape(draw, extent);
  for (std::int64_t i = 0; i < mask.extents.count(); ++i)
    mask.cells.push_back(shape(to_cell(extent, i)) ? 1 : 0);
  return mask;
}

/// The first of all sites in range, by (S, site index), of a cell.
std::vector<std::pair<Int128, std::int64_t>> first_sites(const DenseMask& mask,
                                                         const Problem& problem,
                                                         std::int64_t cell) {
  std::vector<std::pair<Int128, std::int64_t>> sites;
  for (std::int64_t site = 0; site < std::ssize(mask.cells); ++site) {
    if (mask.cells[static_cast<std::size_t>(site)] == 0) continue;
    const Int128 exact = oracle::exact_distance(problem, to_cell(problem.extent, cell),
                                                to_cell(problem.extent, site));
    if (exact <= problem.limit) sites.emplace_back(exact, site);
  }
  const auto first = sites.begin() + std::min(mask.options.k, std::ssize(sites));
  std::partial_sort(sites.begin(), first, sites.end());
  sites.erase(first, sites.end());
  return sites;
}

TEST(NearestK, OfDenseMasksEqualsTheOrderOfAllSites) {
  for (std::uint64_t seed = 0; seed < problem_count(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const DenseMask mask = draw_mask(seed);
    const Problem problem = make_problem(mask.view(), mask.options, {});
    std::vector<std::int64_t> sizes{mask.options.k};
    for (int axis = 0; axis < mask.extents.rank(); ++axis) sizes.push_back(mask.extents[axis]);
    const std::size_t cells = mask.cells.size();
    std::vector<std::int64_t> site_index(cells * static_cast<std::size_t>(mask.options.k));
    std::vector<double> distance(site_index.size());
    Context context({.threads = seed % 2 == 0 ? 1 : 3});
    nearest_site(context, mask.view(), mask.options,
                 {.site_index = View<std::int64_t>(site_index.data(), Extents(sizes)),
                  .distance = View<double>(distance.data(), Extents(sizes))});
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const auto expected = first_sites(mask, problem, static_cast<std::int64_t>(cell));
      for (std::size_t rank = 0; rank < static_cast<std::size_t>(mask.options.k); ++rank) {
        const std::size_t at = rank * cells + cell;
        const bool has = rank < expected.size();
        ASSERT_EQ(site_index[at], has ? expected[rank].second : kUnreached) << cell << " " << rank;
        const double apart =
            has ? to_distance(problem.weights, problem.metric, expected[rank].first)
                : std::numeric_limits<double>::infinity();
        ASSERT_EQ(distance[at], apart) << cell << " " << rank;
      }
    }
  }
}

}  // namespace
}  // namespace thiessen
