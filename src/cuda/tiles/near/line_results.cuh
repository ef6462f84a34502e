// SPDX-License-Identifier: Apache-2.0
//
// What becomes of the winners along lines: outputs of the call, or offsets for the next axis.
//
// A kind of results has load(), the offset from a candidate on; widen(), the same of an offset that
// was kept in fewer bits (windows.cuh); and write(), for a group of cells of a lane. For sources
// compiled as CUDA.
#pragma once

#include <cstdint>
#include <limits>

#include "core/search/special_values.hpp"
#include "cuda/job/tile_output.hpp"
#include "cuda/tiles/near/line_grid.cuh"
#include "cuda/tiles/near/padded_raster.hpp"

namespace thiessen::cuda::tiles {

/// Eight cells of each of a lane's two lines, and their winners.
template <class SiteOffset>
struct Group {
  std::int32_t plane;
  std::int32_t y;                      ///< the first cell along the line
  std::int32_t x;                      ///< the column of the first line: an even one
  int count;                           ///< cells that exist
  Pair along[kEighth];                 ///< from the cell to its winner, along the line
  SiteOffset site_offset[kEighth][2];  ///< and from there on
};

/// Whether labels and distances of 4 bytes alone are wanted, those of two cells side by side are
/// one word, and differences of cells fit 32 bits.
inline bool has_simple_pairs(const Job& job) {
  const auto is_wide = [](const auto& cells) {
    return !cells || (cells.element == 4 && reinterpret_cast<std::uintptr_t>(cells.bytes) % 8 == 0);
  };
  return is_simple(job) && job.extent[2] % 2 == 0 && is_wide(job.out.labels) &&
         is_wide(job.out.distance) && job.cells() <= std::numeric_limits<std::int32_t>::max();
}

/// Writes the labels and distances of a group that begins at `cell`, whose lines have `step` cells
/// from one to the next: offset(i, line) is the difference from the first cell of the group to a
/// winner, exact(i, line) the S to it. All labels are loaded before the first is stored.
template <class SiteOffset, class IsReached, class Offset, class Exact>
__device__ void write_simple(const Job& job, std::int64_t cell, std::int32_t step,
                             const Group<SiteOffset>& group, const IsReached& is_reached,
                             const Offset& offset, const Exact& exact) {
  if (job.out.labels) {
    const auto* const labels = reinterpret_cast<const std::uint32_t*>(job.labels.bytes) + cell;
    auto* out = reinterpret_cast<std::uint32_t*>(job.out.labels.bytes) + cell;
    const auto unreached = *reinterpret_cast<const std::uint32_t*>(job.unreached.bytes.data());
    uint2 label[kEighth];
#pragma unroll
    for (int i = 0; i < kEighth; ++i) {
      const bool exists = i < group.count;  // others have no offset
      label[i].x = exists && is_reached(i, 0) ? __ldg(labels + offset(i, 0)) : unreached;
      label[i].y = exists && is_reached(i, 1) ? __ldg(labels + offset(i, 1)) : unreached;
    }
#pragma unroll
    for (int i = 0; i < kEighth; ++i, out += step)
      if (i < group.count) __stcs(reinterpret_cast<uint2*>(out), label[i]);
  }
  if (job.out.distance) {
    auto* out = reinterpret_cast<float*>(job.out.distance.bytes) + cell;
    const auto distance = [&](int i, int line) {
      return is_reached(i, line) ? distance_as<float>(job, exact(i, line))
                                 : static_cast<float>(kUnreachedDistance);
    };
#pragma unroll
    for (int i = 0; i < kEighth; ++i, out += step)
      if (i < group.count)
        __stcs(reinterpret_cast<float2*>(out), make_float2(distance(i, 0), distance(i, 1)));
  }
}

/// The cell of a place along an axis, which may be that of an image.
template <class Lines>
__device__ std::int32_t place_along(const PaddedRaster& raster, std::size_t axis,
                                    std::int32_t place) {
  return Lines::kHasPeriod ? raster.wrap(axis, place) : place;
}

/// 2-D: a plane is a layer, lines go along y.
template <class Lines>
struct FlatResults {
  using Exact = typename Lines::Exact;
  using SiteOffset = std::int32_t;

  PaddedRaster raster;
  std::int32_t width;
  const typename Lines::SiteOffset* site_offset;

  __device__ static SiteOffset widen(std::int32_t kept) { return kept; }
  __device__ SiteOffset load(std::int32_t layer, std::int32_t row, std::int32_t x) const {
    return __ldg(site_offset + raster.number(layer, place_along<Lines>(raster, 1, row), x));
  }
  __device__ void write(const Group<SiteOffset>& group) const {
    if (group.x >= width) return;
    const std::int64_t cell = raster.cell(group.plane, group.y, group.x);
    const auto exact = [&](int i, int line) {
      return raster.part<Exact>(1, group.along[i].of[line]) +
             raster.part<Exact>(2, group.site_offset[i][line]);
    };
    const auto is_reached = [&](int i, int line) {
      return group.site_offset[i][line] != kNoSiteOffset<typename Lines::SiteOffset>;
    };
    if constexpr (Lines::kUnit) {
      const auto offset = [&](int i, int line) {
        return (i + group.along[i].of[line]) * width + group.site_offset[i][line] + line;
      };
      write_simple(raster.job, cell, width, group, is_reached, offset, exact);
    } else {
      for (int i = 0; i < group.count; ++i)
        for (int line = 0; line < 2 && group.x + line < width; ++line) {
          std::int64_t site = kUnreached;
          if (is_reached(i, line))
            site = raster.cell(
                group.plane, place_along<Lines>(raster, 1, group.y + i + group.along[i].of[line]),
                place_along<Lines>(raster, 2, group.x + line + group.site_offset[i][line]));
          write_result(raster.job, cell + std::int64_t{i} * width + line, site, exact(i, line));
        }
    }
  }
};

/// 3-D, along y: keeps the offsets in the planes.
template <class Lines>
struct PlaneResults {
  using SiteOffset = std::int32_t;  ///< along x

  PaddedRaster raster;
  const std::int16_t* site_offset;
  std::uint32_t* in_plane;

  __device__ static SiteOffset widen(std::int32_t kept) { return kept; }
  __device__ SiteOffset load(std::int32_t z, std::int32_t row, std::int32_t x) const {
    return __ldg(site_offset + raster.number(z, place_along<Lines>(raster, 1, row), x));
  }
  /// Columns beyond the width are as near as can be; but if their number is odd, the first one
  /// repeats the last column.
  __device__ void write(const Group<SiteOffset>& group) const {
    const bool exists = group.x < raster.width();
    std::uint32_t* to = in_plane + raster.number(group.plane, group.y, group.x);
    const auto pack = [&](int i, int line) {
      const SiteOffset x = group.site_offset[i][line];
      return exists ? PlaneSiteOffset::pack(
                          x == PlaneSiteOffset::kNone ? 0 : group.along[i].of[line], x)
                    : 0;
    };
#pragma unroll
    for (int i = 0; i < kEighth; ++i, to += raster.columns)
      if (i < group.count) *reinterpret_cast<uint2*>(to) = make_uint2(pack(i, 0), pack(i, 1));
  }
};

/// 3-D, along z: a plane of lines is one of x and z.
template <class Lines>
struct DeepResults {
  using Exact = typename Lines::Exact;
  using SiteOffset = PlaneSiteOffset;

  PaddedRaster raster;
  std::int32_t width;
  std::int32_t plane_cells;
  const std::uint32_t* in_plane;

  __device__ static SiteOffset widen(std::uint16_t kept) {
    return {static_cast<std::int8_t>(kept >> 8), static_cast<std::int8_t>(kept & 0xff)};
  }
  __device__ SiteOffset load(std::int32_t y, std::int32_t plane, std::int32_t x) const {
    return PlaneSiteOffset::unpack(
        __ldg(in_plane + raster.number(place_along<Lines>(raster, 0, plane), y, x)));
  }
  __device__ void write(const Group<SiteOffset>& group) const {
    if (group.x >= width) return;
    const std::int64_t cell = raster.cell(group.y, group.plane, group.x);
    const auto exact = [&](int i, int line) {
      const SiteOffset& to = group.site_offset[i][line];
      return raster.part<Exact>(0, group.along[i].of[line]) + raster.part<Exact>(1, to.y) +
             raster.part<Exact>(2, to.x);
    };
    const auto is_reached = [&](int i, int line) {
      return group.site_offset[i][line].x != PlaneSiteOffset::kNone;
    };
    if constexpr (Lines::kUnit) {
      const auto offset = [&](int i, int line) {
        const SiteOffset& to = group.site_offset[i][line];
        return (i + group.along[i].of[line]) * plane_cells + to.y * width + to.x + line;
      };
      write_simple(raster.job, cell, plane_cells, group, is_reached, offset, exact);
    } else {
      for (int i = 0; i < group.count; ++i)
        for (int line = 0; line < 2 && group.x + line < width; ++line) {
          const SiteOffset& to = group.site_offset[i][line];
          const std::int64_t own = cell + std::int64_t{i} * plane_cells + line;
          std::int64_t site = kUnreached;
          if (is_reached(i, line))
            site = raster.cell(place_along<Lines>(raster, 0, group.y + i + group.along[i].of[line]),
                               place_along<Lines>(raster, 1, group.plane + to.y),
                               place_along<Lines>(raster, 2, group.x + line + to.x));
          write_result(raster.job, own, site, exact(i, line));
        }
    }
  }
};

}  // namespace thiessen::cuda::tiles
