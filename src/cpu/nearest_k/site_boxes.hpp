// SPDX-License-Identifier: Apache-2.0
//
// Sites in boxes, and these in larger ones: a packed R-tree. Sites are sorted along a Hilbert
// curve; each box holds eight neighbours of the level below.
//
// I. Kamel, C. Faloutsos, "On packing R-trees" (1993).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/context_state.hpp"
#include "core/problem.hpp"
#include "cpu/nearest_k/near_sites.hpp"

namespace thiessen::cpu {

/// A site, in the units of S.
struct ListedSite {
  Axes at;
  std::int64_t index;   ///< site index
  std::uint32_t group;  ///< sites of the same label have the same one
};

/// What lies in a box.
struct SiteBox {
  /// More groups than these are not told apart.
  static constexpr int kGroups = 4;

  Axes low, high;  ///< of its sites, inclusive
  std::array<std::uint32_t, kGroups> groups;
  int group_count;
  bool has_more_groups;
};

/// Which cells of a raster are listed. A site all of whose neighbours are sites is never the
/// nearest one to another cell, as one of them is nearer; only its own cell has to know it.
enum class ListedCells {
  rims,           ///< not those inside of sites
  rims_of_labels  ///< not those inside of sites of their label
};

class SiteBoxes {
 public:
  static constexpr std::int64_t kChildren = 8;

  /// With `by_label`, sites of equal labels have one group; else each site has its own.
  /// Throws Error{unsupported} for 2^32 sites and more.
  SiteBoxes(ContextState& state, const Problem& problem, const ProblemViews& views, bool by_label,
            ListedCells listed);
  /// The sites of a raster that are not deep, each with a group of its own.
  SiteBoxes(ContextState& state, const NearSites& sites);

  std::int64_t count() const { return std::ssize(sites_); }
  const ListedSite& site(std::int64_t place) const {
    return sites_[static_cast<std::size_t>(place)];
  }

  /// Levels of boxes count from 1; level 0 is the sites. The last level has one box.
  int levels() const { return static_cast<int>(levels_.size()); }
  std::int64_t count(int level) const {
    return level == 0 ? count() : std::ssize(levels_[static_cast<std::size_t>(level - 1)]);
  }
  const SiteBox& box(int level, std::int64_t place) const {
    return levels_[static_cast<std::size_t>(level - 1)][static_cast<std::size_t>(place)];
  }
  /// Whether some sites are not listed, and that of a cell if it is one of them.
  bool has_inner() const { return !inner_.empty(); }
  std::optional<ListedSite> inner(const Axes& extent, const Axes& cell) const;

  /// The number of sites in a box.
  std::int64_t sites_in(int level, std::int64_t place) const;

 private:
  void list_cells(ContextState& state, const Problem& problem, const ProblemViews& views,
                  bool by_label);
  void add_levels(ContextState& state);
  void drop_inner(ContextState& state, const Problem& problem, ListedCells listed);
  void list_points(const ProblemViews& views, bool by_label);
  void sort(ContextState& state);
  void add_level(ContextState& state);
  SiteBox box_of(int level, std::int64_t place) const;

  std::vector<ListedSite> sites_;
  std::vector<std::uint32_t> inner_;  ///< of each cell: the group of a site that is not listed + 1
  std::vector<std::vector<SiteBox>> levels_;
};

}  // namespace thiessen::cpu
