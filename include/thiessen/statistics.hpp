// SPDX-License-Identifier: Apache-2.0
//
// What the regions of a raster of labels hold, and which of them touch.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "thiessen/choices/connectivity.hpp"
#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

struct SiteStatisticsOptions {
  /// World length of a cell along each axis, in array order, > 0 and finite; empty: 1.
  std::vector<double> spacing = {};
  /// Cells of this label are left out; unreached cells have 0. Nothing: only NaN is left out.
  std::optional<LabelValue> background = std::int64_t{0};
  /// Cells of this label are left out, too.
  std::optional<LabelValue> nodata = std::nullopt;
};

/// Rasters of the extents of the labels whose values are summed; the empty view for none.
struct SiteFields {
  View<const void> field = {};     ///< a density, such as a stiffness: any element type
  View<const void> distance = {};  ///< f32 or f64: distances or costs
};

/// A table with a row for each label, ascending by label. Coordinates are in units of spacing, and
/// the centre of the first cell of the raster is 0.
struct SiteStatistics {
  int rank = 0;        ///< axes of the raster: 2 or 3
  Raster labels = {};  ///< one axis, of the type of the labels; boolean: the one true value
  std::vector<std::int64_t> cells = {};
  std::vector<double> volume = {};    ///< the cells times the volume of one; in 2-D the area
  std::vector<double> centroid = {};  ///< `rank` numbers a label, in array order
  /// `rank`·`rank` numbers a label: the mean over its cells of the products of what two coordinates
  /// differ from the centroid by (the covariance of their centres).
  std::vector<double> second_moments = {};
  std::vector<std::int64_t> first = {};  ///< `rank` numbers a label: the first cell of its box
  std::vector<std::int64_t> last = {};   ///< … and the last one
  /// With a field: its sum over the cells of a label.
  std::vector<double> mass = {};
  /// … `rank` numbers a label: the mean coordinates weighted by the field; NaN where the mass is 0.
  std::vector<double> mass_centroid = {};
  /// With distances: the greatest and the mean of a label, of those that are not NaN; NaN where all
  /// are.
  std::vector<double> greatest_distance = {};
  std::vector<double> mean_distance = {};
};

/// Counts and sums over the cells of each label.
///
/// labels  2-D or 3-D view of any element type and strides, aligned, on the host or in memory of
///         the context's CUDA device. Floats are compared by value: -0 is 0, and NaN is left out.
///         All true bytes are one label.
/// fields  the same extents, aligned, on the host, and only with labels there. A field that is NaN
///         or infinite in a cell that is not left out is an error naming the first such cell;
///         distances may be.
///
/// Sums are exact and rounded when all is summed, so the results are the same bits whatever the
/// order of the cells, the number of threads, the instruction set and the device. Masses and mean
/// distances are the doubles nearest to the sums (the mean: to the sum, then divided); means of
/// coordinates and moments have a relative error below 2^-50. Labels without cells have no row.
///
/// Time O(cells + labels·log labels). Memory O(labels) for each thread, 64 to 192 bytes a label;
/// fields take 16 bytes and more for each label and axis, by the range of their exponents
/// (docs/statistics.md). A label raster where every cell has a label of its own takes the same
/// for every cell. Labels on the host are counted by the CPU, whatever the device. Throws Error:
/// invalid_argument, out_of_memory, cancelled; unsupported for fields with labels on a device.
THIESSEN_API SiteStatistics site_statistics(Context& context, View<const void> labels,
                                            const SiteFields& fields,
                                            const SiteStatisticsOptions& options = {});

/// The same on default_context().
THIESSEN_API SiteStatistics site_statistics(View<const void> labels, const SiteFields& fields = {},
                                            const SiteStatisticsOptions& options = {});

struct AdjacencyOptions {
  /// Which cells touch: `faces`, `edges` (3-D) or `corners`.
  Connectivity connectivity = Connectivity::faces;
  /// As in SiteStatisticsOptions.
  std::vector<double> spacing = {};
  std::optional<LabelValue> background = std::int64_t{0};
  std::optional<LabelValue> nodata = std::nullopt;
};

/// The pairs of labels a < b that touch, ascending by a, then by b.
struct Adjacency {
  Raster a = {};  ///< one axis, of the type of the labels
  Raster b = {};
  std::vector<std::int64_t> contacts = {};  ///< pairs of neighbouring cells, one of each label
  /// The length of their common boundary in units of spacing; in 3-D its area. Faces of cells
  /// count, so that a slanting boundary is as long as its steps; where labels touch by edges or
  /// corners alone it is 0.
  std::vector<double> boundary = {};
};

/// Which labels of a raster touch, and how much.
///
/// labels  as in site_statistics().
///
/// Contacts are counted in integers, so the results are the same bits for any number of threads,
/// instruction set and device. Time O(cells + pairs·log pairs); memory O(labels + pairs) for each
/// thread and 12 bytes for each run of equal labels in two rows (3-D: in two planes). Throws Error:
/// invalid_argument, out_of_memory, cancelled.
THIESSEN_API Adjacency adjacency(Context& context, View<const void> labels,
                                 const AdjacencyOptions& options = {});

/// The same on default_context().
THIESSEN_API Adjacency adjacency(View<const void> labels, const AdjacencyOptions& options = {});

}  // namespace thiessen
