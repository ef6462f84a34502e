// SPDX-License-Identifier: Apache-2.0
//
// Puts points into a tree and searches it (search.cuh).
#include <algorithm>
#include <utility>

#include "cuda/device/grid_stride.cuh"
#include "cuda/job/limits.hpp"
#include "cuda/points/curve.hpp"
#include "cuda/points/keys.hpp"
#include "cuda/points/points.hpp"
#include "cuda/points/search.cuh"
#include "cuda/points/sort.hpp"
#include "cuda/points/tree.hpp"
#include "thiessen/error.hpp"

namespace thiessen::cuda::points {
namespace {

constexpr int kSearchWarps = 4;
/// Blocks of the search take tiles in turns; so many for each processor wait behind those that run.
constexpr int kSearchBlocks = 64;

// ---- the order of the points

/// Points in an order: their places along the curve, and their numbers in the list.
struct Order {
  std::uint64_t* key;
  std::uint32_t* index;
};

/// Elements that a block puts in order by itself.
constexpr int kRun = 1024;

/// Sorts runs of kRun points (sort.hpp).
__global__ void __launch_bounds__(kRun)
    sort_runs(const Axes* points, std::int64_t count, const CurveScale scale,
              const UnsolvedCells unsolved, const Order to) {
  follow();
  if (unsolved.is_none()) return;
  __shared__ std::uint64_t key[2][kRun];
  __shared__ std::uint16_t from[2][kRun];
  const int own = static_cast<int>(threadIdx.x);
  for (std::int64_t first = std::int64_t{blockIdx.x} * kRun; first < count;
       first += std::int64_t{gridDim.x} * kRun) {
    const auto some = static_cast<int>(min(std::int64_t{kRun}, count - first));
    if (own < some) key[0][own] = curve_key(scale, points[first + own]);
    from[0][own] = static_cast<std::uint16_t>(own);
    int last = 0;
    for (int run = 1; run < kRun; run *= 2, last ^= 1) {
      __syncthreads();
      if (own >= some) continue;
      const int place = merged_place(key[last], some, run, own);
      key[last ^ 1][place] = key[last][own];
      from[last ^ 1][place] = from[last][own];
    }
    __syncthreads();
    if (own < some) {
      to.key[first + own] = key[last][own];
      to.index[first + own] = static_cast<std::uint32_t>(first + from[last][own]);
    }
    __syncthreads();
  }
}

__global__ void __launch_bounds__(kGridStrideThreads)
    merge_runs(const Order from, std::int64_t count, std::int64_t run, const UnsolvedCells unsolved,
               const Order to) {
  follow();
  if (unsolved.is_none()) return;
  grid_stride_loop(count, [&](std::int64_t i) {
    const std::int64_t place = merged_place(from.key, count, run, i);
    to.key[place] = from.key[i];
    to.index[place] = from.index[i];
  });
}

/// The points' numbers in the order of the curve; points with the same key in the order of the
/// list.
const std::uint32_t* sort_points(const CudaSession& session, const Job& job,
                                 const UnsolvedCells& unsolved, Scratch::Frame& device) {
  const std::int64_t count = job.point_count;
  const auto take = [&] {
    return Order{device.array<std::uint64_t>(count), device.array<std::uint32_t>(count)};
  };
  Order sorted = take();
  Order other = take();
  launch_next(session, "runs of points in order", {grid_stride_blocks(session, count, kRun), kRun},
              sort_runs, job.points, count, make_scale(job), unsolved, sorted);
  for (std::int64_t run = kRun; run < count; run *= 2) {
    launch_next(session, "order of the points", grid_stride_shape(session, count), merge_runs,
                sorted, count, run, unsolved, other);
    std::swap(sorted, other);
  }
  return sorted.index;
}

// ---- the tree

template <class Coordinate>
__global__ void __launch_bounds__(kGridStrideThreads)
    gather_places(const Axes* points, const std::uint32_t* index, std::int64_t count,
                  const UnsolvedCells unsolved, PointPlace<Coordinate>* place) {
  follow();
  if (unsolved.is_none()) return;
  grid_stride_loop(count, [&](std::int64_t i) {
    const Axes at = points[index[i]];
    place[i] = {{static_cast<Coordinate>(at[0]), static_cast<Coordinate>(at[1]),
                 static_cast<Coordinate>(at[2])}};
  });
}

template <class Coordinate>
__device__ PointBox<Coordinate> box_of(const PointBox<Coordinate>& box) {
  return box;
}
template <class Coordinate>
__device__ PointBox<Coordinate> box_of(const PointPlace<Coordinate>& place) {
  return box_of_place(place);
}

template <Weighting kWeighting>
__global__ void __launch_bounds__(kGridStrideThreads)
    gather_numbers(const JobWeights weights, const std::uint32_t* index, std::int64_t count,
                   double* number) {
  follow();
  grid_stride_loop(count, [&](std::int64_t i) {
    number[i] = number_of_weight<kWeighting>(weights.exact[index[i]], weights.keys.factor);
  });
}

/// A thread finds the best of up to 32 points, or nodes, whose best one best_of(child) tells.
template <Weighting kWeighting, class BestOf>
__device__ void weigh_nodes(const JobWeights& weights, const std::uint32_t* index,
                            const double* number, std::int64_t count, NodeWeight* nodes,
                            const BestOf& best_of) {
  grid_stride_loop(parts(count, kChildren), [&](std::int64_t node) {
    std::uint32_t best = best_of(node * kChildren);
    const std::int64_t end = min(count, (node + 1) * kChildren);
    for (std::int64_t child = node * kChildren + 1; child < end; ++child) {
      const std::uint32_t other = best_of(child);
      const Int128 own = weights.exact[index[best]];
      const Int128 its = weights.exact[index[other]];
      if (its > own || (its == own && index[other] < index[best])) best = other;
    }
    nodes[node] = {stronger<kWeighting>(number[best]), best};
  });
}

template <Weighting kWeighting>
__global__ void __launch_bounds__(kGridStrideThreads)
    weigh_points(const JobWeights weights, const std::uint32_t* index, const double* number,
                 std::int64_t count, const NodeWeight* below, NodeWeight* nodes) {
  follow();
  weigh_nodes<kWeighting>(weights, index, number, count, nodes, [&](std::int64_t child) {
    return below == nullptr ? static_cast<std::uint32_t>(child) : below[child].best;
  });
}

/// A thread makes the box around up to 32 points or boxes.
template <class Child, class Coordinate>
__global__ void __launch_bounds__(kGridStrideThreads)
    make_boxes(const Child* children, std::int64_t count, const UnsolvedCells unsolved,
               PointBox<Coordinate>* boxes) {
  follow();
  if (unsolved.is_none()) return;
  grid_stride_loop(parts(count, kChildren), [&](std::int64_t node) {
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
  });
}

template <class Tree>
void build(const CudaSession& session, const Job& job, const UnsolvedCells& unsolved, Tree& tree,
           Scratch::Frame& device) {
  using Coordinate = typename Tree::Coordinate;
  tree.index = sort_points(session, job, unsolved, device);
  auto* const place = device.array<PointPlace<Coordinate>>(tree.count);
  tree.place = place;
  launch_next(session, "places of the points", grid_stride_shape(session, tree.count),
              gather_places<Coordinate>, job.points, tree.index, tree.count, unsolved, place);
  std::int64_t children = tree.count;
  do {
    const std::int64_t nodes = parts(children, kChildren);
    auto* const boxes = device.array<PointBox<Coordinate>>(nodes);
    const auto launch = [&](auto* kernel, const auto* from) {
      launch_next(session, "boxes of the points", grid_stride_shape(session, nodes), kernel, from,
                  children, unsolved, boxes);
    };
    if (tree.levels == 0)
      launch(make_boxes<PointPlace<Coordinate>, Coordinate>, place);
    else
      launch(make_boxes<PointBox<Coordinate>, Coordinate>, tree.box[tree.levels - 1]);
    tree.box[tree.levels] = boxes;
    tree.nodes[tree.levels++] = nodes;
    children = nodes;
  } while (children > kChildren);
}

/// Beside the boxes of a tree: what its nodes tell of weights.
template <class Tree>
void weigh(const CudaSession& session, const Job& job, Tree& tree, Scratch::Frame& device) {
  constexpr Weighting kWeighting = Tree::kWeighting;
  auto* const number = device.array<double>(tree.count);
  tree.number = number;
  launch_next(session, "weights of the points", grid_stride_shape(session, tree.count),
              gather_numbers<kWeighting>, job.weights, tree.index, tree.count, number);
  const NodeWeight* below = nullptr;
  std::int64_t children = tree.count;
  for (int level = 0; level < tree.levels; ++level) {
    auto* const nodes = device.array<NodeWeight>(tree.nodes[level]);
    launch_next(session, "weights of the points", grid_stride_shape(session, tree.nodes[level]),
                weigh_points<kWeighting>, job.weights, tree.index, tree.number, children, below,
                nodes);
    tree.node_weight[level] = below = nodes;
    children = tree.nodes[level];
  }
}

/// How far keys in doubles may be from exact ones: not at all, if all are whole and few.
template <class Tree>
void set_margins(const Problem& problem, const JobWeights& weights, Tree& tree) {
  constexpr Int128 kMostInDouble = Int128{1} << 50;
  if (Tree::kWeighting == Weighting::power && weights.keys.factor == 1 &&
      problem.weights.greatest < kMostInDouble && weights.greatest < kMostInDouble)
    return;
  tree.rounding = kKeyRounding;
  if (Tree::kWeighting == Weighting::multiplicative) return;
  const double greatest = number_of_weight<Tree::kWeighting>(weights.greatest, weights.keys.factor);
  tree.margin = 2 * kKeyRounding * greatest;
}

// ---- the search

/// A warp takes so many groups of tiles one after the other: points known from one bound the next.
constexpr std::int64_t kGroupsInTurn = 8;

template <Metric kMetric, int kCells, class Tree>
__global__ void __launch_bounds__(kSearchWarps* kLanes, kCells == 16 ? 4 : 5)
    search_tiles(const __grid_constant__ Job job, const __grid_constant__ Tree tree,
                 const __grid_constant__ UnsolvedCells unsolved, std::int32_t across,
                 std::int64_t groups) {
  follow();
  if (unsolved.is_none()) return;
  __shared__ WalkMemory<Tree> memory[kSearchWarps];
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  PointSearch<kMetric, Tree, kCells> search(job, tree, unsolved, across, memory[warp]);
  const std::int64_t step = std::int64_t{gridDim.x} * kSearchWarps * kGroupsInTurn;
  for (std::int64_t first = (std::int64_t{blockIdx.x} * kSearchWarps + warp) * kGroupsInTurn;
       first < groups; first += step)
    for (std::int64_t group = first; group < min(first + kGroupsInTurn, groups); ++group)
      search.run(group);
}

template <Metric kMetric, int kCells, class Tree>
void search(const CudaSession& session, const Job& job, const Tree& tree,
            const UnsolvedCells& unsolved, std::int64_t cells_per_point) {
  using Shape = PointTileShape<Tree::kRank, kCells>;
  const std::int32_t across = cells_per_point >= PointLimits::kCellsForGroups ? 2 : 1;
  std::int64_t groups = 1;
  for (int axis = 0; axis < kAxes; ++axis)
    groups *= parts(job.extent[static_cast<std::size_t>(axis)],
                    Shape::size(axis) * (axis < Tree::kFirstAxis ? 1 : across));
  const auto blocks =
      static_cast<unsigned>(std::min(parts(groups, kSearchWarps * kGroupsInTurn),
                                     std::int64_t{session.processors()} * kSearchBlocks));
  launch_next(session, "search among the points", {blocks, kSearchWarps * kLanes},
              search_tiles<kMetric, kCells, Tree>, job, tree, unsolved, across, groups);
}

/// Whether tiles of 16 cells a lane are compiled: not where a cell takes many registers, or S more
/// time than the walk.
template <Metric kMetric, class Tree>
inline constexpr bool kHasLargeTiles = Tree::kHasWeights ||
                                       (kIsLinear<kMetric, Tree> &&
                                        sizeof(typename Tree::Coordinate) == sizeof(std::int32_t));

template <Metric kMetric, class Tree>
void run(const CudaSession& session, const Problem& problem, const Job& job,
         const UnsolvedCells& unsolved, Scratch::Frame& device) {
  Tree tree;
  tree.count = job.point_count;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    using Coordinate = typename Tree::Coordinate;
    tree.set_factor(axis, job.factor[axis]);
    tree.period[axis] = job.period[axis] != kNoPeriod ? static_cast<Coordinate>(job.period[axis])
                                                      : std::numeric_limits<Coordinate>::max();
  }
  if (tree.count > 0) build(session, job, unsolved, tree, device);
  if constexpr (Tree::kHasWeights) {
    if (tree.count > 0) weigh(session, job, tree, device);
    set_margins(problem, job.weights, tree);
    tree.is_wide = problem.wide;
  }
  // Tiles with about as many points as a warp looks at together anyway.
  const std::int64_t cells_per_point = job.cells() / std::max<std::int64_t>(tree.count, 1);
  if constexpr (kHasLargeTiles<kMetric, Tree>)
    if (cells_per_point >= PointLimits::kManyCells && wants_simple_results(job))
      return search<kMetric, 16>(session, job, tree, unsolved, cells_per_point);
  search<kMetric, 4>(session, job, tree, unsolved, cells_per_point);
}

template <Metric kMetric, class Coordinate, class Scalar, bool kHasPeriods,
          Weighting kWeighting = Weighting::none>
void run(const CudaSession& session, const Problem& problem, const Job& job,
         const UnsolvedCells& unsolved, Scratch::Frame& device) {
  if (job.rank == 2)
    run<kMetric, PointTree<Coordinate, Scalar, 2, kHasPeriods, kWeighting>>(session, problem, job,
                                                                            unsolved, device);
  else
    run<kMetric, PointTree<Coordinate, Scalar, 3, kHasPeriods, kWeighting>>(session, problem, job,
                                                                            unsolved, device);
}

/// Keys take doubles for S.
template <Weighting kWeighting>
void run_weighted(const CudaSession& session, const Problem& problem, const Job& job,
                  Scratch::Frame& device) {
  if (problem.has_period())
    run<Metric::euclidean, std::int64_t, double, true, kWeighting>(session, problem, job, {},
                                                                   device);
  else
    run<Metric::euclidean, std::int64_t, double, false, kWeighting>(session, problem, job, {},
                                                                    device);
}

/// Runs with integers that are wide enough: no coordinate and no difference of a cell and a point
/// is greater than the greatest S (or its root, if S is a square).
template <Metric kMetric>
void run(const CudaSession& session, const Problem& problem, const Job& job,
         const UnsolvedCells& unsolved, Scratch::Frame& device) {
  using Int32 = std::int32_t;
  using Int64 = std::int64_t;
  const Int128 greatest = problem.weights.greatest;
  if constexpr (kMetric == Metric::euclidean)
    if (!problem.has_period()) {
      if (greatest < Int128{1} << 30)
        return run<kMetric, Int32, Int32, false>(session, problem, job, unsolved, device);
      if (!problem.wide)
        return run<kMetric, Int32, Int64, false>(session, problem, job, unsolved, device);
      return run<kMetric, Int64, Int128, false>(session, problem, job, unsolved, device);
    }
  if (greatest < Int128{1} << 30)
    return run<kMetric, Int32, Int32, true>(session, problem, job, unsolved, device);
  if (problem.wide)
    return run<kMetric, Int64, Int128, true>(session, problem, job, unsolved, device);
  run<kMetric, Int64, Int64, true>(session, problem, job, unsolved, device);
}

}  // namespace

void run_points(const CudaSession& session, const Problem& problem, const Job& job,
                const UnsolvedCells& unsolved, Scratch::Frame& device) {
  if (job.point_count > std::int64_t{1} << 31)
    throw Error(ErrorCode::unsupported, "cuda: " + std::to_string(job.point_count) +
                                            " points; method exact takes at most 2^31");
  switch (problem.keys.weighting) {
    case Weighting::power:
      return run_weighted<Weighting::power>(session, problem, job, device);
    case Weighting::additive:
      return run_weighted<Weighting::additive>(session, problem, job, device);
    case Weighting::multiplicative:
      return run_weighted<Weighting::multiplicative>(session, problem, job, device);
    default:
      break;
  }
  switch (problem.metric) {
    case Metric::euclidean:
      return run<Metric::euclidean>(session, problem, job, unsolved, device);
    case Metric::manhattan:
      return run<Metric::manhattan>(session, problem, job, unsolved, device);
    default:
      return run<Metric::chessboard>(session, problem, job, unsolved, device);
  }
}

}  // namespace thiessen::cuda::points
