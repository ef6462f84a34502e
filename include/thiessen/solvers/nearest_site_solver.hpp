// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/solvers/changes.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// Keeps the nearest site of every cell up to date while sites come, go and move.
///
/// It is made once, and its outputs are right from then on. Updates change the sites, any number of
/// them before one solve(). After solve() every output holds, bit for bit, what a fresh call of
/// nearest_site() or voronoi() would give.
///
/// Sites are named by their site index: the linear index of a cell of a raster, or the position in
/// a list of points. Positions never shift, because a removed point stays in the list as an absent
/// one. The fresh call to compare with has the list without its absent points, and the positions of
/// the whole list. move_sites() brings an absent point back.
///
/// Outputs are views that the caller owns. They must stay valid, and nobody else may write to them,
/// because solve() writes only the cells whose result changed. The sites, points and domain are
/// copied.
///
/// An update that throws has changed nothing. A solve() that throws has changed nothing either:
/// outputs stay as they were, updates still wait, and solve() can be called again. It then computes
/// everything anew. Context::cancel() ends a solve() until it has reported that all is done. Then
/// it writes outputs, and nothing ends it.
///
/// The solver supports only Method::exact and distances to sites; it cannot be combined with signed
/// distance, metric_function or `strict`. There are at most 2^31 - 8 cells and points. Boolean
/// sites have no labels here, because each update would number them anew. For points, the spacing
/// must need no approximated weights (docs/determinism.md). It works on the CPU and on CUDA. There
/// the map stays in device memory, and outputs should be there, too: outputs elsewhere are copied
/// whole after every solve. Sites, points, domain and updates lie on the host. On CUDA S must fit
/// 64 bits, and a solve cannot be captured into a graph.
///
/// Cost of solve(): O(log(cells) + cells of the tiles of 256 cells where a site that came or went
/// can win a cell) for a few sites. If that would take longer than a fresh call, it takes the time
/// of a fresh call and of one pass over the cells. Memory: 8 bytes a cell, and 2 bits for each cell
/// of a raster or about 35 bytes for each position of a list; a copy of raster and domain; the
/// Changes. While it computes anew, it also takes the memory of the call and, for a raster, 4 or 5
/// bytes a cell from the Context's scratch. On CUDA the same on the device, but 8 bytes a cell from
/// the scratch there.
///
/// The rules for calls of a Context hold for the solver's functions, too. `context` must outlive
/// the solver. Its warnings() are empty after solve().
/// Source: none; docs/online.md describes it.
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled.
class THIESSEN_API NearestSiteSolver {
 public:
  /// Sites of a raster; arguments as in nearest_site().
  NearestSiteSolver(Context& context, View<const void> sites, const NearestSiteOptions& options,
                    const NearestSiteOutputs& out, View<const void> domain = {});
  /// Sites of a list; arguments as in voronoi().
  NearestSiteSolver(Context& context, const PointList& points, const Grid& grid,
                    const NearestSiteOptions& options, const NearestSiteOutputs& out,
                    View<const void> domain = {});
  ~NearestSiteSolver();
  NearestSiteSolver(NearestSiteSolver&&) noexcept;
  NearestSiteSolver& operator=(NearestSiteSolver&&) noexcept;

  /// Puts points at the end of the list, and returns the position of the first new one. They have
  /// labels of their own, of the same type, if the points of the solver do.
  std::int64_t add_sites(const PointList& points);

  /// Moves the points at these positions. An absent point comes back with its label.
  ///
  /// coordinates  as in PointList: one place for each position. No position may come twice.
  void move_sites(std::span<const std::int64_t> sites, View<const void> coordinates);

  /// Removes sites: points become absent, cells of a raster 0. Each must be there, and be named
  /// once.
  void remove_sites(std::span<const std::int64_t> sites);

  /// Makes cells of a raster sites that are none. `labels` has the type of the sites, and one value
  /// that is a site for each cell. No cell may come twice.
  void add_sites(std::span<const std::int64_t> cells, View<const void> labels);

  /// Moves the value of each site `from[i]` of a raster to the cell `to[i]`, which must be no site
  /// unless it moves away itself. Cells that are left become 0. No cell may come twice in a list.
  void move_sites(std::span<const std::int64_t> from, std::span<const std::int64_t> to);

  /// Puts new values into cells of a raster: any values, so that sites come, go or get another
  /// label, and cells become nodata. Where a cell is named twice, the last value stays.
  void update_sites(std::span<const std::int64_t> cells, View<const void> values);

  /// The same for a box of cells whose first one is `first` (as many coordinates as axes), with the
  /// extents of `values`.
  void update_box(std::span<const std::int64_t> first, View<const void> values);

  /// Brings the outputs up to date, and returns the changes since the last solve(), or since the
  /// solver was made: enqueue() and changes() in one.
  const Changes& solve();

  /// Puts the work of a solve() on the stream of the context, in the order of the stream. If all
  /// outputs are in memory of the device, it returns without waiting. On the CPU it does the work
  /// at once. Throws Error as solve() does.
  void enqueue();

  /// The changes of the last solve() or enqueue(); nothing if it threw. Waits for the device. The
  /// result belongs to the solver, until the next solve() or enqueue(). Throws Error:
  /// device_failed, out_of_memory.
  const Changes& changes();

  /// The cells that the last solve() or enqueue() changed: a view of the solver's list, which it
  /// makes now. Takes time proportional to the number of changed cells, or O(cells) if everything
  /// was computed again; 16 bytes for each changed cell.
  ChangedCells changed_cells() const;

  /// Whether a site is there now. `site` is a cell of the raster or a position in the list.
  bool has_site(std::int64_t site) const;
  /// Length of the list with its absent points, or number of cells of the raster.
  std::int64_t positions() const noexcept;

  /// Bytes of memory that the solver holds, not counting the memory of the Context.
  std::size_t bytes() const noexcept;

 private:
  class THIESSEN_HIDDEN State;
  std::unique_ptr<State> state_;
};

}  // namespace thiessen
