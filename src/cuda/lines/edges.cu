// SPDX-License-Identifier: Apache-2.0
//
// Exact nearest site of the tiles of a 2-D raster that other searches leave, for any sites:
//
//   1. The winners in the first column and in the last one of every tile, by a search along that
//      column among the nearest sites of all rows (TileEdges): a 32nd of the cells.
//   2. Between these, tile by tile, among the nearest sites of few columns (between_edges.cuh).
//   3. If these are not few, row by row (row_between_edges.cuh).
//
// A search along all rows, as in separable.cu, would spend most of its time before it knows the
// winners of every 32nd cell.
#include "cuda/device/launch.cuh"
#include "cuda/device/warp.cuh"
#include "cuda/job/tile_output.hpp"
#include "cuda/lines/between_edges.cuh"
#include "cuda/lines/edges.hpp"
#include "cuda/lines/launch.cuh"
#include "cuda/lines/row_between_edges.cuh"
#include "cuda/lines/separable_passes.hpp"
#include "cuda/sites/make_line_bits.hpp"

namespace thiessen::cuda {
namespace {

constexpr int kWarps = 8;
constexpr int kBlocksOfTiles = 4;  // at once on a processor
constexpr int kRowThreads = 512;

/// What write_tile() asks for.
struct EdgesFound {
  const EdgedRaster& raster;
  const BetweenEdges& found;
  const Tile& tile;

  __device__ std::int64_t site(int row, std::int64_t) const {
    const std::int32_t x = found.site_x(row, lane_of_thread());
    const std::int64_t y = found.site_y(row, x);
    return (tile.first[0] * raster.job.extent[1] + y) * raster.job.extent[2] + x;
  }
  __device__ std::uint32_t exact(int row, std::int64_t) const {
    const std::int32_t x = found.site_x(row, lane_of_thread());
    return raster.exact(tile.first[1] + row - found.site_y(row, x),
                        tile.first[2] + lane_of_thread() - x);
  }
  template <class Label>
  __device__ Label label(int row, std::int64_t cell) const {
    return *reinterpret_cast<const Label*>(address_of_label(raster.job, site(row, cell)));
  }
};

/// Tiles that need blocks.
struct LongTiles {
  std::uint32_t* tile;
  std::int32_t* count;
};

__device__ Tile tile_of(const LeftTiles& left, std::int64_t number) {
  const std::int64_t row = number / left.along[2];
  return tile_at<2>({static_cast<std::int32_t>(row / left.along[1]),
                     static_cast<std::int32_t>(row % left.along[1]),
                     static_cast<std::int32_t>(number % left.along[2])});
}

/// Warps take tiles in turns.
__global__ void __launch_bounds__(kWarps* kLanes, kBlocksOfTiles)
    solve_between(const __grid_constant__ EdgedRaster raster,
                  const __grid_constant__ LeftTiles left, const LongTiles queue) {
  if (*left.some == 0) return;
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  EdgeMemory& memory = dynamic_shared<EdgeMemory>()[warp];
  const std::int64_t warps = std::int64_t{gridDim.x} * kWarps;
  for (std::int64_t number = std::int64_t{blockIdx.x} * kWarps + warp; number < left.count();
       number += warps) {
    if (left.state[number] != kTileLeft) continue;
    const Tile tile = tile_of(left, number);
    BetweenEdges found(raster, tile, memory);
    if (found.solve())
      write_tile<2>(raster.job, tile, EdgesFound{raster, found, tile});
    else if (lane_of_thread() == 0)
      queue.tile[atomicAdd(queue.count, 1)] = static_cast<std::uint32_t>(number);
    __syncwarp();
  }
}

/// Blocks take rows of tiles in turns.
__global__ void __launch_bounds__(kRowThreads)
    solve_rows(const __grid_constant__ EdgedRaster raster, const __grid_constant__ LeftTiles left,
               const LongTiles queue) {
  const std::int64_t rows = std::int64_t{*queue.count} * kTileRows;
  for (std::int64_t i = blockIdx.x; i < rows; i += gridDim.x) {
    const Tile tile = tile_of(left, queue.tile[i / kTileRows]);
    const auto row = static_cast<int>(i % kTileRows);
    if (!has_row<2>(raster.job, tile, row)) continue;
    RowBetweenEdges found(raster, tile, row, RowMemory::at(dynamic_shared<std::byte>()));
    found.solve();
    const auto column = static_cast<std::int32_t>(threadIdx.x);
    if (column < kLanes && tile.first[2] + column < raster.width()) {
      const std::int32_t x = found.site_x(column);
      const std::int32_t y = found.site_y(x);
      const std::int64_t line = tile.first[0] * raster.job.extent[1];
      write_result(raster.job,
                   (line + tile.first[1] + row) * raster.width() + tile.first[2] + column,
                   (line + y) * raster.width() + x,
                   raster.exact(tile.first[1] + row - y, tile.first[2] + column - x));
    }
    __syncthreads();
  }
}

void solve_tiles(const CudaSession& session, const EdgedRaster& raster, const LeftTiles& left,
                 Scratch::Frame& device) {
  const LongTiles queue{device.array<std::uint32_t>(left.count()), device.array<std::int32_t>(1)};
  check(cudaMemsetAsync(queue.count, 0, sizeof *queue.count, session.stream()), "no long tiles");
  constexpr int kBytes = kWarps * sizeof(EdgeMemory);
  check(cudaFuncSetAttribute(solve_between, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
        "shared memory of tiles between edges");
  constexpr std::int64_t kTurns = 8;
  const auto blocks = static_cast<unsigned>(std::min(
      parts(left.count(), kWarps), std::int64_t{session.processors()} * kBlocksOfTiles * kTurns));
  launch(session, "tiles between edges", {blocks, kWarps * kLanes, kBytes}, solve_between, raster,
         left, queue);
  const auto row_bytes = static_cast<std::size_t>(RowMemory::bytes(raster.job.extent[2]));
  allow_all_shared(solve_rows, "shared memory of rows between edges");
  constexpr std::int64_t kBlocksOfRows = 3;
  launch(session, "rows between edges",
         {static_cast<unsigned>(session.processors() * kBlocksOfRows), kRowThreads, row_bytes},
         solve_rows, raster, left, queue);
}

}  // namespace

bool has_edges(const Problem& problem, const Job& job) {
  constexpr std::int64_t kBytesOfALeaf = 4;
  return problem.rank == 2 && problem.metric == Metric::euclidean &&
         is_narrow(problem, job, kBytesOfALeaf);
}

void run_edges(const CudaSession& session, const Job& job, const Bits& bits, const LeftTiles& left,
               Scratch::Frame& device) {
  TileEdges<Euclidean, std::int32_t, std::int16_t> pass{
      {.job = job, .open = left.some, .first = {}, .factor = {}}};
  pass.edge = device.array<std::int16_t>(job.extent[0] * job.extent[1] * pass.edges());
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    pass.factor[axis] = static_cast<std::int32_t>(job.factor[axis]);
  pass.first = make_line_bits(session, job, bits, 1, left.some, device);
  pass.rows = make_line_bits(session, job, bits, 2, left.some, device);
  run_pass<std::int16_t>(session, pass, "edges of tiles", device);
  solve_tiles(session,
              {.job = job,
               .columns = pass.first,
               .edge = pass.edge,
               .edges = pass.edges(),
               .factor_y = pass.factor[1],
               .factor_x = pass.factor[2],
               .no_rows = no_rows_of(pass.factor[1])},
              left, device);
}

}  // namespace thiessen::cuda
