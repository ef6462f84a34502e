// SPDX-License-Identifier: Apache-2.0
//
// The tables of sites: building them, and entering edits.
#include "cuda/device/grid_stride.cuh"
#include "cuda/job/results.hpp"
#include "cuda/solvers/kernels.hpp"
#include "cuda/solvers/tile_cells.cuh"

namespace thiessen::cuda::solvers {
namespace {

__device__ void count_site(const SolverMap& map, Axes at, std::int32_t difference) {
  for (int level = 0; level <= map.top; ++level) {
    atomicAdd(map.sites_of_node + map.level[level].first + node_number(map, level, at), difference);
    for (std::size_t axis = 0; axis < kAxes; ++axis) at[axis] >>= map.shift[axis];
  }
}

__global__ void __launch_bounds__(kGridStrideThreads)
    chain_points(const __grid_constant__ SolverMap map, const std::int32_t* present,
                 std::int64_t count) {
  follow();
  grid_stride_loop(count, [&](std::int64_t i) {
    const std::int32_t site = present[i];
    const Axes tile = tile_of_site(map, map.places[site]);
    map.next[site] = atomicExch(map.head + node_number(map, 0, tile), site);
    count_site(map, tile, 1);
  });
}

/// A block takes a tile at a time.
__global__ void __launch_bounds__(kMapThreads) mark_cells(const __grid_constant__ SolverMap map) {
  follow();
  for (std::int64_t tile = blockIdx.x; tile < map.tiles(); tile += gridDim.x) {
    const Axes at = node_at(map, 0, tile);
    const TileCell cell = cell_of_thread(map, box_of(map, 0, at));
    const bool is_site = cell.inside && class_of(map.job, cell.index) == kSiteCell;
    const std::uint32_t bits = __ballot_sync(~0u, is_site);
    if (lane_of_thread() != 0) continue;
    map.sites_of_tile[tile * kTileWords + threadIdx.x / kLanes] = bits;
    if (bits != 0) count_site(map, at, __popc(bits));
  }
}

__global__ void __launch_bounds__(kGridStrideThreads)
    gather(const __grid_constant__ SolverMap map, const std::int32_t* present, std::int64_t count,
           Axes* to) {
  follow();
  grid_stride_loop(count, [&](std::int64_t i) { to[i] = map.places[present[i]]; });
}

// ---- edits

__device__ void leave_tile(const SolverMap& map, std::int64_t tile, const Edit& edit) {
  if (!map.is_list()) {
    const Axes at = node_at(map, 0, tile);
    const MapBox box = box_of(map, 0, at);
    const auto place = static_cast<std::int32_t>(
        ((edit.before[0] - box.first[0]) * map.tile[1] + edit.before[1] - box.first[1]) *
            map.tile[2] +
        edit.before[2] - box.first[2]);
    map.sites_of_tile[tile * kTileWords + place / 32] &= ~(1u << place % 32);
    return;
  }
  std::int32_t* link = map.head + tile;
  while (*link != edit.site) link = map.next + *link;
  *link = map.next[edit.site];
}

__device__ void enter_tile(const SolverMap& map, std::int64_t tile, const Edit& edit) {
  if (!map.is_list()) {
    const MapBox box = box_of(map, 0, node_at(map, 0, tile));
    const auto place = static_cast<std::int32_t>(
        ((edit.now[0] - box.first[0]) * map.tile[1] + edit.now[1] - box.first[1]) * map.tile[2] +
        edit.now[2] - box.first[2]);
    map.sites_of_tile[tile * kTileWords + place / 32] |= 1u << place % 32;
    return;
  }
  map.next[edit.site] = map.head[tile];
  map.head[tile] = static_cast<std::int32_t>(edit.site);
}

/// Does change(tile, edit) for the edits of a kind. Those of a tile are done by one thread, that of
/// the first of them, since they change the same chain or the same words.
template <class Change>
__device__ void for_each_of_kind(const SolverMap& map, const EditBatch& batch, EditKind kind,
                                 std::int64_t* tiles, const Change& change) {
  const auto own = static_cast<std::int32_t>(threadIdx.x);
  if (own < batch.count) {
    const Edit& edit = batch.edit[own];
    const Axes tile = tile_of_site(map, kind == kWent ? edit.before : edit.now);
    const bool is_meant = (edit.kinds & kind) != 0;
    tiles[own] = is_meant ? node_number(map, 0, tile) : -1;
    if (is_meant) count_site(map, tile, kind == kWent ? -1 : 1);
  }
  __syncthreads();
  bool is_first = own < batch.count && tiles[own] >= 0;
  for (std::int32_t i = 0; i < own && is_first; ++i) is_first = tiles[i] != tiles[own];
  for (std::int32_t i = own; i < batch.count && is_first; ++i)
    if (tiles[i] == tiles[own]) change(tiles[own], batch.edit[i]);
  __syncthreads();
}

__global__ void __launch_bounds__(kLanes)
    take(const __grid_constant__ SolverMap map, const __grid_constant__ EditBatch batch) {
  follow();
  __shared__ std::int64_t tiles[kEditsPerLaunch];
  const auto own = static_cast<std::int32_t>(threadIdx.x);
  if (own == 0 && batch.first == 0) {
    Tally tally{};
    for (std::int32_t& each : tally.low) each = std::numeric_limits<std::int32_t>::max();
    for (std::int32_t& each : tally.high) each = -1;
    *map.tally = tally;
  }
  for_each_of_kind(map, batch, kWent, tiles,
                   [&](std::int64_t tile, const Edit& edit) { leave_tile(map, tile, edit); });
  if (own < batch.count) {
    const Edit& edit = batch.edit[own];
    map.edits[batch.first + own] = edit;
    if (map.is_list()) map.places[edit.site] = edit.now;
    if (map.values != nullptr)
      copy_element(map.values + edit.site * map.value_bytes, edit.value.bytes.data(),
                   map.value_bytes);
  }
  for_each_of_kind(map, batch, kCame, tiles,
                   [&](std::int64_t tile, const Edit& edit) { enter_tile(map, tile, edit); });
}

void clear(const CudaSession& session, void* memory, int byte, std::int64_t bytes) {
  check(cudaMemsetAsync(memory, byte, static_cast<std::size_t>(bytes), session.stream()),
        "tables of sites");
}

}  // namespace

void build_sites(const CudaSession& session, const SolverMap& map, const std::int32_t* present,
                 std::int64_t count) {
  std::int64_t nodes = 0;
  for (int level = 0; level <= map.top; ++level)
    nodes += std::int64_t{map.level[level].count[0]} * map.level[level].count[1] *
             map.level[level].count[2];
  clear(session, map.sites_of_node, 0, nodes * std::int64_t{sizeof(std::int32_t)});
  if (!map.is_list()) {
    launch(session, "cells that are sites",
           {grid_stride_blocks(session, map.tiles(), 1), kMapThreads}, mark_cells, map);
    return;
  }
  constexpr int kEndByte = 0xFF;  // of kNoSite
  clear(session, map.head, kEndByte, map.tiles() * std::int64_t{sizeof(std::int32_t)});
  if (count == 0) return;
  launch(session, "points of tiles", grid_stride_shape(session, count), chain_points, map, present,
         count);
}

void gather_places(const CudaSession& session, const SolverMap& map, const std::int32_t* present,
                   std::int64_t count, Axes* to) {
  if (count == 0) return;
  launch(session, "places of points", grid_stride_shape(session, count), gather, map, present,
         count, to);
}

void apply_edits(const CudaSession& session, const SolverMap& map, const EditBatch& batch) {
  constexpr std::size_t kArguments = 4096;
  static_assert(sizeof(SolverMap) + sizeof(EditBatch) <= kArguments);
  launch_next(session, "edits of sites", {1, kLanes}, take, map, batch);
}

}  // namespace thiessen::cuda::solvers
