// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace thiessen {

/// Capacities and thresholds of the CPU's engines, and of those that it drives on OpenCL devices.
/// They decide which stage does which cells, never the results. Tests make them smaller, never
/// larger, so that small rasters take the paths of large ones (tests/support/small_limits.hpp).
struct EngineLimits {
  /// Larger outputs, in bytes, are written past the caches.
  std::int64_t cache_bytes = 8 << 20;

  /// A list of sites has room for one site in so many cells. In places with more, sites are not
  /// listed.
  std::int64_t cells_per_listed_site = 8;
  /// In a unit with so many sites, those with sites on all sides are looked for.
  std::int64_t sites_per_full_unit = 64;

  /// Dense and near search: a leaf with more cells without a site is left to other searches.
  std::int64_t open_cells_per_leaf = 24;
  /// Dense search, in 2-D and in 3-D: the least percentage of sites among the cells of a unit, from
  /// which on it is faster than lists. More than 100: there is no dense search.
  std::array<std::int64_t, 2> dense_percent = {4, 3};
  /// Sites are dots, for these two searches, where a unit has a patch of them for so few cells.
  std::array<std::int64_t, 2> cells_per_patch = {100, 60};
  /// Near search: the most sites in the window of a tile, and in that of a leaf. 0 in a tile: there
  /// are no lists.
  std::int64_t near_sites_per_tile = 2048;
  std::int64_t near_sites_per_leaf = 128;

  /// Smaller rasters do without the dense search and lists where windows know the sites, too: to
  /// make the tables takes longer.
  std::int64_t cells_for_tables = 1 << 14;

  /// Near search by windows, for distances alone and for sites, in 2-D and in 3-D.
  struct Windows {
    /// How many rows or planes they look away. 0: there are no windows.
    std::array<std::int64_t, 2> reach;
    /// The fewest sites in a unit and those around it for which they are worth their while. With
    /// fewer, distances are long and lists short, and the far search is faster.
    std::array<std::int64_t, 2> sites;
  };
  Windows distance_windows = {{80, 80}, {24, 64}};
  Windows site_windows = {{48, 80}, {512, 512}};
  /// … in 3-D, how many bytes of strips it has in memory at once, if one strip takes less.
  std::int64_t window_bytes = 16 << 20;

  /// Far search, in 2-D and in 3-D: the most nodes and sites that may matter for a tile.
  std::array<std::int64_t, 2> far_nodes_per_tile = {8192, 32768};
  std::array<std::int64_t, 2> far_sites_per_tile = {32768, 131072};
  /// … the longest difference of weighted coordinates: neither a half of a word nor S in 32 bits
  /// overflows.
  std::array<std::int64_t, 2> far_reach = {32767, 26754};
  /// … shorter lists of sites are sorted by counting.
  std::array<std::int64_t, 2> far_counted_sites = {256, 64};
  /// … the top level has no more nodes, if there is room for a further level.
  std::int64_t far_top_nodes = 64;
  /// … in 3-D a tile with more sites is done cube by cube.
  std::int64_t far_sites_per_cube = 128;
  /// … the most sites among which the cells of a leaf choose by ranks.
  std::int64_t far_sites_per_leaf = 1024;

  /// Candidates: a leaf with more of them is halved.
  std::int64_t candidates_per_leaf = 64;

  /// Line search in 3-D: it comes before the far search if at most one of so many leaves is open,
  /// unless sites are dots. What windows leave lies far from surfaces, for which the lists of the
  /// far search are long.
  std::int64_t line_leaves_per_open_leaf = 8;
  /// … vectors look at so many rows for each cell of the raster, at most. Less than 0: there is no
  /// line search.
  std::int64_t line_work = 16;

  /// Cost distance: a heap is faster from so many passes over a tile on, on average. Random maps
  /// need up to 13, mazes 17. Less than 0: there are no passes.
  std::int64_t cost_sweeps_per_tile = 20;
  /// … tiles of one resistance have passes of their own.
  bool cost_knows_level_ground = true;
  /// … ranks spread by tiles if tiles were visited at most so often on average. Random maps with
  /// many sites take 1.8 to 3.6 visits, mazes 3.6 to 12.
  double cost_visits_per_tile = 3.5;

  /// On-line: an answer is repaired if at most one of so many cells changes, for each thread; else
  /// it is made anew, which is faster from there on.
  std::int64_t cells_per_changed_cell = 64;
  /// … on CUDA, if a repair looks at no more than one of so many tiles, or at so few.
  std::int64_t tiles_per_repaired_tile = 8;
  std::int64_t few_repaired_tiles = 64;

  /// NearestSiteSolver: a repair that takes more steps than these, and one more for so many cells
  /// of the raster, gives way to a fresh call. A step takes as long as that call for some four
  /// cells.
  std::int64_t repair_steps = 1 << 14;
  std::int64_t cells_per_repair_step = 8;

  /// Lines on OpenCL: the cells of the first launch, after which time tells, and those of a piece
  /// of results.
  std::int64_t first_launch_cells = 1 << 24;
  std::int64_t cells_per_piece = 1 << 22;

  const Windows& windows(bool for_sites) const {
    return for_sites ? site_windows : distance_windows;
  }
  /// One of the pairs above, for rasters of `rank` axes.
  static std::int64_t of_rank(const std::array<std::int64_t, 2>& pair, int rank) {
    return pair[static_cast<std::size_t>(rank - 2)];
  }
};

}  // namespace thiessen
