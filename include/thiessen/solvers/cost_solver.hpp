// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "thiessen/context.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/export.hpp"
#include "thiessen/solvers/changes.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// A cost distance that is kept up to date while its map and its sites change, at the cost of the
/// cells whose answer changes: for a simulation that recomputes it in every step.
///
///     CostSolver solver(context, map, sites, {}, {.labels = labels, .distance = distance});
///     const std::array<std::int64_t, 2> first{100, 40};
///     solver.update_box(first, stiffness_of_the_cut);
///     const Changes& changes = solver.solve();
///
/// The outputs are right once the solver is made. After any sequence of updates solve() leaves in
/// the outputs, bit for bit, what cost_distance() would compute from the map and the sites as they
/// are then: costs that fall and costs that rise, labels and back links. Outputs are views that the
/// caller owns; they must stay valid, and nobody else may write to them, as solve() writes again
/// only what changed. Map, sites and initial costs are copied.
///
/// Sites of a raster have the linear index of their cell as their index, and at most one site is in
/// a cell. Sites of a list keep their place in it: a removed one stays in the list as an absent
/// one, and comes back by move_sites(); added ones are appended. The call to compare with has the
/// same list with the absent sites outside of the raster.
///
/// An update that throws has changed nothing, and neither has a solve() that throws: outputs are as
/// they were, updates are still to be done, and it can be called again. A Context::cancel() ends a
/// solve() until it has reported that all is done; then it writes outputs, and nothing ends it.
/// Bytes that are held depend on the raster, the number of sites in the list and the greatest
/// number of changes at once, not on the number of updates.
///
/// Sites on barriers or outside of the raster are ignored. solve() and changes() warn of them
/// (Context::warnings()) as cost_distance() does; absent sites do not count.
///
/// On the CPU, with views of the host, and on CUDA. The Context, which must outlive the solver,
/// gives threads, progress and cancellation; what holds for calls of a Context holds for these.
///
/// On CUDA map, sites, values of the map and outputs may lie on the device, too; sites and cells of
/// updates lie on the host. update_box() and enqueue() put work on the stream, wait for nothing,
/// and can be captured into a graph if all their views lie on the device; what changes() tells is
/// that of the last solve that the stream has done. Values in memory of the device are checked
/// there: an update with an illegal one replaces none, solves go on without it, and the next
/// changes() throws once. A graph that was captured before sites were added may find that the
/// solver has larger arrays by now; then it changes nothing, changes() throws, and it must be
/// captured anew.
///
/// Cost: solve() takes some tenths of a microsecond for each cell whose answer changes, on one
/// thread; on CUDA some microseconds for each cell of the longest path that changes. Where many
/// cells change it makes the answer anew, as cost_distance() does. Memory: for f32 17 bytes a cell,
/// 25 once the answer was made anew; with back links 8 and 16 more. On CUDA 33 bytes a cell, with
/// back links 4 more, and 24 to 48 for each site, on the device.
/// Source: G. Ramalingam, T. Reps, "An incremental algorithm for a generalization of the
/// shortest-path problem" (1996); on CUDA in rounds, as U. Meyer, P. Sanders, "Δ-stepping: a
/// parallelizable shortest path algorithm" (2003); the on-line use is that of J. Toss, J. Comba,
/// "Parallel Voronoi Diagram computation on scaled distance planes using CUDA" (2013).
class THIESSEN_API CostSolver {
 public:
  /// Arguments as those of cost_distance(). Not with `strict` or `labels_carried`; `method` must be
  /// exact. A boolean raster of sites gives no labels, as their numbers would change with every
  /// site. The map has 1 to 2^32 - 3 cells. Throws Error: invalid_argument, unsupported,
  /// out_of_memory, cancelled.
  CostSolver(Context& context, const CostMap& map, View<const void> sites,
             const CostDistanceOptions& options, const CostDistanceOutputs& out,
             View<const void> initial_cost = {});
  CostSolver(Context& context, const CostMap& map, const PointList& sites,
             const CostDistanceOptions& options, const CostDistanceOutputs& out,
             View<const void> initial_cost = {});
  ~CostSolver();
  CostSolver(CostSolver&&) noexcept;
  CostSolver& operator=(CostSolver&&) noexcept;

  /// Replaces values of the map in some cells.
  ///
  /// cells   linear indices; the last value of a cell that is named twice stays
  /// values  as many, of the type of the map; on the host or the device
  ///
  /// Throws Error{invalid_argument}, also for a value that is illegal in a map.
  void update_map(std::span<const std::int64_t> cells, View<const void> values);

  /// The same for a box of cells whose first one is `first` (as many coordinates as axes), with the
  /// extents of `values`.
  void update_box(std::span<const std::int64_t> first, View<const void> values);

  /// Puts points at the end of the list, and returns the index of the first of them. They have
  /// labels of their own, of the same type, if the points of the solver do.
  ///
  /// initial_cost  as for cost_distance(); empty: 0
  std::int64_t add_sites(const PointList& points, View<const void> initial_cost = {});

  /// Moves the points with these indices, each named once. They keep label and initial cost; absent
  /// ones come back.
  ///
  /// coordinates  as of PointList: one place for each of them
  void move_sites(std::span<const std::int64_t> sites, View<const void> coordinates);

  /// Removes sites, each named once: points become absent, cells of a raster are sites no more.
  void remove_sites(std::span<const std::int64_t> sites);

  /// Makes cells of a raster sites that are none, each named once.
  ///
  /// labels  of the type of the raster, one value that is a site for each cell; empty if the raster
  ///         is boolean
  void add_sites(std::span<const std::int64_t> cells, View<const void> labels,
                 View<const void> initial_cost = {});

  /// Moves the site of each cell from[i] of a raster, with label and initial cost, to the cell
  /// to[i], which must be no site unless it moves away itself. No cell may come twice in a list.
  void move_sites(std::span<const std::int64_t> from, std::span<const std::int64_t> to);

  /// Sets what paths from some sites start with, each named once: as many f32 or f64 values, >= 0.
  void set_initial_cost(std::span<const std::int64_t> sites, View<const void> costs);

  /// Brings the outputs up to date, and tells what changed since the solve() before, or since the
  /// solver was made. Throws Error: out_of_memory, cancelled. The same as enqueue() and changes().
  const Changes& solve();

  /// Brings the outputs up to date without waiting for a device: the work is put on the stream of
  /// the Context. Outputs on the host are right once changes() returns. On the CPU it computes at
  /// once. Throws Error: out_of_memory, cancelled.
  void enqueue();

  /// What the last solve() or enqueue() changed, nothing if it threw; waits for the device. Throws
  /// Error{invalid_argument} for an illegal value that the device has found in the map; see the
  /// class. Outputs on the host that are still to be copied are, without an end by cancel().
  const Changes& changes();

  /// The cells that the last solve() or enqueue() changed; time O(their number), or O(cells) if it
  /// made the answer anew.
  ChangedCells changed_cells() const;

  /// Bytes of memory that are held, without those of the Context.
  std::size_t bytes() const noexcept;

 private:
  class THIESSEN_HIDDEN State;
  std::unique_ptr<State> state_;
};

}  // namespace thiessen
