// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of the far search share: their data, and how a warp does a tile from a list of
// sites.
#pragma once

#include <type_traits>

#include "cuda/tiles/far/tile.cuh"

namespace thiessen::cuda::tiles {

inline constexpr int kBlocksPerProcessor = 4;

/// Lists of the sites that boxes of the second level above the tiles need, for all of their nodes.
/// Null if the pyramid has no such level.
struct Lists {
  Packed* site;         ///< Gathered::kMost for each list, in the order of their index
  std::int32_t* count;  ///< kNoList: too many, or not asked for
};
inline constexpr std::int32_t kNoList = -1;

template <Metric kMetric, int kRank, class Scalar>
struct Search {
  Field field;
  Ruler<kMetric, kRank, Scalar> ruler;
  int key_bits;          ///< for ranks in keys of 32 bits; 0: there are no such keys
  std::uint8_t* solved;  ///< the state of each tile (tile.hpp)
  Lists lists;
};

/// A warp writes a tile that has no site in reach.
template <int kRank>
__device__ void write_unreached(const Job& job, const Tile& tile) {
  if (job.out.labels && !job.out.distance && is_simple_tile<kRank>(job, tile) && has_wide_rows(job))
    return fill_labels<kRank>(job, tile, value_of<std::uint64_t>(job.unreached));
  for_each_row<kRank>(job, tile, lane_of_thread(), [&](int, std::int64_t cell) {
    write_result(job, cell, kUnreached, std::int32_t{0});
  });
}

/// A warp does a part of a tile; false if it needs too many of the sites.
template <class Part, Metric kMetric, int kRank, class Scalar>
__device__ __noinline__ bool solve_part(const Search<kMetric, kRank, Scalar>& search,
                                        const Part& part, const SiteList& sites,
                                        TileMemory& memory) {
  using OwnRuler = Ruler<kMetric, kRank, Scalar>;
  const Job& job = search.field.job;
  const Box box = box_of<kRank>(job, part);
  find_dominators<Corners<kRank>>(
      search.ruler, box, [&sites](std::int32_t i) { return sites.place(i); }, sites.count,
      memory.dominator);
  const Pruner<kMetric, kRank, Scalar> pruner(search.ruler, box, memory.dominator);
  const std::int32_t kept = filter(pruner, sites, memory);
  if (kept < 0) return false;
  constexpr bool kWhole = std::is_same_v<Part, Whole>;
  const bool simple = kWhole && is_simple_tile<kRank>(job, part.tile);
  const int bits = rank_bits(kept);
  bool by_keys = false;
  if constexpr (kMetric == Metric::euclidean && sizeof(Scalar) == 4) {
    by_keys = bits <= search.key_bits;
    if (by_keys)
      rank_by_keys<kRank>(search.ruler.factor, part, sites, kept, bits,
                          simple && job.out.distance ? &job : nullptr, memory);
  }
  if (!by_keys) rank_by_distance<kRank>(search.ruler, part, sites, kept, memory);
  const FarFound<kRank, OwnRuler> found{job, search.ruler, part.tile, sites, memory, part.column()};
  if (simple) {
    if (job.out.labels) {
      load_labels(job, sites, kept, memory);
      write_labels<kRank>(job, part.tile, found);
    }
    if (job.out.distance && !by_keys) write_distances<kRank>(job, part.tile, found);
  } else {
    write_part<kRank>(job, part, found);
  }
  __syncwarp();
  return true;
}

template <int kRank, class Part>
__device__ bool is_outside(const Job& job, const Part& part) {
  const Box box = box_of<kRank>(job, part);
  bool outside = false;
#pragma unroll
  for (int axis = 0; axis < kAxes; ++axis) outside = outside || box.high[axis] < box.low[axis];
  return outside;
}

/// A warp does a tile as a whole or in quarters, which need fewer sites; false if even these need
/// too many.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool solve_tile(const Search<kMetric, kRank, Scalar>& search, const Node& node,
                           const SiteList& sites, TileMemory& memory) {
  const Tile tile = tile_at<kRank>(node.at);
  if (solve_part(search, Whole{tile, 0, 0}, sites, memory)) return true;
  for (int i = 0; i < 4; ++i) {
    const Quarter<kRank> quarter = quarter_of<kRank>(tile, i);
    if (is_outside<kRank>(search.field.job, quarter)) continue;
    if (!solve_part(search, quarter, sites, memory)) return false;
  }
  return true;
}

/// The open tiles of a node, a bit each.
__device__ inline std::uint32_t open_tiles(const Field& field, const Node& node,
                                           const std::uint8_t* solved) {
  const Pyramid::Level& tiles = field.pyramid.level[0];
  const Node tile = child_of(field.pyramid.level[1], node, lane_of_thread());
  const bool open = exists(tiles, tile) && solved[number_of(tiles, tile)] == kTileOpen;
  return __ballot_sync(~0u, open);
}

/// A thread leaves a tile to the methods that come after the search by tiles.
template <class Search>
__device__ void leave(const Search& search, const Node& tile) {
  const Pyramid& pyramid = search.field.pyramid;
  search.solved[number_of(pyramid.level[0], tile)] = kTileUnsolved;
  static_cast<volatile std::int32_t&>(pyramid.lengths->left) = 1;
}

}  // namespace thiessen::cuda::tiles
