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

/// What the updates of a RegionStatistics have changed.
struct RegionChanges {
  /// The labels, ascending, whose row may have changed, or that have no cells any more.
  Raster labels = {};
  /// The pairs of labels a < b, in the order of adjacency(), that touch now and did not touch
  /// before, and those that touched before and do not touch now. They have one axis, as `labels`.
  Raster came_a = {};
  Raster came_b = {};
  Raster went_a = {};
  Raster went_b = {};
};

/// The tables of site_statistics() and adjacency(), kept up to date while cells change. For a
/// simulation in which a solver changes a few cells in every step:
///
///     RegionStatistics regions(context, labels, {.field = stiffness, .distance = distance});
///     RegionChanges changes;
///     SiteStatistics shares;
///     for (;;) {                                   // the frames of the simulation
///       solver.update_map(cut, values);            // the stiffness of these cells changes, too
///       solver.solve();                            // writes labels and distance
///       regions.update(cut);
///       regions.update(solver.changed_cells().cell);
///       regions.changes(changes);                  // regions and pairs of regions
///       regions.statistics(shares, changes.labels.view());
///     }
///
/// After update() the tables are, bit for bit, what fresh calls would give, if all cells were named
/// whose label, field or distance has changed. A solver names the cells that it changed by
/// changed_cells(). It does not name cells of sites that only got another label. The caller must
/// name changed cells of the map.
///
/// The views of labels and fields must stay valid. They are read when the object is made, and by
/// update().
///
/// Results are written into structs of the caller. Columns of these keep their memory, and the
/// object keeps its own, so that a frame takes no memory if one before it was as large.
///
/// Cost of update(): O(cells named · neighbours). A table takes O(rows · log rows). It also reads
/// the boxes of those regions that lost a cell at the edge of their box, or a cell with their
/// greatest distance. Memory: 4 bytes a cell, the bytes of a cell of the fields, and some hundred
/// bytes for each label and pair (a field of f64: some thousand). It does not grow with the number
/// of updates, if changes() is called now and then: it forgets labels and pairs that are gone.
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
  /// does no harm.
  ///
  /// Throws Error: invalid_argument for an index or for a value of the field that is not finite,
  /// and then nothing has changed. On out_of_memory some of the cells may have been read, and it
  /// can be called again.
  void update(std::span<const std::int64_t> cells);

  /// What all updates since the last changes() have changed, or since the object was made.
  void changes(RegionChanges& changes);

  /// The table of all labels, or the rows of some: a view of one axis, of the type of the labels.
  /// Rows are in ascending order, and labels without cells have none.
  void statistics(SiteStatistics& table, View<const void> labels = {});

  /// The table of all pairs, or the pairs that contain one or two of some labels.
  void adjacency(Adjacency& table, View<const void> labels = {});

  /// Bytes of memory that the object holds.
  std::size_t bytes() const noexcept;

 private:
  class THIESSEN_HIDDEN State;
  template <int kRank>
  class THIESSEN_HIDDEN Regions;
  std::unique_ptr<State> state_;
};

}  // namespace thiessen
