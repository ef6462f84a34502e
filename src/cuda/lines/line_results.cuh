// SPDX-License-Identifier: Apache-2.0
//
// What becomes of the winners along lines: outputs of the call, or ways for the next axis.
//
// A kind of results has load(), the way from a candidate on; widen(), the same of a way that was
// kept in fewer bits (near_lines.cuh); and write_two(), for cells x and x + 1 of a row, where x is
// even. For sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "cuda/job/tile_output.hpp"
#include "cuda/lines/line_grid.cuh"
#include "cuda/lines/padded_raster.hpp"

namespace thiessen::cuda {

/// A site and the S to it.
struct Winner {
  std::int64_t site;  ///< or kUnreached
  std::int32_t exact;
};

/// How cells are written.
struct PairOutput {
  bool simple;  ///< labels and distances alone, and pairs of them are words of 8 bytes

  explicit PairOutput(const Job& job) {
    const auto is_wide = [&](const Cells<std::byte>& cells) {
      return !cells ||
             (cells.element == 4 && reinterpret_cast<std::uintptr_t>(cells.bytes) % 8 == 0);
    };
    simple = is_simple(job) && job.extent[2] % 2 == 0 && is_wide(job.out.labels) &&
             is_wide(job.out.distance);
  }

  __device__ static std::uint32_t label(const Job& job, const Winner& winner) {
    const std::byte* const bytes =
        winner.site < 0 ? job.unreached.bytes.data() : job.labels.bytes + 4 * winner.site;
    return *reinterpret_cast<const std::uint32_t*>(bytes);
  }
  __device__ static float distance(const Job& job, const Winner& winner) {
    return winner.site < 0 ? std::numeric_limits<float>::infinity()
                           : distance_as<float>(job, winner.exact);
  }

  /// Writes the outputs of cells x and x + 1 of a row that begins at cell `row`.
  __device__ void write(const Job& job, std::int64_t row, std::int32_t x,
                        const Winner (&winner)[2]) const {
    const std::int64_t cell = row + x;
    if (!simple) {
#pragma unroll
      for (int k = 0; k < 2; ++k)
        if (x + k < job.extent[2]) write_result(job, cell + k, winner[k].site, winner[k].exact);
      return;
    }
    if (x >= job.extent[2]) return;
    if (job.out.labels)
      __stcs(reinterpret_cast<uint2*>(job.out.labels.bytes + 4 * cell),
             make_uint2(label(job, winner[0]), label(job, winner[1])));
    if (job.out.distance)
      __stcs(reinterpret_cast<float2*>(job.out.distance.bytes + 4 * cell),
             make_float2(distance(job, winner[0]), distance(job, winner[1])));
  }
};

/// 2-D: a plane is a layer, lines go along y.
struct FlatResults {
  using Way = std::int32_t;

  PaddedRaster raster;
  const std::int16_t* way;
  PairOutput output;

  __device__ static Way widen(std::int8_t kept) { return kept; }
  __device__ Way load(std::int32_t layer, std::int32_t row, std::int32_t x) const {
    return __ldg(way + raster.number(layer, row, x));
  }
  __device__ void write_two(std::int32_t layer, std::int32_t y, std::int32_t x, const Pair& rows,
                            Way first, Way second) const {
    const auto winner = [&](std::int32_t row, std::int32_t from, Way along) {
      if (along == kNoWay) return Winner{kUnreached, 0};
      return Winner{raster.cell(layer, row, from + along),
                    raster.part(1, row - y) + raster.part(2, along)};
    };
    output.write(raster.job, raster.cell(layer, y, 0), x,
                 {winner(rows.of[0], x, first), winner(rows.of[1], x + 1, second)});
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
  /// Columns beyond the width are as near as can be; but if their number is odd, the first one
  /// repeats the last column.
  __device__ void write_two(std::int32_t z, std::int32_t y, std::int32_t x, const Pair& rows,
                            Way first, Way second) const {
    const bool exists = x < raster.width();
    *reinterpret_cast<uint2*>(in_plane + raster.number(z, y, x)) =
        make_uint2(exists ? PlaneWay::pack(rows.of[0] - y, first) : 0,
                   exists ? PlaneWay::pack(rows.of[1] - y, second) : 0);
  }
};

/// 3-D, along z: a plane of lines is one of x and z.
struct DeepResults {
  using Way = PlaneWay;

  PaddedRaster raster;
  const std::uint32_t* in_plane;
  PairOutput output;

  __device__ static Way widen(std::uint16_t kept) {
    return {static_cast<std::int8_t>(kept >> 8), static_cast<std::int8_t>(kept & 0xff)};
  }
  __device__ Way load(std::int32_t y, std::int32_t plane, std::int32_t x) const {
    return PlaneWay::unpack(__ldg(in_plane + raster.number(plane, y, x)));
  }
  __device__ void write_two(std::int32_t y, std::int32_t z, std::int32_t x, const Pair& planes,
                            const Way& first, const Way& second) const {
    const auto winner = [&](std::int32_t plane, std::int32_t from, const Way& to) {
      if (to.x == kNoWay) return Winner{kUnreached, 0};
      return Winner{raster.cell(plane, y + to.y, from + to.x),
                    raster.part(0, plane - z) + raster.part(1, to.y) + raster.part(2, to.x)};
    };
    output.write(raster.job, raster.cell(z, y, 0), x,
                 {winner(planes.of[0], x, first), winner(planes.of[1], x + 1, second)});
  }
};

}  // namespace thiessen::cuda
