// SPDX-License-Identifier: Apache-2.0
//
// Which units the near search is for: those with sites that are neither rare, nor many, nor in
// clusters. Lists are made where it may look, by what is known of the rows when they are made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "cpu/tiles/job.hpp"

namespace thiessen::cpu::tiles {

/// Sites are spread evenly if no unit has fewer than its neighbours on average have, divided by
/// this.
inline constexpr std::int64_t kEven = 8;

/// Whether the near search may look at some unit of a unit row.
template <int kRank>
bool suits_near(const Job& job, const std::uint16_t* sites) {
  constexpr std::int64_t kDense = kDensePercent<kRank> * unit_cells<kRank>() / 100;
  for (std::int64_t x = 0; x < job.units[2]; ++x) {
    if (sites[x] < job.near->fewest_sites || sites[x] >= kDense) continue;
    const std::int64_t before = sites[std::max<std::int64_t>(x - 1, 0)];
    const std::int64_t behind = sites[std::min(x + 1, job.units[2] - 1)];
    if (std::min(before, behind) * kEven >= sites[x]) return true;
  }
  return false;
}

/// Whether the near search may look at a unit row, or at one of those around it.
template <int kRank>
bool is_list_needed(const Job& job, std::int64_t unit_z, std::int64_t unit_y) {
  bool needed = false;
  for_each_unit_row_around(job.units, unit_z, unit_y, [&](std::int64_t z, std::int64_t y) {
    needed = needed || suits_near<kRank>(job, job.unit_sites + job.unit_index(z, y, 0));
  });
  return needed;
}

/// Sites of a unit and those around it, how many cells these have, and the sites of the poorest of
/// them.
struct Neighbourhood {
  std::int64_t sites = 0;
  std::int64_t cells = 0;
  std::int64_t units = 0;
  std::int64_t poorest = std::numeric_limits<std::int64_t>::max();
};

template <int kRank>
Neighbourhood neighbourhood(const Job& job, std::int64_t unit_z, std::int64_t unit_y,
                            std::int64_t w) {
  Neighbourhood around;
  for_each_unit_row_around(job.units, unit_z, unit_y, [&](std::int64_t z, std::int64_t y) {
    for (std::int64_t x = std::max<std::int64_t>(w - 1, 0); x <= std::min(w + 1, job.units[2] - 1);
         ++x) {
      const std::int64_t sites = job.unit_sites[job.unit_index(z, y, x)];
      around.sites += sites;
      around.poorest = std::min(around.poorest, sites);
      ++around.units;
      around.cells += unit_cells<kRank>();
    }
  });
  return around;
}

/// The first level at which a cell finds enough sites on average, or the last one if that is nearly
/// so; -1 if there is none, or if sites are in clusters, where averages tell nothing.
inline int first_level(const NearTables& tables, const Neighbourhood& around) {
  if (around.poorest * kEven * around.units < around.sites) return -1;
  const auto finds = [&](int level, std::int64_t sites) {
    return tables.level[static_cast<std::size_t>(level)].offsets * around.sites >=
           sites * around.cells;
  };
  for (int i = 0; i < tables.levels; ++i)
    if (finds(i, kSitesInReach)) return i;
  return finds(tables.levels - 1, kSitesInReach - 1) ? tables.levels - 1 : -1;
}

/// What there is of the lists of the unit rows around.
struct Listed {
  bool all = true;          ///< lists
  bool edges_only = false;  ///< in some of them inner sites are missing
};

inline Listed listed(const Job& job, std::int64_t unit_z, std::int64_t unit_y) {
  Listed answer;
  for_each_unit_row_around(job.units, unit_z, unit_y, [&](std::int64_t z, std::int64_t y) {
    const ListState state = job.lists.state[z * job.units[1] + y];
    answer.all = answer.all && (state == ListState::all || state == ListState::edges);
    answer.edges_only = answer.edges_only || state == ListState::edges;
  });
  return answer;
}

}  // namespace thiessen::cpu::tiles
