// SPDX-License-Identifier: Apache-2.0
//
// The method of W. Tu and J. Wang, "Raster-based method for Voronoi diagram using GPU parallel
// technology" (2015), in its six steps: the number of work items suits the device, whatever the
// size of the raster (1: launch_grid_stride()); the sites go to the device (2); items take the
// cells of a piece in turns (3), and compare them with all sites (4) or, if these are many, expand
// their neighbourhoods (5); winners come back, and the host writes the outputs (6).
#include "opencl/raster/raster_gpu.hpp"

#include "core/problem/raster_choice.hpp"
#include "core/search/site_cells.hpp"
#include "opencl/raster/brute_force.hpp"
#include "opencl/raster/expansion.hpp"

namespace thiessen::opencl {
namespace {

/// The scan is faster up to so many sites; docs/raster-methods.md has the measurement.
constexpr std::int64_t kScanSites = 2000;

void raster_map(ContextState& state, const Problem& problem, const ProblemViews& views,
                Write write) {
  if (!has_neighbourhoods(problem)) return compare_with_all(state, problem, views, write);
  std::int64_t count = 0;
  for_each_site(problem, views.sites, state.progress, [&](const Axes&) { ++count; });
  if (scans(problem, count, kScanSites))
    compare_with_all(state, problem, views, write);
  else
    expand_cells(state, problem, views, write);
}

}  // namespace

Support supports_raster_gpu(const ContextState& state, const Problem& problem) {
  return supports_brute_force(state, problem);
}

void run_raster_gpu(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, problem.cells(), raster_map);
}

}  // namespace thiessen::opencl
