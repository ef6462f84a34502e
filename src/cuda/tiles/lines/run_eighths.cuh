// SPDX-License-Identifier: Apache-2.0
//
// Launches of the search by eighths. For sources compiled as CUDA.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cuda/device/launch.cuh"
#include "cuda/job/limits.hpp"
#include "cuda/tiles/lines/coarse_cells.cuh"
#include "cuda/tiles/lines/eighth_cells.cuh"
#include "cuda/tiles/lines/last_cells.cuh"
#include "cuda/tiles/near/line_results.cuh"
#include "cuda/tiles/near/site_offsets.hpp"
#include "cuda/tiles/near/windows.cuh"

namespace thiessen::cuda::tiles {

/// The bits of a candidate's number in keys: as many as its b, cut where it cannot win, leaves.
template <class Key>
int code_bits(std::int64_t length, std::int64_t factor, int step) {
  constexpr int kMost = sizeof(Key) == 4 ? 12 : 16;
  const std::int64_t most = std::int64_t{2} * kBetween * step * factor * (length + kSegmentLength);
  return std::min(
      kMost, kKeyBits<Key> - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most))));
}

template <class Key>
LineGrid make_grid(const PaddedRaster& raster, std::size_t axis) {
  const Axes& extent = raster.job.extent;
  const std::int64_t plane = extent[1] * raster.columns;
  const std::int64_t period = raster.job.period[axis];
  LineGrid grid{.length = static_cast<std::int32_t>(extent[axis]),
                .width = raster.width(),
                .columns = raster.columns,
                .planes = static_cast<std::int32_t>(extent[1 - axis]),
                .step = axis == 1 ? raster.columns : plane,
                .plane = axis == 1 ? plane : raster.columns,
                .factor = raster.factor[axis],
                .period = period == kNoPeriod ? 0 : static_cast<std::int32_t>(period)};
  grid.bits_of_64th = code_bits<Key>(grid.length, grid.factor, kTileLength);
  grid.bits_of_8th = code_bits<Key>(grid.length, grid.factor, kEighth);
  grid.bits_of_all = code_bits<Key>(grid.length, grid.factor, 1);
  return grid;
}

inline PaddedRaster pad(const Job& job) {
  PaddedRaster raster{
      .job = job,
      .columns = static_cast<std::int32_t>(parts(job.extent[2], kStripColumns) * kStripColumns),
      .factor = {}};
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    raster.factor[axis] = static_cast<std::int64_t>(job.factor[axis]);
  return raster;
}

/// Memory that is to be zero: the counts of an axis, and a byte for each segment.
struct ZeroMemory {
  std::uint32_t left;
  UnsolvedCounts counts;
};

inline std::int64_t zero_words(const LineGrid& grid) {
  constexpr std::int64_t kWord = sizeof(std::uint32_t);
  return std::int64_t{sizeof(ZeroMemory)} / kWord + parts(grid.segments_in_all(), kWord);
}

/// What is left along an axis.
struct UnsolvedOfAxis {
  UnsolvedLines lines;
  UnsolvedLists lists;

  UnsolvedOfAxis(const LineGrid& grid, bool is_short, std::uint32_t* zeros,
                 Scratch::Frame& device) {
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
               const Results& results, const UnsolvedOfAxis& left, const std::int32_t* open,
               Scratch::Frame& device) {
  auto* const known = device.array<std::uint16_t>(grid.known_at(grid.planes, 0));
  const auto all = [&](std::int64_t parts) {
    return GridShape{blocks_for(grid.planes * parts * grid.strips(), 1), kStripThreads};
  };
  const auto in_turns = [&](std::int64_t pieces, int warps) {
    constexpr std::int64_t kWarpsPerProcessor = 128;
    return GridShape{static_cast<unsigned>(std::min(
                         parts(pieces, warps), session.processors() * kWarpsPerProcessor / warps)),
                     warps * kLanes};
  };
  const std::int64_t tiles = grid.tiles_in_all();
  const GridShape groups = in_turns(tiles * kEighth, kGroupWarps);
  const bool is_long = !left.lists.is_short;
  if (is_long)
    launch_next(session, "every 512th cell", all(grid.segments() + 1), find_every_512th<Source>,
                grid, source, left.lines, known, open);
  auto* every_64th = find_every_64th<Source, true>;
  if constexpr (Source::kMayBeFew)
    if (!is_long) every_64th = find_every_64th<Source, false>;
  launch_next(session, "every 64th cell", all(grid.segments()), every_64th, grid, source,
              left.lines, known, open);
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
              const Results& results, const UnsolvedOfAxis& left, const std::int32_t* open,
              Scratch::Frame& device) {
  constexpr std::int64_t kBlocksPerProcessor = 24;
  const std::int64_t pieces =
      parts(grid.length, kNearLength) * grid.planes * std::int64_t{grid.strips()};
  const auto blocks =
      static_cast<unsigned>(std::min(pieces, session.processors() * kBlocksPerProcessor));
  allow_all_shared(search_windows<Source, Results>, "shared memory of windows");
  launch_next(session, "near along lines", {blocks, kStripThreads, sizeof(NearMemory<Source>)},
              search_windows<Source, Results>, grid, source, results, NearParts(grid.factor),
              left.lines, open);
  find_left(session, grid, source, results, left, open, device);
}

/// Memory that is zero when the offsets are found, and the lines along y and z.
template <class Lines>
struct LinesOfRaster {
  LineGrid along_y;
  LineGrid along_z;
  std::int64_t words_y;
  std::int64_t words;
  std::uint32_t* zeros;
  bool is_short;

  LinesOfRaster(const PaddedRaster& raster, Scratch::Frame& device)
      : along_y(make_grid<typename Lines::Key>(raster, 1)),
        along_z(make_grid<typename Lines::Key>(raster, 0)),
        words_y(zero_words(along_y)),
        words(words_y + (raster.job.rank == 3 ? zero_words(along_z) : 0)),
        zeros(device.array<std::uint32_t>(words)),
        is_short(Lines::kMayBeFew && raster.cells() <= TileLimits::kFewCells) {}
};

/// Finds what is nearest by the offsets in 2-D.
template <class Lines>
void run_flat(const CudaSession& session, const PaddedRaster& raster,
              const LinesOfRaster<Lines>& lines,
              const SiteOffsets<typename Lines::SiteOffset>& site_offsets, const std::int32_t* open,
              Scratch::Frame& device) {
  const SiteOffsetCosts<Lines> costs{
      {}, site_offsets.site_offset, raster.factor[2], site_offsets.least};
  run_axis(session, lines.along_y, costs,
           FlatResults<Lines>{raster, raster.width(), site_offsets.site_offset},
           UnsolvedOfAxis(lines.along_y, lines.is_short, lines.zeros, device), open, device);
}

/// The same in 3-D.
template <class Lines>
void run_deep(const CudaSession& session, const PaddedRaster& raster,
              const LinesOfRaster<Lines>& lines, const SiteOffsets<std::int16_t>& site_offsets,
              const std::int32_t* open, Scratch::Frame& device) {
  const SiteOffsetCosts<Lines> costs{
      {}, site_offsets.site_offset, raster.factor[2], site_offsets.least};
  const UnsolvedOfAxis left_y(lines.along_y, lines.is_short, lines.zeros, device);
  auto* const in_plane = device.array<std::uint32_t>(raster.cells());
  run_axis(session, lines.along_y, costs,
           PlaneResults<Lines>{raster, site_offsets.site_offset, in_plane}, left_y, open, device);
  const auto plane_cells = static_cast<std::int32_t>(raster.job.extent[1] * raster.job.extent[2]);
  run_axis(session, lines.along_z,
           PlaneCosts<Lines>{{}, in_plane, raster.factor[1], raster.factor[2]},
           DeepResults<Lines>{raster, raster.width(), plane_cells, in_plane},
           UnsolvedOfAxis(lines.along_z, lines.is_short, lines.zeros + lines.words_y, device), open,
           device);
}

}  // namespace thiessen::cuda::tiles
