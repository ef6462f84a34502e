// SPDX-License-Identifier: Apache-2.0
//
// Exact nearest site of any shapes, one axis after the other: only the best site of a row can win
// in a column, and only the best site of a plane can win across planes.
//
//   1. The way from each cell to the nearest site of its row: 2 bytes a cell (ways.cu).
//   2. Along y, where sites are near (near_lines.cuh), then the rest (eighths.cuh). In 2-D that
//      gives the results.
//   3. 3-D: the way to the nearest site of the plane is kept, 4 bytes a cell. Along z the same.
//
// The order of sites is kept: the left site of a row, the upper row and the lower plane win ties.
#include <algorithm>
#include <bit>
#include <limits>

#include "cuda/job/limits.hpp"
#include "cuda/lines/coarse_cells.cuh"
#include "cuda/lines/eighth_cells.cuh"
#include "cuda/lines/eighths.hpp"
#include "cuda/lines/last_cells.cuh"
#include "cuda/lines/line_results.cuh"
#include "cuda/lines/near_lines.cuh"
#include "cuda/lines/ways.hpp"

namespace thiessen::cuda {
namespace {

/// The bits of a candidate's number in keys: as many as its b, cut where it cannot win, leaves.
template <class Factor>
int code_bits(std::int64_t length, Factor factor, int step) {
  constexpr int kMost = 12;
  const std::int64_t most = std::int64_t{2} * kBetween * step * static_cast<std::int64_t>(factor) *
                            (length + kSegmentLength);
  return std::min(kMost, 31 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most))));
}

LineGrid make_grid(const PaddedRaster& raster, std::size_t axis) {
  const Axes& extent = raster.job.extent;
  const std::int64_t plane = extent[1] * raster.columns;
  LineGrid grid{.length = static_cast<std::int32_t>(extent[axis]),
                .width = raster.width(),
                .columns = raster.columns,
                .planes = static_cast<std::int32_t>(extent[1 - axis]),
                .step = axis == 1 ? raster.columns : plane,
                .plane = axis == 1 ? plane : raster.columns,
                .factor = raster.factor[axis]};
  grid.bits_of_64th = code_bits(grid.length, grid.factor, kTileLength);
  grid.bits_of_8th = code_bits(grid.length, grid.factor, kEighth);
  grid.bits_of_all = code_bits(grid.length, grid.factor, 1);
  return grid;
}

PaddedRaster pad(const Job& job) {
  PaddedRaster raster{
      .job = job,
      .columns = static_cast<std::int32_t>(parts(job.extent[2], kStripColumns) * kStripColumns),
      .factor = {}};
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    raster.factor[axis] = static_cast<std::int32_t>(job.factor[axis]);
  return raster;
}

/// Memory that is to be zero: the counts of an axis, and a byte for each segment.
struct ZeroMemory {
  std::uint32_t left;
  LeftCounts counts;
};

std::int64_t zero_words(const LineGrid& grid) {
  constexpr std::int64_t kWord = sizeof(std::uint32_t);
  return std::int64_t{sizeof(ZeroMemory)} / kWord + parts(grid.segments_in_all(), kWord);
}

/// What is left along an axis.
struct LeftOfAxis {
  LeftLines lines;
  LeftLists lists;

  LeftOfAxis(const LineGrid& grid, bool is_short, std::uint32_t* zeros, Scratch::Frame& device) {
    auto& memory = *reinterpret_cast<ZeroMemory*>(zeros);
    const std::int64_t tiles = grid.tiles_in_all();
    lines = {&memory.left, device.array<std::uint32_t>(tiles),
             reinterpret_cast<std::uint8_t*>(&memory + 1)};
    lists = {is_short,
             &memory.counts,
             device.array<KnownTile>(tiles),
             device.array<std::uint32_t>(tiles),
             device.array<std::uint32_t>(tiles * kEighth),
             device.array<std::uint32_t>(tiles * kEighth)};
  }
};

/// Finds and writes the results that are not near.
template <class Source, class Results>
void find_left(const CudaSession& session, const LineGrid& grid, const Source& source,
               const Results& results, const LeftOfAxis& left, const std::int32_t* open,
               Scratch::Frame& device) {
  auto* const known = device.array<std::uint16_t>(grid.known_at(grid.planes, 0));
  const auto all = [&](std::int64_t parts) {
    return GridShape{blocks_for(grid.planes * parts * grid.strips(), 1), kStripThreads};
  };
  const auto in_turns = [&](std::int64_t pieces, int warps) {
    constexpr std::int64_t kWarpsOfAProcessor = 128;
    return GridShape{static_cast<unsigned>(std::min(
                         parts(pieces, warps), session.processors() * kWarpsOfAProcessor / warps)),
                     warps * kLanes};
  };
  const std::int64_t tiles = grid.tiles_in_all();
  const GridShape groups = in_turns(tiles * kEighth, kGroupWarps);
  const bool is_long = !left.lists.is_short;
  if (is_long)
    launch_next(session, "every 512th cell", all(grid.segments() + 1), find_every_512th<Source>,
                grid, source, left.lines, known, open);
  launch_next(session, "every 64th cell", all(grid.segments()),
              is_long ? find_every_64th<Source, true> : find_every_64th<Source, false>, grid,
              source, left.lines, known, open);
  if (is_long)
    launch_next(session, "every 8th cell", in_turns(tiles, kTileWarps), find_every_8th<Source>,
                grid, source, left.lines, left.lists, known, open);
  launch_next(session, "every 8th cell of many", in_turns(tiles * kStripWarps, kStripWarps),
              find_every_8th_of_many<Source>, grid, source, left.lines, left.lists, known, open);
  if constexpr (Source::kUnit)
    if (is_long)
      launch_next(session, "cells between few", groups, finish_few<Source, Results>, grid, source,
                  results, left.lists, open);
  launch_next(session, "cells between", groups, finish_many<Source, Results>, grid, source, results,
              left.lists, open);
}

/// Finds and writes the results along an axis.
template <class Source, class Results>
void run_axis(const CudaSession& session, const LineGrid& grid, const Source& source,
              const Results& results, const LeftOfAxis& left, const std::int32_t* open,
              Scratch::Frame& device) {
  constexpr std::int64_t kBlocksOfAProcessor = 24;
  const std::int64_t pieces =
      parts(grid.length, kNearLength) * grid.planes * std::int64_t{grid.strips()};
  const auto blocks =
      static_cast<unsigned>(std::min(pieces, session.processors() * kBlocksOfAProcessor));
  allow_all_shared(search_near_lines<Source, Results>, "shared memory of near lines");
  launch_next(session, "near along lines", {blocks, kStripThreads, sizeof(NearMemory<Source>)},
              search_near_lines<Source, Results>, grid, source, results, NearParts(grid.factor),
              left.lines, open);
  find_left(session, grid, source, results, left, open, device);
}

/// Whether there is memory for all that a call takes; there is if an earlier one of that size took
/// it.
bool has_room(const CudaSession& session, const Problem& problem) {
  const std::int64_t cells = problem.cells() * problem.layers;
  const std::int64_t of_two_kept = problem.rank == 2 ? 5 : 14;  // bytes of two cells
  const std::int64_t of_two_taken = problem.rank == 2 ? 8 : 20;
  const auto kept = static_cast<std::int64_t>(session.scratch_bytes());
  if (cells <= TileLimits::kCellsWithRoom || 2 * kept >= cells * of_two_kept) return true;
  std::size_t free = 0;
  std::size_t all = 0;
  check(cudaMemGetInfo(&free, &all), "free memory");
  return 2 * (kept + static_cast<std::int64_t>(free)) >= cells * of_two_taken;
}

}  // namespace

bool has_eighths(const CudaSession& session, const Problem& problem) {
  constexpr int kFewestBits = 5;
  constexpr std::int64_t kMostExact = kNoSiteCost;
  constexpr std::int64_t kMostTiles = std::int64_t{1} << (32 - kEighth);
  constexpr std::int64_t kMostFactor = 1 << 20;  // so that the costs of short ways fit 32 bits
  if (problem.metric != Metric::euclidean || problem.has_period() ||
      problem.weights.greatest >= kMostExact || problem.extent[2] > kMostLength ||
      std::any_of(problem.weights.factor.begin(), problem.weights.factor.end(),
                  [](Int128 factor) { return factor > kMostFactor; }))
    return false;
  const Axes& extent = problem.extent;
  const std::int64_t strips = parts(extent[2], kStripColumns);
  const std::int64_t layers = problem.rank == 2 ? problem.layers : extent[0];
  for (std::size_t axis = problem.rank == 2 ? 1 : 0; axis < 2; ++axis) {
    const std::int64_t length = extent[axis];
    const std::int64_t planes = axis == 1 ? layers : extent[1];
    const Int128 factor = problem.weights.factor[axis];
    const std::int64_t reach = length + kSegmentLength;
    if (length > kMostLength || factor * reach * reach >= kMostExact ||
        code_bits(length, factor, kTileLength) < kFewestBits ||
        Int128{parts(length, kTileLength)} * planes * strips >= kMostTiles)
      return false;
  }
  return has_room(session, problem);
}

namespace {

/// Finds the ways, and what is nearest by them. kFast: has_simple_pairs(), and all factors are 1.
template <bool kFast>
void run(const CudaSession& session, const PaddedRaster& raster, const Bits* bits,
         const std::int32_t* open, Scratch::Frame& device) {
  const LineGrid along_y = make_grid(raster, 1);
  const LineGrid along_z = make_grid(raster, 0);
  const bool is_deep = raster.job.rank == 3;
  const std::int64_t words_y = zero_words(along_y);
  const std::int64_t words = words_y + (is_deep ? zero_words(along_z) : 0);
  auto* const zeros = device.array<std::uint32_t>(words);
  const Ways ways = find_ways(session, raster, bits, zeros, words, open, device);
  const WayCosts<kFast> costs{ways.way, raster.factor[2], ways.least};
  const bool is_short = raster.cells() <= TileLimits::kFewCells;
  const LeftOfAxis left_y(along_y, is_short, zeros, device);
  if (!is_deep)
    return run_axis(session, along_y, costs, FlatResults<kFast>{raster, raster.width(), ways.way},
                    left_y, open, device);
  auto* const in_plane = device.array<std::uint32_t>(raster.cells());
  run_axis(session, along_y, costs, PlaneResults{raster, ways.way, in_plane}, left_y, open, device);
  const auto plane_cells = static_cast<std::int32_t>(raster.job.extent[1] * raster.job.extent[2]);
  run_axis(session, along_z, PlaneCosts<kFast>{in_plane, raster.factor[1], raster.factor[2]},
           DeepResults<kFast>{raster, raster.width(), plane_cells, in_plane},
           LeftOfAxis(along_z, is_short, zeros + words_y, device), open, device);
}

}  // namespace

void run_eighths(const CudaSession& session, const Job& job, const Bits* bits,
                 const std::int32_t* open, Scratch::Frame& device) {
  const PaddedRaster raster = pad(job);
  const bool unit = std::all_of(raster.factor + kAxes - job.rank, raster.factor + kAxes,
                                [](std::int32_t factor) { return factor == 1; });
  if (unit && has_simple_pairs(job))
    run<true>(session, raster, bits, open, device);
  else
    run<false>(session, raster, bits, open, device);
}

}  // namespace thiessen::cuda
