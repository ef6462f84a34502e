// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/metric.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// Two results of the same raster, a and b. Of each output both views or none; all have the same
/// extents, 2-D or 3-D, on the host, aligned, any strides.
struct CompareInputs {
  /// Labels of any element type, the same for both. Two NaN are equal.
  View<const void> labels_a = {};
  View<const void> labels_b = {};
  View<const std::int64_t> site_index_a = {};
  View<const std::int64_t> site_index_b = {};
  /// f32 or f64; of one f32 and one f64, the f64 is rounded to f32 first.
  View<const void> distance_a = {};
  View<const void> distance_b = {};
};

struct CompareOptions {
  /// Distances that differ by no more than this are equal; >= 0.
  double tolerance = 0;

  /// If given, site indices are those of cells of the raster, and distances to them are computed
  /// exactly: two sites at the same distance are a tie whatever the distances say that come with
  /// them. Not for site indices of point lists.
  std::optional<Metric> metric = std::nullopt;
  /// World length of one cell along each axis, in array order, for `metric`. Empty: 1.
  std::vector<double> spacing = {};
};

/// What two results differ by. Excess is the distance of b minus that of a, over the cells where
/// both are finite; without distances, but with a metric, it is computed from the site indices.
struct Comparison {
  std::int64_t cells = 0;
  std::int64_t differing = 0;  ///< cells where any output differs
  /// Of these, cells of another label or site index at the same distance. Without distances and
  /// without a metric nobody can tell, and it is 0.
  std::int64_t ties = 0;
  /// Of the differing cells, those that are unreached or nodata in one result only.
  std::int64_t mismatched = 0;

  std::int64_t labels_differing = 0;
  std::int64_t site_index_differing = 0;
  std::int64_t distance_differing = 0;  ///< by more than the tolerance, or one is not finite

  double largest_excess = 0;           ///< b is farther by so much; 0 if nowhere
  double largest_relative_excess = 0;  ///< the same over a's distance; +inf where that is 0
  double largest_shortfall = 0;        ///< b is nearer by so much; 0 if nowhere
  double mean_excess = 0;

  /// Cell where the distances are farthest apart, and the first one that differs in any output, in
  /// array order; empty if there is none.
  std::vector<std::int64_t> worst_cell = {};
  std::vector<std::int64_t> first_cell = {};

  bool equal() const noexcept { return differing == 0; }
};

/// Compares two results cell by cell.
///
/// Infinite distances are equal if their signs are, NaN equals NaN. Of several cells that are worst
/// the first is reported. Time O(cells), memory O(columns). Throws Error: invalid_argument (no
/// outputs, other extents or types, a site index beyond the raster), out_of_memory, cancelled.
THIESSEN_API Comparison compare(Context& context, const CompareInputs& inputs,
                                const CompareOptions& options = {});

}  // namespace thiessen
