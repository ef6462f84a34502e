// SPDX-License-Identifier: Apache-2.0
#include "cpu/exact.hpp"

#include "cpu/boundary.hpp"
#include "cpu/chessboard.hpp"
#include "cpu/separable.hpp"

namespace thiessen::cpu {
namespace {

std::int64_t map_units(const Problem& problem) {
  return problem.metric == Metric::chessboard ? chessboard_units(problem)
                                              : separable_units(problem, whole_raster(problem));
}

void run_map(ContextState& state, const Problem& problem, const ProblemViews& views, Write write) {
  if (problem.metric == Metric::chessboard)
    run_chessboard(state, problem, views, write);
  else
    run_separable(state, problem, whole_raster(problem), views, write);
}

bool wants_sites(const NearestSiteOutputs& out) {
  return out.labels || out.site_index || out.offset || out.direction;
}

}  // namespace

Support supports_exact(const Problem&) { return {}; }

void run_exact(ContextState& state, const Problem& problem, const ProblemViews& views) {
  const bool boundary = problem.distance_to == DistanceTo::boundary;
  const bool map = wants_sites(views.out) || !boundary;
  const bool inside = problem.signed_distance && views.out.distance;
  state.progress.begin((map ? map_units(problem) : 0) + (inside ? map_units(problem) : 0) +
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
  state.progress.begin(separable_units(problem, slab));
  run_separable(state, problem, slab, views, Write::all);
}

}  // namespace thiessen::cpu
