// SPDX-License-Identifier: Apache-2.0
//
// Exact nearest site, one axis after the other, in the way of cpu/lines/separable.cpp: only the
// best site of a column can win in a row, so every pass leaves one candidate a cell.
//
//   1. Along the first axis (y in 2-D, z in 3-D): the bits of a column give its nearest site
//      (sites/line_bits.hpp), so that nothing else is stored.
//   2. 3-D only, along y: the winner of each cell among the columns' sites; its y is kept.
//   3. Along x: the winners (winners.hpp) among what is left, then the outputs.
//
// With these two metrics S is a sum over the axes. z·height + y decides ties in pass 2 and the site
// index in pass 3, as the whole order wants.
//
// Keys with weights of the kind power are such sums, too. Then pass 1 is one for winners like the
// others, and the first coordinate of the winner of each cell is kept.
#include "core/problem/site_weights.hpp"
#include "cuda/lines/launch.cuh"
#include "cuda/lines/separable.hpp"
#include "cuda/lines/separable_passes.hpp"
#include "cuda/sites/make_line_bits.hpp"

namespace thiessen::cuda::lines {
namespace {

/// The passes after the first one.
template <class Index, class Geometry, class Scalar, bool kHasWeights>
void run_rest(const CudaSession& session,
              const SitePassOf<Geometry, Scalar, Index, kHasWeights>& common,
              Scratch::Frame& device) {
  if (common.job.rank == 2)
    return run_pass<Index>(session, FlatRows<Geometry, Scalar, Index, kHasWeights>{common}, "rows",
                           device);
  auto* const winner = device.array<Index>(common.job.cells());
  run_pass<Index>(session, PlaneColumns<Geometry, Scalar, Index, kHasWeights>{common, winner},
                  "columns of planes", device);
  run_pass<Index>(session, PlaneRows<Geometry, Scalar, Index, kHasWeights>{common, winner},
                  "rows of planes", device);
}

template <class Geometry, class Scalar, class Index>
void run(const CudaSession& session, const Job& job, const Bits& bits, const std::int32_t* open,
         Scratch::Frame& device) {
  SitePassOf<Geometry, Scalar, Index, false> common;
  common.job = job;
  common.open = open;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    common.factor[axis] = static_cast<Scalar>(job.factor[axis]);
  common.first = sites::make_line_bits(session, job, bits, job.rank == 2 ? 1 : 0, open, device);
  run_rest<Index>(session, common, device);
}

template <class Scalar, class Index>
void run_weighted(const CudaSession& session, const Job& job, Scratch::Frame& device) {
  SitePassOf<Euclidean, Scalar, Index, true> common;
  common.job = job;
  const Int128 unit = job.weights.keys.factor * job.weights.keys.factor;
  // The factor of an axis of one cell may be beyond all keys.
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    common.factor[axis] = job.extent[axis] == 1 ? 0 : static_cast<Scalar>(job.factor[axis] * unit);
  common.first = {device.array<Index>(job.cells()),
                  job.cells() / job.extent[job.rank == 2 ? 1 : 0]};
  run_pass<Index>(session, FirstLines<Euclidean, Scalar, Index>{common}, "lines of weights",
                  device);
  run_rest<Index>(session, common, device);
}

}  // namespace

void run_separable(const CudaSession& session, const Problem& problem, const Job& job,
                   const Bits& bits, const std::int32_t* open, Scratch::Frame& device) {
  constexpr std::int64_t kBytesPerLeaf = 6;
  with_integers(problem, job, kBytesPerLeaf, [&]<class Scalar, class Index>(Scalar, Index) {
    if (problem.metric == Metric::euclidean)
      run<Euclidean, Scalar, Index>(session, job, bits, open, device);
    else
      run<Manhattan, Scalar, Index>(session, job, bits, open, device);
  });
}

void run_weighted_separable(const CudaSession& session, const Problem& problem, const Job& job,
                            Scratch::Frame& device) {
  constexpr std::int64_t kBytesPerLeaf = 10;
  const auto run = [&]<class Scalar, class Index>(Scalar, Index) {
    run_weighted<Scalar, Index>(session, job, device);
  };
  const Int128 greatest = greatest_part_of_keys(problem, job.weights.greatest);
  if (is_narrow(job, greatest, kBytesPerLeaf)) return run(std::int32_t{}, std::int16_t{});
  if (fits_keys_of_lines(problem, job.weights.greatest)) return run(std::int64_t{}, std::int32_t{});
  run(Int128{}, std::int32_t{});
}

}  // namespace thiessen::cuda::lines
