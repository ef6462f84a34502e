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
  /// Cells with this label are left out. 0 is the label of unreached cells. Default: only NaN is
  /// left out.
  std::optional<LabelValue> background = std::int64_t{0};
  /// Cells with this label are left out, too.
  std::optional<LabelValue> nodata = std::nullopt;
};

/// Rasters whose values are summed, with the extents of the labels; the empty view for none.
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
  /// `rank`·`rank` numbers a label, the covariance of its cells' centres: the mean over its cells
  /// of the products of the differences of two coordinates from the centroid.
  std::vector<double> second_moments = {};
  std::vector<std::int64_t> first = {};  ///< `rank` numbers a label: the first cell of its box
  std::vector<std::int64_t> last = {};   ///< … and the last one
  /// With a field: the sum of the field over the cells of a label.
  std::vector<double> mass = {};
  /// With a field, `rank` numbers a label: the mean coordinates weighted by the field; NaN where
  /// the mass is 0.
  std::vector<double> mass_centroid = {};
  /// With distances: the greatest and the mean distance of a label. NaN is left out; if all
  /// distances are NaN, the result is NaN.
  std::vector<double> greatest_distance = {};
  std::vector<double> mean_distance = {};
};

/// Counts and sums over the cells of each label.
///
/// labels   2-D or 3-D view of any element type and strides, aligned, on the host or in memory of
///          the context's CUDA device. Floats are compared by value: -0 is 0, and NaN is left out.
///          All true bytes are one label.
/// fields   the same extents, aligned, on the host, and only with labels on the host. A field that
///          is NaN or infinite in a cell that counts is an error that names the first such cell.
///          Distances may be NaN or infinite.
///
/// Sums are exact, and are rounded only at the end. The results are therefore the same bits
/// whatever the order of the cells, the number of threads, the instruction set and the device.
/// Masses are the doubles nearest to the sums. Mean distances are the doubles nearest to the sums,
/// divided. Means of coordinates and moments have a relative error below 2^-50. Labels without
/// cells have no row.
///
/// Time O(cells + labels·log labels). Memory O(labels) for each thread, 64 to 192 bytes a label.
/// Fields take 16 bytes and more for each label and axis, depending on the range of their exponents
/// (docs/statistics.md). If every cell has a label of its own, the memory is the same for every
/// cell. Labels on the host are counted by the CPU, whatever the device. Throws Error:
/// invalid_argument, out_of_memory, cancelled; unsupported for fields with labels on a device.
THIESSEN_API SiteStatistics site_statistics(Context& context, View<const void> labels,
                                            const SiteFields& fields,
                                            const SiteStatisticsOptions& options = {});

/// Same as above, but runs on default_context().
THIESSEN_API SiteStatistics site_statistics(View<const void> labels, const SiteFields& fields = {},
                                            const SiteStatisticsOptions& options = {});

struct AdjacencyOptions {
  /// The cells that touch: `faces`, `edges` (3-D) or `corners`.
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
  /// Length of the common boundary in units of spacing; in 3-D its area. Faces of cells count, so a
  /// slanting boundary is as long as its steps. If labels touch by edges or corners alone, it is 0.
  std::vector<double> boundary = {};
};

/// The pairs of labels of a raster that touch, with their contacts and boundary.
///
/// labels   as in site_statistics().
///
/// Contacts are counted in integers, so the results are the same bits for any number of threads,
/// instruction set and device. Time O(cells + pairs·log pairs). Memory O(labels + pairs) for each
/// thread and 12 bytes for each run of equal labels in two rows (3-D: in two planes). Throws Error:
/// invalid_argument, out_of_memory, cancelled.
THIESSEN_API Adjacency adjacency(Context& context, View<const void> labels,
                                 const AdjacencyOptions& options = {});

/// Same as above, but runs on default_context().
THIESSEN_API Adjacency adjacency(View<const void> labels, const AdjacencyOptions& options = {});

}  // namespace thiessen
