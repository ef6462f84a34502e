// SPDX-License-Identifier: Apache-2.0
#include "cuda/exact.hpp"

#include "cuda/boundary.hpp"
#include "cuda/chessboard.hpp"
#include "cuda/make_job.hpp"
#include "cuda/points.hpp"
#include "cuda/separable.hpp"
#include "cuda/tiles.hpp"

namespace thiessen::cuda {

Support supports_exact(const Problem&) { return {}; }

namespace {

void run_map(const CudaSession& session, const Problem& problem, const Job& job,
             Scratch::Frame& device) {
  const Bits bits = take_bits(job, device);
  auto* const open = device.array<std::int32_t>(1);
  mark_sites(session, job, bits);
  run_windows(session, problem, job, bits, open, device);
  if (problem.metric == Metric::chessboard)
    run_chessboard(session, problem, job, bits, open, device);
  else
    run_separable(session, problem, job, bits, open, device);
}

bool wants_sites(const Outputs& out) {
  return out.labels || out.site_index != nullptr || out.offset != nullptr ||
         out.direction != nullptr;
}

/// The distances by themselves, everything else as without them.
void run_map_and_boundary(const CudaSession& session, const Problem& problem, const Job& job,
                          Scratch::Frame& device) {
  Job map = job;
  map.out.distance = {};
  map.out.squared = nullptr;
  if (wants_sites(map.out)) run_map(session, problem, map, device);
  if (job.out.distance || job.out.squared != nullptr) run_boundary(session, problem, job, device);
}

}  // namespace

void run_exact(ContextState& state, const Problem& problem, const ProblemViews& views) {
  run_call(state, problem, views,
           [&](const CudaSession& session, const Job& job, Scratch::Frame& device) {
             if (problem.point_sites)
               run_points(session, problem, job, device);
             else if (problem.distance_to == DistanceTo::boundary)
               run_map_and_boundary(session, problem, job, device);
             else
               run_map(session, problem, job, device);
           });
}

}  // namespace thiessen::cuda
