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
#include "cuda/lines/launch.cuh"
#include "cuda/lines/separable.hpp"
#include "cuda/lines/separable_passes.hpp"
#include "cuda/sites/make_line_bits.hpp"

namespace thiessen::cuda::lines {
namespace {

template <class Geometry, class Scalar, class Index>
void run(const CudaSession& session, const Job& job, const Bits& bits, const std::int32_t* open,
         Scratch::Frame& device) {
  PassOf<Geometry, Scalar> common{.job = job, .open = open, .first = {}, .factor = {}};
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    common.factor[axis] = static_cast<Scalar>(job.factor[axis]);
  common.first = sites::make_line_bits(session, job, bits, job.rank == 2 ? 1 : 0, open, device);
  if (job.rank == 2)
    return run_pass<Index>(session, FlatRows<Geometry, Scalar, Index>{common}, "rows", device);
  auto* const winner = device.array<Index>(job.cells());
  run_pass<Index>(session, PlaneColumns<Geometry, Scalar, Index>{common, winner},
                  "columns of planes", device);
  run_pass<Index>(session, PlaneRows<Geometry, Scalar, Index>{common, winner}, "rows of planes",
                  device);
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

}  // namespace thiessen::cuda::lines
