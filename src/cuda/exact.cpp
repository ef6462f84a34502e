// SPDX-License-Identifier: Apache-2.0
#include "cuda/exact.hpp"

#include <algorithm>

#include "cuda/far.hpp"
#include "cuda/make_job.hpp"
#include "cuda/near.hpp"
#include "cuda/separable.hpp"

namespace thiessen::cuda {

namespace {

/// Whether the search by tiles takes a problem.
bool has_tiles(const Problem& problem) {
  return !problem.wide && std::all_of(problem.period.begin(), problem.period.end(),
                                      [](std::int64_t period) { return period == kNoPeriod; });
}

}  // namespace

Support supports_exact(const Problem& problem) {
  if (problem.point_sites) return {"points are searched by method brute-force only"};
  if (problem.metric == Metric::chessboard && !has_tiles(problem))
    return {"the chessboard metric is measured by method brute-force only"};
  if (problem.distance_to == DistanceTo::boundary)
    return {"the distance to the boundary is measured by the cpu only"};
  return {};
}

namespace {

void run_map(const CudaSession& session, const Problem& problem, const Job& job,
             Scratch::Frame& device) {
  const Bits bits = take_bits(job, device);
  mark_sites(session, job, bits);
  if (!has_tiles(problem)) {
    auto* const open = device.array<std::int32_t>(1);
    check(cudaMemsetAsync(open, 1, sizeof *open, session.stream()), "mark of open tiles");
    return run_separable(session, problem, job, bits, open, device);
  }
  const Pyramid pyramid = take_pyramid(job, device);
  auto* const settled = device.array<std::uint8_t>(pyramid.tiles());
  build_pyramid(session, job, bits, pyramid);
  run_near(session, problem, job, bits, pyramid, settled, device);
  run_far(session, problem, job, bits, pyramid, settled, device);
}

}  // namespace

void run_exact(ContextState& state, const Problem& problem, const ProblemViews& views) {
  run_call(state, problem, views,
           [&](const CudaSession& session, const Job& job, Scratch::Frame& device) {
             run_map(session, problem, job, device);
           });
}

}  // namespace thiessen::cuda
