// SPDX-License-Identifier: Apache-2.0
//
// Distance to the boundary of the own label, for all labels at once.
//
// Along any line the cells form runs of equal value. The two cells next to a run are a boundary
// themselves, and everything beyond them is at least as far along the line
// (cpu/lines/boundary.cpp). So S of a cell is the lesser of two: S to the nearest change of value
// on the line; and S by the way of any cell of the line, with S across the line there. The second
// may also count cells of other runs: the first is no larger then. So all runs of a line are done
// together.
//
//   1. Along the first axis (y in 2-D, z in 3-D): the bits of changes give the nearest change
//      (sites/line_bits.hpp).
//   2. 3-D only, along y.
//   3. Along x, then the outputs.
//
// This holds for all three metrics, also for chessboard, because only distances are wanted.
#include "cuda/device/launch.cuh"
#include "cuda/job/site_class.hpp"
#include "cuda/lines/boundary.hpp"
#include "cuda/lines/boundary_passes.hpp"
#include "cuda/lines/launch.cuh"
#include "cuda/sites/make_line_bits.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::cuda::lines {
namespace {

constexpr int kThreads = 256;

/// A warp makes a word of the changes along an axis; cells are `stride` apart along it.
template <class T>
__global__ void __launch_bounds__(kThreads)
    mark_changes(const __grid_constant__ Job job, const Bits bits, std::size_t axis) {
  constexpr int kWarp = 32;
  const auto* const cells = reinterpret_cast<const T*>(job.sites.bytes);
  const auto lane = static_cast<int>(threadIdx.x % kWarp);
  const std::int64_t words = job.extent[0] * job.extent[1] * bits.row_words;
  const std::int64_t warps = std::int64_t{gridDim.x} * (kThreads / kWarp);
  const std::int64_t stride = axis == 2   ? 1
                              : axis == 1 ? job.extent[2]
                                          : job.extent[1] * job.extent[2];
  for (std::int64_t word = std::int64_t{blockIdx.x} * (kThreads / kWarp) + threadIdx.x / kWarp;
       word < words; word += warps) {
    const std::int64_t row = word / bits.row_words;
    const Axes at{row / job.extent[1], row % job.extent[1], word % bits.row_words * kWarp + lane};
    bool differs = false;
    if (at[2] < job.extent[2]) {
      const std::int64_t cell = to_index(job.extent, at);
      const bool is_first = at[axis] == 0;
      // Only on a periodic axis the first cell has one before it.
      if (!is_first || job.period[axis] != kNoPeriod)
        differs =
            !holds_same(job.rule.type, cells[cell],
                        cells[is_first ? cell + (job.extent[axis] - 1) * stride : cell - stride]);
    }
    const std::uint32_t changes = __ballot_sync(~0u, differs);
    if (lane == 0) bits.words[word] = changes;
  }
}

sites::LineBits make_changes(const CudaSession& session, const Job& job, std::size_t axis,
                             Scratch::Frame& device) {
  const Bits bits = sites::allocate_bits(job, device);
  constexpr std::int64_t kWarps = kThreads / 32;
  const std::int64_t words = job.extent[0] * job.extent[1] * bits.row_words;
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(parts(words, kWarps), 1 << 20));
  visit_element_type(job.rule.type, [&]<class T>(std::type_identity<T>) {
    launch(session, "changes of value", {blocks, kThreads}, mark_changes<T>, job, bits, axis);
  });
  return sites::make_line_bits(session, job, bits, axis, nullptr, device);
}

template <class Geometry, class Scalar, class Index>
void run(const CudaSession& session, const Job& job, const BoundaryBeyond& beyond,
         Scratch::Frame& device) {
  PassOf<Geometry, Scalar> common;
  common.job = job;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    common.factor[axis] = static_cast<Scalar>(job.factor[axis]);
  const bool is_flat = job.rank == 2;
  common.first = make_changes(session, job, is_flat ? 1 : 0, device);
  Scalar* across = nullptr;
  if (!is_flat) {
    across = device.array<Scalar>(job.cells());
    run_pass<Index>(session,
                    BoundaryLines<Geometry, Scalar, true>{
                        common, make_changes(session, job, 1, device), beyond, nullptr, across},
                    "boundary: columns of planes", device);
  }
  run_pass<Index>(session,
                  BoundaryLines<Geometry, Scalar, false>{
                      common, make_changes(session, job, 2, device), beyond, across, nullptr},
                  "boundary: rows", device);
}

}  // namespace

void run_boundary(const CudaSession& session, const Problem& problem, const Job& job,
                  const BoundaryBeyond& beyond, Scratch::Frame& device) {
  Job distances = job;
  distances.out = {.distance = job.out.distance, .squared = job.out.squared};
  constexpr std::int64_t kBytesPerLeaf = 6;
  with_integers(problem, job, kBytesPerLeaf, [&]<class Scalar, class Index>(Scalar, Index) {
    switch (problem.metric) {
      case Metric::euclidean:
        return run<Euclidean, Scalar, Index>(session, distances, beyond, device);
      case Metric::manhattan:
        return run<Manhattan, Scalar, Index>(session, distances, beyond, device);
      default:
        return run<Chessboard, Scalar, Index>(session, distances, beyond, device);
    }
  });
}

}  // namespace thiessen::cuda::lines
