// SPDX-License-Identifier: Apache-2.0
//
// The method of Tu and Wang, in its six steps: it uses the threads of the processor, whatever the
// size of the raster (1); it reads the sites (2); threads take pieces of the raster in turns (3),
// and compare every cell with all sites (4) or, if there are many, expand its neighbourhood (5);
// results are written while they are in the cache (6).
#include "core/problem/raster_choice.hpp"
#include "core/search/site_cells.hpp"
#include "papers/brute_force.hpp"
#include "papers/expansion.hpp"
#include "papers/methods.hpp"

namespace thiessen::papers {
namespace {

/// The scan is faster up to so many sites; docs/raster-methods.md has the measurement.
constexpr std::int64_t kScanSites = 600;

void raster_map(ContextState& state, const Problem& problem, const ProblemViews& views,
                Write write) {
  if (!has_neighbourhoods(problem)) return compare_with_all(state, problem, views, write);
  std::int64_t sites = 0;
  for_each_site(problem, views.sites, state.progress, [&](const Axes&) { ++sites; });
  if (scans(problem, sites, kScanSites))
    compare_with_all(state, problem, views, write);
  else
    expand_cells(state, problem, views, write);
}

}  // namespace

void run_raster_gpu(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, 2 * problem.cells(), raster_map);
}

}  // namespace thiessen::papers
