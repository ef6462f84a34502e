// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "thiessen/choices/metric.hpp"
#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// Two results a and b of the same raster. For each output, give both views or neither. All views
/// have the same extents, 2-D or 3-D. They are on the host, aligned, with any strides.
struct CompareInputs {
  /// Labels of any element type, the same for both. Two NaN are equal.
  View<const void> labels_a = {};
  View<const void> labels_b = {};
  View<const std::int64_t> site_index_a = {};
  View<const std::int64_t> site_index_b = {};
  /// f32 or f64; if one is f32 and the other f64, the f64 is rounded to f32 first.
  View<const void> distance_a = {};
  View<const void> distance_b = {};
};

struct CompareOptions {
  /// Distances that differ by at most this much are equal; >= 0.
  double tolerance = 0;

  /// If given, site indices are cells of the raster, and exact distances to them are computed. Two
  /// sites at the same distance are then a tie, whatever the given distances are. Cannot be used
  /// with site indices of point lists.
  std::optional<Metric> metric = std::nullopt;
  /// World length of one cell along each axis, in array order, for `metric`. Empty: 1.
  std::vector<double> spacing = {};
};

/// The differences of two results. Excess is the distance of b minus the distance of a, over the
/// cells where both are finite. Without distances, but with a metric, it is computed from the site
/// indices.
struct Comparison {
  std::int64_t cells = 0;
  std::int64_t differing = 0;  ///< cells where any output differs
  /// Differing cells with another label or site index at the same distance. It is 0 if there are
  /// neither distances nor a metric, because ties are unknown then.
  std::int64_t ties = 0;
  /// Differing cells that are unreached or nodata in one result only.
  std::int64_t mismatched = 0;

  std::int64_t labels_differing = 0;
  std::int64_t site_index_differing = 0;
  std::int64_t distance_differing = 0;  ///< by more than the tolerance, or one is not finite

  double largest_excess = 0;           ///< greatest distance of b minus a; 0 if none is > 0
  double largest_relative_excess = 0;  ///< greatest excess over distance of a; +inf where that is 0
  double largest_shortfall = 0;        ///< greatest distance of a minus b; 0 if none is > 0
  double mean_excess = 0;

  /// The cell where the distances are farthest apart, and the first cell that differs in any
  /// output, in array order. Empty if there is no such cell.
  std::vector<std::int64_t> worst_cell = {};
  std::vector<std::int64_t> first_cell = {};

  bool equal() const noexcept { return differing == 0; }
};

/// Compares two results cell by cell.
///
/// Infinite distances are equal if their signs are, NaN equals NaN. If several cells differ equally
/// much, the first of them is reported as the worst. Time O(cells), memory O(columns). Throws
/// Error: invalid_argument (no outputs, different extents or types, a site index beyond the
/// raster), out_of_memory, cancelled.
THIESSEN_API Comparison compare(Context& context, const CompareInputs& inputs,
                                const CompareOptions& options = {});

/// Same as above, but runs on default_context().
THIESSEN_API Comparison compare(const CompareInputs& inputs, const CompareOptions& options = {});

}  // namespace thiessen
