// SPDX-License-Identifier: Apache-2.0
//
// The method exact for a slab of a larger raster: chooses which stages run.
//
// Sites beyond a slab are nearest only close to its ends, unless sites are rare. So the search by
// tiles solves the slab as if it were all there is, and a method of linear time, which knows the
// outer sites, does the rows at both ends again. Where these are most of the slab, it does all.
#include "cpu/exact_slab.hpp"

#include <cstring>

#include "cpu/lines/boundary.hpp"
#include "cpu/lines/faces.hpp"
#include "cpu/lines/outer_reach.hpp"
#include "cpu/lines/separable.hpp"
#include "cpu/tiles/tiled.hpp"

namespace thiessen::cpu {
namespace {

/// Rows or planes at both ends of a slab that sites beyond it reach.
struct Bands {
  std::int64_t top = 0;
  std::int64_t bottom = 0;
};

Bands find_bands(ContextState& state, const Problem& problem, const Slab& slab,
                 const View<const void>& sites) {
  const PhaseTimer phase(state, "outer reach");
  return {rows_in_outer_reach(state, problem, slab, sites, End::first),
          rows_in_outer_reach(state, problem, slab, sites, End::last)};
}

/// A part of a slab, and the nearest sites of the rest of the slab beside it.
class Band {
 public:
  Band(ContextState& state, const Problem& problem, const Slab& slab, const ProblemViews& views,
       bool with_labels, std::int64_t begin, std::int64_t count)
      : scratch_(state.scratch),
        label_bytes_(with_labels ? static_cast<std::int64_t>(size_of(views.labels.element_type()))
                                 : 0),
        band_{slab.first + begin, count, slab.above, slab.below} {
    if (begin > 0)
      band_.above = inner(state, problem, slab, views, 0, begin, End::last, slab.above);
    const std::int64_t end = begin + count;
    if (end < slab.count)
      band_.below =
          inner(state, problem, slab, views, end, slab.count - end, End::first, slab.below);
    views_ = rows_of(views, problem.first_axis(), begin, count);
  }

  const Slab& slab() const { return band_; }
  const ProblemViews& views() const { return views_; }

 private:
  /// What lies in `count` rows of the slab from `begin` on and, behind them, in `outer`.
  Neighbours inner(ContextState& state, const Problem& problem, const Slab& slab,
                   const ProblemViews& views, std::int64_t begin, std::int64_t count, End end,
                   const Neighbours& outer) {
    const std::int64_t columns = slab_columns(problem);
    const ProblemViews rows = rows_of(views, problem.first_axis(), begin, count);
    const Face face{scratch_.array<std::int32_t>(columns),
                    label_bytes_ > 0 ? scratch_.array<std::byte>(columns * label_bytes_) : nullptr};
    find_sites_of_face(state, problem, {slab.first + begin, count, {}, {}}, rows.sites, rows.labels,
                       end, face);
    for (std::int64_t i = 0; outer.coordinate != nullptr && i < columns; ++i) {
      if (face.coordinate[i] != kNoSite) continue;
      face.coordinate[i] = outer.coordinate[i];
      if (label_bytes_ > 0)
        std::memcpy(face.labels + i * label_bytes_, outer.labels + i * label_bytes_,
                    static_cast<std::size_t>(label_bytes_));
    }
    return {face.coordinate, face.labels};
  }

  Scratch::Frame scratch_;
  std::int64_t label_bytes_;
  Slab band_;
  ProblemViews views_;
};

/// The nearest site of every cell of a slab.
void run_map(ContextState& state, const Problem& problem, const Slab& slab,
             const ProblemViews& views, Write write) {
  const Problem own = alone(problem, slab);
  const auto linear = [&](const Slab& part, const ProblemViews& of_part) {
    run_separable(state, problem, part, of_part, write);
  };
  if (!tiles::supports_tiles(state, own)) return linear(slab, views);
  const Bands bands = find_bands(state, problem, slab, views.sites);
  if (2 * (bands.top + bands.bottom) > slab.count) return linear(slab, views);
  {
    Scratch::Frame scratch(state.scratch);
    tiles::SiteBits bits = tiles::take_site_bits(own, scratch);
    const Solved solved = tiles::run_tiles(state, own, views, write, bits, scratch);
    if (!solved.is_all()) {
      ProblemViews rest = views;
      rest.solved = &solved;
      linear(slab, rest);
    }
  }
  const auto solve_again = [&](std::int64_t begin, std::int64_t count) {
    if (count == 0) return;
    const bool with_labels = views.out.labels && write != Write::inside;
    const Band band(state, problem, slab, views, with_labels, begin, count);
    linear(band.slab(), band.views());
  };
  solve_again(0, bands.top);
  solve_again(slab.count - bands.bottom, bands.bottom);
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
      find_sites_of_face(state, rule, slab, sites, sites, end,
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
  const bool distances = views.out.distance || views.out.squared;
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
