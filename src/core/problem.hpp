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
#include "core/torus.hpp"
#include "core/weights.hpp"
#include "thiessen/nearest_site.hpp"

namespace thiessen {

/// Longest axis: coordinates and their differences stay within 32 bits.
inline constexpr std::int64_t kMaxExtent = std::int64_t{1} << 30;
/// Longest periodic axis: its images stay within them too.
inline constexpr std::int64_t kMaxPeriod = std::int64_t{1} << 29;

/// Checks that a function gets cells it can reach: 2-D or 3-D, axes of at most 2^30 cells, at most
/// 2^60 in all, on the host, not null. Throws Error{invalid_argument} naming `name`.
void check_cells(const char* name, const View<const void>& view);

/// The same, and that elements are aligned, for functions that access them one by one.
void check_aligned_cells(const char* name, const View<const void>& view);

/// Order among sites: (S, site index), lexicographically. S as in Weights.
struct Problem {
  int rank = 2;                                  ///< axes of the caller's raster: 2 or 3
  Axes extent{1, 0, 0};                          ///< of the whole raster, (z, y, x)
  Axes period{kNoPeriod, kNoPeriod, kNoPeriod};  ///< the extent on a periodic axis
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

/// Inputs and outputs with the axes (z, y, x), behind the components of the offset.
struct ProblemViews {
  View<const void> sites;
  View<const void>
      labels;  ///< what sites hand out: their own values, or the numbers of boolean sites
  NearestSiteOutputs out;
};

/// Checks everything that a caller can get wrong, and normalises it.
/// Throws Error{invalid_argument} naming the argument, its value and the rule.
Problem make_problem(View<const void> sites, const NearestSiteOptions& options,
                     const NearestSiteOutputs& out);

/// The same views with three axes.
ProblemViews make_views(View<const void> sites, const NearestSiteOutputs& out);

}  // namespace thiessen
