// SPDX-License-Identifier: Apache-2.0
//
// As cpu/slabs/outer_reach.cpp has it, but from the faces: they tell how far the nearest site of
// each column lies from the slab's end, on either side of it. The device finds the least of each
// block of columns, the host the bound (core/slabs/face_blocks.hpp).
#include <algorithm>
#include <limits>
#include <vector>

#include "core/slabs/face_blocks.hpp"
#include "cuda/device/grid_stride.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/slabs/outer_reach.hpp"

namespace thiessen::cuda::slabs {
namespace {

constexpr std::int32_t kNoRows = std::numeric_limits<std::int32_t>::max();

/// One end of a slab.
struct SlabEnd {
  const std::int32_t* own;    ///< coordinates of the nearest sites in the slab
  const std::int32_t* outer;  ///< and beyond it
  std::int32_t row;           ///< coordinate of the slab's row at this end
  std::int32_t most_rows;     ///< so many rows are in range
};

struct FaceShape {
  std::int64_t height;
  std::int64_t width;
  std::int64_t block_rows;
  std::int64_t block_columns;
};

/// The least rows to a site in each block, and the most rows to an outer site in range.
__global__ void __launch_bounds__(kGridStrideThreads)
    take_least(const SlabEnd end, const FaceShape shape, std::int32_t* least,
               std::int32_t* farthest) {
  follow();
  constexpr std::int64_t kBlock = FaceBlocks::kBlock;
  grid_stride_loop(shape.block_rows * shape.block_columns, [&](std::int64_t block) {
    const std::int64_t top = block / shape.block_columns * kBlock;
    const std::int64_t left = block % shape.block_columns * kBlock;
    std::int32_t nearest = kNoRows;
    std::int32_t most = 0;
    for (std::int64_t y = top; y < min(top + kBlock, shape.height); ++y)
      for (std::int64_t x = left; x < min(left + kBlock, shape.width); ++x) {
        const std::int32_t own = end.own[y * shape.width + x];
        const std::int32_t outer = end.outer[y * shape.width + x];
        if (own != kNoSite) nearest = min(nearest, abs(own - end.row));
        if (outer == kNoSite) continue;
        const std::int32_t rows = abs(outer - end.row);
        if (rows > end.most_rows) continue;
        nearest = min(nearest, rows);
        most = max(most, rows);
      }
    least[block] = nearest;
    if (most > 0) atomicMax(farthest, most);
  });
}

/// What the host waits for: the blocks, and behind them the farthest outer site.
std::int64_t reach_of(const FaceBlocks& blocks, const std::vector<std::int32_t>& found) {
  const std::int64_t farthest = found.back();
  if (farthest == 0) return 0;
  std::vector<Int128> v(static_cast<std::size_t>(blocks.count()), FaceBlocks::kNone);
  for (std::size_t i = 0; i < v.size(); ++i)
    if (found[i] != kNoRows) v[i] = blocks.along_first_axis(found[i]);
  return blocks.rows_within(blocks.greatest_bound(v), farthest);
}

}  // namespace

OuterReach find_outer_reach(const CudaSession& session, const Problem& problem, const Slab& slab,
                            const SlabFaces::Ends& own, Scratch::Frame& device) {
  const FaceBlocks blocks(problem);
  const FaceShape shape{problem.rank == 3 ? problem.extent[1] : 1, problem.extent[2], blocks.rows(),
                        blocks.columns()};
  constexpr std::int64_t kMostRows = std::int64_t{1} << 30;
  const auto most_rows = static_cast<std::int32_t>(
      problem.limited ? blocks.rows_within(problem.limit, kMostRows) : kMostRows);
  std::vector<std::int32_t> found[2];
  const auto start = [&](End side) {
    const bool above = side == End::first;
    const Neighbours& outer = above ? slab.above : slab.below;
    if (outer.coordinate == nullptr) return;
    const SlabEnd end{above ? own.first.coordinate : own.last.coordinate, outer.coordinate,
                      static_cast<std::int32_t>(above ? slab.first : slab.first + slab.count - 1),
                      most_rows};
    std::vector<std::int32_t>& to = found[above ? 0 : 1];
    to.resize(static_cast<std::size_t>(blocks.count()) + 1);
    auto* const least = device.array<std::int32_t>(blocks.count() + 1);
    std::int32_t* const farthest = least + blocks.count();
    check(cudaMemsetAsync(farthest, 0, sizeof *farthest, session.stream()), "outer reach");
    launch(session, "outer reach", grid_stride_shape(session, blocks.count()), take_least, end,
           shape, least, farthest);
    check(cudaMemcpyAsync(to.data(), least, to.size() * sizeof to[0], cudaMemcpyDeviceToHost,
                          session.stream()),
          "outer reach");
  };
  start(End::first);
  start(End::last);
  session.wait();
  const auto reach = [&](const std::vector<std::int32_t>& of) {
    return of.empty() ? 0 : reach_of(blocks, of);
  };
  return {reach(found[0]), reach(found[1])};
}

}  // namespace thiessen::cuda::slabs
