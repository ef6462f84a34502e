// SPDX-License-Identifier: Apache-2.0
#include "cuda/exact.hpp"

#include "cuda/make_job.hpp"
#include "cuda/separable.hpp"
#include "cuda/tiles.hpp"

namespace thiessen::cuda {

Support supports_exact(const Problem& problem) {
  if (problem.point_sites) return {"points are searched by method brute-force only"};
  if (problem.metric == Metric::chessboard)
    return {"the chessboard metric is measured by method brute-force only"};
  if (problem.distance_to == DistanceTo::boundary)
    return {"the distance to the boundary is measured by the cpu only"};
  return {};
}

namespace {

void run_map(const CudaSession& session, const Problem& problem, const Job& job,
             Scratch::Frame& device) {
  const Bits bits = take_bits(job, device);
  auto* const open = device.array<std::int32_t>(1);
  mark_sites(session, job, bits);
  run_windows(session, problem, job, bits, open, device);
  run_separable(session, problem, job, bits, open, device);
}

}  // namespace

void run_exact(ContextState& state, const Problem& problem, const ProblemViews& views) {
  run_call(state, problem, views,
           [&](const CudaSession& session, const Job& job, Scratch::Frame& device) {
             run_map(session, problem, job, device);
           });
}

}  // namespace thiessen::cuda
