// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "thiessen/choices/connectivity.hpp"
#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/statistics.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

struct RegionStatisticsOptions {
  /// As in SiteStatisticsOptions.
  std::vector<double> spacing = {};
  std::optional<LabelValue> background = std::int64_t{0};
  std::optional<LabelValue> nodata = std::nullopt;
  /// The cells that touch: `faces`, `edges` (3-D) or `corners`.
  Connectivity connectivity = Connectivity::faces;
};

/// The tables of site_statistics() and adjacency(), kept up to date while cells change. For a
/// simulation in which a solver changes a few cells in every step:
///
///     RegionStatistics regions(context, labels, {.field = stiffness, .distance = distance});
///     solver.update_box(first, cut);             // which writes the stiffness, too
///     solver.solve();                            // which writes labels and distance
///     const Raster changed = regions.update(cells);
///     const SiteStatistics shares = regions.statistics(changed.view<std::int32_t>());
///
/// After update() the tables are, bit for bit, what fresh calls would give, if all cells were named
/// whose label, field or distance has changed. A solver names the cells that it changed by
/// changed_cells(). It does not name cells of sites that only got another label. The caller must
/// name changed cells of the map.
///
/// The views of labels and fields must stay valid. They are read when the object is made, and by
/// update().
///
/// Cost of update(): O(cells named · neighbours). A table takes O(rows). It also reads the boxes of
/// those regions that lost a cell at the edge of their box, or a cell with their greatest distance.
/// Memory: 4 bytes a cell, the bytes of a cell of the fields, and some hundred bytes for each label
/// and pair (a field of f64: some thousand). It does not grow with the number of updates.
///
/// Source: sums that can be taken back, from core/statistics/exact_sum.hpp, after U. Kulisch.
class THIESSEN_API RegionStatistics {
 public:
  /// labels, fields  as in site_statistics(), on the host
  ///
  /// Throws Error: invalid_argument, out_of_memory, cancelled; unsupported for labels on a device.
  RegionStatistics(Context& context, View<const void> labels, const SiteFields& fields = {},
                   const RegionStatisticsOptions& options = {});
  ~RegionStatistics();
  RegionStatistics(RegionStatistics&&) noexcept;
  RegionStatistics& operator=(RegionStatistics&&) noexcept;

  /// Reads cells again, given by their linear indices. Naming a cell twice, or an unchanged cell,
  /// does no harm. Returns the labels, ascending, whose row may have changed, or that have no cells
  /// any more.
  ///
  /// Throws Error: invalid_argument for an index or for a value of the field that is not finite,
  /// and then nothing has changed. On out_of_memory some of the cells may have been read, and it
  /// can be called again.
  Raster update(std::span<const std::int64_t> cells);

  /// The table of all labels.
  SiteStatistics statistics();
  /// The rows of some labels: a view of one axis, of the type of the labels. They are in ascending
  /// order, and labels without cells have none.
  SiteStatistics statistics(View<const void> labels);

  /// The table of all pairs.
  Adjacency adjacency() const;
  /// The pairs that contain one or two of some labels.
  Adjacency adjacency(View<const void> labels) const;

  /// Bytes of memory that the object holds.
  std::size_t bytes() const noexcept;

 private:
  class THIESSEN_HIDDEN State;
  template <int kRank>
  class THIESSEN_HIDDEN Regions;
  std::unique_ptr<State> state_;
};

}  // namespace thiessen
