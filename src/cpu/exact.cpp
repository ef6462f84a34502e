// SPDX-License-Identifier: Apache-2.0
//
// The method exact: chooses which stages run. The search by tiles (tiles/) finds the nearest site
// of nearly all cells; a method of linear time (lines/, candidates/) takes what it leaves, or
// everything where the search by tiles does not apply. Distances to the boundary have a method of
// their own. Nearest sites of another label take more runs, on parts of the sites. The k nearest
// and ties have a search of their own.
#include "cpu/exact.hpp"

#include <string>

#include "core/problem/site_weights.hpp"
#include "cpu/candidates/candidates.hpp"
#include "cpu/earth/earth.hpp"
#include "cpu/lines/boundary.hpp"
#include "cpu/lines/chessboard.hpp"
#include "cpu/lines/separable.hpp"
#include "cpu/nearest_k/nearest_k.hpp"
#include "cpu/nearest_k/weighted_cells.hpp"
#include "cpu/others/other_labels.hpp"
#include "cpu/tiles/tiled.hpp"
#include "thiessen/error.hpp"

namespace thiessen::cpu {
namespace {

/// The method of linear time; for points, by candidates.
void run_linear(ContextState& state, const Problem& problem, const ProblemViews& views,
                Write write) {
  if (problem.point_sites)
    run_candidates(state, problem, views);
  else if (problem.metric == Metric::chessboard)
    run_chessboard(state, problem, views, write);
  else
    run_separable(state, problem, whole_raster(problem), views, write);
}

std::int64_t linear_units(const Problem& problem) {
  if (problem.point_sites) return candidates_units(problem);
  return problem.metric == Metric::chessboard ? chessboard_units(problem)
                                              : separable_units(problem, whole_raster(problem));
}

/// Whether the search by tiles comes before the linear method.
bool has_tiles(const ContextState& state, const Problem& problem, const ProblemViews& views) {
  return problem.point_sites ? tiles::supports_points(state, problem, views.points)
                             : tiles::supports_tiles(state, problem);
}

std::int64_t map_units(const ContextState& state, const Problem& problem,
                       const ProblemViews& views) {
  return linear_units(problem) +
         (has_tiles(state, problem, views) ? tiles::tile_units(problem) : 0);
}

/// Searches by tiles, and calls run_rest(views) for what that leaves.
template <class RunRest>
void run_tiles_first(ContextState& state, const Problem& problem, const ProblemViews& views,
                     Write write, tiles::SiteBits& bits, const RunRest& run_rest) {
  Scratch::Frame scratch(state.scratch);
  const Solved solved = tiles::run_tiles(state, problem, views, write, bits, scratch);
  if (solved.is_all()) return;
  ProblemViews rest = views;
  rest.solved = &solved;
  run_rest(rest);
}

/// The nearest site of every cell. `bits` are needed if tiles come first.
void run_map(ContextState& state, const Problem& problem, const ProblemViews& views, Write write,
             tiles::SiteBits& bits) {
  const auto linear = [&](const ProblemViews& rest) { run_linear(state, problem, rest, write); };
  if (!has_tiles(state, problem, views)) return linear(views);
  run_tiles_first(state, problem, views, write, bits, linear);
}

/// The nearest point of every cell. Points on centres of cells are found by tiles first.
void run_points_map(ContextState& state, const Problem& problem, const ProblemViews& views) {
  const auto rest = [&](const ProblemViews& open) { run_candidates(state, problem, open); };
  if (problem.has_weights() || !tiles::supports_points(state, problem, views.points)) {
    state.progress.begin(candidates_units(problem));
    return rest(views);
  }
  state.progress.begin(candidates_units(problem) + tiles::tile_units(problem));
  Scratch::Frame scratch(state.scratch);
  tiles::SiteBits bits = tiles::allocate_site_bits(problem, scratch);
  run_tiles_first(state, problem, views, Write::all, bits, rest);
}

/// Whether lines find weighted sites of a raster sooner than candidates do: their keys fit, and
/// sites are many.
bool has_weighted_lines(const Problem& problem, const SiteWeights& weights) {
  constexpr std::int64_t kCellsPerSite = 10;
  return weights.count > problem.cells() / kCellsPerSite &&
         fits_keys_of_lines(problem, weights.greatest);
}

void run_weighted_map(ContextState& state, const Problem& problem, const ProblemViews& views) {
  if (has_weighted_lines(problem, views.weights)) {
    state.progress.begin(separable_units(problem, whole_raster(problem)));
    return run_weighted_separable(state, problem, views);
  }
  state.progress.begin(candidates_units(problem));
  run_weighted_cells(state, problem, views);
}

/// The distance of every cell to the boundary of its label.
void run_to_boundary(ContextState& state, const Problem& problem, const ProblemViews& views) {
  const auto linear = [&](const ProblemViews& rest) {
    run_boundary(state, problem, whole_raster(problem), rest);
  };
  if (!tiles::supports_boundary(state, problem)) return linear(views);
  tiles::SiteBits none;
  run_tiles_first(state, problem, views, Write::distances, none, linear);
}

std::int64_t to_boundary_units(const ContextState& state, const Problem& problem) {
  return boundary_units(problem) +
         (tiles::supports_boundary(state, problem) ? tiles::tile_units(problem) : 0);
}

void run_other_labels(ContextState& state, const Problem& problem, const ProblemViews& views) {
  const std::int64_t units = map_units(state, problem, views);
  state.progress.begin(2 * units);  // the rest, of unknown length, takes the second half
  find_other_labels(state, problem, views, units, [&](const Problem& part, const ProblemViews& of) {
    Scratch::Frame scratch(state.scratch);
    tiles::SiteBits bits;
    if (has_tiles(state, part, of)) bits = tiles::allocate_site_bits(part, scratch);
    run_map(state, part, of, Write::all, bits);
  });
}

void run_nearest_k(ContextState& state, const Problem& problem, const ProblemViews& views) {
  state.progress.begin(candidates_units(problem));
  find_nearest_k(state, problem, views);
}

/// All outputs but what tells of ties, and then that.
void run_with_ties(ContextState& state, const Problem& problem, const ProblemViews& views) {
  Problem rest = problem;
  rest.counts_ties = rest.ties_unreached = false;
  ProblemViews others = views;
  others.out.ties = {};
  if (problem.ties_unreached) others.out.labels = {};
  const NearestSiteOutputs& out = others.out;
  if (wants_besides(out, {})) {
    run_exact(state, rest, others);
    state.progress.begin_rest(candidates_units(problem));
  } else {
    state.progress.begin(candidates_units(problem));
  }
  count_ties(state, problem, views);
}

}  // namespace

Support supports_exact(const ContextState&, const Problem& problem) {
  if (problem.earth == nullptr) return supports_axes_metric(problem);
  if (problem.wants_extra_outputs())
    return {std::string(name_of_extra_output(problem)) + " wanted, and " +
            std::string(name_of(problem.metric)) + " has none"};
  return {};
}

void run_exact(ContextState& state, const Problem& problem, const ProblemViews& views) {
  if (problem.earth != nullptr) return run_earth(state, problem, views);
  if (problem.k > 0) return run_nearest_k(state, problem, views);
  if (problem.counts_ties) return run_with_ties(state, problem, views);
  if (problem.wants_other_labels) return run_other_labels(state, problem, views);
  if (problem.point_sites) return run_points_map(state, problem, views);
  if (problem.has_weights()) return run_weighted_map(state, problem, views);
  Scratch::Frame scratch(state.scratch);
  tiles::SiteBits bits;
  const auto allocate_bits = [&] {
    if (has_tiles(state, problem, views)) bits = tiles::allocate_site_bits(problem, scratch);
  };
  const bool distances = wants_distances(views.out);
  const bool boundary = distances && problem.distance_to == DistanceTo::boundary;
  const bool map = wants_sites(views.out) || (distances && !boundary);
  const bool inside = problem.signed_distance && views.out.distance;
  const std::int64_t units = map_units(state, problem, views);
  state.progress.begin((map ? units : 0) + (inside ? units : 0) +
                       (boundary ? to_boundary_units(state, problem) : 0));
  if (map || inside) allocate_bits();
  if (map) run_map(state, problem, views, boundary ? Write::all_but_distances : Write::all, bits);
  if (boundary) run_to_boundary(state, problem, views);
  if (inside) {
    Problem complement = problem;
    complement.rule.complement = true;
    run_map(state, complement, views, Write::inside, bits);
  }
}

}  // namespace thiessen::cpu
