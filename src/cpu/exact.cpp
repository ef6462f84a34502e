// SPDX-License-Identifier: Apache-2.0
#include "cpu/exact.hpp"

#include "cpu/boundary.hpp"
#include "cpu/chessboard.hpp"
#include "cpu/points.hpp"
#include "cpu/separable.hpp"
#include "cpu/tiles/tiled.hpp"
#include "thiessen/error.hpp"

namespace thiessen::cpu {
namespace {

std::int64_t map_units(const ContextState& state, const Problem& problem) {
  if (tiles::supports_tiles(state, problem)) return tiles::tile_units(problem);
  return problem.metric == Metric::chessboard ? chessboard_units(problem)
                                              : separable_units(problem, whole_raster(problem));
}

void run_map(ContextState& state, const Problem& problem, const ProblemViews& views, Write write) {
  if (tiles::supports_tiles(state, problem))
    tiles::run_tiles(state, problem, views, write);
  else if (problem.metric == Metric::chessboard)
    run_chessboard(state, problem, views, write);
  else
    run_separable(state, problem, whole_raster(problem), views, write);
}

bool wants_sites(const NearestSiteOutputs& out) {
  return out.labels || out.site_index || out.offset || out.direction;
}

}  // namespace

Support supports_exact(const ContextState&, const Problem& problem) {
  return supports_axes_metric(problem);
}

void run_exact(ContextState& state, const Problem& problem, const ProblemViews& views) {
  if (problem.point_sites) {
    const bool by_tiles = tiles::supports_points(state, problem, views.points);
    state.progress.begin(by_tiles ? tiles::tile_units(problem) : points_units(problem));
    return by_tiles ? tiles::run_tiles(state, problem, views, Write::all)
                    : run_points(state, problem, views);
  }
  const bool distances = views.out.distance || views.out.squared;
  const bool boundary = distances && problem.distance_to == DistanceTo::boundary;
  const bool map = wants_sites(views.out) || (distances && !boundary);
  const bool inside = problem.signed_distance && views.out.distance;
  const std::int64_t units = map_units(state, problem);
  state.progress.begin((map ? units : 0) + (inside ? units : 0) +
                       (boundary ? boundary_units(problem) : 0));
  if (map) run_map(state, problem, views, boundary ? Write::all_but_distances : Write::all);
  if (boundary) run_boundary(state, problem, views);
  if (inside) {
    Problem complement = problem;
    complement.rule.complement = true;
    run_map(state, complement, views, Write::inside);
  }
}

void run_exact_slab(ContextState& state, const Problem& problem, const Slab& slab,
                    const ProblemViews& views) {
  const bool numbers = views.out.labels && problem.rule.type == ElementType::boolean;
  if (problem.metric == Metric::chessboard || problem.signed_distance || numbers ||
      problem.distance_to == DistanceTo::boundary || problem.point_sites)
    throw Error(
        ErrorCode::unsupported,
        "a slab has no chessboard metric, no signed distance, no distance to the boundary, no "
        "numbers of boolean sites and no points");
  if (slab.count * slab_columns(problem) == 0) return;
  state.progress.begin(separable_units(problem, slab));
  run_separable(state, problem, slab, views, Write::all);
}

}  // namespace thiessen::cpu
