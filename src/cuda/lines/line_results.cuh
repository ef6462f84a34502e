// SPDX-License-Identifier: Apache-2.0
//
// What becomes of the winners along lines: outputs of the call, or ways for the next axis.
//
// A kind of results has load(), the way from a candidate on; widen(), the same of a way that was
// kept in fewer bits (near_lines.cuh); cell() and step(), the number of an element and from one to
// the next along the line; and write_two(), for two cells side by side, the first in an even
// column. `along` are the differences from the cells to their winners. For sources compiled as
// CUDA.
#pragma once

#include <cstdint>
#include <limits>

#include "cuda/job/tile_output.hpp"
#include "cuda/lines/line_grid.cuh"
#include "cuda/lines/padded_raster.hpp"

namespace thiessen::cuda {

/// A site and the S to it.
struct Winner {
  std::int64_t site;  ///< or kUnreached
  std::int32_t exact;
};

/// Whether labels and distances of 4 bytes alone are wanted, and those of two cells side by side
/// are one word.
inline bool has_simple_pairs(const Job& job) {
  const auto is_wide = [](const auto& cells) {
    return !cells ||
           (cells.element == 4 && reinterpret_cast<std::uintptr_t>(cells.bytes) % 8 == 0);
  };
  return is_simple(job) && job.extent[2] % 2 == 0 && is_wide(job.out.labels) &&
         is_wide(job.out.distance);
}

__device__ inline std::uint32_t label_of(const Job& job, const Winner& winner) {
  if (winner.site < 0) return *reinterpret_cast<const std::uint32_t*>(job.unreached.bytes.data());
  return __ldg(reinterpret_cast<const std::uint32_t*>(job.labels.bytes) + winner.site);
}

__device__ inline float distance_of(const Job& job, const Winner& winner) {
  return winner.site < 0 ? std::numeric_limits<float>::infinity()
                         : distance_as<float>(job, winner.exact);
}

/// Writes the outputs of two cells; the first is in column x. kSimple: has_simple_pairs().
template <bool kSimple>
__device__ void write_pair(const Job& job, std::int64_t cell, std::int32_t x, const Winner& first,
                           const Winner& second) {
  if (x >= job.extent[2]) return;
  if constexpr (kSimple) {
    if (job.out.labels)
      __stcs(reinterpret_cast<uint2*>(job.out.labels.bytes + 4 * cell),
             make_uint2(label_of(job, first), label_of(job, second)));
    if (job.out.distance)
      __stcs(reinterpret_cast<float2*>(job.out.distance.bytes + 4 * cell),
             make_float2(distance_of(job, first), distance_of(job, second)));
  } else {
    write_result(job, cell, first.site, first.exact);
    if (x + 1 < job.extent[2]) write_result(job, cell + 1, second.site, second.exact);
  }
}

/// 2-D: a plane is a layer, lines go along y.
template <bool kSimple>
struct FlatResults {
  using Way = std::int32_t;

  PaddedRaster raster;
  const std::int16_t* way;

  __device__ static Way widen(std::int8_t kept) { return kept; }
  __device__ Way load(std::int32_t layer, std::int32_t row, std::int32_t x) const {
    return __ldg(way + raster.number(layer, row, x));
  }
  __device__ std::int64_t cell(std::int32_t layer, std::int32_t y, std::int32_t x) const {
    return raster.cell(layer, y, x);
  }
  __device__ std::int64_t step() const { return raster.width(); }
  __device__ void write_two(std::int64_t cell, std::int32_t x, const Pair& along, Way first,
                            Way second) const {
    const auto winner = [&](std::int64_t from, std::int32_t y, Way to) {
      if (to == kNoWay) return Winner{kUnreached, 0};
      return Winner{from + std::int64_t{y} * raster.width() + to,
                    raster.part(1, y) + raster.part(2, to)};
    };
    write_pair<kSimple>(raster.job, cell, x, winner(cell, along.of[0], first),
                        winner(cell + 1, along.of[1], second));
  }
};

/// 3-D, along y: keeps the ways in the planes.
struct PlaneResults {
  using Way = std::int32_t;

  PaddedRaster raster;
  const std::int16_t* way;
  std::uint32_t* in_plane;

  __device__ static Way widen(std::int8_t kept) { return kept; }
  __device__ Way load(std::int32_t z, std::int32_t row, std::int32_t x) const {
    return __ldg(way + raster.number(z, row, x));
  }
  __device__ std::int64_t cell(std::int32_t z, std::int32_t y, std::int32_t x) const {
    return raster.number(z, y, x);
  }
  __device__ std::int64_t step() const { return raster.columns; }
  /// Columns beyond the width are as near as can be; but if their number is odd, the first one
  /// repeats the last column.
  __device__ void write_two(std::int64_t cell, std::int32_t x, const Pair& along, Way first,
                            Way second) const {
    const auto pack = [&](std::int32_t y, Way to) {
      return x < raster.width() ? PlaneWay::pack(to == kNoWay ? 0 : y, to) : 0;
    };
    *reinterpret_cast<uint2*>(in_plane + cell) =
        make_uint2(pack(along.of[0], first), pack(along.of[1], second));
  }
};

/// 3-D, along z: a plane of lines is one of x and z.
template <bool kSimple>
struct DeepResults {
  using Way = PlaneWay;

  PaddedRaster raster;
  std::int32_t plane_cells;
  const std::uint32_t* in_plane;

  __device__ static Way widen(std::uint16_t kept) {
    return {static_cast<std::int8_t>(kept >> 8), static_cast<std::int8_t>(kept & 0xff)};
  }
  __device__ Way load(std::int32_t y, std::int32_t plane, std::int32_t x) const {
    return PlaneWay::unpack(__ldg(in_plane + raster.number(plane, y, x)));
  }
  __device__ std::int64_t cell(std::int32_t y, std::int32_t z, std::int32_t x) const {
    return raster.cell(z, y, x);
  }
  __device__ std::int64_t step() const { return plane_cells; }
  __device__ void write_two(std::int64_t cell, std::int32_t x, const Pair& along, const Way& first,
                            const Way& second) const {
    const auto winner = [&](std::int64_t from, std::int32_t z, const Way& to) {
      if (to.x == kNoWay) return Winner{kUnreached, 0};
      return Winner{from + std::int64_t{z} * plane_cells + std::int64_t{to.y} * raster.width() +
                        to.x,
                    raster.part(0, z) + raster.part(1, to.y) + raster.part(2, to.x)};
    };
    write_pair<kSimple>(raster.job, cell, x, winner(cell, along.of[0], first),
                        winner(cell + 1, along.of[1], second));
  }
};

}  // namespace thiessen::cuda
