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
#include <type_traits>

#include "cuda/far.hpp"
#include "cuda/far_tile.cuh"
#include "cuda/launch.hpp"

namespace thiessen::cuda {
namespace {

constexpr int kBlocksOfAProcessor = 4;
/// The second kernel takes so many times as long for a tile as the linear methods do.
constexpr int kManyTiles = 16;
/// So many open tiles of a node are searched one by one: the sites of a small box are much fewer.
constexpr int kFewTiles = 4;

/// Tiles that wait for the second kernel.
struct Queue {
  std::uint32_t* tile;
  std::int32_t* count;
  std::int32_t most;   ///< more are left to others
  std::int32_t* open;  ///< whether they are
};

/// Sites that boxes of the second level above the tiles need: those of all of their nodes. Null if
/// the pyramid has no such level.
struct Lists {
  Place* site;          ///< Gathered::kMost for each
  std::int32_t* count;  ///< kNoList: too many, or not asked for
};
constexpr std::int32_t kNoList = -1;
/// A list is worth its time if one of so many tiles is open, and the node itself has at most so
/// many sites: those around it are several times as many.
constexpr int kOpenForList = 4;
constexpr int kSitesForList = 256;

template <Metric kMetric, int kRank, class Scalar>
struct Search {
  Field field;
  Ruler<kMetric, kRank, Scalar> ruler;
  int key_bits;  ///< for ranks in keys of 32 bits; 0: there are no such keys
  const std::uint8_t* settled;
  Lists lists;
  Queue queue;
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

/// A warp settles a part of a tile; false if it needs too many of the sites.
template <class Part, Metric kMetric, int kRank, class Scalar>
__device__ __noinline__ bool settle_part(const Search<kMetric, kRank, Scalar>& search,
                                         const Part& part, bool has_inner, const Place* sites,
                                         std::int32_t count, TileMemory& memory) {
  using Rule = Ruler<kMetric, kRank, Scalar>;
  const Job& job = search.field.job;
  const Box box = box_of<kRank>(job, part);
  find_dominators<kRank>(
      search.ruler, box, [sites](std::int32_t i) { return sites[i]; }, count, memory.dominator);
  const Pruner<kMetric, kRank, Scalar> pruner(search.ruler, box, memory.dominator);
  const std::int32_t kept = filter(pruner, sites, count, memory);
  if (kept < 0) return false;
  constexpr bool kWhole = std::is_same_v<Part, Whole>;
  const bool simple = kWhole && !has_inner && is_simple_tile<kRank>(job, part.tile);
  if (simple && kept == 1 && !job.out.distance && has_wide_rows(job)) {
    const Place& site = sites[memory.site[0]];
    fill_labels<kRank>(job, part.tile,
                       load_label(job, to_index(job.extent, {site.at[0], site.at[1], site.at[2]})));
    return true;
  }
  sort_sites(sites, kept, memory);
  const int bits = rank_bits(kept);
  bool by_keys = false;
  if constexpr (kMetric == Metric::euclidean && sizeof(Scalar) == 4) {
    by_keys = bits <= search.key_bits;
    if (by_keys) rank_by_keys<kRank>(search.ruler.factor, part, sites, kept, bits, memory);
  }
  if (!by_keys) rank_by_distance<kRank>(search.ruler, part, sites, kept, memory);
  const FarFound<kRank, Rule> found{job, search.ruler, part.tile, sites, memory, part.column()};
  if (simple) {
    if (job.out.labels) load_labels(job, sites, kept, memory);
    write_tile<kRank>(job, part.tile, found);
  } else {
    write_part<kRank>(job, part, found);
  }
  __syncwarp();
  return true;
}

/// Marks the sites of a tile that are not in lists; whether there are any.
template <Metric kMetric, int kRank>
__device__ bool mark_inner(const Field& field, const Node& node, TileMemory& memory) {
  std::uint32_t inner = 0;
  if (field.pyramid.sites[number_of(field.pyramid.level[0], node)] > 0) {
    Place first;
    inner = inner_sites<kMetric, kRank>(load_tile_row<kRank>(field, node, first));
  }
  __syncwarp();
  memory.inner[lane_of_thread()] = inner;
  __syncwarp();
  return __any_sync(~0u, inner != 0) != 0;
}

template <int kRank, class Part>
__device__ bool is_outside(const Job& job, const Part& part) {
  const Box box = box_of<kRank>(job, part);
  bool outside = false;
#pragma unroll
  for (int axis = 0; axis < kAxes; ++axis) outside = outside || box.high[axis] < box.low[axis];
  return outside;
}

/// A warp settles a tile, as a whole or in quarters, which need fewer sites; false if even these
/// need too many.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool settle_tile(const Search<kMetric, kRank, Scalar>& search, const Node& node,
                            const Place* sites, std::int32_t count, TileMemory& memory) {
  const Tile tile = tile_at<kRank>(node.at);
  const bool has_inner = mark_inner<kMetric, kRank>(search.field, node, memory);
  if (settle_part(search, Whole{tile, 0, 0}, has_inner, sites, count, memory)) return true;
  for (int i = 0; i < 4; ++i) {
    const Quarter<kRank> quarter = quarter_of<kRank>(tile, i);
    if (is_outside<kRank>(search.field.job, quarter)) continue;
    if (!settle_part(search, quarter, has_inner, sites, count, memory)) return false;
  }
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

/// Eight tiles of a node whose box has about equal sides: how many along each axis, as powers of 2.
template <int kRank>
__device__ constexpr int group_log2(int axis) {
  if (kRank == 2) return axis == 2 ? 2 : axis == 1 ? 1 : 0;
  return axis == 2 ? 0 : axis == 1 ? 1 : 2;
}
constexpr int kGroups = 4;
static_assert(kGroups * kBlockWarps == kLanes);

/// The place among a node's children of a tile of a group.
template <int kRank>
__device__ int member_of(const Pyramid::Level& level, int group, int member) {
  int child = 0;
  int bit = 0;
#pragma unroll
  for (int axis = kAxes - 1; axis >= 0; --axis)
    for (int k = 0; k < level.fan_log2[axis]; ++k, ++bit) {
      int& source = k < group_log2<kRank>(axis) ? member : group;
      child |= (source & 1) << bit;
      source >>= 1;
    }
  return child;
}

/// What a block takes at once of the open tiles of a node, each a bit: all of them, those of a
/// group, or a single one.
struct Share {
  enum Kind : std::int8_t { kNode, kGroup, kTile };

  Kind kind;
  std::uint32_t open;  ///< those that are left
  int group;

  template <int kRank>
  __device__ std::uint32_t tiles(const Pyramid::Level& level) const {
    if (kind == kNode) return open;
    if (kind == kTile) return open & (0u - open);
    std::uint32_t own = 0;
    for (int member = 0; member < kBlockWarps; ++member)
      own |= open & 1u << member_of<kRank>(level, group, member);
    return own;
  }
  __device__ Share next() const {
    if (kind == kTile) return {kTile, open & (open - 1), 0};
    return {kind, kind == kGroup && group + 1 < kGroups ? open : 0, group + 1};
  }
};

/// The box around some tiles of a node, each a bit, as far as the raster goes.
__device__ Box box_of_tiles(const Field& field, const Node& node, std::uint32_t tiles) {
  const Pyramid& pyramid = field.pyramid;
  const int lane = lane_of_thread();
  const bool own = (tiles >> lane & 1) != 0;
  const Box tile = box_of(field.job, pyramid.level[0], child_of(pyramid.level[1], node, lane));
  Box box;
#pragma unroll
  for (int axis = 0; axis < kAxes; ++axis) {
    box.low[axis] = least_of_warp(own ? tile.low[axis] : std::numeric_limits<std::int32_t>::max());
    box.high[axis] = -least_of_warp(own ? -tile.high[axis] : 0);
  }
  return box;
}

template <int kRank>
struct FarMemory {
  Place dominators[BlockLattice<kRank>::kPoints];
  Gathered list;
  union {
    Stack stack;
    TileMemory tile[kBlockWarps];
  };
};

/// Takes the list of the node above; false if there is none.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool take_list(const Search<kMetric, kRank, Scalar>& search, const Node& node,
                          Gathered& list) {
  if (search.lists.site == nullptr) return false;
  const Pyramid::Level& above = search.field.pyramid.level[2];
  const std::uint32_t number =
      number_of(above, {{node.at[0] >> above.fan_log2[0], node.at[1] >> above.fan_log2[1],
                         node.at[2] >> above.fan_log2[2]}});
  const std::int32_t count = search.lists.count[number];
  if (count == kNoList) return false;
  const Place* const sites = search.lists.site + std::int64_t{number} * Gathered::kMost;
  for (std::int32_t i = static_cast<std::int32_t>(threadIdx.x); i < count; i += kBlockThreads)
    list.site[i] = sites[i];
  if (threadIdx.x == 0) list.sites = count;
  __syncthreads();
  return true;
}

/// A block settles the tiles of a node that are open, each a bit, after it has gathered the sites
/// that the box of them needs; false if they are too many. Single tiles may be left to the queue.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool settle_box(const Search<kMetric, kRank, Scalar>& search, const Node& node,
                           const Box& box, std::uint32_t open, FarMemory<kRank>& memory) {
  const Field& field = search.field;
  const Request<kMetric, kRank, Scalar> request{field, search.ruler, box, memory.dominators};
  if (take_list(search, node, memory.list))
    refine(request, memory.list);
  else if (!find_first(request))
    clear(memory.list);
  else if (!gather_sites(request, memory.stack, memory.list, [] { return false; }))
    return false;
  TileMemory& own = memory.tile[warp_of_thread()];
  for (int i = warp_of_thread(); i < __popc(open); i += kBlockWarps) {
    const Node tile =
        child_of(field.pyramid.level[1], node, static_cast<int>(__fns(open, 0, i + 1)));
    if (memory.list.sites == 0)
      write_unreached<kRank>(field.job, tile_at<kRank>(tile.at));
    else if (!settle_tile(search, tile, memory.list.site, memory.list.sites, own))
      enqueue(search, tile);
  }
  __syncthreads();
  return true;
}

/// Whether a list of a node of the second level is worth its time; for all threads of the block.
template <class Search>
__device__ bool wants_list(const Search& search, const Node& node) {
  const Pyramid& pyramid = search.field.pyramid;
  const Pyramid::Level& tiles = pyramid.level[0];
  __shared__ int open;
  __shared__ int sites;
  if (threadIdx.x == 0) open = sites = 0;
  __syncthreads();
  for (int i = warp_of_thread(); i < kLanes; i += kBlockWarps) {
    const Node child = child_of(pyramid.level[2], node, i);
    if (!exists(pyramid.level[1], child)) continue;
    const Node tile = child_of(pyramid.level[1], child, lane_of_thread());
    if (!exists(tiles, tile)) continue;
    const std::uint32_t number = number_of(tiles, tile);
    if (search.settled[number] == 0) atomicAdd(&open, 1);
    if (pyramid.sites[number] > 0) atomicAdd(&sites, pyramid.sites[number]);
  }
  __syncthreads();
  return open * kOpenForList >= kLanes * kLanes && sites <= kSitesForList;
}

template <Metric kMetric, int kRank, class Scalar>
__global__ void __launch_bounds__(kBlockThreads, kBlocksOfAProcessor)
    gather_lists(const __grid_constant__ Search<kMetric, kRank, Scalar> search) {
  __shared__ Place dominators[BlockLattice<kRank>::kPoints];
  __shared__ Stack stack;
  __shared__ Gathered list;
  const Pyramid::Level& level = search.field.pyramid.level[2];
  const Node node = node_of(level, blockIdx.x);
  bool all = wants_list(search, node);
  if (all) {
    const Request<kMetric, kRank, Scalar> request{
        search.field, search.ruler, box_of(search.field.job, level, node), dominators};
    if (!find_first(request))
      clear(list);
    else
      all = gather_sites(request, stack, list, [] { return false; });
  }
  if (threadIdx.x == 0) search.lists.count[blockIdx.x] = all ? list.sites : kNoList;
  if (!all) return;
  Place* const sites = search.lists.site + std::int64_t{blockIdx.x} * Gathered::kMost;
  for (std::int32_t i = static_cast<std::int32_t>(threadIdx.x); i < list.sites; i += kBlockThreads)
    sites[i] = list.site[i];
}

template <Metric kMetric, int kRank, class Scalar>
__global__ void __launch_bounds__(kBlockThreads, kBlocksOfAProcessor)
    search_far(const __grid_constant__ Search<kMetric, kRank, Scalar> search) {
  extern __shared__ std::uint64_t shared[];
  auto& memory = *reinterpret_cast<FarMemory<kRank>*>(shared);
  const Field& field = search.field;
  const Pyramid::Level& level = field.pyramid.level[1];
  const Node node = node_of(level, blockIdx.x);
  const std::uint32_t open = open_tiles(field, node, search.settled);
  if (open == 0) return;
  Share share{__popc(open) <= kFewTiles ? Share::kTile : Share::kNode, open, 0};
  for (; share.open != 0; share = share.next()) {
    const std::uint32_t own = share.template tiles<kRank>(level);
    if (own == 0 || settle_box(search, node, box_of_tiles(field, node, own), own, memory)) continue;
    if (share.kind == Share::kNode) {
      share = {Share::kGroup, open, -1};
      continue;
    }
    for (int i = warp_of_thread(); i < __popc(own); i += kBlockWarps)
      enqueue(search, child_of(level, node, static_cast<int>(__fns(own, 0, i + 1))));
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
__device__ void write_best(const Job& job, const Tile& tile, const std::uint32_t* inner,
                           const Best<Scalar>& best) {
  constexpr int kHeight = tile_size<kRank>(1);
  const int first = warp_of_thread() * Best<Scalar>::kRows;
  if (tile.first[2] + lane_of_thread() >= job.extent[2]) return;
#pragma unroll
  for (int k = 0; k < Best<Scalar>::kRows; ++k) {
    const int row = first + k;
    if (!has_row<kRank>(job, tile, row)) continue;
    const Place& site = best.site[k];
    const std::int64_t cell =
        to_index(job.extent, {tile.first[0] + row / kHeight, tile.first[1] + row % kHeight,
                              tile.first[2] + lane_of_thread()});
    if (inner[row] >> lane_of_thread() & 1)
      write_result(job, cell, cell, Scalar{0});
    else
      write_result(job, cell, to_index(job.extent, {site.at[0], site.at[1], site.at[2]}),
                   best.least[k]);
  }
}

template <int kRank>
struct CrowdMemory {
  Place dominators[BlockLattice<kRank>::kPoints];
  Gathered list;
  union {
    Stack stack;
    TileMemory quarter[4];
  };
  std::uint32_t inner[kTileRows];
};

/// Four warps settle a quarter of a tile each from the list of the block; false if one of them
/// needs too many of the sites.
template <Metric kMetric, int kRank, class Scalar>
__device__ bool settle_quarters(const Search<kMetric, kRank, Scalar>& search, const Node& node,
                                CrowdMemory<kRank>& memory) {
  const int warp = warp_of_thread();
  bool settled = true;
  if (warp < 4) {
    const Quarter<kRank> quarter = quarter_of<kRank>(tile_at<kRank>(node.at), warp);
    TileMemory& own = memory.quarter[warp];
    const bool has_inner = mark_inner<kMetric, kRank>(search.field, node, own);
    if (!is_outside<kRank>(search.field.job, quarter))
      settled = settle_part(search, quarter, has_inner, memory.list.site, memory.list.sites, own);
  }
  return __syncthreads_and(settled) != 0;
}

template <Metric kMetric, int kRank, class Scalar>
__device__ void settle_crowded(const Search<kMetric, kRank, Scalar>& search, const Node& node,
                               CrowdMemory<kRank>& memory) {
  const Field& field = search.field;
  const Tile tile = tile_at<kRank>(node.at);
  const Request<kMetric, kRank, Scalar> request{
      field, search.ruler, box_of(field.job, field.pyramid.level[0], node), memory.dominators};
  find_first(request);
  Best<Scalar> best;
#pragma unroll
  for (auto& least : best.least) least = std::numeric_limits<Scalar>::max();
  bool complete = true;
  const auto use_up = [&] {
    improve(search.ruler, tile, memory.list.site, memory.list.sites, best);
    complete = false;
    return true;
  };
  gather_sites(request, memory.stack, memory.list, use_up);
  if (complete && settle_quarters(search, node, memory)) return;
  use_up();
  if (warp_of_thread() == 0) {
    Place first;
    memory.inner[lane_of_thread()] =
        inner_sites<kMetric, kRank>(load_tile_row<kRank>(field, node, first));
  }
  __syncthreads();
  write_best<kMetric, kRank>(field.job, tile, memory.inner, best);
}

template <Metric kMetric, int kRank, class Scalar>
__global__ void __launch_bounds__(kBlockThreads, kBlocksOfAProcessor)
    search_crowded(const __grid_constant__ Search<kMetric, kRank, Scalar> search) {
  __shared__ CrowdMemory<kRank> memory;
  const bool many = *search.queue.count > search.queue.most;
  if (blockIdx.x == 0 && threadIdx.x == 0) *search.queue.open = many ? 1 : 0;
  if (many) return;
  for (std::int32_t i = static_cast<std::int32_t>(blockIdx.x); i < *search.queue.count;
       i += static_cast<std::int32_t>(gridDim.x)) {
    settle_crowded(search, node_of(search.field.pyramid.level[0], search.queue.tile[i]), memory);
    __syncthreads();
  }
}

/// How many bits a rank may have in a key of 32 bits; 0 if not even the fewest.
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
  for (int bits = kMostRankBits; bits >= kFewestRankBits; --bits)
    if (std::ldexp(most, bits) < 2147483647.0) return bits;
  return 0;
}

template <Metric kMetric, int kRank, class Scalar>
void launch(const CudaSession& session, const Problem& problem, const Field& field,
            const std::uint8_t* settled, std::int32_t* open, Scratch::Frame& device) {
  Search<kMetric, kRank, Scalar> search{
      .field = field, .key_bits = find_key_bits(problem, kRank), .settled = settled};
  for (int axis = 0; axis < kAxes; ++axis)
    search.ruler.factor[axis] =
        static_cast<Scalar>(problem.weights.factor[static_cast<std::size_t>(axis)]);
  const bool has_lists = field.pyramid.top >= 2;
  const std::int64_t lists = has_lists ? field.pyramid.level[2].count() : 0;
  search.lists.site = has_lists ? device.array<Place>(lists * Gathered::kMost) : nullptr;
  search.lists.count = has_lists ? device.array<std::int32_t>(lists) : nullptr;
  search.queue.tile = device.array<std::uint32_t>(field.pyramid.tiles());
  search.queue.count = device.array<std::int32_t>(1);
  search.queue.most = static_cast<std::int32_t>(field.pyramid.tiles() / kManyTiles);
  search.queue.open = open;
  const cudaStream_t stream = session.stream();
  check(cudaMemsetAsync(search.queue.count, 0, sizeof *search.queue.count, stream),
        "count of the crowded tiles");
  if (has_lists) {
    gather_lists<<<blocks_for(lists, 1), kBlockThreads, 0, stream>>>(search);
    check_launch("lists of the far search");
  }
  constexpr int kBytes = sizeof(FarMemory<kRank>);
  check(cudaFuncSetAttribute(search_far<kMetric, kRank, Scalar>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
        "shared memory of the far search");
  search_far<<<blocks_for(field.pyramid.level[1].count(), 1), kBlockThreads, kBytes, stream>>>(
      search);
  check_launch("far search");
  search_crowded<<<static_cast<unsigned>(session.processors() * kBlocksOfAProcessor), kBlockThreads,
                   0, stream>>>(search);
  check_launch("search of crowded tiles");
}

template <Metric kMetric, int kRank>
void launch_scalar(const CudaSession& session, const Problem& problem, const Field& field,
                   const std::uint8_t* settled, std::int32_t* open, Scratch::Frame& device) {
  if (problem.weights.greatest <= std::numeric_limits<std::int32_t>::max())
    return launch<kMetric, kRank, std::int32_t>(session, problem, field, settled, open, device);
  if constexpr (kMetric == Metric::euclidean)
    launch<kMetric, kRank, std::int64_t>(session, problem, field, settled, open, device);
}

template <int kRank>
void launch_metric(const CudaSession& session, const Problem& problem, const Field& field,
                   const std::uint8_t* settled, std::int32_t* open, Scratch::Frame& device) {
  switch (problem.metric) {
    case Metric::euclidean:
      return launch_scalar<Metric::euclidean, kRank>(session, problem, field, settled, open,
                                                     device);
    case Metric::manhattan:
      return launch_scalar<Metric::manhattan, kRank>(session, problem, field, settled, open,
                                                     device);
    case Metric::chessboard:
      return launch_scalar<Metric::chessboard, kRank>(session, problem, field, settled, open,
                                                      device);
  }
}

}  // namespace

bool can_measure(const Problem& problem) {
  return !problem.wide && (problem.metric == Metric::euclidean ||
                           problem.weights.greatest <= std::numeric_limits<std::int32_t>::max());
}

void run_far(const CudaSession& session, const Problem& problem, const Job& job, const Bits& bits,
             const Pyramid& pyramid, const std::uint8_t* settled, std::int32_t* open,
             Scratch::Frame& device) {
  const Field field{job, bits, pyramid};
  if (problem.rank == 2)
    launch_metric<2>(session, problem, field, settled, open, device);
  else
    launch_metric<3>(session, problem, field, settled, open, device);
}

}  // namespace thiessen::cuda
