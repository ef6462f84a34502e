// SPDX-License-Identifier: Apache-2.0
//
// Points, put into a tree and searched (point_search.hpp).
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "cuda/launch.hpp"
#include "cuda/point_curve.hpp"
#include "cuda/point_search.hpp"
#include "cuda/points.hpp"
#include "thiessen/error.hpp"

namespace thiessen::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kSearchWarps = 4;

__global__ void __launch_bounds__(kThreads)
    make_keys(const Axes* points, std::int64_t count, const CurveScale scale, std::uint64_t* keys,
              std::uint32_t* index) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  keys[i] = curve_key(scale, points[i]);
  index[i] = static_cast<std::uint32_t>(i);
}

template <class Coordinate>
__global__ void __launch_bounds__(kThreads)
    gather_places(const Axes* points, const std::uint32_t* index, std::int64_t count,
                  PointPlace<Coordinate>* place) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const Axes at = points[index[i]];
  place[i] = {{static_cast<Coordinate>(at[0]), static_cast<Coordinate>(at[1]),
               static_cast<Coordinate>(at[2])}};
}

template <class Coordinate>
__device__ PointBox<Coordinate> box_of(const PointBox<Coordinate>& box) {
  return box;
}
template <class Coordinate>
__device__ PointBox<Coordinate> box_of(const PointPlace<Coordinate>& place) {
  return box_of_place(place);
}

/// A thread makes the box around up to 32 points or boxes.
template <class Child, class Coordinate>
__global__ void __launch_bounds__(kThreads)
    make_boxes(const Child* children, std::int64_t count, PointBox<Coordinate>* boxes) {
  const std::int64_t node = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (node * kChildren >= count) return;
  PointBox<Coordinate> all = box_of(children[node * kChildren]);
  const std::int64_t end = min(count, (node + 1) * kChildren);
  for (std::int64_t child = node * kChildren + 1; child < end; ++child) {
    const PointBox<Coordinate> box = box_of(children[child]);
#pragma unroll
    for (int axis = 0; axis < kAxes; ++axis) {
      all.low[axis] = min(all.low[axis], box.low[axis]);
      all.high[axis] = max(all.high[axis], box.high[axis]);
    }
  }
  boxes[node] = all;
}

/// The points' numbers in the order of the curve; of points with the same key, that of the list.
const std::uint32_t* sort_points(const CudaSession& session, const Job& job,
                                 Scratch::Frame& device) {
  const std::int64_t count = job.point_count;
  auto* const keys = device.array<std::uint64_t>(count);
  auto* const sorted_keys = device.array<std::uint64_t>(count);
  auto* const index = device.array<std::uint32_t>(count);
  auto* const sorted = device.array<std::uint32_t>(count);
  const CurveScale scale = make_scale(job);
  make_keys<<<blocks_for(count, kThreads), kThreads, 0, session.stream()>>>(job.points, count,
                                                                            scale, keys, index);
  check_launch("keys of the points");
  const auto sort = [&](void* memory, std::size_t& bytes) {
    check(cub::DeviceRadixSort::SortPairs(memory, bytes, keys, sorted_keys, index, sorted, count, 0,
                                          scale.bits * scale.rank, session.stream()),
          "order of the points");
  };
  std::size_t bytes = 0;
  sort(nullptr, bytes);
  sort(device.array<std::byte>(static_cast<std::int64_t>(bytes)), bytes);
  return sorted;
}

template <class Tree>
void build(const CudaSession& session, const Job& job, Tree& tree, Scratch::Frame& device) {
  using Coordinate = typename Tree::Coordinate;
  tree.index = sort_points(session, job, device);
  auto* const place = device.array<PointPlace<Coordinate>>(tree.count);
  tree.place = place;
  gather_places<<<blocks_for(tree.count, kThreads), kThreads, 0, session.stream()>>>(
      job.points, tree.index, tree.count, place);
  check_launch("places of the points");
  std::int64_t children = tree.count;
  do {
    const std::int64_t nodes = parts(children, kChildren);
    auto* const boxes = device.array<PointBox<Coordinate>>(nodes);
    const unsigned blocks = blocks_for(nodes, kThreads);
    if (tree.levels == 0)
      make_boxes<<<blocks, kThreads, 0, session.stream()>>>(place, children, boxes);
    else
      make_boxes<<<blocks, kThreads, 0, session.stream()>>>(tree.box[tree.levels - 1], children,
                                                            boxes);
    check_launch("boxes of the points");
    tree.box[tree.levels] = boxes;
    tree.nodes[tree.levels++] = nodes;
    children = nodes;
  } while (children > kChildren);
}

template <Metric kMetric, int kCells, class Tree>
__global__ void __launch_bounds__(kSearchWarps* kLanes)
    search_tiles(const __grid_constant__ Job job, const __grid_constant__ Tree tree,
                 const __grid_constant__ PointTileShape shape, std::int64_t tiles) {
  __shared__ SearchMemory<typename Tree::Coordinate, typename Tree::Scalar> memory[kSearchWarps];
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  const std::int64_t tile = std::int64_t{blockIdx.x} * kSearchWarps + warp;
  if (tile >= tiles) return;
  PointTileSearch<DeviceSearchWarp, kMetric, Tree, kCells>(job, tree, shape, tile, memory[warp])
      .run();
}

template <Metric kMetric, int kCells, class Tree>
void search(const CudaSession& session, const Job& job, const Tree& tree) {
  const PointTileShape shape = make_tile_shape(job.rank, kCells);
  std::int64_t tiles = 1;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    tiles *= parts(job.extent[axis], shape.size[axis]);
  search_tiles<kMetric, kCells>
      <<<blocks_for(tiles, kSearchWarps), kSearchWarps * kLanes, 0, session.stream()>>>(
          job, tree, shape, tiles);
  check_launch("search among the points");
}

template <Metric kMetric, class Coordinate, class Scalar>
void run(const CudaSession& session, const Job& job, Scratch::Frame& device) {
  PointTree<Coordinate, Scalar> tree;
  tree.count = job.point_count;
  tree.is_plain = true;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const bool periodic = job.period[axis] != kNoPeriod;
    tree.factor[axis] = static_cast<Scalar>(job.factor[axis]);
    tree.period[axis] = periodic ? static_cast<Coordinate>(job.period[axis])
                                 : std::numeric_limits<Coordinate>::max();
    const bool counts = axis > 0 || job.rank == 3;
    tree.is_plain = tree.is_plain && !periodic && (!counts || job.factor[axis] == 1);
  }
  if (tree.count > 0) build(session, job, tree, device);
  // Tiles with about as many points as are looked at together anyway.
  constexpr std::int64_t kManyCells = 256;
  constexpr std::int64_t kFewCells = 4;
  const std::int64_t cells_of_a_point = job.cells() / std::max<std::int64_t>(tree.count, 1);
  if constexpr (sizeof(Coordinate) > sizeof(std::int32_t))
    return search<kMetric, 4>(session, job, tree);
  else if (cells_of_a_point < kFewCells)
    search<kMetric, 1>(session, job, tree);
  else if (cells_of_a_point < kManyCells)
    search<kMetric, 4>(session, job, tree);
  else
    search<kMetric, 16>(session, job, tree);
}

/// With integers that are wide enough: no coordinate, and no difference of two, is greater than
/// the greatest S (its root, if S is a square).
template <Metric kMetric>
void run(const CudaSession& session, const Problem& problem, const Job& job,
         Scratch::Frame& device) {
  const Int128 greatest = problem.weights.greatest;
  if (greatest < Int128{1} << 30)
    return run<kMetric, std::int32_t, std::int32_t>(session, job, device);
  if constexpr (kMetric == Metric::euclidean)
    if (greatest < Int128{1} << 60)
      return run<kMetric, std::int32_t, std::int64_t>(session, job, device);
  if (problem.wide) return run<kMetric, std::int64_t, Int128>(session, job, device);
  run<kMetric, std::int64_t, std::int64_t>(session, job, device);
}

}  // namespace

void run_points(const CudaSession& session, const Problem& problem, const Job& job,
                Scratch::Frame& device) {
  if (job.point_count > std::int64_t{1} << 31)
    throw Error(ErrorCode::unsupported, "cuda: " + std::to_string(job.point_count) +
                                            " points; method exact takes at most 2^31");
  switch (problem.metric) {
    case Metric::euclidean:
      return run<Metric::euclidean>(session, problem, job, device);
    case Metric::manhattan:
      return run<Metric::manhattan>(session, problem, job, device);
    case Metric::chessboard:
      return run<Metric::chessboard>(session, problem, job, device);
  }
}

}  // namespace thiessen::cuda
