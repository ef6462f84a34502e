// SPDX-License-Identifier: Apache-2.0
//
// Tu and Wang's method, in its six steps: threads are the processors', whatever the size of the
// raster (1); the sites are read (2); threads take pieces of it in turns (3), and compare every
// cell with all sites (4) or, where these are many, expand its neighbourhood (5); results are
// written while they are in the cache (6).
#include "cpu/raster_gpu.hpp"

#include "core/raster_choice.hpp"
#include "cpu/brute_force.hpp"
#include "cpu/expansion.hpp"
#include "cpu/raster/site_bits.hpp"

namespace thiessen::cpu {
namespace {

/// Up to so many sites the scan is faster; docs/raster-methods.md has the measurement.
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
