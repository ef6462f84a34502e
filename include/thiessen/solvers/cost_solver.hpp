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

/// A cost distance that is kept up to date while its map and its sites change. The time of an
/// update depends on the cells whose answer changes, so a simulation can recompute it in every
/// step.
///
///     CostSolver solver(context, map, sites, {}, {.labels = labels, .distance = distance});
///     const std::array<std::int64_t, 2> first{100, 40};
///     solver.update_box(first, stiffness_of_the_cut);
///     const Changes& changes = solver.solve();
///
/// The outputs are right once the solver is made. After any sequence of updates, solve() leaves in
/// the outputs, bit for bit, what cost_distance() would compute from the current map and sites.
/// This holds for falling and rising costs, labels and back links. Outputs are views that the
/// caller owns. They must stay valid, and nobody else may write to them, because solve() writes
/// only changed cells again. Map, sites and initial costs are copied.
///
/// Sites of a raster have the linear index of their cell as their index, and a cell holds at most
/// one site. Sites of a list keep their position in it. A removed site stays in the list as an
/// absent one, and comes back by move_sites(). Added sites are appended. The call to compare with
/// has the same list, with the absent sites outside the raster.
///
/// An update that throws has changed nothing. A solve() that throws has changed nothing either:
/// outputs stay as they were, updates still wait, and solve() can be called again.
/// Context::cancel() ends a solve() until it has reported that all is done. Then it writes outputs,
/// and nothing ends it. The memory depends on the raster, the number of sites in the list and the
/// greatest number of changes at once, and not on the number of updates.
///
/// Sites on barriers or outside the raster are ignored. solve() and changes() warn of them
/// (Context::warnings()) as cost_distance() does; absent sites do not count.
///
/// The solver works on the CPU, with views of the host, and on CUDA. The Context, which must
/// outlive the solver, gives threads, progress and cancellation. The rules for calls of a Context
/// hold for the solver's functions, too.
///
/// On CUDA, map, sites, values of the map and outputs may lie on the device, too. Sites and cells
/// of updates lie on the host. update_box() and enqueue() put work on the stream and wait for
/// nothing. They can be captured into a graph if all their views lie on the device. changes() then
/// describes the last solve that the stream has done. Values in memory of the device are checked
/// there. An update with an illegal value replaces none, solves go on without it, and the next
/// changes() throws once. If sites were added after a graph was captured, the solver may have
/// larger arrays by then. The graph then changes nothing, changes() throws, and the graph must be
/// captured anew.
///
/// Cost: solve() takes some tenths of a microsecond for each cell whose answer changes, on one
/// thread. On CUDA it takes some microseconds for each cell of the longest path that changes. If
/// many cells change, it makes the answer anew, as cost_distance() does. Memory: for f32 17 bytes a
/// cell, 25 once the answer was made anew; with back links 8 and 16 more. On CUDA 33 bytes a cell,
/// with back links 4 more, and 24 to 48 for each site, on the device.
/// Source: G. Ramalingam, T. Reps, "An incremental algorithm for a generalization of the
/// shortest-path problem" (1996); on CUDA in rounds, as U. Meyer, P. Sanders, "Δ-stepping: a
/// parallelizable shortest path algorithm" (2003); the on-line use is from J. Toss, J. Comba,
/// "Parallel Voronoi Diagram computation on scaled distance planes using CUDA" (2013).
class THIESSEN_API CostSolver {
 public:
  /// Arguments as in cost_distance(). `method` must be exact; cannot be combined with `strict` or
  /// `labels_carried`. A boolean raster of sites gives no labels, because their numbers would
  /// change with every site. The map has 1 to 2^32 - 3 cells. Throws Error: invalid_argument,
  /// unsupported, out_of_memory, cancelled.
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
  /// cells    linear indices; if a cell is named twice, its last value stays
  /// values   one for each cell, of the type of the map; on the host or the device
  ///
  /// Throws Error{invalid_argument}, also for a value that is illegal in a map.
  void update_map(std::span<const std::int64_t> cells, View<const void> values);

  /// The same for a box of cells whose first one is `first` (as many coordinates as axes), with the
  /// extents of `values`.
  void update_box(std::span<const std::int64_t> first, View<const void> values);

  /// Puts points at the end of the list, and returns the index of the first new one. They have
  /// labels of their own, of the same type, if the points of the solver do.
  ///
  /// initial_cost  as in cost_distance(); empty: 0
  std::int64_t add_sites(const PointList& points, View<const void> initial_cost = {});

  /// Moves the points with these indices, each named once. They keep label and initial cost. An
  /// absent point comes back.
  ///
  /// coordinates  as in PointList: one place for each of them
  void move_sites(std::span<const std::int64_t> sites, View<const void> coordinates);

  /// Removes sites, each named once. Points become absent, and cells of a raster are no longer
  /// sites.
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

  /// Sets the cost with which paths from some sites start. Each site is named once, with one f32 or
  /// f64 value, >= 0.
  void set_initial_cost(std::span<const std::int64_t> sites, View<const void> costs);

  /// Brings the outputs up to date, and returns the changes since the last solve(), or since the
  /// solver was made. Throws Error: out_of_memory, cancelled. The same as enqueue() and changes().
  const Changes& solve();

  /// Brings the outputs up to date without waiting for a device: the work is put on the stream of
  /// the Context. Outputs on the host are right once changes() returns. On the CPU it computes at
  /// once. Throws Error: out_of_memory, cancelled.
  void enqueue();

  /// The changes of the last solve() or enqueue(); nothing if it threw. Waits for the device.
  /// Throws Error{invalid_argument} for an illegal value that the device has found in the map; see
  /// the class. It also copies outputs on the host that still wait, and cancel() does not end this.
  const Changes& changes();

  /// The cells that the last solve() or enqueue() changed; time O(their number), or O(cells) if it
  /// made the answer anew.
  ChangedCells changed_cells() const;

  /// Bytes of memory that the solver holds, without the memory of the Context.
  std::size_t bytes() const noexcept;

 private:
  class THIESSEN_HIDDEN State;
  std::unique_ptr<State> state_;
};

}  // namespace thiessen
