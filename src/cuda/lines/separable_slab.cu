// SPDX-License-Identifier: Apache-2.0
//
// Exact nearest site for a slab with sites beyond it, one axis after the other (separable.cu). For
// each line along the first axis the faces tell the nearest site above and below the slab; on a
// periodic axis these may be images. It is what there is for slabs whose sites lie too far beyond
// them to widen the slab, so it has wide integers alone.
#include "cuda/lines/launch.cuh"
#include "cuda/lines/separable_slab.hpp"
#include "cuda/lines/slab_passes.hpp"
#include "cuda/sites/make_line_bits.hpp"

namespace thiessen::cuda::lines {
namespace {

template <class Geometry, class Scalar>
void run(const CudaSession& session, const Job& job, const Bits& bits, const SlabSites& sites,
         Scratch::Frame& device) {
  using Index = std::int32_t;
  SlabPassOf<Geometry, Scalar> common;
  common.job = job;
  common.sites = sites;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    common.factor[axis] = static_cast<Scalar>(job.factor[axis]);
  common.first = sites::make_line_bits(session, job, bits, static_cast<std::size_t>(sites.axis),
                                       nullptr, device);
  if (job.rank == 2)
    return run_pass<Index>(session, SlabFlatRows<Geometry, Scalar>{common}, "rows of a slab",
                           device);
  auto* const winner = device.array<std::int32_t>(job.cells());
  run_pass<Index>(session, SlabPlaneColumns<Geometry, Scalar>{common, winner},
                  "columns of a slab's planes", device);
  run_pass<Index>(session, SlabPlaneRows<Geometry, Scalar>{common, winner},
                  "rows of a slab's planes", device);
}

template <class Scalar>
void run_metric(const CudaSession& session, const Job& job, const Bits& bits,
                const SlabSites& sites, Scratch::Frame& device) {
  if (job.metric == Metric::euclidean)
    run<Euclidean, Scalar>(session, job, bits, sites, device);
  else
    run<Manhattan, Scalar>(session, job, bits, sites, device);
}

}  // namespace

void run_separable_slab(const CudaSession& session, const Problem& problem, const Slab& slab,
                        const Job& job, const Bits& bits, Scratch::Frame& device) {
  const SlabSites sites{.above = slab.above,
                        .below = slab.below,
                        .whole = problem.extent,
                        .period = problem.period,
                        .columns = slab_columns(problem),
                        .first = static_cast<std::int32_t>(slab.first),
                        .axis = problem.first_axis()};
  if (problem.wide)
    run_metric<Int128>(session, job, bits, sites, device);
  else
    run_metric<std::int64_t>(session, job, bits, sites, device);
}

}  // namespace thiessen::cuda::lines
