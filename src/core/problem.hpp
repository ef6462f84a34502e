// SPDX-License-Identifier: Apache-2.0
//
// A call, normalised once: what backends and the oracle see of it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/cell_class.hpp"
#include "core/int128.hpp"
#include "core/label_bits.hpp"
#include "core/weights.hpp"
#include "thiessen/nearest_site.hpp"

namespace thiessen {

/// Longest axis: coordinates and their differences stay within 32 bits.
inline constexpr std::int64_t kMaxExtent = std::int64_t{1} << 30;

/// Order among sites: (S, site index), lexicographically. S as in Weights.
struct Problem {
  int rank = 2;          ///< axes of the caller's raster: 2 or 3
  Axes extent{1, 0, 0};  ///< of the whole raster, (z, y, x)
  Metric metric = Metric::euclidean;
  Weights weights;
  std::array<double, kAxes> spacing{1, 1, 1};
  bool wide = false;     ///< S needs 128 bits
  bool limited = false;  ///< there is a max distance
  Int128 limit = 0;      ///< greatest S that is still in range
  SiteRule rule;
  LabelBits unreached;
  bool signed_distance = false;
  DistanceTo distance_to = DistanceTo::site;

  std::int64_t cells() const { return extent[0] * extent[1] * extent[2]; }
  /// Axis along which slabs lie: the first one of the caller's raster.
  int first_axis() const { return kAxes - rank; }
};

/// Outputs with three axes (offset: four), so that nobody else tells 2-D from 3-D.
struct ProblemViews {
  View<const void> sites;
  NearestSiteOutputs out;
};

/// Checks everything that a caller can get wrong, and normalises it.
/// Throws Error{invalid_argument} naming the argument, its value and the rule.
Problem make_problem(View<const void> sites, const NearestSiteOptions& options,
                     const NearestSiteOutputs& out);

/// The same views with the axes (z, y, x).
ProblemViews make_views(View<const void> sites, const NearestSiteOutputs& out);

/// The whole raster has these extents in the caller's axes.
Axes to_axes(const Extents& extents);

}  // namespace thiessen
