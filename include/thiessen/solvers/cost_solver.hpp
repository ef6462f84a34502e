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

/// Keeps a cost distance up to date while its map and its sites change. The time of an update
/// depends on the number of cells whose result changes. A simulation can therefore update the cost
/// distance in every step.
///
///     CostSolver solver(context, map, sites, {}, {.labels = labels, .distance = distance});
///     const std::array<std::int64_t, 2> first{100, 40};
///     solver.update_box(first, stiffness_of_the_cut);
///     const Changes& changes = solver.solve();
///
/// The outputs are right once the solver is made. After any sequence of updates, solve() brings the
/// outputs to the values that cost_distance() would compute from the current map and sites, bit for
/// bit. This is true of costs, labels and back links, whether costs fall or rise.
///
/// Outputs are views that the caller owns. They must stay valid, and nobody else may write to them,
/// because solve() writes only the cells whose result changed. Map, sites and initial costs are
/// copied.
///
/// The index of a site of a raster is the linear index of its cell, and a cell holds at most one
/// site. The index of a site of a list is its position in the list. Positions never shift, because
/// added sites go to the end and a removed site stays in the list as an absent one. move_sites()
/// brings an absent site back. The equivalent call of cost_distance() has the same list, in which
/// the absent sites lie outside the raster.
///
/// An update that throws has changed nothing. A solve() that throws has changed nothing either: the
/// outputs stay as they were, the updates still wait, and solve() can be called again.
/// Context::cancel() ends a solve() until this solve() has reported that all is done. After this
/// report solve() writes the outputs, and cannot be cancelled.
///
/// Sites on barriers or outside the raster are ignored. solve() and changes() warn of these sites
/// as cost_distance() does (Context::warnings()), but do not count absent sites.
///
/// Blocked faces are copied, too. The solver works on the CPU, with views on the host, and on
/// CUDA. The Context provides threads,
/// progress and cancellation, and must outlive the solver. The rules for calls of a Context also
/// apply to the solver's functions.
///
/// On CUDA, the map, the sites, the outputs and the values of update_box() may lie on the device,
/// too. All other arguments of updates lie on the host. update_box() and enqueue() put work on the
/// stream and do not wait. They can be captured into a graph if all their views lie on the device.
/// changes() then describes the last solve that the stream has completed.
///
/// Map values in device memory are checked on the device. An update with an illegal value replaces
/// no value at all. Later solves ignore this update, and the next changes() throws once. If sites
/// are added after a graph was captured, the solver may allocate larger arrays. The captured graph
/// then changes nothing, changes() throws, and the graph must be captured again.
///
/// Time: on one thread, solve() takes some tenths of a microsecond for each cell whose result
/// changes. On CUDA it takes some microseconds for each cell of the longest path that changes. If
/// many cells change, solve() computes everything again, as cost_distance() does.
///
/// Memory: for f32 17 bytes a cell, and 25 after everything was computed again; with back links 8
/// and 16 bytes more, with blocked faces 5. On CUDA the solver takes memory of the device: 33 bytes
/// a cell, with back links 4 more, and 24 to 48 bytes for each site. The memory depends on the size
/// of the raster, the number of sites in the list and the greatest number of changes at once. It
/// does not grow with the number of updates.
///
/// Source: G. Ramalingam, T. Reps, "An incremental algorithm for a generalization of the
/// shortest-path problem" (1996); on CUDA in rounds, as U. Meyer, P. Sanders, "Δ-stepping: a
/// parallelizable shortest path algorithm" (2003); the on-line use is from J. Toss, J. Comba,
/// "Parallel Voronoi Diagram computation on scaled distance planes using CUDA" (2013).
class THIESSEN_API CostSolver {
 public:
  /// The arguments are the arguments of cost_distance(), with these limits: `method` must be exact,
  /// or on the CPU eikonal, and `strict` and `labels_carried` are not supported. A boolean raster
  /// of sites has no labels, because the numbers of its sites would change with every site. The map
  /// must have 1 to 2^32 - 3 cells.
  ///
  /// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled.
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
  /// values   one for each cell, of the type of the map, on the host
  ///
  /// Throws Error{invalid_argument}, also for a value that a map must not have.
  void update_map(std::span<const std::int64_t> cells, View<const void> values);

  /// Replaces the values of the map in a box of cells. `first` is the first cell of the box, with
  /// one coordinate for each axis. The box has the extents of `values`, which may lie on the device
  /// of the Context.
  void update_box(std::span<const std::int64_t> first, View<const void> values);

  /// Replaces the blocked faces of the cells in a box. `faces` has a value for each cell of the
  /// box, as CostDistanceOptions::blocked_faces; 0 opens all faces of a cell towards the next
  /// cells. So a cut can grow or heal, and no cell loses its material. Only on the CPU; `faces`
  /// lies on the host.
  ///
  /// Throws Error{invalid_argument}, also for a bit that is no face's; unsupported.
  void update_blocked_faces(std::span<const std::int64_t> first, View<const std::uint8_t> faces);

  /// Appends points to the list, and returns the index of the first new point. The points have
  /// labels, of the same type, if the points of the solver have labels.
  ///
  /// initial_cost  as in cost_distance(); empty: 0
  std::int64_t add_sites(const PointList& points, View<const void> initial_cost = {});

  /// Moves the points with these indices. No index may occur twice. A point keeps its label and
  /// initial cost. An absent point comes back.
  ///
  /// coordinates  as in PointList: one place for each index
  void move_sites(std::span<const std::int64_t> sites, View<const void> coordinates);

  /// Removes sites. Each must be present, and none may be named twice. Points become absent, and
  /// cells of a raster are no longer sites.
  void remove_sites(std::span<const std::int64_t> sites);

  /// Makes cells of a raster into sites. The cells must not be sites yet, and no cell may be named
  /// twice.
  ///
  /// labels  one value for each cell, of the type of the raster; it must be a value of a site.
  ///         Empty if the raster is boolean.
  void add_sites(std::span<const std::int64_t> cells, View<const void> labels,
                 View<const void> initial_cost = {});

  /// Moves the site of each cell from[i] of a raster, with its label and initial cost, to the cell
  /// to[i]. The cell to[i] must not be a site, unless its site also moves away. No cell may occur
  /// twice in a list.
  void move_sites(std::span<const std::int64_t> from, std::span<const std::int64_t> to);

  /// Sets the cost with which paths from some sites start. No site may be named twice.
  ///
  /// costs  one f32 or f64 value, >= 0, for each site
  void set_initial_cost(std::span<const std::int64_t> sites, View<const void> costs);

  /// Brings the outputs up to date, and returns the changes since the last solve(), or since the
  /// solver was made. This is enqueue() followed by changes(). Throws Error: out_of_memory,
  /// cancelled.
  const Changes& solve();

  /// Brings the outputs up to date without waiting for a device: enqueue() puts the work on the
  /// stream of the Context. Outputs on the host are right once changes() returns. On the CPU
  /// enqueue() computes at once. Throws Error: out_of_memory, cancelled.
  void enqueue();

  /// The changes of the last solve() or enqueue(); empty if it threw. changes() waits for the
  /// device, and copies the outputs that lie on the host. Context::cancel() does not end this copy.
  /// Throws Error{invalid_argument} if the device has found an illegal value for the map; see the
  /// comment of the class.
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
