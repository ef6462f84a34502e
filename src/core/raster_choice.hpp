// SPDX-License-Identifier: Apache-2.0
//
// What the methods that go through the raster's cells have in common on every backend.
//
// Tu and Wang, "Raster-based method for Voronoi diagram using GPU parallel technology" (2015): so
// many threads as suit the device, whatever the size of the raster, take its cells in turns, thread
// t the cells t, t + K, t + 2K, … of K threads (the paper's program; its equation (3) has the
// number of cells a thread takes for the stride, with which neighbouring threads would not read
// neighbouring cells). Where sites are few, a cell is compared with all of them (step 4); where
// they are many, its neighbourhood is expanded until a site is met (step 5).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/host_device.hpp"
#include "core/problem.hpp"
#include "thiessen/raster_methods.hpp"

namespace thiessen {

/// Calls visit(cell) for the cells that thread `thread` of `threads` takes.
template <class Visit>
THIESSEN_HD void for_each_in_turn(std::int64_t thread, std::int64_t threads, std::int64_t cells,
                                  Visit&& visit) {
  for (std::int64_t cell = thread; cell < cells; cell += threads) visit(cell);
}

/// Whether the sites of a problem are cells that a neighbourhood can be expanded to: cells of the
/// raster, whose axes end, and S of at most 62 bits.
inline bool has_neighbourhoods(const Problem& problem) {
  bool ends = true;
  for (const std::int64_t period : problem.period) ends = ends && period == kNoPeriod;
  return ends && !problem.point_sites && !problem.wide;
}

/// Whether raster-gpu compares every cell with all sites; `own` is the threshold of the device.
inline bool scans(const Problem& problem, std::int64_t sites, std::int64_t own) {
  const std::int64_t most = problem.raster.scan_sites < 0 ? own : problem.raster.scan_sites;
  return sites <= most || !has_neighbourhoods(problem);
}

/// Checks that a metric exists for rasters of so many axes with this spacing. Throws
/// Error{invalid_argument} naming the metric.
void check_metric(Metric metric, int rank, const std::vector<double>& spacing);

/// Metrics that count steps from cell to cell do not reach places between cells. Points in device
/// memory are seen there, too late. Throws Error{invalid_argument, unsupported}.
void check_points_on_centres(Metric metric, const PointSites& points);

/// Throws Error{invalid_argument} for an option that is out of range, or given to a method that
/// does not take it.
RasterOptions make_raster_options(const std::string& method, const RasterOptions& options);

}  // namespace thiessen
