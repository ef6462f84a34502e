// SPDX-License-Identifier: Apache-2.0
#include "support/problems/cost_case.hpp"

#include <algorithm>
#include <cmath>

#include "support/draw.hpp"

namespace thiessen::testing {
namespace {

void draw_map(Draw& draw, CostCase& problem) {
  const std::int64_t kind = draw.below(5);
  const std::int64_t barriers = draw.once_in(2) ? 0 : 2 + draw.below(6);
  for (std::int64_t i = 0; i < problem.cells(); ++i) {
    float value = static_cast<float>(1 + draw.below(3));
    if (kind == 1) value = static_cast<float>(0.1 + draw.real());
    if (kind == 2) value = 1;
    if (kind == 3) value = static_cast<float>(std::pow(10, 6 * draw.real() - 3));
    if (kind == 4) value = static_cast<float>(draw.below(2));
    if (barriers > 0 && draw.once_in(barriers))
      value = draw.once_in(2) ? std::numeric_limits<float>::quiet_NaN() : kHole;
    problem.map.push_back(value);
  }
  problem.options.map_nodata = kHole;
}

void draw_blocked_faces(Draw& draw, CostCase& problem) {
  const std::int64_t one_of = 2 + draw.below(9);
  for (std::int64_t i = 0; i < problem.cells(); ++i) {
    unsigned faces = 0;
    for (int axis = 0; axis < problem.extents.rank(); ++axis)
      if (draw.once_in(one_of)) faces |= 1u << axis;
    problem.blocked_faces.push_back(static_cast<std::uint8_t>(faces));
  }
  problem.options.blocked_faces =
      View<const std::uint8_t>(problem.blocked_faces.data(), problem.extents);
}

/// Terraces, or any heights.
void draw_elevation(Draw& draw, CostCase& problem) {
  const bool terraces = draw.once_in(2);
  for (std::int64_t i = 0; i < problem.cells(); ++i)
    problem.elevation.push_back(terraces ? static_cast<float>(draw.below(3))
                                         : static_cast<float>(draw.real()));
  problem.options.elevation = View<const float>(problem.elevation.data(), problem.extents);
  problem.options.walk = static_cast<Walk>(draw.below(3));
  if (draw.once_in(2)) problem.options.walk_direction = WalkDirection::to_site;
  if (draw.once_in(3)) problem.options.walk_map = WalkMap::adds;
}

/// A part of the Earth of cells of centimetres, over the date line.
void draw_earth(Draw& draw, CostCase& problem) {
  problem.options.spacing = {};
  problem.options.metric = draw.once_in(2) ? Metric::great_circle : Metric::ellipsoidal;
  Earth earth;
  const double top = 180 * draw.real() - 90;
  for (std::int64_t y = 0; y < problem.extents[0]; ++y)
    earth.latitude.push_back(top - std::copysign(2e-7 * static_cast<double>(y), top));
  for (std::int64_t x = 0; x < problem.extents[1]; ++x)
    earth.longitude.push_back(180 + 1e-7 * static_cast<double>(x - 3));
  problem.options.earth = earth;
}

/// Periodic axes that are long enough; all longitudes of the Earth, if it lies there.
void join_ends(Draw& draw, CostCase& problem) {
  CostDistanceOptions& options = problem.options;
  const std::int64_t least = options.connectivity == Connectivity::knights ? 5 : 3;
  for (int axis = 0; axis < problem.extents.rank(); ++axis)
    options.periodic.push_back(problem.extents[axis] >= least && draw.once_in(2));
  if (!options.earth) return;
  options.periodic[0] = false;
  for (std::size_t x = 0; options.periodic[1] && x < options.earth->longitude.size(); ++x)
    options.earth->longitude[x] =
        static_cast<double>(x) * 360 / static_cast<double>(problem.extents[1]);
}

void draw_options(Draw& draw, int rank, CostCase& problem) {
  CostDistanceOptions& options = problem.options;
  constexpr Connectivity kFlat[] = {Connectivity::corners, Connectivity::faces,
                                    Connectivity::knights};
  constexpr Connectivity kDeep[] = {Connectivity::corners, Connectivity::faces,
                                    Connectivity::edges};
  options.connectivity = (rank == 2 ? kFlat : kDeep)[draw.below(3)];
  problem.weight = draw.once_in(2) ? EdgeWeight::cost : EdgeWeight::stiffness;
  options.distance_type = draw.once_in(3) ? FloatType::f64 : FloatType::f32;
  options.method = static_cast<CostMethod>(draw.below(3));
  options.tight_barriers = draw.once_in(4);
  options.unreached = std::int64_t{-7};
  if (draw.once_in(4)) options.max_distance = 5 * draw.real();
  if (draw.once_in(3))
    for (int axis = 0; axis < rank; ++axis) options.spacing.push_back(0.5 + draw.real());
}

/// None, a few, such that paths merge by rounding, or such that they swallow all steps.
double draw_initial(Draw& draw, std::int64_t kind) {
  if (kind == 1) return static_cast<double>(draw.below(4));
  if (kind == 2) return kTwoApart + static_cast<double>(2 * draw.below(4));
  return 1e9 + 64 * static_cast<double>(draw.below(3));
}

void draw_cells(Draw& draw, std::int64_t sparsity, std::int64_t labels, CostCase& problem) {
  problem.raster.assign(static_cast<std::size_t>(problem.cells()), 0);
  problem.mask = std::make_unique<bool[]>(static_cast<std::size_t>(problem.cells()));
  for (std::int64_t cell = 0; cell < problem.cells(); ++cell) {
    if (!draw.once_in(sparsity)) continue;
    const auto at = static_cast<std::size_t>(cell);
    problem.raster[at] = static_cast<std::int32_t>(1 + draw.below(labels));
    problem.mask[at] = true;
    problem.sites.push_back({cell, cell, 0});
    problem.labels.push_back(problem.numbered ? static_cast<std::int32_t>(problem.sites.size())
                                              : problem.raster[at]);
  }
}

void draw_points(Draw& draw, std::int64_t count, std::int64_t labels, CostCase& problem) {
  const int rank = problem.extents.rank();
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t cell = 0;
    for (int axis = 0; axis < rank; ++axis) {
      const std::int64_t place = draw.below(problem.extents[axis]);
      problem.points.push_back(static_cast<double>(place));
      cell = cell * problem.extents[axis] + place;
    }
    if (!problem.numbered)
      problem.point_labels.push_back(static_cast<std::int32_t>(1 + draw.below(labels)));
    problem.sites.push_back({i, cell, 0});
    problem.labels.push_back(problem.numbered ? static_cast<std::int32_t>(i + 1)
                                              : problem.point_labels.back());
  }
}

}  // namespace

CostCase draw_case(std::uint64_t seed, std::int64_t longest) {
  Draw draw(seed);
  CostCase problem;
  const bool volume = draw.once_in(3);
  std::vector<std::int64_t> sizes;
  for (int axis = 0; axis < (volume ? 3 : 2); ++axis)
    sizes.push_back(1 + draw.below(volume ? 6 : longest));
  problem.extents = Extents(sizes);
  draw_map(draw, problem);
  draw_options(draw, volume ? 3 : 2, problem);
  if (draw.once_in(3)) draw_blocked_faces(draw, problem);
  if (!volume && draw.once_in(3)) draw_elevation(draw, problem);
  if (!volume && draw.once_in(3)) draw_earth(draw, problem);
  if (draw.once_in(3)) join_ends(draw, problem);
  problem.by_cell = draw.once_in(2);
  problem.numbered = draw.once_in(4);
  const std::int64_t labels = 1 + draw.below(draw.once_in(2) ? 3 : 12);
  if (problem.by_cell)
    draw_cells(draw, 1 + draw.below(12), labels, problem);
  else
    draw_points(draw, draw.below(20), labels, problem);
  if (const std::int64_t kind = draw.below(4); kind > 0) {
    problem.initial.assign(
        static_cast<std::size_t>(problem.by_cell ? problem.cells() : std::ssize(problem.sites)), 0);
    for (oracle::CostSite& site : problem.sites)
      site.initial = problem.initial[static_cast<std::size_t>(site.index)] =
          draw_initial(draw, kind);
  }
  return problem;
}

CostProblem problem_of(const CostCase& given) {
  const std::vector<std::int32_t> none(static_cast<std::size_t>(given.cells()));
  return make_cost_problem({View<const float>(given.map.data(), given.extents), given.weight},
                           View<const std::int32_t>(none.data(), given.extents), given.options, {});
}

std::int32_t label_of(const CostCase& given, std::int64_t index) {
  for (std::size_t i = 0; i < given.sites.size(); ++i)
    if (given.sites[i].index == index) return given.labels[i];
  return -7;
}

void call_cost_distance(Context& context, const CostCase& given, const CostDistanceOptions& options,
                        const CostDistanceOutputs& out) {
  const CostMap map(View<const float>(given.map.data(), given.extents), given.weight);
  const auto count = static_cast<std::int64_t>(given.sites.size());
  View<const void> initial;
  if (!given.initial.empty())
    initial =
        View<const double>(given.initial.data(), given.by_cell ? given.extents : Extents{count});
  if (given.by_cell) {
    View<const void> sites = View<const std::int32_t>(given.raster.data(), given.extents);
    if (given.numbered) sites = View<const bool>(given.mask.get(), given.extents);
    cost_distance(context, map, sites, options, out, initial);
    return;
  }
  PointList points{.coordinates =
                       View<const double>(given.points.data(), {count, given.extents.rank()})};
  if (!given.numbered) points.labels = View<const std::int32_t>(given.point_labels.data(), {count});
  cost_distance(context, map, points, options, out, initial);
}

}  // namespace thiessen::testing
