// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace thiessen::cuda {
inline namespace job {

// Constants of the kernels. On the emulated device (tests/emulator) they are variables: tests make
// them smaller, so that small rasters take the paths of large ones
// (tests/support/small_cuda_limits.hpp).
#ifdef THIESSEN_CUDA_IS_EMULATED
#define THIESSEN_CUDA_LIMIT static inline
inline constexpr bool kLimitsVary = true;
#else
#define THIESSEN_CUDA_LIMIT static constexpr
inline constexpr bool kLimitsVary = false;
#endif

/// Capacities and thresholds of the search by tiles. They decide which stage takes which cells,
/// never what comes out. `…2d` and `…3d` are the same for rasters of two and of three axes.
struct TileLimits {
  /// Near search: sites that a cell should find on average for a search to be tried, and for the
  /// widest window. The far search would take many times as long.
  THIESSEN_CUDA_LIMIT std::int64_t kSitesInReach2d = 8;
  THIESSEN_CUDA_LIMIT std::int64_t kSitesInReach3d = 6;
  THIESSEN_CUDA_LIMIT std::int64_t kSitesInWidest = 6;
  /// … from so many sites in 1000 cells on, differences take less time than a window.
  THIESSEN_CUDA_LIMIT std::int64_t kDenseFrom2d = 24;
  THIESSEN_CUDA_LIMIT std::int64_t kDenseFrom3d = 16;
  /// … levels to skip after a window that was too small.
  THIESSEN_CUDA_LIMIT int kLevelsToSkip = 3;
  /// … more sites would often be more than a window's list takes.
  THIESSEN_CUDA_LIMIT std::int64_t kSitesInWindow = 240;
  /// … most sites in the list of a window.
  THIESSEN_CUDA_LIMIT std::int32_t kWindowSites = 256;

  /// Lines instead of tiles: fewer sites are searched by tiles, wherever they stand.
  THIESSEN_CUDA_LIMIT std::int64_t kFewSites = 1024;
  /// … if the variance of the sites in a tile is so many times their mean.
  THIESSEN_CUDA_LIMIT std::int64_t kClumps = 4;
  /// … in 3-D also with fewer cells for a site.
  THIESSEN_CUDA_LIMIT std::int64_t kCellsPerSite3d = 8000;
  /// … rasters with so few cells in any case: the tiles need more launches.
  THIESSEN_CUDA_LIMIT std::int64_t kFewCells = std::int64_t{1} << 21;
  /// … periodic rasters from so many cells on, for the same reason.
  THIESSEN_CUDA_LIMIT std::int64_t kCellsOfImages = std::int64_t{1} << 19;
  /// … larger rasters if the device has the memory.
  THIESSEN_CUDA_LIMIT std::int64_t kCellsWithRoom = std::int64_t{1} << 26;

  /// Far search: for so few tiles, lists for many nodes would take longer than they save.
  THIESSEN_CUDA_LIMIT std::int64_t kFewTilesInAll = 4096;
  /// … a list is worth its time if one of so many tiles is open, and the node itself has at most so
  /// many sites: those around it are several times as many.
  THIESSEN_CUDA_LIMIT int kTilesPerOpenOne = 4;
  THIESSEN_CUDA_LIMIT int kSitesForList = 256;
  /// … labels of shorter lists are fetched once for all tiles.
  THIESSEN_CUDA_LIMIT std::int32_t kFetchedLabels = 256;
  /// … most sites that a block gathers; below those of one tile, 1024, it gathers none.
  THIESSEN_CUDA_LIMIT std::int32_t kGatheredSites = 2048;
  /// … nodes on the stack beside those of a single way down.
  THIESSEN_CUDA_LIMIT int kSpareNodes = 1792;
  /// … most sites that may matter for a tile, or for a quarter of it.
  THIESSEN_CUDA_LIMIT std::int32_t kSitesPerTile = 128;
};

/// The same of the search for points.
struct PointLimits {
  /// With fewer cells per point the tree of points has the shorter way, not the search by tiles.
  THIESSEN_CUDA_LIMIT std::int64_t kCellsPerPoint = 8;
  /// Most points that a warp lists before it compares them: at least 32.
  THIESSEN_CUDA_LIMIT int kListedPoints = 64;
  /// With so many cells per point a lane takes sixteen cells, else four.
  THIESSEN_CUDA_LIMIT std::int64_t kManyCells = 1024;
  /// With so many a warp lists the points of a group of tiles at once.
  THIESSEN_CUDA_LIMIT std::int64_t kCellsForGroups = 64;
};

/// The same of jump flooding.
struct FloodLimits {
  /// Most cells of a tile, however much shared memory there is.
  THIESSEN_CUDA_LIMIT std::int64_t kCellsPerTile = std::int64_t{1} << 20;
};

/// The same of slabs.
struct SlabLimits {
  /// A slab is searched with at most so many times its rows.
  THIESSEN_CUDA_LIMIT std::int64_t kMostWide = 4;
  /// It may always have so many more.
  THIESSEN_CUDA_LIMIT std::int64_t kFewRows = 64;
};

/// The same of copies between host and device.
struct TransferLimits {
  /// Most bytes that a thread of the host copies at once: at most Staging::kBytes.
  THIESSEN_CUDA_LIMIT std::int64_t kPieceBytes = std::int64_t{2} << 20;
  /// Smaller rasters of sites are copied as they are.
  THIESSEN_CUDA_LIMIT std::int64_t kLeastBytes = std::int64_t{16} << 20;
};

#undef THIESSEN_CUDA_LIMIT

}  // namespace job
}  // namespace thiessen::cuda
