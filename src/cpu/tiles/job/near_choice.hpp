// SPDX-License-Identifier: Apache-2.0
//
// Chooses the units for the near search by lists: those with sites that are not rare, not many, and
// not in clusters. Lists are made where it may look, by what is known of the rows at that time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "cpu/tiles/job/job.hpp"

namespace thiessen::cpu::tiles {

/// Sites are spread evenly if each unit has at least the average number of its neighbours, divided
/// by this.
inline constexpr std::int64_t kEven = 16;

/// Whether the sites of a unit row, in 3-D also of those around it, are dots nearly everywhere, or
/// whether that is unknown. Dots are many patches of sites, or patches of a single site. The cells
/// of larger patches, and those between them, have longer ways to go, and are better done by
/// windows.
template <int kRank>
bool may_be_dots(const Job& job, std::int64_t unit_z, std::int64_t unit_y) {
  const std::int64_t cells_per_patch = EngineLimits::of_rank(job.limits->cells_per_patch, kRank);
  constexpr std::int64_t kNearlyAll = 8;
  constexpr std::int64_t kReach = kRank == 2 ? 0 : 1;
  if (job.unit_patches == nullptr) return true;
  std::int64_t units = 0;
  std::int64_t others = 0;
  for_each_unit_row_around(job.units, unit_z, unit_y, kReach, [&](std::int64_t z, std::int64_t y) {
    const std::int64_t first = job.unit_index(z, y, 0);
    for (std::int64_t unit = first; unit < first + job.units[2]; ++unit) {
      const std::int64_t patches = job.unit_patches[unit];
      const bool are_close = patches * cells_per_patch >= unit_cells<kRank>();
      const bool are_lone = patches * 2 >= job.unit_sites[unit];
      others += are_close || are_lone ? 0 : 1;
    }
    units += job.units[2];
  });
  return others * kNearlyAll <= units;
}

/// Whether that search may look at some unit of a unit row.
template <int kRank>
bool suits_near(const Job& job, std::int64_t unit_z, std::int64_t unit_y) {
  const std::int64_t dense =
      EngineLimits::of_rank(job.limits->dense_percent, kRank) * unit_cells<kRank>() / 100;
  if (!may_be_dots<kRank>(job, unit_z, unit_y)) return false;
  const std::uint16_t* const sites = job.unit_sites + job.unit_index(unit_z, unit_y, 0);
  for (std::int64_t x = 0; x < job.units[2]; ++x) {
    if (sites[x] < job.near->fewest_sites || sites[x] >= dense) continue;
    const std::int64_t before = sites[std::max<std::int64_t>(x - 1, 0)];
    const std::int64_t behind = sites[std::min(x + 1, job.units[2] - 1)];
    if (std::min(before, behind) * kEven >= sites[x]) return true;
  }
  return false;
}

/// Whether that search may look at a unit row, or at one of those around it.
template <int kRank>
bool is_list_needed(const Job& job, std::int64_t unit_z, std::int64_t unit_y) {
  bool needed = false;
  for_each_unit_row_around(job.units, unit_z, unit_y, 1, [&](std::int64_t z, std::int64_t y) {
    needed = needed || suits_near<kRank>(job, z, y);
  });
  return needed;
}

/// The sites of some units side by side and of those around them, the number of their cells, and
/// the sites of the unit that has fewest.
struct Neighbourhood {
  std::int64_t sites = 0;
  std::int64_t cells = 0;
  std::int64_t units = 0;
  std::int64_t poorest = std::numeric_limits<std::int64_t>::max();
};

template <int kRank>
Neighbourhood neighbourhood(const Job& job, std::int64_t unit_z, std::int64_t unit_y,
                            std::int64_t first, std::int64_t last) {
  Neighbourhood around;
  for_each_unit_row_around(job.units, unit_z, unit_y, 1, [&](std::int64_t z, std::int64_t y) {
    for (std::int64_t x = std::max<std::int64_t>(first - 1, 0);
         x <= std::min(last + 1, job.units[2] - 1); ++x) {
      const std::int64_t sites = job.unit_sites[job.unit_index(z, y, x)];
      around.sites += sites;
      around.poorest = std::min(around.poorest, sites);
      ++around.units;
      around.cells += unit_cells<kRank>();
    }
  });
  return around;
}

/// The levels that are tried for a tile.
struct LevelRange {
  int first = 0;
  int last = -1;  ///< less than `first`: no level
};

/// Chooses from the first level at which a cell finds enough sites on average, or nearly so, to the
/// last one at which the sites of a leaf's window fit its ranks. Averages say nothing if sites are
/// in clusters. `levels` is the number of levels that can be used.
inline LevelRange choose_levels(const NearTables& tables, int levels, const Neighbourhood& around) {
  // More would often be too many; fewer would take tries from leaves that the last level solves.
  constexpr std::int64_t kSitesInWindow = NearTables::kMostRanks * 3 / 4;
  const int firsts = std::min(levels, tables.first_levels);
  if (firsts == 0 || around.poorest * kEven * around.units < around.sites) return {};
  const auto level = [&](int i) -> const NearLevel& {
    return tables.level[static_cast<std::size_t>(i)];
  };
  const auto finds = [&](int i, std::int64_t sites) {
    return level(i).offsets * around.sites >= sites * around.cells;
  };
  int first = 0;
  while (first < firsts && !finds(first, kSitesInReach)) ++first;
  if (first == firsts && !finds(--first, kSitesInReach - 1)) return {};
  int last = first - 1;
  while (last + 1 < levels &&
         level(last + 1).window * around.sites <= kSitesInWindow * around.cells)
    ++last;
  return {first, last};
}

/// Whether the sites of all unit rows up to `reach` away are listed.
inline bool are_listed(const Job& job, std::int64_t unit_z, std::int64_t unit_y,
                       std::int64_t reach) {
  bool all = true;
  for_each_unit_row_around(job.units, unit_z, unit_y, reach, [&](std::int64_t z, std::int64_t y) {
    all = all && job.lists.state[z * job.units[1] + y] == ListState::all;
  });
  return all;
}

}  // namespace thiessen::cpu::tiles
