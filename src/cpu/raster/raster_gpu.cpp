// SPDX-License-Identifier: Apache-2.0
//
// The method of Tu and Wang, in its six steps: it uses the threads of the processor, whatever the
// size of the raster (1); it reads the sites (2); threads take pieces of the raster in turns (3),
// and compare every cell with all sites (4) or, if there are many, expand its neighbourhood (5);
// results are written while they are in the cache (6).
#include "cpu/raster/raster_gpu.hpp"

#include "core/problem/raster_choice.hpp"
#include "cpu/raster/brute_force.hpp"
#include "cpu/raster/expansion.hpp"
#include "cpu/raster/site_bits.hpp"

namespace thiessen::cpu {
namespace {

/// The scan is faster up to so many sites; docs/raster-methods.md has the measurement.
constexpr std::int64_t kScanSites = 5000;

void raster_map(ContextState& state, const Problem& problem, const ProblemViews& views,
                Write write) {
  if (!has_neighbourhoods(problem)) return compare_with_all(state, problem, views, write);
  Scratch::Frame scratch(state.scratch);
  const raster::SiteBits bits = raster::read_bits(state, scratch, problem, views);
  if (scans(problem, bits.count, kScanSites))
    compare_with_all(state, problem, views, write, bits);
  else
    expand_cells(state, problem, views, write, bits);
}

}  // namespace

Support supports_raster_gpu(const ContextState& /*state*/, const Problem& problem) {
  return thiessen::supports_scan(problem);
}

void run_raster_gpu(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, 2 * problem.cells(), raster_map);
}

}  // namespace thiessen::cpu
