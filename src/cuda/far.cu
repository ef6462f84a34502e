// SPDX-License-Identifier: Apache-2.0
//
// The far search: tiles whose sites are not close by.
//
// A block takes a node above the tiles. The sites nearest to the node's corners tell which others
// it may need (prune.hpp); the block gathers those from the pyramid, once for all tiles of the
// node, and its warps settle one tile after the other (far_tile.cuh). Tiles that need more sites
// than the lists take are left to a second kernel, in which all of a block measures a single tile:
// there the list is used up and emptied whenever it is full, so it is never too short.
#include <cmath>
#include <limits>

#include "cuda/far.hpp"
#include "cuda/far_tile.cuh"
#include "cuda/launch.hpp"

namespace thiessen::cuda {
namespace {

constexpr int kSitesOfNode = 1024;
constexpr int kSitesOfCrowd = 2048;
constexpr int kBlocksOfAProcessor = 4;

/// Tiles that wait for the second kernel.
struct Queue {
  std::uint32_t* tile;
  std::int32_t* count;
};

template <Metric kMetric, int kRank, class Scalar>
struct Search {
  Field field;
  Ruler<kMetric, kRank, Scalar> ruler;
  int key_bits;  ///< for ranks in keys of 32 bits; 0: there are no such keys
  const std::uint8_t* settled;
  Queue queue;
};

/// Finds a site near each corner of the box, each warp one; false if there is none at all.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool find_corners(const Search<kMetric, kRank, Scalar>& search, const Box& box,
                             WarpPath* paths, Place* dominators) {
  const int warp = warp_of_thread();
  bool found = true;
  if (warp < kCorners<kRank>) {
    Place nearest{};
    found = find_nearest(search.field, search.ruler, corner_of(box, warp), paths[warp], nearest);
    if (lane_of_thread() == 0) dominators[warp] = nearest;
  }
  return __syncthreads_and(found) != 0;
}

/// A warp writes a tile that has no site in reach.
template <int kRank>
__device__ void write_unreached(const Job& job, const Tile& tile) {
  for_each_row_slowly<kRank>(job, tile, lane_of_thread(), [&](int, std::int64_t cell) {
    write_any(job, cell, kUnreached, std::int32_t{0});
  });
}

/// A warp settles a tile; false if it needs too many of the sites.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool settle_tile(const Search<kMetric, kRank, Scalar>& search, const Node& node,
                            const Place* sites, std::int32_t count, TileMemory& memory) {
  const Job& job = search.field.job;
  const Tile tile = tile_at<kRank>(node.at);
  const Box box = box_of(job, search.field.pyramid.level[0], node);
  find_dominators<kRank>(search.ruler, box, sites, count, memory.dominator);
  const Pruner<kMetric, kRank, Scalar> pruner(search.ruler, box, memory.dominator);
  const std::int32_t kept = filter(pruner, sites, count, memory);
  if (kept < 0) return false;
  const bool labels_alone = job.out.labels && !job.out.distance && is_simple(job);
  if (kept == 1 && labels_alone && is_whole<kRank>(job, tile) && has_wide_rows(job)) {
    const Place& site = sites[memory.site[0]];
    fill_labels<kRank>(job, tile,
                       load_label(job, to_index(job.extent, {site.at[0], site.at[1], site.at[2]})));
    return true;
  }
  sort_sites(sites, kept, memory);
  const int bits = kept <= 32 ? 5 : kept <= 64 ? 6 : 7;
  bool by_keys = false;
  if constexpr (kMetric == Metric::euclidean && sizeof(Scalar) == 4) {
    by_keys = bits <= search.key_bits;
    if (by_keys) rank_by_keys<kRank>(search.ruler.factor, tile, sites, kept, bits, memory);
  }
  if (!by_keys) rank_by_distance<kRank>(search.ruler, tile, sites, kept, memory);
  using Rule = Ruler<kMetric, kRank, Scalar>;
  write_ranked<kRank>(search.field, tile,
                      FarFound<kRank, Rule>{job, search.ruler, tile, sites, memory}, kept, memory);
  __syncwarp();
  return true;
}

/// The tiles of a node that are not settled, as a bit for each.
__device__ std::uint32_t open_tiles(const Field& field, const Node& node,
                                    const std::uint8_t* settled) {
  const Pyramid::Level& tiles = field.pyramid.level[0];
  const Node tile = child_of(field.pyramid.level[1], node, lane_of_thread());
  const bool open = exists(tiles, tile) && settled[number_of(tiles, tile)] == 0;
  return __ballot_sync(~0u, open);
}

template <class Search>
__device__ void enqueue(const Search& search, const Node& tile) {
  if (lane_of_thread() != 0) return;
  const std::int32_t place = atomicAdd(search.queue.count, 1);
  search.queue.tile[place] =
      static_cast<std::uint32_t>(number_of(search.field.pyramid.level[0], tile));
}

template <Metric kMetric, int kRank, class Scalar>
__global__ void __launch_bounds__(kBlockThreads)
    search_far(const __grid_constant__ Search<kMetric, kRank, Scalar> search) {
  __shared__ Place dominators[kCorners<kRank>];
  __shared__ union {
    WarpPath path[kBlockWarps];
    Gathered<kSitesOfNode> list;
  } shared;
  __shared__ TileMemory memory[kBlockWarps];
  const Field& field = search.field;
  const Pyramid::Level& level = field.pyramid.level[1];
  const Node node = node_of(level, blockIdx.x);
  const std::uint32_t open = open_tiles(field, node, search.settled);
  if (open == 0) return;
  const Box box = box_of(field.job, level, node);
  const bool any = find_corners(search, box, shared.path, dominators);
  bool all = true;
  if (any)
    all = gather_sites<kRank>(field, Pruner<kMetric, kRank, Scalar>(search.ruler, box, dominators),
                              kMetric != Metric::chessboard, shared.list, [] { return false; });
  for (std::uint32_t rest = open; rest != 0; rest &= rest - 1) {
    const int child = __ffs(static_cast<int>(rest)) - 1;
    if (__popc(open & ((1u << child) - 1)) % kBlockWarps != warp_of_thread()) continue;
    const Node tile = child_of(level, node, child);
    if (!any)
      write_unreached<kRank>(field.job, tile_at<kRank>(tile.at));
    else if (!all || !settle_tile(search, tile, shared.list.site, shared.list.sites,
                                  memory[warp_of_thread()]))
      enqueue(search, tile);
  }
}

/// What a lane knows of its cells in a crowded tile: those of its warp's rows.
template <class Scalar>
struct Best {
  static constexpr int kRows = kTileRows / kBlockWarps;
  Scalar least[kRows];
  Place site[kRows];
};

template <Metric kMetric, int kRank, class Scalar>
__device__ void improve(const Ruler<kMetric, kRank, Scalar>& ruler, const Tile& tile,
                        const Place* sites, std::int32_t count, Best<Scalar>& best) {
  constexpr int kHeight = tile_size<kRank>(1);
  constexpr int kRows = Best<Scalar>::kRows;
  const int first = warp_of_thread() * kRows;
  for (std::int32_t i = 0; i < count; ++i) {
    const Place site = sites[i];
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const Scalar exact = ruler.between(
          site, {{tile.first[0] + first / kHeight, tile.first[1] + (first + k) % kHeight,
                  tile.first[2] + lane_of_thread()}});
      if (exact > best.least[k] || (exact == best.least[k] && !comes_before(site, best.site[k])))
        continue;
      best.least[k] = exact;
      best.site[k] = site;
    }
  }
}

template <Metric kMetric, int kRank, class Scalar>
__device__ void write_best(const Job& job, const Tile& tile, const Best<Scalar>& best) {
  constexpr int kHeight = tile_size<kRank>(1);
  const int first = warp_of_thread() * Best<Scalar>::kRows;
  if (tile.first[2] + lane_of_thread() >= job.extent[2]) return;
#pragma unroll
  for (int k = 0; k < Best<Scalar>::kRows; ++k) {
    const int row = first + k;
    if (!has_row<kRank>(job, tile, row)) continue;
    const Place& site = best.site[k];
    write_any(job,
              to_index(job.extent, {tile.first[0] + row / kHeight, tile.first[1] + row % kHeight,
                                    tile.first[2] + lane_of_thread()}),
              to_index(job.extent, {site.at[0], site.at[1], site.at[2]}), best.least[k]);
  }
}

template <Metric kMetric, int kRank, class Scalar>
__global__ void __launch_bounds__(kBlockThreads)
    search_crowded(const __grid_constant__ Search<kMetric, kRank, Scalar> search) {
  __shared__ Place dominators[kCorners<kRank>];
  __shared__ union {
    WarpPath path[kBlockWarps];
    Gathered<kSitesOfCrowd> list;
  } shared;
  const Field& field = search.field;
  const Pyramid::Level& level = field.pyramid.level[0];
  for (std::int32_t i = static_cast<std::int32_t>(blockIdx.x); i < *search.queue.count;
       i += static_cast<std::int32_t>(gridDim.x)) {
    const Node node = node_of(level, search.queue.tile[i]);
    const Tile tile = tile_at<kRank>(node.at);
    const Box box = box_of(field.job, level, node);
    find_corners(search, box, shared.path, dominators);
    Best<Scalar> best;
#pragma unroll
    for (auto& least : best.least) least = std::numeric_limits<Scalar>::max();
    const auto use_up = [&] {
      improve(search.ruler, tile, shared.list.site, shared.list.sites, best);
      return true;
    };
    gather_sites<kRank>(field, Pruner<kMetric, kRank, Scalar>(search.ruler, box, dominators),
                        kMetric != Metric::chessboard, shared.list, use_up);
    use_up();
    write_best<kMetric, kRank>(field.job, tile, best);
    __syncthreads();
  }
}

/// How many bits a rank may have in a key of 32 bits, up to 7; 0 if not even 5.
int find_key_bits(const Problem& problem, int rank) {
  double diagonal = 0;  // of a tile, as S
  double longest = 0;   // of the raster
  double steps = 0;     // what a difference of cells in a tile adds to a key
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
  for (int bits = 7; bits >= 5; --bits)
    if (std::ldexp(most, bits) < 2147483647.0) return bits;
  return 0;
}

template <Metric kMetric, int kRank, class Scalar>
void launch(const CudaSession& session, const Problem& problem, const Field& field,
            const std::uint8_t* settled, Scratch::Frame& device) {
  Search<kMetric, kRank, Scalar> search{
      .field = field, .key_bits = find_key_bits(problem, kRank), .settled = settled};
  for (int axis = 0; axis < kAxes; ++axis)
    search.ruler.factor[axis] =
        static_cast<Scalar>(problem.weights.factor[static_cast<std::size_t>(axis)]);
  search.queue.tile = device.array<std::uint32_t>(field.pyramid.tiles());
  search.queue.count = device.array<std::int32_t>(1);
  const cudaStream_t stream = session.stream();
  check(cudaMemsetAsync(search.queue.count, 0, sizeof *search.queue.count, stream),
        "count of the crowded tiles");
  search_far<<<blocks_for(field.pyramid.level[1].count(), 1), kBlockThreads, 0, stream>>>(search);
  check_launch("far search");
  search_crowded<<<static_cast<unsigned>(session.processors() * kBlocksOfAProcessor), kBlockThreads,
                   0, stream>>>(search);
  check_launch("search of crowded tiles");
}

template <Metric kMetric, int kRank>
void launch_scalar(const CudaSession& session, const Problem& problem, const Field& field,
                   const std::uint8_t* settled, Scratch::Frame& device) {
  if (problem.weights.greatest <= std::numeric_limits<std::int32_t>::max())
    return launch<kMetric, kRank, std::int32_t>(session, problem, field, settled, device);
  launch<kMetric, kRank, std::int64_t>(session, problem, field, settled, device);
}

template <int kRank>
void launch_metric(const CudaSession& session, const Problem& problem, const Field& field,
                   const std::uint8_t* settled, Scratch::Frame& device) {
  switch (problem.metric) {
    case Metric::euclidean:
      return launch_scalar<Metric::euclidean, kRank>(session, problem, field, settled, device);
    case Metric::manhattan:
      return launch_scalar<Metric::manhattan, kRank>(session, problem, field, settled, device);
    case Metric::chessboard:
      return launch_scalar<Metric::chessboard, kRank>(session, problem, field, settled, device);
  }
}

}  // namespace

void run_far(const CudaSession& session, const Problem& problem, const Job& job, const Bits& bits,
             const Pyramid& pyramid, const std::uint8_t* settled, Scratch::Frame& device) {
  const Field field{job, bits, pyramid};
  if (problem.rank == 2)
    launch_metric<2>(session, problem, field, settled, device);
  else
    launch_metric<3>(session, problem, field, settled, device);
}

}  // namespace thiessen::cuda
