// SPDX-License-Identifier: Apache-2.0
//
// Compares every site with every cell.
//
// The number of threads does not depend on the raster: thread t takes the cells t, t + T, t + 2T …,
// where T is the number of all threads, as in Tu and Wang's method for few sites. Neighbours in a
// warp take neighbouring cells, so memory is read in order. By Allotment::contiguous it takes cells
// in one piece, which the paper compares with that. Several cells are searched at once, so that a
// site that a block has fetched into shared memory serves several comparisons. Nothing else is
// clever: this is the literal scan, in integers that are wide enough; scan.cu is the tuned one.
//
// Sites come in the order of their index, so the first of two equally near ones stays.
#include <limits>

#include "core/order/measure.hpp"
#include "core/problem/raster_choice.hpp"
#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/job/tile_output.hpp"
#include "cuda/raster/brute_force.hpp"
#include "cuda/sites/site_list.hpp"
#include "cuda/transfer/make_job.hpp"

namespace thiessen::cuda::raster {
namespace {

constexpr int kThreads = 256;
constexpr int kCellsAtOnce = 4;
constexpr int kTile = 256;  ///< sites in shared memory

/// A number that is more than any S.
template <class Scalar>
constexpr Scalar kFarthest = std::numeric_limits<Scalar>::max();
template <>
constexpr Int128 kFarthest<Int128> = static_cast<Int128>(~UInt128{0} >> 1);

/// The data for distances, in integers that are wide enough.
template <class Scalar>
struct Measure {
  using Coordinate = std::conditional_t<sizeof(Scalar) == 4, std::int32_t, std::int64_t>;
  Scalar factor[kAxes];
  Coordinate period[kAxes];
};

template <class Scalar>
Measure<Scalar> make_measure(const Job& job) {
  using Coordinate = typename Measure<Scalar>::Coordinate;
  Measure<Scalar> measure;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    measure.factor[axis] = static_cast<Scalar>(job.factor[axis]);
    measure.period[axis] = job.period[axis] == kNoPeriod
                               ? std::numeric_limits<Coordinate>::max()
                               : static_cast<Coordinate>(job.period[axis]);
  }
  return measure;
}

template <class Coordinate>
struct Place {
  Coordinate at[kAxes];
};

template <class Coordinate>
__device__ Place<Coordinate> to_place(const Axes& at) {
  return {{static_cast<Coordinate>(at[0]), static_cast<Coordinate>(at[1]),
           static_cast<Coordinate>(at[2])}};
}

/// The axes before kFirst have one cell.
template <Metric kMetric, bool kPeriodic, int kFirst, class Scalar, class Coordinate>
__device__ Scalar exact_between(const Measure<Scalar>& measure, const Place<Coordinate>& a,
                                const Place<Coordinate>& b) {
  Coordinate delta[kAxes] = {};
#pragma unroll
  for (int axis = kFirst; axis < kAxes; ++axis) {
    delta[axis] = a.at[axis] - b.at[axis];
    if (kMetric != Metric::euclidean || kPeriodic)
      delta[axis] = delta[axis] < 0 ? -delta[axis] : delta[axis];
    if (kPeriodic && measure.period[axis] - delta[axis] < delta[axis])
      delta[axis] = measure.period[axis] - delta[axis];
  }
  if constexpr (is_by_axes(kMetric)) {
    Scalar exact = 0;
#pragma unroll
    for (int axis = kFirst; axis < kAxes; ++axis)
      exact = combine<kMetric>(exact, along<kMetric>(measure.factor[axis], Scalar{delta[axis]}));
    return exact;
  } else {
    return across<kMetric>(Scalar{delta[1]}, Scalar{delta[2]});
  }
}

template <Metric kMetric, bool kPeriodic, int kFirst, class Scalar>
__global__ void __launch_bounds__(kThreads)
    search(const __grid_constant__ Job job, const Measure<Scalar> measure,
           const sites::SiteList list, const Allotment allotment) {
  using Coordinate = typename Measure<Scalar>::Coordinate;
  __shared__ Place<Coordinate> tile[kTile];
  if (!list.exists()) return;
  const std::int64_t sites = list.cell == nullptr ? job.point_count : *list.count;
  const std::int64_t cells = job.cells();
  const std::int64_t threads = std::int64_t{gridDim.x} * kThreads;
  const std::int64_t thread = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const AllottedCells own = allot(allotment, thread, threads, cells);
  const bool labels_alone = labels_are_all(job);
  for (std::int64_t turn = 0; turn < own.count; turn += kCellsAtOnce) {
    Place<Coordinate> centre[kCellsAtOnce];
    Scalar least[kCellsAtOnce];
    std::int64_t nearest[kCellsAtOnce];
#pragma unroll
    for (int k = 0; k < kCellsAtOnce; ++k) {
      const std::int64_t cell = own.first + (turn + k) * own.stride;
      Axes at = to_cell(job.extent, cell < cells ? cell : 0);
      for (auto& each : at) each <<= job.fraction_bits;
      centre[k] = to_place<Coordinate>(at);
      least[k] = kFarthest<Scalar>;
      nearest[k] = -1;
    }
    for (std::int64_t first = 0; first < sites; first += kTile) {
      const int count = static_cast<int>(sites - first < kTile ? sites - first : kTile);
      __syncthreads();
      for (int i = threadIdx.x; i < count; i += kThreads)
        tile[i] =
            to_place<Coordinate>(list.cell == nullptr ? job.points[first + i]
                                                      : to_cell(job.extent, list.cell[first + i]));
      __syncthreads();
      int of_tile[kCellsAtOnce];
#pragma unroll
      for (int& place : of_tile) place = -1;
      for (int i = 0; i < count; ++i) {
#pragma unroll
        for (int k = 0; k < kCellsAtOnce; ++k) {
          const Scalar exact =
              exact_between<kMetric, kPeriodic, kFirst>(measure, centre[k], tile[i]);
          of_tile[k] = exact < least[k] ? i : of_tile[k];
          least[k] = exact < least[k] ? exact : least[k];
        }
      }
#pragma unroll
      for (int k = 0; k < kCellsAtOnce; ++k)
        if (of_tile[k] >= 0) nearest[k] = first + of_tile[k];
    }
#pragma unroll
    for (int k = 0; k < kCellsAtOnce; ++k) {
      const std::int64_t cell = own.first + (turn + k) * own.stride;
      if (turn + k >= own.count || cell >= cells) continue;
      const bool listed = list.cell != nullptr && nearest[k] >= 0;
      write_cell(job, labels_alone, cell, listed ? list.cell[nearest[k]] : nearest[k], least[k]);
    }
  }
}

template <Metric kMetric, bool kPeriodic, int kFirst, class Scalar>
void run(const CudaSession& session, const Job& job, const sites::SiteList& list,
         Allotment allotment) {
  constexpr int kBlocksPerProcessor = 8;
  const auto blocks = static_cast<unsigned>(session.processors() * kBlocksPerProcessor);
  launch(session, "brute force", {blocks, kThreads}, search<kMetric, kPeriodic, kFirst, Scalar>,
         job, make_measure<Scalar>(job), list, allotment);
}

/// Wide or periodic kernels are not made for each number of axes: testing for a period or a third
/// axis costs them little, and compiling takes long.
template <Metric kMetric>
void run(const CudaSession& session, const Problem& problem, const Job& job,
         const sites::SiteList& list) {
  constexpr int kFirst = is_by_axes(kMetric) ? 0 : 1;
  const Allotment allotment = problem.raster.allotment.value_or(Allotment::cyclic);
  // Differences may be up to 2^30: beyond, an axis that is not periodic would have a shorter way
  // round. The octagon doubles sums of differences, which are up to 3/2 S.
  const bool narrow = problem.weights.greatest < Int128{1} << (is_by_axes(kMetric) ? 30 : 29);
  if constexpr (is_by_axes(kMetric))
    if (problem.wide) return run<kMetric, true, kFirst, Int128>(session, job, list, allotment);
  if (!narrow) return run<kMetric, true, kFirst, std::int64_t>(session, job, list, allotment);
  for (const std::int64_t period : job.period)
    if (period != kNoPeriod)
      return run<kMetric, true, kFirst, std::int32_t>(session, job, list, allotment);
  if (kFirst == 0 && job.rank == 3)
    run<kMetric, false, 0, std::int32_t>(session, job, list, allotment);
  else
    run<kMetric, false, 1, std::int32_t>(session, job, list, allotment);
}

}  // namespace

Support supports_brute_force(const ContextState&, const Problem& problem) {
  return supports_scan(problem);
}

void compare_with_all(const CudaSession& session, const Problem& problem, const Job& job,
                      const sites::SiteList& list) {
  switch (problem.metric) {
    case Metric::euclidean:
      return run<Metric::euclidean>(session, problem, job, list);
    case Metric::manhattan:
      return run<Metric::manhattan>(session, problem, job, list);
    case Metric::chessboard:
      return run<Metric::chessboard>(session, problem, job, list);
    default:
      return run<Metric::octagonal>(session, problem, job, list);
  }
}

void run_brute_force(ContextState& state, const Problem& problem, const ProblemViews& views) {
  run_call(state, problem, views,
           [&](const CudaSession& session, const Job& job, Scratch::Frame& device) {
             compare_with_all(session, problem, job, sites::list_all_sites(session, job, device));
           });
}

}  // namespace thiessen::cuda::raster
