// SPDX-License-Identifier: Apache-2.0
#include "support/problems/site_case.hpp"

#include <iterator>
#include <limits>

#include "core/problem/cell_class.hpp"
#include "core/problem/problem.hpp"
#include "support/draw.hpp"

namespace thiessen::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

void draw_geometry(Draw& draw, SiteCase& problem) {
  // Approximated weights depend on how far the points reach, of which the oracle sees fewer.
  constexpr double kSpacings[] = {1, 1, 2, 0.5, 0.3, 1.7, 3.14159265358979, 1e-3, 12345.678901};
  const std::int64_t spacings = problem.by_cell ? std::ssize(kSpacings) : 6;
  const bool volume = draw.once_in(3);
  std::vector<std::int64_t> sizes;
  for (int axis = 0; axis < (volume ? 3 : 2); ++axis)
    sizes.push_back(1 + draw.below(volume ? 6 : 17));
  problem.extents = Extents(sizes);
  NearestSiteOptions& options = problem.options;
  options.metric = static_cast<Metric>(draw.below(3));
  if (!draw.once_in(3))
    for (std::size_t axis = 0; axis < sizes.size(); ++axis)
      options.spacing.push_back(kSpacings[draw.below(spacings)]);
  if (draw.once_in(3)) options.max_distance = static_cast<double>(draw.below(12)) / 2;
  if (draw.once_in(3))
    for (std::size_t axis = 0; axis < sizes.size(); ++axis)
      options.periodic.push_back(draw.once_in(2));
  options.unreached = -7.0;
  if (!draw.once_in(4)) return;
  options.nodata_label = -8.0;
  for (std::int64_t i = 0; i < problem.extents.count(); ++i)
    problem.domain.push_back(draw.once_in(4) ? 0 : 1);
}

void draw_sites(Draw& draw, SiteCase& problem) {
  const std::int64_t labels = 1 + draw.below(draw.once_in(2) ? 3 : 40);
  const auto label = [&] { return static_cast<float>(1 + draw.below(labels)); };
  if (problem.by_cell) {
    const std::int64_t sparsity = 1 + draw.below(30);
    for (std::int64_t i = 0; i < problem.extents.count(); ++i)
      problem.cells.push_back(draw.once_in(sparsity) ? label() : 0.0f);
    if (draw.once_in(4)) problem.options.nodata = std::int64_t{2};
    if (draw.once_in(4)) problem.cells[0] = kNan;
    if (draw.once_in(4))
      problem.options.zero_is_site = true;
    else if (draw.once_in(4))
      problem.options.values = {1.0, 3.0, 0.0};
    else if (problem.options.nodata && draw.once_in(3))
      problem.options.free_nodata = true;
    return;
  }
  const std::int64_t halves = draw.once_in(2) ? 1 : 16;
  for (std::int64_t i = draw.below(25); i > 0; --i) {
    oracle::Point point{};
    for (int axis = 0; axis < problem.extents.rank(); ++axis)
      point[static_cast<std::size_t>(kAxes - problem.extents.rank() + axis)] =
          static_cast<double>(draw.below((problem.extents[axis] + 4) * halves)) /
              static_cast<double>(halves) -
          2;
    problem.points.push_back(point);
    problem.labels.push_back(draw.once_in(20) ? kNan : label());
  }
}

}  // namespace

SiteCase draw_site_case(std::uint64_t seed) {
  Draw draw(seed);
  SiteCase problem;
  problem.by_cell = draw.once_in(2);
  draw_geometry(draw, problem);
  draw_sites(draw, problem);
  return problem;
}

std::vector<std::uint8_t> classes_of(const SiteCase& given) {
  if (!given.by_cell) return std::vector<std::uint8_t>(given.points.size(), 1);
  const View<const float> view(given.cells.data(), given.extents);
  std::vector<std::uint8_t> classes(given.cells.size());
  NearestSiteOptions options = given.options;
  options.nodata_label.reset();
  classify(make_problem(view, options, {}).rule, given.cells.data(), std::ssize(given.cells),
           classes.data());
  return classes;
}

}  // namespace thiessen::testing
