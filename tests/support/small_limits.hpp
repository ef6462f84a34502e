// SPDX-License-Identifier: Apache-2.0
//
// Capacities so small that small rasters fill them: what is rare on a large raster, and never
// happens on a small one, happens all the time.
#pragma once

#include <cstdint>
#include <utility>

#include "core/base/engine_limits.hpp"
#include "support/draw.hpp"

namespace thiessen::testing {

/// Leaves each capacity as it is, or takes one of two smaller ones.
inline EngineLimits draw_small_limits(Draw& draw) {
  EngineLimits limits;
  const auto choose = [&](std::int64_t& limit, std::int64_t small, std::int64_t least) {
    const std::int64_t choice = draw.below(4);
    if (choice > 1) limit = choice == 2 ? small : least;
  };
  choose(limits.cache_bytes, 1 << 14, 0);
  constexpr std::int64_t kNone = std::int64_t{1} << 40;
  choose(limits.cells_per_listed_site, 64, kNone);
  choose(limits.sites_per_full_unit, 8, 1);
  choose(limits.open_cells_per_leaf, 3, 0);
  choose(limits.near_sites_per_tile, 200, 30);
  choose(limits.near_sites_per_leaf, 40, 8);
  choose(limits.cells_for_tables, 1000, 0);
  for (auto* windows : {&limits.distance_windows, &limits.site_windows}) {
    for (auto& reach : windows->reach) choose(reach, 6, 2);
    for (auto& sites : windows->sites) choose(sites, 4, 0);
  }
  choose(limits.window_bytes, 1 << 16, 0);
  for (auto& nodes : limits.far_nodes_per_tile) choose(nodes, 200, 70);
  for (auto& sites : limits.far_sites_per_tile) choose(sites, 1000, 300);
  // The least for which the far search takes any problem, and somewhat more.
  choose(limits.far_reach[0], 3000, 2048);
  choose(limits.far_reach[1], 700, 512);
  for (auto& sites : limits.far_counted_sites) choose(sites, 10, 0);
  choose(limits.far_top_nodes, 4, 1);
  choose(limits.far_sites_per_cube, 8, 1);
  choose(limits.far_sites_per_leaf, 20, 4);
  choose(limits.candidates_per_leaf, 8, 1);
  constexpr std::int64_t kFew = 1000;
  choose(limits.line_leaves_per_open_leaf, kFew, 1);
  choose(limits.line_work, 1, 0);
  choose(limits.cost_sweeps_per_tile, 2, 0);
  choose(limits.repair_steps, 1000, 0);
  choose(limits.cells_per_repair_step, kNone, kNone);
  choose(limits.first_launch_cells, 1 << 14, 300);
  choose(limits.cells_per_piece, 1 << 16, 1 << 12);
  constexpr std::int64_t kNever = 101;
  for (auto& percent : limits.dense_percent) choose(percent, 1, kNever);
  for (auto& cells : limits.cells_per_patch) choose(cells, 20, 1);
  limits.cost_knows_level_ground = draw.below(4) > 0;
  limits.cost_visits_per_tile = draw.below(4) > 0 ? limits.cost_visits_per_tile : 0;
  return limits;
}

}  // namespace thiessen::testing
