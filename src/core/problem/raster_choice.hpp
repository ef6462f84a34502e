// SPDX-License-Identifier: Apache-2.0
//
// What the methods that go through the cells of a raster share on every backend.
//
// Tu and Wang, "Raster-based method for Voronoi diagram using GPU parallel technology" (2015): the
// number of threads K suits the device, whatever the size of the raster. The threads take its cells
// in turns: thread t takes the cells t, t + K, t + 2K, …, as in the paper's program. (In its
// equation (3) the stride is the number of cells of a thread, and neighbouring threads would not
// read neighbouring cells.) If sites are few, a cell is compared with all of them (step 4); if they
// are many, its neighbourhood is expanded until it contains a site (step 5).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/host_device.hpp"
#include "core/problem/problem.hpp"
#include "thiessen/papers.hpp"

namespace thiessen {

/// Calls visit(cell) for the cells that thread `thread` of `threads` takes.
template <class Visit>
THIESSEN_HD void for_each_in_turn(std::int64_t thread, std::int64_t threads, std::int64_t cells,
                                  Visit&& visit) {
  for (std::int64_t cell = thread; cell < cells; cell += threads) visit(cell);
}

/// The cells of a thread: first, first + stride, …, at most `count`; those from the number of cells
/// on do not exist.
struct AllottedCells {
  std::int64_t first = 0;
  std::int64_t stride = 1;
  std::int64_t count = 0;  ///< the same for all threads
};

THIESSEN_HD inline AllottedCells allot(Allotment allotment, std::int64_t thread,
                                       std::int64_t threads, std::int64_t cells) {
  const std::int64_t count = (cells + threads - 1) / threads;
  if (allotment == Allotment::contiguous) return {thread * count, 1, count};
  return {thread, threads, count};
}

/// Whether the sites of a problem are cells that an expanding neighbourhood can find: cells of a
/// raster without periodic axes, with S of at most 62 bits.
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
/// memory are read there, which is too late. Throws Error{invalid_argument, unsupported}.
void check_points_on_centres(Metric metric, const PointSites& points);

}  // namespace thiessen
