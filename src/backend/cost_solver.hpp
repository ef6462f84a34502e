// SPDX-License-Identifier: Apache-2.0
//
// What a backend does for a CostSolver. Arguments have been checked, but for the values of a map.
//
// Work on a device is put on the stream of the Context, and nobody waits for it before changes().
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/cost/problem.hpp"
#include "core/cost/site_table.hpp"
#include "thiessen/solvers/changes.hpp"

namespace thiessen {

class CostSolverEngine {
 public:
  virtual ~CostSolverEngine() = default;

  /// A copy of an input of the solver in memory of the host, held by `bytes`; the view itself if it
  /// lies there.
  virtual View<const void> on_host(const View<const void>& view, std::vector<std::byte>& bytes);

  /// Replaces values of the map, from the cell `first` on; `values` has the axes (z, y, x). Throws
  /// Error{invalid_argument} for an illegal value, and then has replaced none. For values in memory
  /// of a device, changes() throws that.
  virtual void update_box(const Axes& first, const View<const void>& values) = 0;
  /// The same for a list of cells; `values` has one axis.
  virtual void update_cells(std::span<const std::int64_t> cells,
                            const View<const void>& values) = 0;

  /// Replaces the blocked faces of a box of cells, from the cell `first` on; `faces` has the axes
  /// (z, y, x). Throws Error{invalid_argument} for an illegal value, and then has replaced none.
  /// Only the CPU has blocked faces.
  virtual void update_blocked_faces(const Axes& first, const View<const std::uint8_t>& faces);

  /// Makes room for so many more cells in the list of those whose sites changed.
  virtual void reserve_site_cells(std::int64_t more) = 0;
  /// Tells that the sites of a cell, which may be kNoCell, are others or have other initial costs,
  /// because of this record.
  virtual void touch_sites_of(std::int64_t cell, std::uint32_t record) noexcept = 0;

  /// Brings the answer up to date, on a device once the stream comes to it. `relabelled` are the
  /// sites, ascending, that have another label than in the answer before. If it throws, all is as
  /// it was before, outputs too, and can be tried again.
  virtual void enqueue(std::vector<Rank> relabelled) = 0;
  /// What the last enqueue() changed; waits for the device. Throws
  /// Error{invalid_argument} for an illegal value of the map that the device has found.
  virtual const Changes& changes() = 0;
  /// The sites on barriers that the last enqueue() found, and the first of them; after changes().
  virtual CostDistanceReport on_barriers() const = 0;
  /// The cells of the same; waits, too.
  virtual ChangedCells changed_cells() = 0;

  virtual std::size_t bytes() const = 0;
};

inline void CostSolverEngine::update_blocked_faces(const Axes& /*first*/,
                                                   const View<const std::uint8_t>& /*faces*/) {
  throw Error(ErrorCode::unsupported, "blocked_faces is given; the cpu alone takes it");
}

inline View<const void> CostSolverEngine::on_host(const View<const void>& view,
                                                  std::vector<std::byte>& /*bytes*/) {
  return view;
}

}  // namespace thiessen
