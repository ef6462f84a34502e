// SPDX-License-Identifier: Apache-2.0
//
// Sites in boxes, and these in larger ones: a packed R-tree. Sites are sorted along a Hilbert
// curve; each box holds eight neighbours of the level below.
//
// I. Kamel, C. Faloutsos, "On packing R-trees" (1993).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"
#include "cpu/nearest_k/near_sites.hpp"

namespace thiessen::cpu {

/// A site, in the units of S.
struct ListedSite {
  Axes at;
  std::int64_t index;   ///< site index
  std::uint32_t group;  ///< sites of the same label have the same one
};

/// The groups of some sites.
struct SiteGroups {
  /// More groups than these are not told apart.
  static constexpr int kMost = 4;

  std::array<std::uint32_t, kMost> id{};
  int count = 0;
  bool has_more = false;

  bool is_one() const { return count == 1 && !has_more; }
  bool has(std::uint32_t group) const {
    return std::find(id.begin(), id.begin() + count, group) != id.begin() + count;
  }
  void add(std::uint32_t group) {
    if (has(group)) return;
    if (count == kMost)
      has_more = true;
    else
      id[static_cast<std::size_t>(count++)] = group;
  }
};

/// What lies in a box.
struct SiteBox {
  Axes low, high;            ///< of its sites, inclusive
  std::int64_t first, last;  ///< of their indices
  std::int64_t first_place;  ///< where the site of the first one is listed
  SiteGroups groups;

  /// A box of one site.
  static SiteBox of(const ListedSite& site, std::int64_t place) {
    SiteBox box{site.at, site.at, site.index, site.index, place, {}};
    box.groups.add(site.group);
    return box;
  }
  void add(const SiteBox& other) {
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      low[axis] = std::min(low[axis], other.low[axis]);
      high[axis] = std::max(high[axis], other.high[axis]);
    }
    if (other.first < first) first_place = other.first_place;
    first = std::min(first, other.first);
    last = std::max(last, other.last);
    for (int i = 0; i < other.groups.count; ++i)
      groups.add(other.groups.id[static_cast<std::size_t>(i)]);
    groups.has_more = groups.has_more || other.groups.has_more;
  }
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
  /// Points at one place are listed once for each of their groups, for the first `most` of these.
  /// Throws Error{unsupported} for 2^32 sites and more.
  SiteBoxes(ContextState& state, const Problem& problem, const ProblemViews& views, bool by_label,
            ListedCells listed, std::int64_t most);
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
  /// `most` as of the constructor; 0: no two sites lie at one place.
  void add_levels(ContextState& state, std::int64_t most);
  void drop_inner(ContextState& state, const Problem& problem, ListedCells listed);
  void list_points(const ProblemViews& views, bool by_label);
  void sort(ContextState& state, std::int64_t most);
  void add_level(ContextState& state);
  SiteBox box_of(int level, std::int64_t place) const;

  std::vector<ListedSite> sites_;
  std::vector<std::uint32_t> inner_;  ///< of each cell: the group of a site that is not listed + 1
  std::vector<std::vector<SiteBox>> levels_;
};

}  // namespace thiessen::cpu
