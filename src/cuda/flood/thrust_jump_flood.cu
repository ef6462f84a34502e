// SPDX-License-Identifier: Apache-2.0
//
// Jump flooding with Thrust, like D. Coeurjolly's "Jump flooding algorithm on GPU": a pass is one
// transform over a zip of nine shifted iterators and a counting one. Its functor reads only the
// neighbours that exist and decodes coordinates from linear indices by division. CCCL's example
// discrete_voronoi.cu is the same program. It is here for comparison. Two things differ: "no site"
// is no site, unless FloodingOptions::literal, and nothing waits between the passes.
//
// A pass reads 4 bytes a cell nine times, mostly from the caches, and writes 4. The divisions take
// longer; each is a multiplication by an inverse of the width.
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <limits>
#include <utility>
#include <vector>

#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/flood/thrust_functors.hpp"
#include "cuda/flood/thrust_jump_flood.hpp"
#include "cuda/job/results.hpp"
#include "cuda/sites/bits.hpp"
#include "cuda/transfer/make_job.hpp"

namespace thiessen::cuda::flood {
namespace {

using State = std::int32_t*;
constexpr int kThreads = 256;

struct Start {
  Bits bits;
  RowDivision division;
  __device__ std::int32_t operator()(std::int32_t cell) const {
    const std::int32_t row = division.row(cell);
    return bits.has(row, division.column(cell, row)) ? cell : kNoCell;
  }
};

template <class Tuple>
struct Around {
  const Tuple& tuple;
  template <int kNumber>
  __device__ std::int32_t get() const {
    return thrust::get<kNumber>(tuple);
  }
};

struct Pass {
  MinFunctor functor;
  template <class Tuple>
  __device__ std::int32_t operator()(const Tuple& tuple) const {
    return functor.flood(thrust::get<9>(tuple), Around<Tuple>{tuple});
  }
};

/// This is a kernel, not a transform, since every thread would copy a functor that holds the whole
/// job.
__global__ void __launch_bounds__(kThreads)
    finish(const __grid_constant__ Job job, const std::int32_t* state, std::int32_t cells,
           const __grid_constant__ RowDivision division) {
  const std::int64_t number = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (number >= cells) return;
  const auto cell = static_cast<std::int32_t>(number);
  const std::int32_t site = state[cell];
  std::int64_t exact = 0;
  if (site != kNoCell) {
    const std::int32_t row = division.row(cell);
    const std::int32_t site_row = division.row(site);
    const std::int64_t right = division.column(site, site_row) - division.column(cell, row);
    const std::int64_t down = site_row - row;
    exact = right * right + down * down;
  }
  write_result(job, cell, site == kNoCell ? kUnreached : std::int64_t{site}, exact);
}

/// The states around a cell. Shifted iterators may point beyond the ends, but are not read there.
auto around(State in, std::int64_t step, std::int64_t width) {
  const std::int64_t row = step * width;
  return thrust::make_zip_iterator(thrust::make_tuple(
      in, in + step, in + row, in - step, in - row, in + step + row, in + step - row,
      in - step + row, in - step - row, thrust::counting_iterator<std::int32_t>(0)));
}

void run(const CudaSession& session, const Problem& problem, const Job& job,
         Scratch::Frame& device) {
  const auto policy = thrust::cuda::par_nosync.on(session.stream());
  const auto cells = static_cast<std::int32_t>(job.cells());
  const auto width = static_cast<std::int32_t>(job.extent[2]);
  const auto height = static_cast<std::int32_t>(job.extent[1]);
  const thrust::counting_iterator<std::int32_t> first(0);
  State in = device.array<std::int32_t>(cells);
  State out = device.array<std::int32_t>(cells);
  const RowDivision division(width);
  const bool literal = problem.flooding->literal;
  const Bits bits = sites::allocate_bits(job, device);
  sites::mark_sites(session, job, bits);
  thrust::transform(policy, first, first + cells, in, Start{bits, division});
  for (const std::int64_t step : flooding_steps(*problem.flooding, problem.extent, 0)) {
    if (step >= width && step >= height) continue;  // there are no neighbours
    const auto begin = around(in, step, width);
    thrust::transform(policy, begin, begin + cells, out,
                      Pass{{width, height, static_cast<std::int32_t>(step), literal}});
    std::swap(in, out);
  }
  launch(session, "jump flooding with Thrust", {blocks_for(cells, kThreads), kThreads}, finish, job,
         in, cells, division);
}

}  // namespace

Support supports_thrust_jump_flood(const ContextState& /*state*/, const Problem& problem) {
  const Flooding& flooding = *problem.flooding;
  if (Support family = supports_flooding(problem); !family) return family;
  if (flooding.pattern != FloodingPattern::square || flooding.noise != FloodingNoise::none)
    return {"Coeurjolly's program is for pattern square and no noise"};
  if (flooding.on_pass) return {"Coeurjolly's program shows no passes"};
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (problem.cells() >= kMost || problem.weights.greatest > kMost)
    return {"Coeurjolly's program is for less than 2^31 cells and squared distances"};
  return {};
}

void run_thrust_jump_flood(ContextState& state, const Problem& problem, const ProblemViews& views) {
  run_call(state, problem, views,
           [&](const CudaSession& session, const Job& job, Scratch::Frame& device) {
             run(session, problem, job, device);
           });
}

}  // namespace thiessen::cuda::flood
