// SPDX-License-Identifier: Apache-2.0
//
// The winners of the open cells of a tile among all sites that are there. For sources compiled as
// CUDA.
//
// A block goes down the levels of nodes. It keeps those whose least S to the box of the open cells
// is no more than the bound: the least, over nodes and then over sites, of the greatest S to the
// box, which the S of no winner exceeds. If more are left than it can keep, it goes on with all
// tiles below the nodes of the level above. Sites come into a list of some at a time, so that any
// number of them can be near.
#pragma once

#include "cuda/solvers/limits.hpp"
#include "cuda/solvers/tile_cells.cuh"

namespace thiessen::cuda::solvers {

/// Room for nodes and sites (SolverLimits).
inline constexpr std::int32_t kRoomForNodes = 1024;
inline constexpr std::int32_t kRoomForSites = 256;

struct SearchSharedMemory {
  std::int32_t nodes[2][kRoomForNodes];
  std::int32_t kept;
  long long bound;
  std::int32_t low[kAxes];  ///< of the box of the open cells
  std::int32_t high[kAxes];
  std::int32_t site[kRoomForSites];
  Axes place[kRoomForSites];
  std::int32_t listed;
};

/// Walks through the sites of the tiles of a thread: every kMapThreads-th one below some nodes of a
/// level.
struct SiteWalk {
  std::int64_t turn;  ///< of all tiles
  std::int64_t turns;
  std::int64_t tile = -1;
  std::int32_t link = kNoSite;  ///< list: the next site
  int word = kTileWords;        ///< raster: the words from here on have not been looked at
  std::uint32_t left = 0;       ///< … bits of the one before
};

template <class Geometry>
class Search {
 public:
  __device__ Search(const SolverMap& map, SearchSharedMemory& shared)
      : map_(map), measure_{map}, shared_(shared) {}

  /// Finds the winner of each open cell of a block. For all of its threads; any of the cells is
  /// open.
  __device__ void run(TileCell& cell) {
    find_box(cell);
    go_down();
    std::int64_t bound = kBeyondAnyS;
    walk([&](std::int32_t site) {
      const std::int64_t own = measure_.most(map_.place(site), box_);
      bound = own < bound ? own : bound;
    });
    lower_bound(bound);
    __syncthreads();
    compare(cell);
  }

 private:
  /// The bound while other threads lower it.
  __device__ std::int64_t bound_now() const {
    return *static_cast<const volatile long long*>(&shared_.bound);
  }
  /// Lowers the bound to the least of all threads.
  __device__ void lower_bound(std::int64_t bound) const {
    const std::int64_t least = least_of_warp(bound);
    if (lane_of_thread() == 0) atomicMin(&shared_.bound, static_cast<long long>(least));
  }

  __device__ void find_box(const TileCell& cell) {
    if (threadIdx.x < kAxes) {
      shared_.low[threadIdx.x] = std::numeric_limits<std::int32_t>::max();
      shared_.high[threadIdx.x] = -1;
    }
    if (threadIdx.x == 0) shared_.bound = map_.limit;
    __syncthreads();
    if (cell.now == kOpenCell)
      for (int axis = 0; axis < kAxes; ++axis) {
        const auto own = static_cast<std::int32_t>(cell.at[static_cast<std::size_t>(axis)]);
        atomicMin(shared_.low + axis, own);
        atomicMax(shared_.high + axis, own);
      }
    __syncthreads();
    for (int axis = 0; axis < kAxes; ++axis) {
      const auto own = static_cast<std::size_t>(axis);
      box_[own].low = std::int64_t{shared_.low[axis]} << map_.job.fraction_bits;
      box_[own].high = std::int64_t{shared_.high[axis]} << map_.job.fraction_bits;
    }
  }

  __device__ std::int64_t nodes_of(int level) const {
    const SolverMap::Level& own = map_.level[level];
    return std::int64_t{own.count[0]} * own.count[1] * own.count[2];
  }
  /// The nodes of a level below one of a higher level, along an axis.
  __device__ std::int64_t fan(int levels, int axis) const {
    return std::int64_t{1} << map_.shift[axis] * levels;
  }
  /// The number of node `i` of those of a level that are so many levels below another one; -1 if
  /// there is none.
  __device__ std::int64_t below(int level, int levels, std::int64_t node, std::int64_t i) const {
    Axes at = node_at(map_, level + levels, node);
    const std::int64_t along[2] = {fan(levels, 1), fan(levels, 2)};
    at[0] = at[0] * fan(levels, 0) + i / along[1] / along[0];
    at[1] = at[1] * along[0] + i / along[1] % along[0];
    at[2] = at[2] * along[1] + i % along[1];
    for (int axis = 0; axis < kAxes; ++axis)
      if (at[static_cast<std::size_t>(axis)] >= map_.level[level].count[axis]) return -1;
    return node_number(map_, level, at);
  }
  __device__ bool has_sites(int level, std::int64_t node) const {
    return map_.sites_of_node[map_.level[level].first + node] > 0;
  }
  __device__ Spans places_of_node(int level, std::int64_t node) const {
    return places_of(map_, box_of(map_, level, node_at(map_, level, node)));
  }

  /// Keeps nodes of a level, of `count` candidates. Returns false if they are more than `most`.
  template <class Candidate>
  __device__ bool keep(int level, std::int64_t count, const Candidate& candidate, std::int32_t* to,
                       std::int32_t most) {
    std::int64_t lowest = kBeyondAnyS;
    for (std::int64_t i = threadIdx.x; i < count; i += kMapThreads) {
      const std::int64_t node = candidate(i);
      if (node < 0 || !has_sites(level, node)) continue;
      const std::int64_t own = measure_.most(places_of_node(level, node), box_);
      lowest = own < lowest ? own : lowest;
    }
    lower_bound(lowest);
    if (threadIdx.x == 0) shared_.kept = 0;
    __syncthreads();
    const std::int64_t bound = shared_.bound;
    for (std::int64_t i = threadIdx.x; i < count; i += kMapThreads) {
      const std::int64_t node = candidate(i);
      if (node < 0 || !has_sites(level, node)) continue;
      if (measure_.least(places_of_node(level, node), box_) > bound) continue;
      const std::int32_t place = atomicAdd(&shared_.kept, 1);
      if (place < most) to[place] = static_cast<std::int32_t>(node);
    }
    __syncthreads();
    return shared_.kept <= most;
  }

  __device__ void go_down() {
    level_ = map_.top;
    nodes_ = shared_.nodes[0];
    // There is room for all of the top.
    keep(
        level_, nodes_of(level_), [](std::int64_t i) { return i; }, shared_.nodes[0],
        kRoomForNodes);
    count_ = shared_.kept;
    __syncthreads();
    while (level_ > 0) {
      std::int32_t* const to = nodes_ == shared_.nodes[0] ? shared_.nodes[1] : shared_.nodes[0];
      const std::int64_t children = fan(1, 0) * fan(1, 1) * fan(1, 2);
      const bool fits = keep(
          level_ - 1, count_ * children,
          [&](std::int64_t i) { return below(level_ - 1, 1, nodes_[i / children], i % children); },
          to, SolverLimits::kKeptNodes);
      const std::int32_t kept = shared_.kept;
      __syncthreads();
      if (!fits) return;
      nodes_ = to;
      count_ = kept;
      --level_;
    }
  }

  // ---- sites

  __device__ SiteWalk first_walk() const {
    const std::int64_t tiles = fan(level_, 0) * fan(level_, 1) * fan(level_, 2);
    return {.turn = static_cast<std::int64_t>(threadIdx.x), .turns = count_ * tiles};
  }

  /// Goes to the next tile with sites that may be near; false if there is none.
  __device__ bool next_tile(SiteWalk& walk) const {
    const std::int64_t tiles = fan(level_, 0) * fan(level_, 1) * fan(level_, 2);
    for (; walk.turn < walk.turns; walk.turn += kMapThreads) {
      walk.tile = below(0, level_, nodes_[walk.turn / tiles], walk.turn % tiles);
      if (walk.tile < 0 || !has_sites(0, walk.tile)) continue;
      if (measure_.least(places_of_node(0, walk.tile), box_) > bound_now()) continue;
      walk.turn += kMapThreads;
      walk.link = map_.is_list() ? map_.head[walk.tile] : kNoSite;
      walk.word = map_.is_list() ? kTileWords : 0;
      walk.left = 0;
      return true;
    }
    return false;
  }

  /// The next site of the walk's tile, or kNoSite.
  __device__ std::int32_t next_of_tile(SiteWalk& walk) const {
    if (map_.is_list()) {
      const std::int32_t site = walk.link;
      if (site != kNoSite) walk.link = map_.next[site];
      return site;
    }
    while (walk.left == 0) {
      if (walk.word == kTileWords) return kNoSite;
      walk.left = map_.sites_of_tile[walk.tile * kTileWords + walk.word++];
    }
    const std::int32_t place = (walk.word - 1) * kLanes + lowest_bit(walk.left);
    walk.left &= walk.left - 1;
    const MapBox box = box_of(map_, 0, node_at(map_, 0, walk.tile));
    const Axes cell{box.first[0] + place / (map_.tile[1] * map_.tile[2]),
                    box.first[1] + place / map_.tile[2] % map_.tile[1],
                    box.first[2] + place % map_.tile[2]};
    return static_cast<std::int32_t>(to_index(map_.job.extent, cell));
  }

  __device__ std::int32_t next_site(SiteWalk& walk) const {
    std::int32_t site = walk.tile < 0 ? kNoSite : next_of_tile(walk);
    while (site == kNoSite && next_tile(walk)) site = next_of_tile(walk);
    return site;
  }

  template <class Visit>
  __device__ void walk(const Visit& visit) const {
    SiteWalk walk = first_walk();
    for (std::int32_t site = next_site(walk); site != kNoSite; site = next_site(walk)) visit(site);
  }

  /// Compares the sites that are near enough, some at a time.
  __device__ void compare(TileCell& cell) {
    const std::int64_t bound = shared_.bound;
    std::int32_t best = static_cast<std::int32_t>(kUnreached);
    std::int64_t best_exact = map_.limit;
    SiteWalk walk = first_walk();
    std::int32_t site = next_site(walk);
    for (int more = 1; more != 0;) {
      if (threadIdx.x == 0) shared_.listed = 0;
      __syncthreads();
      for (; site != kNoSite; site = next_site(walk)) {
        const Axes place = map_.place(site);
        if (measure_.least(span_of(place), box_) > bound) continue;
        const std::int32_t at = atomicAdd(&shared_.listed, 1);
        if (at >= SolverLimits::kListedSites) break;
        shared_.site[at] = site;
        shared_.place[at] = place;
      }
      more = __syncthreads_or(site != kNoSite ? 1 : 0);
      const std::int32_t listed =
          shared_.listed < SolverLimits::kListedSites ? shared_.listed : SolverLimits::kListedSites;
      for (std::int32_t i = 0; i < listed && cell.now == kOpenCell; ++i) {
        const std::int64_t own = measure_.exact(cell.at, shared_.place[i]);
        if (own > best_exact) continue;
        if (own == best_exact && best >= 0 && best < shared_.site[i]) continue;
        best = shared_.site[i];
        best_exact = own;
      }
      __syncthreads();
    }
    if (cell.now == kOpenCell) cell.now = best;
  }

  const SolverMap& map_;
  MapMeasure<Geometry> measure_;
  SearchSharedMemory& shared_;
  Spans box_{};
  int level_ = 0;  ///< of the nodes that are kept
  std::int32_t* nodes_ = nullptr;
  std::int32_t count_ = 0;
};

}  // namespace thiessen::cuda::solvers
