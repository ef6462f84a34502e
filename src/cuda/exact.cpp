// SPDX-License-Identifier: Apache-2.0
//
// Method "exact" on CUDA: chooses who computes. Tiles are searched first where they take the
// problem and its sites stand alone; the rest goes along lines, or, for points, to the tree. So do
// all sites with weights.
#include "cuda/exact.hpp"

#include <algorithm>
#include <string>

#include "cuda/job/limits.hpp"
#include "cuda/lines/boundary.hpp"
#include "cuda/lines/chessboard.hpp"
#include "cuda/lines/separable.hpp"
#include "cuda/points/cell_problem.hpp"
#include "cuda/points/mark.hpp"
#include "cuda/points/points.hpp"
#include "cuda/tiles/dense_or_near.hpp"
#include "cuda/tiles/far/far.hpp"
#include "cuda/tiles/lines/eighths.hpp"
#include "cuda/transfer/make_job.hpp"

namespace thiessen::cuda {

Support supports_exact(const ContextState&, const Problem& problem) {
  if (problem.has_weights() && !problem.point_sites && problem.keys.weighting != Weighting::power)
    return {"cuda takes weights of a raster with weighting = power, not " +
            std::string(name_of(problem.keys.weighting))};
  if (problem.keys.has_metrics) return {weights_are_given(problem)};
  return supports_axes_metric(problem);
}

namespace {

/// Whether the search by tiles takes a problem.
bool has_tiles(const Problem& problem) {
  return tiles::can_measure(problem) &&
         std::all_of(problem.period.begin(), problem.period.end(),
                     [](std::int64_t period) { return period == kNoPeriod; }) &&
         tiles::is_pyramid_wide_enough(problem.extent, problem.rank);
}

points::UnsolvedTiles unsolved_tiles(const tiles::Pyramid& pyramid, const std::uint8_t* solved) {
  points::UnsolvedTiles tiles{&pyramid.lengths->left, solved};
  std::copy_n(pyramid.level[0].along, kAxes, tiles.along);
  return tiles;
}

/// Solves the whole raster in linear time, unless `left` is not null and *left is 0.
void run_lines(const CudaSession& session, const Problem& problem, const Job& job, const Bits& bits,
               const std::int32_t* left, Scratch::Frame& device) {
  if (problem.metric == Metric::chessboard)
    lines::run_chessboard(session, problem, job, bits, left, device);
  else
    lines::run_separable(session, problem, job, bits, left, device);
}

/// Whether the search by tiles may take points as sites of a raster, if all of them lie on centres
/// of the grid. The tree is faster if there are so many points that most cells have one near.
bool may_have_tiles(const Problem& on_cells, const ProblemViews& views, const Job& job) {
  const bool off_centre = views.points.at != nullptr && job.fraction_bits > 0;
  return !off_centre && job.point_count > 0 &&
         job.point_count <= job.cells() / PointLimits::kCellsPerPoint && has_tiles(on_cells);
}

/// Searches by tiles, and by the tree what is left: everything, if the device finds points off
/// centre.
void run_list(const CudaSession& session, const Problem& problem, const ProblemViews& views,
              const Job& job, Scratch::Frame& device) {
  if (problem.has_weights()) return points::run_points(session, problem, job, {}, device);
  const Problem cells = points::problem_on_cells(problem);
  if (!may_have_tiles(cells, views, job))
    return points::run_points(session, problem, job, {}, device);
  const Job on_cells = points::mark_points(session, cells, job, device);
  const Bits& bits = on_cells.point_cells.bits;
  const tiles::Pyramid pyramid = tiles::allocate_pyramid(on_cells, device);
  auto* const solved = device.array<std::uint8_t>(pyramid.tiles());
  tiles::build_pyramid(session, on_cells, bits, pyramid);
  points::number_cells(session, job, on_cells);
  tiles::run_near(session, cells, on_cells, bits, pyramid, false, solved, device);
  tiles::run_far(session, cells, on_cells, bits, pyramid, solved, device);
  const points::UnsolvedCells unsolved{on_cells.point_cells.state, unsolved_tiles(pyramid, solved)};
  points::run_points(session, problem, job, unsolved, device);
}

/// Writes the distances by themselves, and everything else as without them.
void run_map_and_boundary(const CudaSession& session, const Problem& problem, const Job& job,
                          Scratch::Frame& device) {
  Job map = job;
  map.out.distance = {};
  map.out.squared = nullptr;
  if (wants_sites(map.out)) search_map(session, problem, map, device);
  if (job.out.distance || job.out.squared != nullptr)
    lines::run_boundary(session, problem, job, {}, device);
}

}  // namespace

void search_map(const CudaSession& session, const Problem& problem, const Job& job,
                Scratch::Frame& device) {
  const Bits bits = sites::allocate_bits(job, device);
  sites::mark_sites(session, job, bits);
  search_bits(session, problem, job, bits, device);
}

void search_bits(const CudaSession& session, const Problem& problem, const Job& job,
                 const Bits& bits, Scratch::Frame& device) {
  const bool by_eighths = tiles::has_eighths(session, problem);
  const std::int32_t* left = nullptr;
  if (has_tiles(problem) && !(by_eighths && job.cells() <= TileLimits::kFewCells)) {
    const tiles::Pyramid pyramid = tiles::allocate_pyramid(job, device);
    auto* const solved = device.array<std::uint8_t>(pyramid.tiles());
    tiles::build_pyramid(session, job, bits, pyramid);
    tiles::run_near(session, problem, job, bits, pyramid, by_eighths, solved, device);
    tiles::run_far(session, problem, job, bits, pyramid, solved, device);
    left = &pyramid.lengths->left;
  }
  if (by_eighths)
    tiles::run_eighths(session, problem, job, bits, left, device);
  else
    run_lines(session, problem, job, bits, left, device);
}

void search_exact(const CudaSession& session, const Problem& problem, const ProblemViews& views,
                  const Job& job, Scratch::Frame& device) {
  if (problem.point_sites)
    run_list(session, problem, views, job, device);
  else if (problem.has_weights())
    lines::run_weighted_separable(session, problem, job, device);
  else if (problem.distance_to == DistanceTo::boundary)
    run_map_and_boundary(session, problem, job, device);
  else
    search_map(session, problem, job, device);
}

void run_exact(ContextState& state, const Problem& problem, const ProblemViews& views) {
  run_call(state, problem, views,
           [&](const CudaSession& session, const Job& job, Scratch::Frame& device) {
             search_exact(session, problem, views, job, device);
           });
}

}  // namespace thiessen::cuda
