// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "thiessen/changes.hpp"
#include "thiessen/context.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/export.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// A cost distance that is kept up to date while its map and its sites change, at the cost of the
/// cells whose answer changes: for a simulation that recomputes it in every step.
///
///     CostSolver solver(context, map, sites, {}, {.labels = labels, .distance = distance});
///     solver.solve();
///     solver.update_map({100, 40}, stiffness_of_the_cut);
///     const Changes& changes = solver.solve();
///
/// After any sequence of updates solve() leaves in the outputs, bit for bit, what cost_distance()
/// would compute from the map and the sites as they are then: costs that fall and costs that rise,
/// labels and back links. The outputs are bound when the solver is made; solve() writes again only
/// what changed in them. Map, sites and initial costs are copied.
///
/// Sites of a raster have the linear index of their cell as their index, and at most one site is in
/// a cell. Sites of a list keep their place in it: a removed one stays in the list as an absent
/// one, and comes back by move_sites(); added ones are appended. The call to compare with has the
/// same list with the absent sites outside of the raster.
///
/// An update that throws has changed nothing, and neither has a solve() that throws, except that
/// outputs may be partly written if the answer was being made anew; it can be called again. Bytes
/// that are held depend on the raster, the number of sites in the list and the greatest number of
/// changes at once, not on the number of updates.
///
/// On the CPU, with views of the host. The Context, which must outlive the solver, gives threads,
/// progress and cancellation; what holds for calls of a Context holds for these.
///
/// Cost: solve() takes some tenths of a microsecond for each cell whose answer changes, on one
/// thread. Where many cells change it makes the answer anew, as cost_distance() does. Memory: for
/// f32 17 bytes a cell, 25 once the answer was made anew; with back links 8 and 16 more.
/// Source: G. Ramalingam, T. Reps, "An incremental algorithm for a generalization of the
/// shortest-path problem" (1996); the on-line use is that of J. Toss, J. Comba, "Parallel Voronoi
/// Diagram computation on scaled distance planes using CUDA" (2013).
class THIESSEN_API CostSolver {
 public:
  /// Arguments as those of cost_distance(). Not with `strict` or `labels_carried`; `method` must be
  /// exact. A boolean raster of sites gives no labels, as their numbers would change with every
  /// site. The map has 1 to 2^32 - 3 cells. Throws Error: invalid_argument, unsupported,
  /// out_of_memory, cancelled.
  CostSolver(Context& context, View<const void> map, View<const void> sites,
             const CostDistanceOptions& options, const CostDistanceOutputs& out,
             View<const void> initial_cost = {});
  CostSolver(Context& context, View<const void> map, const PointList& sites,
             const CostDistanceOptions& options, const CostDistanceOutputs& out,
             View<const void> initial_cost = {});
  ~CostSolver();
  CostSolver(CostSolver&&) noexcept;
  CostSolver& operator=(CostSolver&&) noexcept;

  /// Replaces the values of the map in a box.
  ///
  /// first   its first cell, in array order
  /// values  of the type and the number of axes of the map, any strides
  ///
  /// Throws Error{invalid_argument} for a box that goes beyond the map, or an illegal value.
  void update_map(const std::vector<std::int64_t>& first, View<const void> values);

  /// The same for a list of cells: linear indices of extents (n), and as many values. Of values for
  /// the same cell the last one counts.
  void update_map(View<const std::int64_t> cells, View<const void> values);

  /// Appends points to the list of sites; returns the index of the first of them.
  ///
  /// points        with labels if the list has them, of the same type
  /// initial_cost  as for cost_distance(); empty: 0
  std::int64_t add_sites(const PointList& points, View<const void> initial_cost = {});

  /// Makes cells of a raster sites; none may be one.
  ///
  /// cells   linear indices of extents (n)
  /// labels  as many, of the type of the raster, each a value that is a site there; empty if the
  ///         raster is boolean
  void add_sites(View<const std::int64_t> cells, View<const void> labels,
                 View<const void> initial_cost = {});

  /// Takes sites away, given by their indices, each once.
  void remove_sites(View<const std::int64_t> sites);

  /// Moves sites, given by their indices, each once; they keep label and initial cost.
  ///
  /// places  of points: coordinates as in a PointList, of extents (n, axes); absent sites come
  ///         back. Of sites of a raster: their new cells, i64 of extents (n), of which none holds
  ///         a site that stays.
  void move_sites(View<const std::int64_t> sites, View<const void> places);

  /// Sets what paths from some sites start with: as many f32 or f64 values, >= 0.
  void set_initial_cost(View<const std::int64_t> sites, View<const void> costs);

  /// Brings the outputs up to date. Tells what changed since the last solve() that did not throw;
  /// before the first one all cells are unreached. Throws Error: out_of_memory, cancelled.
  const Changes& solve();

  /// The cells that the last solve() changed; time O(their number), or O(cells) if it made the
  /// answer anew.
  ChangedCells changed_cells() const;

  /// Bytes of memory that are held, without those of the Context.
  std::size_t bytes() const noexcept;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace thiessen
