// SPDX-License-Identifier: Apache-2.0
//
// Repairs a nearest-site map after some sites came or went.
//
// Each tile, and each node of the tree above, keeps the greatest S of its cells. A site can win, or
// have, cells of a tile only if its least S to the tile is no more than that. So a descent of the
// tree finds all tiles that a site matters to, also where its cells are not connected, as those of
// thin regions need not be.
//
//   1. The cells of sites that went become open.
//   2. The winners of open cells are found among all sites that are there: those whose least S to
//      the box of the open cells of a tile is no more than the greatest S, to the same box, of the
//      site for which that is least. Halves of the box keep fewer of them, down to a few cells.
//   3. Sites that came are compared with the winners of all other cells of their tiles. No S grew
//      there, so what the tiles keep still holds.
//
// A tile is copied before it changes. From the copies follows what changed, and they are put back
// if the repair takes too much work or is ended by an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "backend/nearest_solver.hpp"
#include "core/base/context_state.hpp"
#include "cpu/solvers/change_list.hpp"
#include "cpu/solvers/site_table.hpp"
#include "cpu/solvers/tile_tree.hpp"

namespace thiessen::cpu::solvers {

/// The nearest-site map: for each cell a site index, kUnreached or kNodata.
using NearestMap = std::vector<std::int32_t>;

class NearestRepair {
 public:
  virtual ~NearestRepair() = default;

  /// Subtracts `above` from the site indices of a map that was computed anew, and notes how many
  /// cells differ from the map that is there, and where.
  virtual void compare(NearestMap& fresh, std::int32_t above,
                       const std::vector<SiteEdits::Move>& moved, ChangeList& changes) = 0;
  /// Writes all outputs but labels from a map, and calls write_labels(z, y) for each row.
  virtual void write_all(
      ContextState& state, const NearestMap& map, ProblemViews views,
      const std::function<void(std::int64_t z, std::int64_t y)>& write_labels) = 0;
  /// Puts a map in the place of the one that is there, which `fresh` has then.
  virtual void replace(NearestMap& fresh) noexcept = 0;
  /// Lists the cells that compare() found to differ, after replace(). `moved` as there.
  virtual void list(const NearestMap& before, const std::vector<SiteEdits::Move>& moved,
                    ChangedList& cells) = 0;

  /// Makes the map right after `edits`, which the table of sites has already. Returns false, and
  /// leaves the map as it was, if that takes more than `work` steps. After an error roll_back()
  /// does.
  virtual bool repair(ContextState& state, const SiteEdits& edits, std::int64_t work) = 0;
  /// Lists what differs after a repair. The edits are still there.
  virtual void list(ChangeList& changes) = 0;
  /// Writes the outputs of the cells that the repair changed, which it ends. The same holds.
  virtual void write(const ProblemViews& views) = 0;
  /// Puts the map back as it was before a repair that was not written.
  virtual void roll_back() = 0;

  virtual std::size_t bytes() const = 0;
};

/// All arguments must outlive it.
std::unique_ptr<NearestRepair> make_nearest_repair(const Problem& problem, const TileTree& tree,
                                                   const SiteTable& sites, NearestMap& map);

}  // namespace thiessen::cpu::solvers
