// SPDX-License-Identifier: Apache-2.0
//
// Capacities of CUDA's kernels so small that small rasters fill them; on the emulated device alone.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "cuda/job/limits.hpp"
#include "cuda/solvers/limits.hpp"
#include "support/draw.hpp"

namespace thiessen::testing {

/// Limits that are other than usual for as long as it lives.
class CudaLimits {
 public:
  CudaLimits() = default;
  ~CudaLimits() {
    for (const auto& [limit, usual] : wide_) *limit = usual;
    for (const auto& [limit, usual] : narrow_) *limit = usual;
  }
  CudaLimits(const CudaLimits&) = delete;
  CudaLimits& operator=(const CudaLimits&) = delete;

  /// Sets a limit, each at most once.
  template <class Limit>
  void set(Limit& limit, std::type_identity_t<Limit> value) {
    remember(limit);
    limit = value;
  }

 private:
  void remember(std::int64_t& limit) { wide_.emplace_back(&limit, limit); }
  void remember(std::int32_t& limit) { narrow_.emplace_back(&limit, limit); }

  std::vector<std::pair<std::int64_t*, std::int64_t>> wide_;
  std::vector<std::pair<std::int32_t*, std::int32_t>> narrow_;
};

/// Draws some limits anew, so that small rasters take all paths.
class SmallCudaLimits : CudaLimits {
 public:
  explicit SmallCudaLimits(Draw& draw) {
    using Tiles = cuda::TileLimits;
    choose(draw, Tiles::kSitesInReach2d, 3, 0);
    choose(draw, Tiles::kSitesInReach3d, 3, 0);
    choose(draw, Tiles::kSitesInWidest, 3, 0);
    choose(draw, Tiles::kDenseFrom2d, 8, 1);
    choose(draw, Tiles::kDenseFrom3d, 8, 1);
    choose(draw, Tiles::kLevelsToSkip, 2, 1);
    choose(draw, Tiles::kSitesInWindow, 60, 12);
    choose(draw, Tiles::kWindowSites, 60, 12);
    choose(draw, Tiles::kFewSites, 8, 0);
    choose(draw, Tiles::kClumps, 1, 0);
    choose(draw, Tiles::kCellsPerSite3d, 100, 0);
    choose(draw, Tiles::kFewCells, 1000, 0);
    choose(draw, Tiles::kCellsOfImages, 2000, 0);
    choose(draw, Tiles::kCellsWithRoom, 2000, 0);  // the emulated device tells of no memory
    choose(draw, Tiles::kFewTilesInAll, 8, 1);
    choose(draw, Tiles::kTilesPerOpenOne, 64, 1024);
    choose(draw, Tiles::kSitesForList, 1024, 16);
    choose(draw, Tiles::kFetchedLabels, 24, 4);
    choose(draw, Tiles::kGatheredSites, 1100, 0);  // 0: the far search leaves all tiles
    choose(draw, Tiles::kSpareNodes, 64, 0);
    choose(draw, Tiles::kSitesPerTile, 40, 8);
    using Points = cuda::PointLimits;
    choose(draw, Points::kCellsPerPoint, 3, 1);
    choose(draw, Points::kListedPoints, 40, 32);
    choose(draw, Points::kManyCells, 16, 4);
    choose(draw, Points::kCellsForGroups, 64, 4);
    choose(draw, cuda::FloodLimits::kCellsPerTile, 1000, 216);
    choose(draw, cuda::SlabLimits::kMostWide, 2, 1);
    choose(draw, cuda::SlabLimits::kFewRows, 4, 0);
    using Transfers = cuda::TransferLimits;
    choose(draw, Transfers::kPieceBytes, 500, 1);
    choose(draw, Transfers::kLeastBytes, 1000, 0);
    using Solvers = cuda::solvers::SolverLimits;
    choose(draw, Solvers::kTopNodes, 8, 1);
    choose(draw, Solvers::kKeptNodes, 12, 1);
    choose(draw, Solvers::kListedSites, 16, 1);
    choose(draw, Solvers::kEdits, 30, 1);
  }

 private:
  /// As it is, or one of two with which small rasters take other paths: most are smaller.
  template <class Limit>
  void choose(Draw& draw, Limit& limit, std::type_identity_t<Limit> small,
              std::type_identity_t<Limit> least) {
    const std::int64_t choice = draw.below(4);
    if (choice > 1) set(limit, choice == 2 ? small : least);
  }
};

/// Small periodic rasters are searched by eighths, as large ones are.
class ImagesByEighths : CudaLimits {
 public:
  ImagesByEighths() { set(cuda::TileLimits::kCellsOfImages, 0); }
};

/// No tile is searched, neither near nor far: the linear methods have all of them.
class NoTileIsSearched : CudaLimits {
 public:
  NoTileIsSearched() {
    using Tiles = cuda::TileLimits;
    constexpr std::int64_t kNever = std::int64_t{1} << 40;
    set(Tiles::kSitesInReach2d, kNever);
    set(Tiles::kSitesInReach3d, kNever);
    set(Tiles::kSitesInWidest, kNever);
    set(Tiles::kFewCells, 0);
    set(Tiles::kGatheredSites, 0);
  }
};

}  // namespace thiessen::testing
