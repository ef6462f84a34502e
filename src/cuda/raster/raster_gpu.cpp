// SPDX-License-Identifier: Apache-2.0
//
// The method of W. Tu and J. Wang, "Raster-based method for Voronoi diagram using GPU parallel
// technology" (2015), in its six steps. Only the device knows the number of sites, and the host
// does not wait for it: it launches both kernels, and one of them returns at once.
#include "cuda/raster/raster_gpu.hpp"

#include <algorithm>

#include "core/problem/raster_choice.hpp"
#include "cuda/raster/expansion.hpp"
#include "cuda/raster/scan.hpp"
#include "cuda/sites/bits.hpp"
#include "cuda/sites/site_list.hpp"
#include "cuda/transfer/make_job.hpp"

namespace thiessen::cuda::raster {
namespace {

/// The scan is taken to be faster up to so many sites (docs/raster-methods.md).
constexpr std::int64_t kScanSites = 4096;

/// Expands neighbourhoods if there are more sites than `most`.
void scan_or_expand(const CudaSession& session, const Problem& problem, const Job& job,
                    std::int64_t most, Scratch::Frame& device) {
  const Bits bits = sites::allocate_bits(job, device);
  sites::mark_sites(session, job, bits);
  const sites::SiteList list = sites::list_sites(session, job, bits, device, most);
  // 1 and 3: kernels have as many threads as the device's processors take, whatever the size of the
  // raster. The threads take its cells, or pieces of it, in turns. 4: few sites, or none.
  scan_cells(session, problem, job, list, std::min(most, job.cells()), device);
  // 5: many sites.
  if (most < job.cells()) expand_cells(session, job, bits, list.is_long, device);
}

void scan_all(const CudaSession& session, const Problem& problem, const Job& job,
              Scratch::Frame& device) {
  const sites::SiteList list = sites::list_all_sites(session, job, device);
  scan_cells(session, problem, job, list, job.points != nullptr ? job.point_count : job.cells(),
             device);
}

/// run_call() does 2 and 6: it brings the inputs to the device and the results back.
void run(ContextState& state, const Problem& problem, const ProblemViews& views,
         std::int64_t most) {
  run_call(state, problem, views,
           [&](const CudaSession& session, const Job& job, Scratch::Frame& device) {
             if (has_neighbourhoods(problem))
               scan_or_expand(session, problem, job, most, device);
             else
               scan_all(session, problem, job, device);
           });
}

}  // namespace

Support supports_raster_gpu(const ContextState&, const Problem& problem) {
  return supports_scan(problem);
}

void run_raster_gpu(ContextState& state, const Problem& problem, const ProblemViews& views) {
  const std::int64_t given = problem.raster.scan_sites;
  run(state, problem, views, given < 0 ? kScanSites : given);
}

Support supports_expansion(const ContextState&, const Problem& problem) {
  if (Support labels = supports_settled_labels(problem); !labels) return labels;
  return thiessen::supports_expansion(problem);
}

void run_expansion(ContextState& state, const Problem& problem, const ProblemViews& views) {
  run(state, problem, views, 0);
}

}  // namespace thiessen::cuda::raster
