// SPDX-License-Identifier: Apache-2.0
//
// Warnings for input that is allowed, but hardly meant. Sites and points in device memory stay
// unread.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"

namespace thiessen {

/// Adds a warning to those of the call; with `strict` throws it as Error{invalid_argument}.
void warn(ContextState& state, bool strict, Warning warning);

/// The points of a list, snapped and, on periodic axes, moved into the first period.
struct WarnedPoints {
  PointSites places;
  View<const void> labels;  ///< any strides; empty if they are numbers, or not wanted
  LabelBits unreached;      ///< in the type of the labels
};

/// Warns if the list has no points.
void warn_of_no_point(ContextState& state, bool strict, const WarnedPoints& points);

/// Warns if no point lies in a cell of the grid.
void warn_of_points_outside(ContextState& state, bool strict, const WarnedPoints& points,
                            const Problem& problem);

/// Warns if points lie at the place of an earlier one with another label. Time O(points); scratch 4
/// to 8 bytes a point, and 16 to 32 for each that may share its place.
void warn_of_same_places(ContextState& state, bool strict, const WarnedPoints& points);

/// Warns if points have the label of unreached cells.
void warn_of_unreached_labels(ContextState& state, bool strict, const WarnedPoints& points);

/// Gives these warnings for points on the host; for those in device memory only their number is
/// known. `labels` are those of the list, if it has any.
void warn_of_points(ContextState& state, bool strict, const Problem& problem,
                    const ProblemViews& views, const View<const void>& labels);

/// Whether more than `but` cells of a raster of three axes are sites. Time O(cells) at most, on all
/// threads.
bool has_sites(ContextState& state, const View<const void>& cells, const SiteRule& rule,
               std::int64_t but = 0);

/// Which classes cells have: free ones, sites, nodata.
using FoundClasses = std::array<bool, 3>;

/// Whether a call is odd without a site: distances to boundaries need none.
bool needs_sites(const Problem& problem, const NearestSiteOutputs& out);

/// Whether distances of a call lead to free cells, which nodata cells may replace; but not where
/// sites have something to tell of each other.
bool needs_free_cells(const Problem& problem);

/// Whether nodata cells are in the place of free ones.
inline bool lacks_free_cells(const FoundClasses& found) {
  return !found[kFreeCell] && found[kSiteCell] && found[kNodataCell];
}

/// Adds those of a raster of three axes; where there is a free cell, maybe not all. Time O(cells)
/// at most, on all threads.
void find_classes(ContextState& state, const View<const void>& cells, const SiteRule& rule,
                  FoundClasses& found);

/// Whether a raster of sites has none. Reads a few cells of the outputs first: usually one of them
/// has a site.
bool is_without_site(ContextState& state, const Problem& problem, const ProblemViews& views);

/// Warns of `count` rasters without a site, the first of which is number `first` in a batch of
/// `rasters`; without a batch, of the only one.
void warn_of_no_site(ContextState& state, bool strict, const SiteRule& rule, std::int64_t count,
                     std::int64_t first, std::int64_t rasters);

/// Warns that none of so many rasters in a batch has a free cell; without a batch, the only one.
void warn_of_no_free_cell(ContextState& state, bool strict, std::int64_t rasters);

}  // namespace thiessen
