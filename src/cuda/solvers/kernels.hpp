// SPDX-License-Identifier: Apache-2.0
//
// Steps of a solver. All are put on the stream, and nothing waits.
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/solvers/solver_map.hpp"

namespace thiessen::cuda::solvers {

/// Builds the tables of the sites that are there: cells by the values of the raster, or the
/// `count` points whose positions are in `present`.
void build_sites(const CudaSession& session, const SolverMap& map, const std::int32_t* present,
                 std::int64_t count);

/// Copies the places of points: to[i] = map.places[present[i]].
void gather_places(const CudaSession& session, const SolverMap& map, const std::int32_t* present,
                   std::int64_t count, Axes* to);

/// Enters edits into tables, places and values, and begins a tally. No site comes twice in all of
/// them.
void apply_edits(const CudaSession& session, const SolverMap& map, const EditBatch& batch);

/// Repairs the map after `edits` edits that the tables have already, and writes outputs.
void repair_map(const CudaSession& session, const SolverMap& map, std::int32_t edits);

/// A fresh answer, in which `found` has the site indices: for points the place among `present`.
struct FreshMap {
  const std::int64_t* found;
  const std::int32_t* present;  ///< null: cells
  const Axes* former;           ///< places of points before
  std::int64_t former_points;   ///< later ones had none
};

/// Puts it in the place of the old one, and writes labels and site indices.
void replace_map(const CudaSession& session, const SolverMap& map, const FreshMap& fresh);

/// A cell that changed, and its site before.
struct ChangedCell {
  std::int64_t cell;
  std::int64_t before;
};

/// Lists the cells that changed, in any order; in all tiles, or in those that the last repair
/// looked at. `count` must be 0, and counts them.
void list_changed(const CudaSession& session, const SolverMap& map, bool in_all,
                  unsigned long long* count, ChangedCell* to);

}  // namespace thiessen::cuda::solvers
