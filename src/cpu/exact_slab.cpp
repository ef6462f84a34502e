// SPDX-License-Identifier: Apache-2.0
//
// The method exact for a slab of a larger raster: chooses which stages run.
//
// The search by tiles knows nothing of slabs. It gets the slab with the rows beside it in which
// sites lie that may count, and in them the one site of each column that is nearest to the slab.
// Where these rows are too many, a method of linear time does all.
#include "cpu/exact_slab.hpp"

#include <algorithm>

#include "cpu/lines/boundary.hpp"
#include "cpu/lines/faces.hpp"
#include "cpu/lines/separable.hpp"
#include "cpu/slabs/outer_reach.hpp"
#include "cpu/slabs/solved_rows.hpp"
#include "cpu/slabs/widened_slab.hpp"
#include "cpu/tiles/tiled.hpp"

namespace thiessen::cpu {
namespace {

/// A slab is widened to at most so many times its rows: then the linear method is as fast.
constexpr std::int64_t kMostWide = 4;
/// It may always be widened by so many rows.
constexpr std::int64_t kFewRows = 64;

/// Searches the slab by tiles, and calls run_rest(views) for what that leaves. Returns false, and
/// has written nothing, if that does not apply.
template <class RunRest>
bool run_tiles_first(ContextState& state, const Problem& problem, const Slab& slab,
                     const ProblemViews& views, Write write, const RunRest& run_rest) {
  if (!tiles::supports_tiles(state, alone(problem, slab))) return false;
  OuterReach reach = find_outer_reach(state, problem, slab, views.sites);
  if (reach.above + reach.below > std::max((kMostWide - 1) * slab.count, kFewRows)) return false;
  Scratch::Frame scratch(state.scratch);
  const std::int64_t leaf = tiles::rows_of_leaf(problem.rank);
  reach.above = (reach.above + leaf - 1) / leaf * leaf;  // the slab begins with a leaf
  const auto wide = widen_slab(state, problem, slab, views, reach, scratch);
  if (!wide || !tiles::supports_tiles(state, wide->problem)) return false;
  tiles::SiteBits bits = tiles::allocate_site_bits(wide->problem, scratch);
  const Solved solved = tiles::run_tiles(state, wide->problem, wide->views, write, bits, scratch,
                                         {wide->first, slab.count});
  if (solved.is_all()) return true;
  const Solved of_slab = solved_from(solved, problem, wide->first);
  ProblemViews rest = views;
  rest.solved = &of_slab;
  run_rest(rest);
  return true;
}

/// The nearest site of every cell of a slab.
void run_map(ContextState& state, const Problem& problem, const Slab& slab,
             const ProblemViews& views, Write write) {
  const auto linear = [&](const ProblemViews& rest) {
    run_separable(state, problem, slab, rest, write);
  };
  if (!run_tiles_first(state, problem, slab, views, write, linear)) linear(views);
}

std::int64_t map_units(const ContextState& state, const Problem& problem, const Slab& slab) {
  const Problem own = alone(problem, slab);
  return separable_units(problem, slab) +
         (tiles::supports_tiles(state, own) ? tiles::tile_units(own) : 0);
}

}  // namespace

void summarise_slab(ContextState& state, const Problem& problem, const Slab& slab,
                    const View<const void>& sites, SlabFaces& faces) {
  const auto find_sites = [&](const Problem& rule, const SlabFaces::Ends& ends, bool labels) {
    const auto find = [&](End end, const Face& face) {
      find_sites_of_face(state, rule, slab, sites, end,
                         {face.coordinate, labels ? face.labels : nullptr});
    };
    find(End::first, ends.first);
    find(End::last, ends.last);
  };
  if (faces.sites.first.coordinate != nullptr) {
    const bool is_mask = problem.rule.type == ElementType::boolean;
    find_sites(problem, faces.sites, !is_mask);
    if (is_mask && faces.sites.first.labels != nullptr)
      faces.number =
          number_sites_of_faces(state, problem, slab, sites, faces.sites.first, faces.sites.last);
  }
  if (faces.others.first.coordinate != nullptr) {
    Problem complement = problem;
    complement.rule.complement = true;
    find_sites(complement, faces.others, false);
  }
  if (faces.boundary.first.coordinate != nullptr) {
    find_changes_of_face(state, problem, slab, sites, End::first, faces.boundary.first);
    find_changes_of_face(state, problem, slab, sites, End::last, faces.boundary.last);
  }
}

void finish_slab(ContextState& state, const Problem& problem, const SlabMaps& slab,
                 const ProblemViews& views) {
  const bool distances = wants_distances(views.out);
  const bool boundary = distances && problem.distance_to == DistanceTo::boundary;
  const bool map = wants_sites(views.out) || (distances && !boundary);
  const bool inside = problem.signed_distance && views.out.distance;
  const Problem own = alone(problem, slab.sites);
  const std::int64_t units = map_units(state, problem, slab.sites);
  state.progress.begin((map ? units : 0) + (inside ? units : 0) +
                       (boundary ? boundary_units(own) : 0));
  if (map)
    run_map(state, problem, slab.sites, views, boundary ? Write::all_but_distances : Write::all);
  if (boundary) run_boundary(state, own, slab.boundary, views);
  if (inside) {
    Problem complement = problem;
    complement.rule.complement = true;
    run_map(state, complement, slab.others, views, Write::inside);
  }
}

}  // namespace thiessen::cpu
