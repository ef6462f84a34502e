// SPDX-License-Identifier: Apache-2.0
//
// The far search: finds the winners of tiles whose sites are not close by.
//
// A block takes a node above the tiles. Sites close to points of the node show which others it may
// need (prune.hpp). The block gathers those from the pyramid, once for all tiles of the node, and
// its warps do one tile after the other (tile.cuh; short_list.cuh for short lists). If sites are
// few, they are gathered once for all nodes of the next higher level, and a node chooses from their
// list. Tiles that need more sites than a list holds are left to other methods. For a raster these
// are the methods along lines, which solve all of it, so the search ends with the first such tile.
// That bounds the time, for any sites.
#include <cmath>
#include <limits>

#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/job/limits.hpp"
#include "cuda/tiles/far/far.hpp"
#include "cuda/tiles/far/node.cuh"

namespace thiessen::cuda::tiles {
namespace {

/// The bits that a rank may have in a key of 32 bits; 0 if there are too few.
int find_key_bits(const Problem& problem, int rank) {
  double diagonal = 0;  // S of the diagonal of a tile
  double longest = 0;   // S of the diagonal of the raster
  double steps = 0;     // what differences of cells in a tile add to a key
  for (int axis = kAxes - rank; axis < kAxes; ++axis) {
    const auto own = static_cast<std::size_t>(axis);
    const auto factor = static_cast<double>(problem.weights.factor[own]);
    const auto extent = static_cast<double>(problem.extent[own]);
    const double size = rank == 2 ? tile_size<2>(axis) : tile_size<3>(axis);
    diagonal += factor * size * size;
    longest += factor * extent * extent;
    steps += 2 * factor * extent * size;
  }
  // A site that a corner needs is at most two diagonals farther from the tile's first cell than the
  // nearest one, whose distance is at most the raster's diagonal.
  const double most = 4 * std::sqrt(longest * diagonal) + 4 * diagonal + steps;
  for (int bits = kMostRankBits; bits >= kFewestRankBits; --bits)
    if (std::ldexp(most, bits) < 2147483647.0) return bits;
  return 0;
}

template <Metric kMetric, int kRank, class Scalar>
void launch(const CudaSession& session, const Problem& problem, const Field& field,
            std::uint8_t* solved, Scratch::Frame& device) {
  Search<kMetric, kRank, Scalar> search{
      .field = field, .key_bits = find_key_bits(problem, kRank), .solved = solved};
  for (int axis = 0; axis < kAxes; ++axis)
    search.ruler.factor[axis] =
        static_cast<Scalar>(problem.weights.factor[static_cast<std::size_t>(axis)]);
  const bool has_lists =
      field.pyramid.top >= 2 && field.pyramid.tiles() > TileLimits::kFewTilesInAll;
  const std::int64_t lists = has_lists ? field.pyramid.level[2].count() : 0;
  search.lists.site = has_lists ? device.array<Packed>(lists * Gathered::kMost) : nullptr;
  search.lists.count = has_lists ? device.array<std::int32_t>(lists) : nullptr;
  if (has_lists)
    launch_next(session, "lists of the far search", {blocks_for(lists, 1), kBlockThreads},
                gather_lists<kMetric, kRank, Scalar>, search);
  constexpr int kBytes = sizeof(FarMemory<kRank>);
  check(cudaFuncSetAttribute(search_far<kMetric, kRank, Scalar>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
        "shared memory of the far search");
  launch_next(session, "far search",
              {blocks_for(field.pyramid.level[1].count(), 1), kBlockThreads, kBytes},
              search_far<kMetric, kRank, Scalar>, search);
}

/// Whether S may take 64 bits. In 3-D and with the other metrics that is so rare that the linear
/// methods are good enough.
template <Metric kMetric, int kRank>
inline constexpr bool kIsWide = kMetric == Metric::euclidean&& kRank == 2;

template <Metric kMetric, int kRank>
void launch_scalar(const CudaSession& session, const Problem& problem, const Field& field,
                   std::uint8_t* solved, Scratch::Frame& device) {
  if (problem.weights.greatest <= std::numeric_limits<std::int32_t>::max())
    return launch<kMetric, kRank, std::int32_t>(session, problem, field, solved, device);
  if constexpr (kIsWide<kMetric, kRank>)
    launch<kMetric, kRank, std::int64_t>(session, problem, field, solved, device);
}

template <int kRank>
void launch_metric(const CudaSession& session, const Problem& problem, const Field& field,
                   std::uint8_t* solved, Scratch::Frame& device) {
  switch (problem.metric) {
    case Metric::euclidean:
      return launch_scalar<Metric::euclidean, kRank>(session, problem, field, solved, device);
    case Metric::manhattan:
      return launch_scalar<Metric::manhattan, kRank>(session, problem, field, solved, device);
    default:
      return launch_scalar<Metric::chessboard, kRank>(session, problem, field, solved, device);
  }
}

}  // namespace

bool can_measure(const Problem& problem) {
  const bool wide = problem.rank == 2 && problem.metric == Metric::euclidean;
  bool packs = true;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    packs = packs && problem.extent[axis] <= kMostPacked[axis];
  return packs && !problem.wide &&
         (wide || problem.weights.greatest <= std::numeric_limits<std::int32_t>::max());
}

void run_far(const CudaSession& session, const Problem& problem, const Job& job, const Bits& bits,
             const Pyramid& pyramid, std::uint8_t* solved, Scratch::Frame& device) {
  const Field field{job, bits, pyramid};
  if (problem.rank == 2)
    launch_metric<2>(session, problem, field, solved, device);
  else
    launch_metric<3>(session, problem, field, solved, device);
}

}  // namespace thiessen::cuda::tiles
